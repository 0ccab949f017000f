/** SMS of workflows, by a provider that speaks Twilio's Messages API: a real HTTP server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { SMS_LIMITS, SmsLimit } from '../../src/limits/sms-limit.ts';
import { createSmsProvider } from '../../src/sms/sms.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { idOfUid } from '../support/ids.ts';
import { MailServer } from '../support/mail-server.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { kindsWith, PUBLIC_URL } from './support/booking-mails.ts';
import { letTimePass, storedJobs } from './support/jobs.ts';
import { testDoor } from './support/webhooks.ts';
import { GRACE, WorkflowWorld } from './support/workflow-world.ts';

const LOG = { warn: () => undefined, error: () => undefined };
const MOBILE = '+4915112345678';
const ASKS = {
  bookingFields: [{ slug: 'mobile', type: 'PHONE', label: 'Your mobile, for a reminder', isRequired: false }],
};
const EARLY = { trigger: 'BEFORE_BOOKING_START', offset: { value: 2, unit: 'MINUTE' } };

let api: TestApi;
let world: WorkflowWorld;
let mailServer: MailServer;
let provider: WebhookReceiver;
let runner: JobRunner;
const open = (smsLimit?: SmsLimit) => {
  const url = provider.url('/Messages.json?From=%2B15005550006').replace('http://', 'http://AC1:token@');
  const log = { info: () => undefined };
  const smsProvider = createSmsProvider({ smsUrl: url, outbound: testDoor(5_000), folder: undefined, log });
  const kinds = kindsWith(mailServer, undefined, { smsProvider, ...(smsLimit && { smsLimit }) });
  return new JobRunner(api.database.em, kinds, LOG);
};
beforeAll(async () => {
  api = await openTestApi();
  world = new WorkflowWorld(api, { action: 'SMS_ATTENDEE', body: 'Soon: {event_name}, {event_time}' });
  [mailServer, provider] = await Promise.all([MailServer.open(), WebhookReceiver.open()]);
  runner = open();
});
beforeEach(() => answering(201));
afterEach(() => runner.settled());
afterAll(async () => {
  await runner.stop();
  await Promise.all([mailServer.close(), provider.close()]);
  await api.close();
});

function answering(status: number): void {
  provider.answer = (response) => void response.writeHead(status).end('{"sid":"SM1"}');
}

/** The messages to the provider since the last time. */
async function sent(): Promise<readonly { readonly to: string; readonly text: string; readonly key: string }[]> {
  await runner.settled();
  return provider.all.splice(0).map(({ body, headers }) => {
    const form = new URLSearchParams(body);
    return { to: form.get('To') ?? '', text: form.get('Body') ?? '', key: String(headers['idempotency-key']) };
  });
}
const asked = (mobile: string | undefined = MOBILE) => ({ responses: { mobile } });

describe('an SMS to attendees', () => {
  beforeAll(() => world.newTeam());

  test('goes to the number that the booking form has asked for, in their zone and language, and in plain characters', async () => {
    const eventTypeId = await world.offer(ASKS);
    await world.workflow(
      { eventTypeIds: [eventTypeId] },
      { body: 'For {attendee_name}: {event_name} “{event_time}” {location} {cancel_link}' },
    );
    const [start = ''] = await world.startsOf(eventTypeId);
    const uid = await world.book(eventTypeId, asked('+49 151 1234 5678'));
    const time = Temporal.Instant.from(start).toZonedDateTimeISO(GRACE.timeZone).toPlainTime();
    const said = `For an attendee: Demo "${time.toString({ smallestUnit: 'minute' })}" - ${PUBLIC_URL}/bookings/${uid}`;
    expect(await sent()).toEqual([{ to: MOBILE, text: said, key: expect.any(String) }]);
  });

  test('goes to the number to call, and to none that nobody has asked for', async () => {
    const eventTypeId = await world.offer({ locations: [{ type: 'ATTENDEE_PHONE' }] });
    const other = await world.offer(ASKS);
    await world.workflow({ eventTypeIds: [eventTypeId, other] });
    const location = { type: 'ATTENDEE_PHONE', phone: '+4915187654321' };
    await world.book(eventTypeId, { location, attendee: { ...GRACE, phone: MOBILE } });
    expect((await sent()).map(({ to }) => to)).toEqual(['+4915187654321']);
    await world.book(other, { attendee: { ...GRACE, phone: MOBILE } });
    expect(await sent()).toEqual([]);
  });

  test('goes to the number to call in the booker’s name, not in that of an attendee who was added', async () => {
    const eventTypeId = await world.offer({ locations: [{ type: 'ATTENDEE_PHONE' }], slotIntervalInMinutes: 60 });
    const workflow = { eventTypeIds: [eventTypeId], trigger: 'BOOKING_RESCHEDULED' };
    await world.workflow(workflow, { body: 'For {attendee_name}, {time_zone}' });
    const [start, later] = await world.startsOf(eventTypeId);
    const input = { start, location: { type: 'ATTENDEE_PHONE', phone: MOBILE } };
    const uid = await world.book(eventTypeId, input, world.team.owner);
    const attendee = { name: 'Lin', email: 'lin@example.test', timeZone: 'Asia/Tokyo' };
    expect((await world.host.change('bookingAttendeeAdd', { bookingId: idOfUid(uid), attendee })).mistakes).toEqual([]);
    expect(
      (await world.host.change('userBookingReschedule', { bookingId: idOfUid(uid), start: later })).mistakes,
    ).toEqual([]);
    expect(await sent()).toMatchObject([{ to: MOBILE, text: 'For Grace, America/New York' }]);
  });

  test('is cut off after four parts', async () => {
    const eventTypeId = await world.offer({ ...ASKS, title: 'T'.repeat(200) });
    await world.workflow({ eventTypeIds: [eventTypeId] }, { body: 'A{event_name}'.repeat(4) });
    await world.book(eventTypeId, asked());
    const texts = (await sent()).map(({ text }) => text);
    expect(texts).toContain(`${`A${'T'.repeat(200)}`.repeat(4).slice(0, 609)}...`);
  });

  test('is sent again with the same key until it is taken, and given up where the number wants none', async () => {
    const eventTypeId = await world.offer(ASKS);
    await world.workflow({ eventTypeIds: [eventTypeId] }, { body: 'Once' });
    answering(503);
    await world.book(eventTypeId, asked());
    const first = (await sent()).filter(({ text }) => text === 'Once');
    answering(201);
    await letTimePass(api.database.em.fork());
    const again = (await sent()).filter(({ text }) => text === 'Once');
    expect([first.length, again]).toEqual([1, first]);
    answering(400);
    await world.book(eventTypeId, asked());
    expect((await sent()).filter(({ text }) => text === 'Once')).toHaveLength(1);
    const left = await storedJobs(api.database.em.fork());
    expect(left).toMatchObject([{ queue: 'workflow-sms', attempts: 1, isGivenUp: true }]);
  });
});

describe('an SMS to a number of the team', () => {
  beforeAll(() => world.newTeam());

  test('goes there as long as it is verified, without the words of strangers and without links', async () => {
    await storeVerified(api.database.em, 'PHONE', world.team.teamId, MOBILE);
    const eventTypeId = await world.offer();
    await world.workflow(
      { eventTypeIds: [eventTypeId] },
      { action: 'SMS_NUMBER', sendTo: '+49 (151) 1234-5678', body: 'For {attendee_name}: {event_name} {cancel_link}' },
    );
    await world.book(eventTypeId, { attendee: { ...GRACE, name: 'Read evil.example now' } });
    expect(await sent()).toMatchObject([{ to: MOBILE, text: 'For an attendee: Demo -' }]);
    const { verifiedPhones } = (
      await world.team.owner.ask('query($id: ID!) { team(id: $id) { verifiedPhones { nodes { id } } } }', {
        id: world.team.teamId,
      })
    ).data.team;
    const gone = { teamId: world.team.teamId, verifiedPhoneId: verifiedPhones.nodes[0].id };
    expect((await world.team.owner.change('teamVerifiedPhoneDelete', gone)).mistakes).toEqual([]);
    await world.book(eventTypeId);
    expect(await sent()).toEqual([]);
  });
});

describe('a reminder by SMS', () => {
  beforeAll(() => world.newTeam());

  test('goes once, at its minute, for the new time of a booking that moves, and not for one that is cancelled', async () => {
    const eventTypeId = await world.offer({ ...ASKS, slotIntervalInMinutes: 60 });
    await world.workflow({ eventTypeIds: [eventTypeId], ...EARLY });
    const first = await world.book(eventTypeId, asked());
    const [, , later] = await world.startsOf(eventTypeId);
    const cancelled = await world.book(eventTypeId, asked('+4915111111111'));
    await sent();
    const moved = await api.nobody.change('bookingReschedule', { uid: first, start: later }, 'booking { uid }');
    expect(moved.mistakes).toEqual([]);
    expect((await api.nobody.change('bookingCancel', { uid: cancelled })).mistakes).toEqual([]);
    expect(await sent()).toEqual([]);
    await world.minutesPass((await world.minutesUntil(moved.data.booking.uid)) - 2);
    expect(await sent()).toEqual([]);
    await world.minutesPass(1);
    const others = [open(), open()];
    await Promise.all(others.map((one) => one.settled()));
    await Promise.all(others.map((one) => one.stop()));
    expect((await sent()).map(({ to }) => to)).toEqual([MOBILE]);
    await world.minutesPass(1);
    expect(await sent()).toEqual([]);
  });
});

test('an account sends no more to people whom it names than one team may, however many teams it has', async () => {
  const booked: string[] = [];
  const limited = open(new SmsLimit({ ...SMS_LIMITS, owner: 2 }, LOG));
  const booker = await api.newUser('texting-booker');
  for (const last of [1, 2, 3]) {
    await world.newTeam();
    const eventTypeId = await world.offer(ASKS);
    await world.workflow({ eventTypeIds: [eventTypeId] });
    booked.push(await world.book(eventTypeId, asked(`+491511${last}00000${last}`), booker));
  }
  await limited.settled();
  await limited.stop();
  expect(await sent()).toHaveLength(2);
  const waiting = await Promise.all(booked.map((uid) => world.waitingOf(uid)));
  expect(waiting.filter((one) => one === 1)).toHaveLength(1);
});

test('no stranger has more than a few sent to a number, whatever they book; as many wait, and a booking says how many do not come', async () => {
  await world.newTeam();
  const eventTypeId = await world.offer({ ...ASKS, durationInMinutes: 15, slotIntervalInMinutes: 15 });
  await world.workflow({ eventTypeIds: [eventTypeId] });
  await runner.settled();
  const limited = open(new SmsLimit(SMS_LIMITS, LOG));
  const starts = await world.startsOf(eventTypeId);
  const uids: string[] = [];
  for (let index = 0; index < 2 * SMS_LIMITS.attendee + 2; index += 1)
    uids.push(await world.book(eventTypeId, { start: starts[index], ...asked() }));
  await limited.settled();
  await limited.stop();
  expect(await sent()).toHaveLength(SMS_LIMITS.attendee);
  const unsent = await Promise.all(uids.map((uid) => world.unsentOf(uid)));
  const waiting = await Promise.all(uids.map((uid) => world.waitingOf(uid)));
  expect([sum(waiting), sum(unsent)]).toEqual([SMS_LIMITS.attendee, 2]);
});

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce((all: number, one) => all + (one ?? 0), 0);
}
