/** Workflows of teams: what one may hold, and how much they send, where the booking is made all the same. */
import { newId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { counterKey } from '../../../src/limits/counters.ts';
import { MAIL_LIMITS } from '../../../src/limits/mail-limit.ts';
import { networkOf } from '../../../src/limits/network.ts';
import { type CountedSms, SMS_LIMITS, SmsLimit } from '../../../src/limits/sms-limit.ts';
import { uuidOf } from '../../support/ids.ts';
import { jobsSettled } from '../../support/mails-settled.ts';
import { storeVerified } from '../../support/verified-resources.ts';
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
    const input = { teamId, slug: 'talk', title: 'Talk', durationInMinutes: 30, schedulingType: 'COLLECTIVE' };
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
  const document = `query ($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }`;
  const { text } = await visit.graphql(document, { id, ...range });
  return JSON.parse(text).data.slots.map(({ start }: { start: string }) => start);
}

/** So many were not sent at once. */
async function unsentOf({ app }: Visit, { text }: Outcome): Promise<number> {
  await jobsSettled(app);
  const uid = /"uid":"([\w-]+)"/.exec(text)?.[1] ?? '';
  const found = await row(
    app.database.em.fork(),
    sql<{ unsent: number }>`select b.unsent_mails + (select count(*)::int from workflow_sendings s
        where s.about_id = b.id and s.status = 'WAITING') as unsent
      from bookings b where b.id = ${uuidOf(uid)}`,
  );
  return found?.unsent ?? -1;
}

let texted = 0;
/** A number of a range of its own, for each hit, as a booker types it. */
const numberOf = (hit: number, index = 0): string =>
  `+49151${String(hit).padStart(2, '0')}${String(index).padStart(2, '0')}0000`;

interface Texting {
  readonly step: (phone: string) => object;
  /** A message that was sent before, and counts. */
  readonly counted: (hit: number, index: number, ownerId: string, visit: Visit) => CountedSms;
  /** Does something before the last one that may be sent. */
  readonly meanwhile?: (visit: Visit) => Promise<unknown>;
}

/** Bookings of strangers whose team sends an SMS of each: the last that may be sent, and one more. */
const textedAbout =
  ({ step: stepFor, counted, meanwhile }: Texting): Hit =>
  async (visit, { amount }): Promise<Reached> => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    texted += 1;
    const [hit, phone] = [texted, numberOf(texted)];
    const { em } = visit.app.database;
    await storeVerified(em, 'PHONE', teamId, phone);
    const bookingFields = [{ slug: 'mobile', type: 'PHONE', label: 'Mobile', isRequired: false }];
    const input = {
      teamId,
      slug: 'talk',
      title: 'Talk',
      durationInMinutes: 30,
      schedulingType: 'COLLECTIVE',
      bookingFields,
    };
    const { text } = await visit.mutation('teamEventTypeCreate', input, as, 'eventTypeId');
    const eventTypeId = /evt_[\w-]+/.exec(text)?.[0] ?? '';
    const workflow = { teamId, name: 'W', trigger: 'NEW_BOOKING', steps: [{ body: 'Hello', ...stepFor(phone) }] };
    await visit.mutation('teamWorkflowCreate', workflow, as);
    const limits = new SmsLimit({ ...SMS_LIMITS, attendee: amount }, console);
    for (let index = 1; index < amount; index += 1)
      await limits.require(em.fork(), counted(hit, index, uuidOf(teamId), visit));
    await meanwhile?.(visit);
    const starts = await startsOf(visit, eventTypeId);
    const book = async (index: number): Promise<Outcome> => {
      const attendee = { name: 'Eve', email: `texted-${hit}-${index}@example.test`, timeZone: 'UTC' };
      const wanted = { eventTypeId, start: starts[index], attendee, responses: { mobile: phone } };
      const outcome = await visit.mutation('bookingCreate', wanted, {}, 'booking { uid }');
      const unsent = await unsentOf(visit, outcome);
      if (unsent !== index) throw new Error(`The booking ${index} has ${unsent} SMS that were not sent.`);
      return outcome;
    };
    return { within: await book(0), beyond: await book(1) };
  };

const byAttendee = { step: () => ({ action: 'SMS_ATTENDEE' }) };
const byTeam = { step: (sendTo: string) => ({ action: 'SMS_NUMBER', sendTo }) };
/** By teams of which each has sent but one. */
const toVerified =
  (numberFor: (hit: number, index: number) => string): Texting['counted'] =>
  (hit, index) => ({
    to: numberFor(hit, index),
    ownerId: newId(),
    workflow: { isKnown: true, userId: null, network: null },
  });
const toTypedNumber: Texting['counted'] = (hit) => ({
  to: numberOf(hit),
  ownerId: newId(),
  workflow: { isKnown: false, userId: null, network: null },
});

/** Bookings of a team that has sent as much as it may in this hour: what is sent of them waits, up to so many, and one more does not. */
const waiting =
  (action: 'EMAIL_HOST' | 'SMS_NUMBER', limitOfTeam: (teamId: string) => readonly [key: string, most: number]): Hit =>
  async (visit, { amount }): Promise<Reached> => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    const em = visit.app.database.em.fork();
    texted += 1;
    const sendTo = numberOf(texted);
    await storeVerified(visit.app.database.em, 'PHONE', teamId, sendTo);
    const input = { teamId, slug: 'talk', title: 'Talk', durationInMinutes: 30, schedulingType: 'COLLECTIVE' };
    const { text } = await visit.mutation('teamEventTypeCreate', input, as, 'eventTypeId');
    const eventTypeId = /evt_[\w-]+/.exec(text)?.[0] ?? '';
    const one = action === 'SMS_NUMBER' ? { action, sendTo, body: 'Hello' } : step({ action });
    await visit.mutation('teamWorkflowCreate', { teamId, name: 'W', trigger: 'NEW_BOOKING', steps: [one] }, as);
    const [key, most] = limitOfTeam(uuidOf(teamId));
    await rows(
      em,
      sql`insert into counters (key, counted, refused, ends_at) values (${key}, ${most}, 0, now() + interval '1 hour')`,
    );
    const starts = await startsOf(visit, eventTypeId);
    const book = async (index: number): Promise<Outcome & { readonly unsent: number }> => {
      const attendee = { name: 'Eve', email: `waits-${made}-${index}@example.test`, timeZone: 'UTC' };
      const wanted = { eventTypeId, start: starts[index], attendee };
      const outcome = await visit.mutation('bookingCreate', wanted, as, 'booking { uid }');
      await jobsSettled(visit.app);
      const uid = uuidOf(/"uid":"([\w-]+)"/.exec(outcome.text)?.[1] ?? '');
      const found = await row(
        em,
        sql<{ unsent: number }>`select unsent_mails as unsent from bookings where id = ${uid}`,
      );
      return { ...outcome, unsent: found?.unsent ?? -1 };
    };
    const first = await book(0);
    // All but the last one, as if others had been before.
    await rows(
      em,
      sql`insert into workflow_sendings select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
            'occurrence', n))).* from workflow_sendings s, generate_series(1, ${amount - 2}::int) as n where s.team_id = ${uuidOf(teamId)}`,
    );
    const [within, beyond] = [await book(1), await book(2)];
    await rows(em, sql`delete from workflow_sendings where team_id = ${uuidOf(teamId)}`);
    const unsent = [first, within, beyond].map((booked) => booked.unsent);
    if (unsent.join() !== '0,0,1') throw new Error(`Of the bookings, so many are not sent: ${unsent.join()}.`);
    return { within, beyond };
  };

export const hits: Hits = {
  workflows: async (visit, limit) => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    const input = { teamId, name: 'W', trigger: 'NEW_BOOKING', steps: [step()] };
    return oneByOne(limit, () => visit.mutation('teamWorkflowCreate', input, as));
  },
  'workflow-name': workflow((amount) => ({ name: x(amount) })),
  'workflow-offset': workflow((value) => ({ trigger: 'BEFORE_BOOKING_START', offset: { value, unit: 'DAY' } })),
  'workflow-steps': workflow((amount) => ({ steps: steps(amount) })),
  'workflow-subject': workflow((amount) => ({ steps: [step({ subject: x(amount) })] })),
  'workflow-body': workflow((amount) => ({ steps: [step({ body: x(amount) })] })),
  'workflow-sms': workflow((amount) => ({ steps: [{ action: 'SMS_ATTENDEE', body: x(amount) }] })),
  'workflow-sender-name': workflow((amount) => ({ steps: [step({ senderName: x(amount) })] })),
  'workflow-event-types': async (visit, limit) => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    const input = { teamId, slug: 'talk', title: 'Talk', durationInMinutes: 30, schedulingType: 'COLLECTIVE' };
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
  'workflow-forms': async (visit, limit) => {
    const as = await visit.sessionOf(DAN);
    const teamId = await teamOf(visit, as);
    const form = {
      teamId,
      name: 'Contact',
      fields: [{ slug: 'a', type: 'TEXT', label: 'A' }],
      fallback: { message: 'B' },
    };
    const { text } = await visit.mutation('routingFormCreate', form, as, 'routingFormId');
    const routingFormId = /frm_[\w-]+/.exec(text)?.[0];
    const about = { teamId, name: 'W', trigger: 'ROUTING_FORM_SUBMITTED', steps: [step({ action: 'EMAIL_ATTENDEE' })] };
    return bothOf(limit, (amount) => {
      const routingFormIds = Array.from({ length: amount }, () => routingFormId);
      return visit.mutation('teamWorkflowCreate', { ...about, routingFormIds }, as);
    });
  },
  'workflow-mails-in-line': waiting('EMAIL_HOST', (id) => [counterKey('mail', 'workflows', id), MAIL_LIMITS.workflows]),
  'workflow-sms-in-line': waiting('SMS_NUMBER', (id) => [counterKey('sms', 'owner', id), SMS_LIMITS.owner]),
  'workflow-mails': mailed('EMAIL_ATTENDEE', 5),
  'workflow-mails-to-receiver': mailed('EMAIL_HOST', 6),
  'workflow-sms-to-receiver': textedAbout({ ...byTeam, counted: toVerified((hit) => numberOf(hit)) }),
  'workflow-sms-to-range': textedAbout({
    ...byTeam,
    counted: toVerified((hit, index) => `${numberOf(hit).slice(0, -4)}${String(index).padStart(4, '0')}`),
  }),
  'sms-to-attendee': textedAbout({ ...byAttendee, counted: toTypedNumber }),
  'sms-to-attendee-in-a-day': textedAbout({
    ...byAttendee,
    counted: toTypedNumber,
    // An hour passes.
    meanwhile: ({ app }) =>
      rows(
        app.database.em.fork(),
        sql`update counters set ends_at = now() where ends_at < now() + interval '61 minutes'`,
      ),
  }),
  'sms-from-network': textedAbout({
    ...byAttendee,
    counted: (hit, index, _ownerId, { address }) => ({
      to: numberOf(hit, index),
      ownerId: newId(),
      workflow: { isKnown: false, userId: null, network: networkOf(address) },
    }),
  }),
};
