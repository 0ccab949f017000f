import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { row, rows, sql } from '../../src/database/sql.ts';
import { enqueueJobs } from '../../src/jobs/job-queue.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { MAIL_LIMITS, MailLimit } from '../../src/limits/mail-limit.ts';
import { forgetNetworks } from '../../src/modules/bookings/stored-booking.ts';
import { countWaiting } from '../../src/modules/workflows/sendings/held-sendings.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { isOnPostgres } from '../support/database.ts';
import { idOfUid, uuidOf } from '../support/ids.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { kindsWith, PUBLIC_URL } from './support/booking-mails.ts';
import { letTimePass, storedJobs } from './support/jobs.ts';
import { GRACE, WorkflowWorld } from './support/workflow-world.ts';

const LOG = { warn: () => undefined, error: console.error };
/** Marks what workflows have sent: bookings have mails of their own. */
const MARK = 'From a workflow';

let api: TestApi;
let mailServer: MailServer;
let runner: JobRunner;
let world: WorkflowWorld;
beforeAll(async () => {
  api = await openTestApi();
  world = new WorkflowWorld(api, { action: 'EMAIL_ATTENDEE', subject: 'Note', body: MARK });
  mailServer = await MailServer.open();
  runner = new JobRunner(api.database.em, kindsWith(mailServer), LOG);
});
afterEach(() => runner.settled());
afterAll(async () => {
  await runner.stop();
  await mailServer.close();
  await api.close();
});

/** The mails of workflows since the last time. */
async function sent(): Promise<readonly ReceivedMail[]> {
  await runner.settled();
  return mailServer.mails.splice(0).filter(({ text }) => text.includes(MARK));
}

describe('a workflow for new bookings', () => {
  beforeAll(() => world.newTeam());

  test('mails attendees and hosts, each with the values of their own zone and language', async () => {
    const eventTypeId = await world.offer({ locations: [{ type: 'ADDRESS', address: 'Main Street 1' }] });
    const body = `${MARK}: {attendee_name} / {host_name} / {team_name} / {event_name} / {event_date} / {event_time} – {event_end_time} {time_zone} / {location} / {cancel_link}`;
    await world.workflow(
      { eventTypeIds: [eventTypeId] },
      { body, subject: 'Hi {event_name}', senderName: 'Sales team' },
    );
    await world.workflow({ eventTypeIds: [eventTypeId] }, { action: 'EMAIL_HOST', body, includesCalendarEvent: true });
    const [start = ''] = await world.startsOf(eventTypeId);
    const uid = await world.book(eventTypeId, {}, world.team.owner);
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
    const eventTypeId = await world.offer({ confirmation: { type: 'ALWAYS' } });
    await world.workflow({ eventTypeIds: [eventTypeId] });
    await world.workflow({ eventTypeIds: [eventTypeId], trigger: 'BOOKING_REQUESTED' }, { subject: 'Asked' });
    await world.workflow({ eventTypeIds: [eventTypeId], trigger: 'BOOKING_REJECTED' }, { subject: 'Sorry' });
    const uid = await world.book(eventTypeId);
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['Asked']);
    const confirmed = await world.team.owner.change('teamBookingConfirm', {
      teamId: world.team.teamId,
      bookingId: idOfUid(uid),
    });
    expect(confirmed.mistakes).toEqual([]);
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['Note']);
    const other = await world.book(eventTypeId);
    await sent();
    await world.team.owner.change('teamBookingDecline', { teamId: world.team.teamId, bookingId: idOfUid(other) });
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['Sorry']);
  });

  test('is for its event types alone, and for none once it is inactive or gone', async () => {
    const [mine, other] = [await world.offer(), await world.offer()];
    const { id } = await world.workflow({ eventTypeIds: [mine] });
    await world.book(other);
    expect(await sent()).toEqual([]);
    await world.book(mine);
    expect(await sent()).toHaveLength(1);
    await world.team.owner.change('teamWorkflowUpdate', { teamId: world.team.teamId, workflowId: id, isActive: false });
    await world.book(mine);
    expect(await sent()).toEqual([]);
  });

  test.each([
    [3, 3],
    [11, 10],
  ])(
    'names the dates of all bookings of a series of %i, as does one for its cancellation',
    async (occurrences, named) => {
      const eventTypeId = await world.offer({ recurrence: { frequency: 'DAILY', interval: 7, occurrences } });
      const body = `${MARK}: {event_date}`;
      await world.workflow({ eventTypeIds: [eventTypeId] }, { body });
      await world.workflow({ eventTypeIds: [eventTypeId], trigger: 'BOOKING_CANCELLED' }, { body });
      const [start = ''] = await world.startsOf(eventTypeId);
      const uid = await world.book(eventTypeId, { occurrences });
      const booked = await sent();
      await api.nobody.change('bookingSeriesCancel', { uid });
      const cancelled = await sent();
      const first = Temporal.Instant.from(start).toZonedDateTimeISO(GRACE.timeZone).toPlainDate();
      const days = Array.from({ length: occurrences }, (_, week) =>
        first.add({ weeks: week }).toLocaleString('de-DE', { dateStyle: 'full' }),
      );
      const shown = named === occurrences ? days : [...days.slice(0, named - 1), '...', ...days.slice(-1)];
      const text = `${MARK}: ${shown.join('; ')}`;
      expect([...booked, ...cancelled].map((mail) => mail.text.replaceAll('\n', ' ').trim())).toEqual([text, text]);
    },
  );

  test('of a managed event type is started by the bookings of its children', async () => {
    const parent = await world.team.manage({ hosts: [{ userId: world.host.userId }] });
    await world.workflow({ eventTypeIds: [parent] });
    const { data } = await world.host.ask('{ me { eventTypes(first: 100) { nodes { id parent { id } } } } }');
    const child = data.me.eventTypes.nodes.find((one: { parent: { id: string } | null }) => one.parent?.id === parent);
    await world.book(child.id);
    expect(await sent()).toHaveLength(1);
  });
});

describe('a message', () => {
  beforeAll(() => world.newTeam());

  test('goes once, however often the event is told', async () => {
    const eventTypeId = await world.offer();
    await world.workflow({ eventTypeIds: [eventTypeId] });
    await world.book(eventTypeId);
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
    const eventTypeId = await world.offer();
    const { id, steps } = await world.workflow({ eventTypeIds: [eventTypeId] });
    const uid = await world.book(eventTypeId);
    await api.nobody.change('bookingCancel', { uid });
    expect(await sent()).toEqual([]);
    const more = [{ action: 'EMAIL_HOST', subject: 'Other', body: MARK }];
    const removed = { workflowId: id, stepsRemove: [steps[0]?.id], stepsSet: more };
    expect(
      (await world.team.owner.change('teamWorkflowUpdate', { teamId: world.team.teamId, ...removed })).mistakes,
    ).toEqual([]);
    await world.book(eventTypeId);
    expect((await sent()).map(({ email }) => email.subject)).toEqual(['Other']);
  });

  test('that waits for the mail server goes to hosts, but to none who has handed the booking over', async () => {
    const hosts = [world.host, await world.team.join()];
    const hostIds = hosts.map(({ userId }) => ({ userId }));
    const eventTypeId = await world.offer({ schedulingType: 'ROUND_ROBIN', hosts: hostIds, slotIntervalInMinutes: 60 });
    await world.workflow({ eventTypeIds: [eventTypeId] }, { action: 'EMAIL_HOST', body: `${MARK} {booking_link}` });
    const [start, later] = await world.startsOf(eventTypeId);
    mailServer.refusalFor = () => ({ code: 450, message: 'Later' });
    const [kept, handedOver] = [
      await world.book(eventTypeId, { start }),
      await world.book(eventTypeId, { start: later }),
    ];
    expect(await sent()).toEqual([]);
    const request = { teamId: world.team.teamId, bookingId: idOfUid(handedOver) };
    expect((await world.team.owner.change('teamBookingReassign', request)).mistakes).toEqual([]);
    mailServer.refusalFor = () => undefined;
    await letTimePass(api.database.em.fork());
    expect((await sent()).map(({ text }) => text.trim())).toEqual([
      `${MARK} ${PUBLIC_URL}/bookings/${idOfUid(kept)}/host`,
    ]);
  });

  test('does not say what unverified bookers have typed, and no value writes headers or variables', async () => {
    const eventTypeId = await world.offer({ title: 'A {cancel_link}' });
    const text = { subject: 'For {attendee_name}: {event_name}', body: `${MARK} {attendee_name} {event_name}` };
    await world.workflow({ eventTypeIds: [eventTypeId] }, text);
    await world.workflow({ eventTypeIds: [eventTypeId] }, { ...text, action: 'EMAIL_HOST' });
    const name = 'Win now at evil.example';
    await world.book(eventTypeId, { attendee: { ...GRACE, name } });
    const mails = await sent();
    expect(mails).toHaveLength(2);
    for (const { everything, email } of mails) {
      expect(everything).not.toContain('Win now');
      expect(email.subject).toBe('For an attendee: A {cancel_link}');
    }
    // Somebody who is known has their own name said, whatever it looks like.
    await world.book(eventTypeId, { attendee: { ...GRACE, name: 'Eve {team_name}' } }, world.team.owner);
    for (const { email } of await sent()) expect(email.subject).toBe('For Eve {team_name}: A {cancel_link}');
  });

  test('goes to a verified address as long as it is verified, without the words of strangers and without links', async () => {
    const eventTypeId = await world.offer();
    const { em } = api.database;
    await storeVerified(em, 'EMAIL', world.team.teamId, 'office@example.test');
    const body = `${MARK} {attendee_name} {event_name} {cancel_link} {time_zone}`;
    await world.workflow(
      { eventTypeIds: [eventTypeId] },
      { action: 'EMAIL_ADDRESS', sendTo: 'office@example.test', body },
    );
    const name = 'Read evil.example now';
    await world.book(eventTypeId, { attendee: { ...GRACE, name } });
    const [mail, ...others] = await sent();
    expect([mail?.mailbox, others]).toEqual(['office@example.test', []]);
    expect(mail?.text.trim()).toBe(`${MARK} an attendee Demo – UTC`);
    await rows(em.fork(), sql`delete from verified_emails where owner_id = ${uuidOf(world.team.teamId)}`);
    await world.book(eventTypeId);
    expect(await sent()).toEqual([]);
  });

  test('waits where there are too many, which the booking says', async () => {
    const eventTypeId = await world.offer();
    const steps = Array.from({ length: 6 }, () => ({ action: 'EMAIL_ATTENDEE', subject: 'Note', body: MARK }));
    await world.workflow({ eventTypeIds: [eventTypeId], steps });
    const limited = new JobRunner(
      api.database.em,
      kindsWith(mailServer, new MailLimit(MAIL_LIMITS, { warn: () => {} })),
      LOG,
    );
    const uid = await world.book(eventTypeId);
    await limited.settled();
    await limited.stop();
    expect(await sent()).toHaveLength(MAIL_LIMITS.receiver);
    expect([await world.waitingOf(uid), await world.unsentOf(uid)]).toEqual([1, 0]);
  });

  test('goes to people whom an account names as often as mails of all teams may', async () => {
    const eventTypeId = await world.offer();
    const steps = Array.from({ length: 4 }, () => ({ action: 'EMAIL_ATTENDEE', subject: 'Note', body: MARK }));
    await world.workflow({ eventTypeIds: [eventTypeId], steps: [...steps, { ...steps[0], action: 'EMAIL_HOST' }] });
    const limit = new MailLimit({ ...MAIL_LIMITS, accountsReceiver: 2 }, { warn: () => {} });
    const limited = new JobRunner(api.database.em, kindsWith(mailServer, limit), LOG);
    const attendee = { ...GRACE, email: 'named@example.test' };
    const uid = await world.book(eventTypeId, { attendee }, world.host);
    await limited.settled();
    await limited.stop();
    expect(await sent()).toHaveLength(3);
    expect([await world.waitingOf(uid), await world.unsentOf(uid)]).toEqual([2, 0]);
  });

  test('goes to nobody in the name of a team that nobody answers for', async () => {
    const eventTypeId = await world.offer();
    await world.workflow({ eventTypeIds: [eventTypeId] });
    const unverify = sql`update users set email_verified_at = null where id = ${uuidOf(world.team.owner.userId)}`;
    await rows(api.database.em.fork(), unverify);
    await world.book(eventTypeId);
    expect(await sent()).toEqual([]);
  });
});

const EARLY = { trigger: 'BEFORE_BOOKING_START', offset: { value: 2, unit: 'MINUTE' } };

describe('a reminder', () => {
  beforeAll(() => world.newTeam());
  /** In the order of their times, apart by an hour. */
  const hourly = { slotIntervalInMinutes: 60 };

  test('goes once, two minutes before the new time of a booking that moves, by two processes that start anew', async () => {
    const eventTypeId = await world.offer(hourly);
    await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY });
    const first = await world.book(eventTypeId);
    await sent();
    const [, later] = await world.startsOf(eventTypeId);
    const moved = await api.nobody.change('bookingReschedule', { uid: first, start: later }, 'booking { uid }');
    expect(moved.mistakes).toEqual([]);
    const { uid } = moved.data.booking;
    expect(await sent()).toEqual([]);
    await world.minutesPass((await world.minutesUntil(first)) - 1);
    expect(await sent()).toEqual([]);
    await world.minutesPass((await world.minutesUntil(uid)) - 2);
    expect(await sent()).toEqual([]);
    const others = [0, 1].map(() => new JobRunner(api.database.em, kindsWith(mailServer), LOG));
    await world.minutesPass(1);
    await Promise.all(others.map((one) => one.settled()));
    await Promise.all(others.map((one) => one.stop()));
    const mails = await sent();
    expect(mails.map(({ mailbox }) => mailbox)).toEqual([GRACE.email]);
    await world.minutesPass(1);
    expect(await sent()).toEqual([]);
  });

  test('reminds of bookings that stood before the workflow, and follows its changes', async () => {
    const eventTypeId = await world.offer(hourly);
    const uid = await world.book(eventTypeId);
    await sent();
    const { id } = await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY });
    const change = async (patch: object) => {
      const input = { teamId: world.team.teamId, workflowId: id, ...patch };
      expect((await world.team.owner.change('teamWorkflowUpdate', input)).mistakes).toEqual([]);
      expect(await sent()).toEqual([]);
    };
    await sent();
    await change({ offset: { value: 1, unit: 'HOUR' } });
    await world.minutesPass((await world.minutesUntil(uid)) - 59);
    expect(await sent()).toHaveLength(1);
    // A reminder that would be earlier than that is over.
    await change({ offset: { value: 1, unit: 'DAY' } });
    await change({ offset: { value: 30, unit: 'MINUTE' }, isActive: false });
    await world.minutesPass((await world.minutesUntil(uid)) - 29);
    await change({ isActive: true });
    await change({ offset: { value: 10, unit: 'MINUTE' }, eventTypeIds: [await world.offer()] });
    await world.minutesPass((await world.minutesUntil(uid)) - 9);
    expect(await sent()).toEqual([]);
    await change({ trigger: 'AFTER_BOOKING_END', offset: { value: 1, unit: 'MINUTE' }, eventTypeIds: null });
    await world.minutesPass((await world.minutesUntil(uid)) + 30);
    expect(await sent()).toEqual([]);
    await world.minutesPass(2);
    expect(await sent()).toHaveLength(1);
    await change({ isActive: false });
  });

  test('is not sent of a booking that is cancelled, nor where its time had passed when it was booked', async () => {
    const eventTypeId = await world.offer(hourly);
    await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY, offset: { value: 30, unit: 'DAY' } });
    await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY });
    const uid = await world.book(eventTypeId);
    expect(await sent()).toEqual([]);
    const before = await world.minutesUntil(uid);
    await api.nobody.change('bookingCancel', { uid });
    await world.minutesPass(before - 1);
    expect(await sent()).toEqual([]);
  });

  test('goes to each attendee of a booking with seats, in their own words', async () => {
    const eventTypeId = await world.offer({ ...hourly, seats: { perSlot: 3, showsAttendees: false } });
    await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY }, { body: `${MARK} {attendee_name} {time_zone}` });
    const [start] = await world.startsOf(eventTypeId);
    const people = ['Grace', 'Lin', 'Mia'].map((name) => ({ ...GRACE, name, email: `${name}@example.test` }));
    let uid = '';
    for (const attendee of people) uid = await world.book(eventTypeId, { start, attendee }, world.team.owner);
    const [seat] = await rows(
      api.database.em.fork(),
      sql<{ minutes: number }>`select floor(extract(epoch from starts_at - now()) / 60)::int as minutes from bookings
        where id = (select booking_id from booking_attendees where seat_id = ${uuidOf(uid)} or booking_id = ${uuidOf(uid)} limit 1)`,
    );
    await sent();
    await world.minutesPass((seat?.minutes ?? Number.NaN) - 1);
    const texts = (await sent()).map(({ text }) => text.trim()).toSorted();
    expect(texts).toEqual(people.map(({ name }) => `${MARK} ${name} America/New York`));
  });

  test('counts for the network from which somebody has booked with an address that could be anybody’s', async () => {
    const em = api.database.em.fork();
    const eventTypeId = await world.offer({ ...hourly, seats: { perSlot: 9, showsAttendees: false } });
    await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY });
    const [start] = await world.startsOf(eventTypeId);
    const [stranger, other] = [api.nobodyAt('198.51.100.7'), api.nobodyAt('203.0.113.7')];
    const people = { a: stranger, b: stranger, c: stranger, d: other, e: world.team.owner, f: world.team.owner };
    for (const [name, as] of Object.entries(people))
      await world.book(eventTypeId, { start, attendee: { ...GRACE, email: `${name}@network.test` } }, as);
    await sent();
    const booked = sql<{ id: string; minutes: number; networks: number }>`
      select b.id, floor(extract(epoch from b.starts_at - now()) / 60)::int as minutes,
        (select count(a.booked_from)::int from booking_attendees a where a.booking_id = b.id) as networks
      from bookings b where b.event_type_id = ${uuidOf(eventTypeId)}`;
    const before = await row(em, booked);
    expect(before?.networks).toBe(4);
    await world.minutesPass((before?.minutes ?? Number.NaN) - 1);
    const limit = new MailLimit({ ...MAIL_LIMITS, workflowNetwork: 2 }, { warn: () => {} });
    const limited = new JobRunner(api.database.em, kindsWith(mailServer, limit), LOG);
    await limited.settled();
    await limited.stop();
    const mailboxes = (await sent()).map(({ mailbox }) => mailbox);
    expect(mailboxes.toSorted()).toEqual(['a', 'b', 'd', 'e', 'f'].map((name) => `${name}@network.test`));
    const waiting = await countWaiting(em, [before?.id ?? '']);
    expect([...waiting.values()]).toEqual([1]);
    // Nobody is reminded of what was over so long ago.
    const ages = async (days: number): Promise<number | undefined> => {
      const then = sql`now() - make_interval(days => ${days}::int)`;
      await rows(em, sql`update booking_attendees set starts_at = ${then} where booking_id = ${before?.id}`);
      await forgetNetworks(em, 100);
      return (await row(em, booked))?.networks;
    };
    expect([await ages(31), await ages(33)]).toEqual([4, 0]);
  });

  test('is sent once where its workflow was changed just before, and where it is begun twice', async () => {
    const em = api.database.em.fork();
    const waiting = async () => (await storedJobs(em)).filter(({ queue }) => queue === 'workflow-sendings').length;
    const eventTypeId = await world.offer(hourly);
    const { id: workflowId } = await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY });
    const uid = await world.book(eventTypeId);
    await sent();
    await world.minutesPass((await world.minutesUntil(uid)) - 1);
    const due = await rows(
      em,
      sql<object>`select team_id as "teamId", workflow_id as "workflowId", owner_id as "ownerId", booking_id as "bookingId",
        due_at as "dueAt" from workflow_reminders where due_at <= now()`,
    );
    // The message waits for the mail server.
    mailServer.refusalFor = () => ({ code: 450, message: 'Later' });
    expect([due.length, await sent(), await waiting()]).toEqual([1, [], 1]);
    const input = { teamId: world.team.teamId, workflowId, name: 'Other' };
    expect((await world.team.owner.change('teamWorkflowUpdate', input)).mistakes).toEqual([]);
    await rows(em, sql`update domain_events set occurred_at = occurred_at - interval '10 minutes'`);
    expect([await sent(), await waiting()]).toEqual([[], 1]);
    const again = due.map((data) => ({ queue: 'workflow-reminders', data }));
    await enqueueJobs(em, again);
    expect([await sent(), await waiting()]).toEqual([[], 1]);
    mailServer.refusalFor = () => undefined;
    await letTimePass(em);
    expect([(await sent()).length, await waiting()]).toEqual([1, 0]);
  });

  test('that was kept until the booking began is not sent', async () => {
    const eventTypeId = await world.offer(hourly);
    await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY });
    const uid = await world.book(eventTypeId);
    await sent();
    await world.minutesPass((await world.minutesUntil(uid)) + 1);
    expect(await sent()).toEqual([]);
  });
});

// Where statements follow each other anyway, fewer say the same.
const CONFIRMATIONS = isOnPostgres ? 50 : 15;

test(`${CONFIRMATIONS} confirmations at once are one mail each, by two processes`, async () => {
  await world.newTeam();
  const eventTypeId = await world.offer({
    confirmation: { type: 'ALWAYS' },
    durationInMinutes: 15,
    slotIntervalInMinutes: 15,
  });
  await world.workflow({ eventTypeIds: [eventTypeId] });
  const starts = await world.startsOf(eventTypeId);
  const uids: string[] = [];
  for (const [index, start] of starts.slice(0, CONFIRMATIONS).entries())
    uids.push(await world.book(eventTypeId, { start, attendee: { ...GRACE, email: `grace-${index}@example.test` } }));
  expect(uids).toHaveLength(CONFIRMATIONS);
  await sent();
  const { owner, teamId } = world.team;
  const answers = await Promise.all(
    uids.map((uid) => owner.change('teamBookingConfirm', { teamId, bookingId: idOfUid(uid) })),
  );
  expect(answers.flatMap(({ mistakes }) => mistakes)).toEqual([]);
  const other = new JobRunner(api.database.em, kindsWith(mailServer), LOG);
  await Promise.all([runner.settled(), other.settled()]);
  await other.stop();
  const mailboxes = (await sent()).map(({ mailbox }) => mailbox);
  expect([mailboxes.length, new Set(mailboxes).size]).toEqual([CONFIRMATIONS, CONFIRMATIONS]);
});
