import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { MAIL_LIMITS, MailLimit } from '../../src/limits/mail-limit.ts';
import { FROM, TO } from '../api/booking-pages.ts';
import { type ManagedTeam, openManagedTeam } from '../api/managed-team.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { kindsWith, PUBLIC_URL } from './support/booking-mails.ts';

const LOG = { warn: console.warn, error: console.error };
/** Marks what workflows have sent: bookings have mails of their own. */
const MARK = 'From a workflow';
const GRACE = { name: 'Grace', email: 'grace@example.test', timeZone: 'America/New_York', locale: 'de-DE' };

let api: TestApi;
let mailServer: MailServer;
let runner: JobRunner;
let team: ManagedTeam;
let host: TestCaller;
beforeAll(async () => {
  api = await openTestApi();
  mailServer = await MailServer.open();
  runner = new JobRunner(api.database.em, kindsWith(mailServer), LOG);
});
afterEach(() => runner.settled());
afterAll(async () => {
  await runner.stop();
  await mailServer.close();
  await api.close();
});

/** A team of its own for each test, with one member who hosts all. */
async function newTeam(): Promise<void> {
  team = await openManagedTeam(api);
  host = await team.join();
}

const offer = (more: object = {}): Promise<string> =>
  team.manage({ schedulingType: 'COLLECTIVE', hosts: [{ userId: host.userId }], title: 'Demo', ...more });

async function workflow(more: object = {}, step: object = {}): Promise<{ id: string; steps: { id: string }[] }> {
  const steps = [{ action: 'EMAIL_ATTENDEE', subject: 'Note', body: MARK, ...step }];
  const input = { teamId: team.teamId, name: 'W', trigger: 'NEW_BOOKING', steps, ...more };
  const { data, mistakes } = await team.owner.change('teamWorkflowCreate', input, 'workflow { id steps { id } }');
  expect(mistakes).toEqual([]);
  return data.workflow;
}

async function startsOf(eventTypeId: string): Promise<string[]> {
  const document = `query($id: ID!, $from: DateTime!, $to: DateTime!) {
    slots(eventTypeId: $id, start: $from, end: $to) { start } }`;
  const { data } = await api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
  return data.slots.map(({ start }: { start: string }) => start);
}

async function book(eventTypeId: string, more: object = {}, as: TestCaller = api.nobody): Promise<string> {
  const [start] = await startsOf(eventTypeId);
  const input = { eventTypeId, start, attendee: GRACE, ...more };
  const { data, mistakes } = await as.change('bookingCreate', input, 'booking { uid }');
  expect(mistakes).toEqual([]);
  return data.booking.uid;
}

/** What workflows have sent since the last time. */
async function sent(): Promise<readonly ReceivedMail[]> {
  await runner.settled();
  return mailServer.mails.splice(0).filter(({ text }) => text.includes(MARK));
}

describe('a workflow for new bookings', () => {
  beforeAll(newTeam);

  test('mails attendees and hosts, each with the values of their own zone and language', async () => {
    const eventTypeId = await offer({ locations: [{ type: 'ADDRESS', value: 'Main Street 1' }] });
    const body = `${MARK}: {attendee_name} / {host_name} / {team_name} / {event_name} / {event_date} / {event_time} – {event_end_time} {time_zone} / {location} / {cancel_link}`;
    await workflow({ eventTypeIds: [eventTypeId] }, { body, subject: 'Hi {event_name}', senderName: 'Sales team' });
    await workflow({ eventTypeIds: [eventTypeId] }, { action: 'EMAIL_HOST', body, includeCalendarEvent: true });
    const [start = ''] = await startsOf(eventTypeId);
    const uid = await book(eventTypeId, {}, team.owner);
    const mails = await sent();
    expect(mails).toHaveLength(2);
    const toGrace = mails.find(({ mailbox }) => mailbox === GRACE.email);
    const toHost = mails.find(({ mailbox }) => mailbox !== GRACE.email);
    expect(toGrace?.email.subject).toBe('Hi Demo');
    expect(toGrace?.email.from).toEqual({ name: 'Sales team', address: 'no-reply@gatehouse.example' });
    const inNewYork = Temporal.Instant.from(start).toZonedDateTimeISO('America/New_York');
    const day = inNewYork.toPlainDate().toLocaleString('de-DE', { dateStyle: 'full' });
    const time = inNewYork.toPlainTime().toString({ smallestUnit: 'minute' });
    expect(toGrace?.text).toContain(`/ Demo / ${day} / ${time} –`);
    expect(toGrace?.text).toContain('America/New York / Main Street 1 /');
    expect(toGrace?.text.trim().endsWith(`${PUBLIC_URL}/bookings/${uid}`)).toBe(true);
    expect(toGrace?.calendars).toEqual([]);
    expect(toHost?.calendars).toMatchObject([{ method: 'REQUEST', events: [{ start: start.replace('Z', '.000Z') }] }]);
  });

  test('is started by a host’s confirmation, not by the request', async () => {
    const eventTypeId = await offer({ confirmation: { kind: 'ALWAYS' } });
    await workflow({ eventTypeIds: [eventTypeId] });
    await workflow({ eventTypeIds: [eventTypeId], trigger: 'BOOKING_REQUESTED' }, { subject: 'Asked' });
    await workflow({ eventTypeIds: [eventTypeId], trigger: 'BOOKING_REJECTED' }, { subject: 'Sorry' });
    const uid = await book(eventTypeId);
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['Asked']);
    const confirmed = await team.owner.change('teamBookingConfirm', { teamId: team.teamId, uid });
    expect(confirmed.mistakes).toEqual([]);
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['Note']);
    const other = await book(eventTypeId);
    await sent();
    await team.owner.change('teamBookingDecline', { teamId: team.teamId, uid: other });
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['Sorry']);
  });

  test('is for its event types alone, and for none once it is inactive or gone', async () => {
    const [mine, other] = [await offer(), await offer()];
    const { id } = await workflow({ eventTypeIds: [mine] });
    await book(other);
    expect(await sent()).toEqual([]);
    await book(mine);
    expect(await sent()).toHaveLength(1);
    await team.owner.change('teamWorkflowUpdate', { teamId: team.teamId, workflowId: id, isActive: false });
    await book(mine);
    expect(await sent()).toEqual([]);
  });

  test('of a managed event type is started by the bookings of its children', async () => {
    const parent = await team.manage({ hosts: [{ userId: host.userId }] });
    await workflow({ eventTypeIds: [parent] });
    const { data } = await host.ask('{ me { eventTypes(first: 100) { nodes { id parent { id } } } } }');
    const child = data.me.eventTypes.nodes.find((one: { parent: { id: string } | null }) => one.parent?.id === parent);
    await book(child.id);
    expect(await sent()).toHaveLength(1);
  });
});

describe('a message', () => {
  beforeAll(newTeam);

  test('goes once, however often the event is told', async () => {
    const eventTypeId = await offer();
    await workflow({ eventTypeIds: [eventTypeId] });
    await book(eventTypeId);
    const em = api.database.em.fork();
    const events = await rows(em, sql<object>`select * from domain_events order by id`);
    expect(events).toHaveLength(1);
    await runner.settled();
    await rows(
      em,
      sql`insert into domain_events select * from jsonb_populate_recordset(null::domain_events, ${JSON.stringify(events)}::jsonb)`,
    );
    expect(await sent()).toHaveLength(1);
  });

  test('goes to nobody once the booking is cancelled or the step is removed', async () => {
    const eventTypeId = await offer();
    const { id, steps } = await workflow({ eventTypeIds: [eventTypeId] });
    const uid = await book(eventTypeId);
    await api.nobody.change('bookingCancel', { uid });
    expect(await sent()).toEqual([]);
    const more = [{ action: 'EMAIL_HOST', subject: 'Other', body: MARK }];
    const removed = { workflowId: id, stepsRemove: [steps[0]?.id], stepsSet: more };
    expect((await team.owner.change('teamWorkflowUpdate', { teamId: team.teamId, ...removed })).mistakes).toEqual([]);
    await book(eventTypeId);
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['Other']);
  });

  test('does not say what unverified bookers have typed, and no value writes headers or variables', async () => {
    const eventTypeId = await offer({ title: 'A {cancel_link}' });
    const text = { subject: 'For {attendee_name}: {event_name}', body: `${MARK} {attendee_name} {event_name}` };
    await workflow({ eventTypeIds: [eventTypeId] }, text);
    await workflow({ eventTypeIds: [eventTypeId] }, { ...text, action: 'EMAIL_HOST' });
    const name = 'Win now at evil.example';
    await book(eventTypeId, { attendee: { ...GRACE, name } });
    const mails = await sent();
    expect(mails).toHaveLength(2);
    for (const { everything, email } of mails) {
      expect(everything).not.toContain('Win now');
      expect(email.subject).toBe('For an attendee: A {cancel_link}');
    }
    // Somebody who is known has their own name said, whatever it looks like.
    await book(eventTypeId, { attendee: { ...GRACE, name: 'Eve {team_name}' } }, team.owner);
    for (const { email } of await sent()) expect(email.subject).toBe('For Eve {team_name}: A {cancel_link}');
  });

  test('is held back where there are too many, which the booking says', async () => {
    const eventTypeId = await offer();
    const steps = Array.from({ length: 6 }, () => ({ action: 'EMAIL_ATTENDEE', subject: 'Note', body: MARK }));
    await workflow({ eventTypeIds: [eventTypeId], steps });
    const limited = new JobRunner(
      api.database.em,
      kindsWith(mailServer, new MailLimit(MAIL_LIMITS, { warn: () => {} })),
      LOG,
    );
    const uid = await book(eventTypeId);
    await limited.settled();
    await limited.stop();
    expect(await sent()).toHaveLength(MAIL_LIMITS.receiver);
    const [stored] = await rows(
      api.database.em.fork(),
      sql<{ unsent: number }>`select unsent_mails as unsent from bookings where id = ${uuidOf(uid)}`,
    );
    expect(stored?.unsent).toBe(1);
  });

  test('goes to nobody in the name of a team that nobody answers for', async () => {
    const eventTypeId = await offer();
    await workflow({ eventTypeIds: [eventTypeId] });
    const unverify = sql`update users set email_verified_at = null where id = ${uuidOf(team.owner.userId)}`;
    await rows(api.database.em.fork(), unverify);
    await book(eventTypeId);
    expect(await sent()).toEqual([]);
  });
});
