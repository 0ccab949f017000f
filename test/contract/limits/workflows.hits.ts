/** Workflows of teams: what one may hold, and how much they send, where the booking is made all the same. */
import { row, sql } from '../../../src/database/sql.ts';
import { uuidOf } from '../../support/ids.ts';
import { jobsSettled } from '../../support/mails-settled.ts';
import { type As, bothOf, type Hit, type Hits, type Outcome, oneByOne, type Reached, type Visit } from './limit-hit.ts';

const DAN = 'dan@solo.test';
const MAX_STEPS = 10;
const x = (count: number): string => 'x'.repeat(count);
const step = (more: object = {}) => ({ action: 'EMAIL_HOST', subject: 'New', body: 'Hello', ...more });
const steps = (count: number, more: object = {}) => Array.from({ length: count }, () => step(more));

let made = 0;
/** A team that dan owns alone, by its id. */
async function teamOf(visit: Visit, as: As): Promise<string> {
  made += 1;
  const { text } = await visit.mutation('teamCreate', { slug: `workflows-${made}`, name: 'Team' }, as, 'teamId');
  return /tea_[\w-]+/.exec(text)?.[0] ?? '';
}

/** A workflow of a new team, with as much as is asked for. */
const workflow =
  (input: (amount: number) => object): Hit =>
  async (visit, limit) => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    const common = { teamId, name: 'W', trigger: 'NEW_BOOKING', steps: [step()] };
    return bothOf(limit, (amount) => visit.mutation('teamWorkflowCreate', { ...common, ...input(amount) }, as));
  };

/**
 * Bookings of a team whose workflows send each so many messages as full steps of so many of them: as many as there may be, and
 * those of one booking more.
 */
const mailed =
  (action: string, workflows: number): Hit =>
  async (visit, { amount }): Promise<Reached> => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    const input = { teamId, slug: 'talk', title: 'Talk', lengthInMinutes: 30, schedulingType: 'COLLECTIVE' };
    const { text } = await visit.mutation('teamEventTypeCreate', input, as, 'eventTypeId');
    const eventTypeId = /evt_[\w-]+/.exec(text)?.[0] ?? '';
    for (let index = 0; index < workflows; index += 1) {
      const some = { teamId, name: 'W', trigger: 'NEW_BOOKING', steps: steps(MAX_STEPS, { action }) };
      await visit.mutation('teamWorkflowCreate', some, as);
    }
    const starts = await startsOf(visit, eventTypeId);
    const book = (index: number): Promise<Outcome> => {
      const attendee = { name: 'Eve', email: `workflow-${made}-${index}@example.test`, timeZone: 'UTC' };
      return visit.mutation('bookingCreate', { eventTypeId, start: starts[index], attendee }, as, 'booking { uid }');
    };
    const bookings = amount / (workflows * MAX_STEPS);
    let within = await book(0);
    for (let index = 1; index < bookings; index += 1) within = await book(index);
    const sent = await unsentOf(visit, within);
    const beyond = await book(bookings);
    const unsent = await unsentOf(visit, beyond);
    if (sent !== 0 || unsent !== workflows * MAX_STEPS)
      throw new Error(`Within the limit ${sent} mails were not sent, beyond it ${unsent}.`);
    return { within, beyond };
  };

async function startsOf(visit: Visit, id: string): Promise<string[]> {
  const from = Temporal.Now.instant().add({ hours: 24 * 8 });
  const range = { from: from.toString(), to: from.add({ hours: 24 * 7 }).toString() };
  const document = `query ($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventTypeId: $id, start: $from, end: $to) { start } }`;
  const { text } = await visit.graphql(document, { id, ...range });
  return JSON.parse(text).data.slots.map(({ start }: { start: string }) => start);
}

async function unsentOf({ app }: Visit, { text }: Outcome): Promise<number> {
  await jobsSettled(app);
  const uid = /"uid":"([\w-]+)"/.exec(text)?.[1] ?? '';
  const found = await row(
    app.database.em.fork(),
    sql<{ unsent: number }>`select unsent_mails as unsent from bookings where id = ${uuidOf(uid)}`,
  );
  return found?.unsent ?? -1;
}

export const hits: Hits = {
  workflows: async (visit, limit) => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    const input = { teamId, name: 'W', trigger: 'NEW_BOOKING', steps: [step()] };
    return oneByOne(limit, () => visit.mutation('teamWorkflowCreate', input, as));
  },
  'workflow-name': workflow((amount) => ({ name: x(amount) })),
  'workflow-offset': workflow((value) => ({ trigger: 'BEFORE_EVENT', offset: { value, unit: 'DAY' } })),
  'workflow-steps': workflow((amount) => ({ steps: steps(amount) })),
  'workflow-subject': workflow((amount) => ({ steps: [step({ subject: x(amount) })] })),
  'workflow-body': workflow((amount) => ({ steps: [step({ body: x(amount) })] })),
  'workflow-sender-name': workflow((amount) => ({ steps: [step({ senderName: x(amount) })] })),
  'workflow-event-types': async (visit, limit) => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    const input = { teamId, slug: 'talk', title: 'Talk', lengthInMinutes: 30, schedulingType: 'COLLECTIVE' };
    const { text } = await visit.mutation('teamEventTypeCreate', input, as, 'eventTypeId');
    const eventTypeId = /evt_[\w-]+/.exec(text)?.[0];
    return bothOf(limit, (amount) =>
      visit.mutation(
        'teamWorkflowCreate',
        {
          teamId,
          name: 'W',
          trigger: 'NEW_BOOKING',
          steps: [step()],
          eventTypeIds: Array.from({ length: amount }, () => eventTypeId),
        },
        as,
      ),
    );
  },
  'workflow-mails': mailed('EMAIL_ATTENDEE', 5),
  'workflow-mails-to-receiver': mailed('EMAIL_HOST', 6),
};
