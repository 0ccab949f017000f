import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicOwnedId } from '../../src/core/id.ts';
import { changed, type Em, row, rows, sql } from '../../src/database/sql.ts';
import type { Actor } from '../../src/events/record-event.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { MAIL_LIMITS, MailLimit, type MailLimits } from '../../src/limits/mail-limit.ts';
import { noteAnswer, noteSignIn, receiverKey } from '../../src/limits/mail-receivers.ts';
import { networkOf } from '../../src/limits/network.ts';
import { createBooking } from '../../src/modules/bookings/book/book.ts';
import type { BookingKey } from '../../src/modules/bookings/booking-key.rules.ts';
import { cancelBooking } from '../../src/modules/bookings/change/cancel-booking.ts';
import { rescheduleBooking } from '../../src/modules/bookings/change/reschedule-booking.ts';
import { expectedStatus, mailsOfBooked } from '../../src/modules/bookings/mails/mail-outcomes.ts';
import type { BookableEventType } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { aRequest, eventTypeOf, newHosts, slotOn, times } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { UIDS } from '../support/uids.ts';
import { kindsWith, namedHosts, PUBLIC_URL } from './support/booking-mails.ts';

const SILENT = { warn: () => undefined, error: () => undefined };
const OFFICE: Actor = { userId: null, network: networkOf('192.0.2.1') };
const elsewhere = (index: number): Actor => ({ userId: null, network: networkOf(`10.${index >> 8}.${index & 255}.1`) });

let database: TestDatabase;
let mailServer: MailServer;
let em: () => Em;
const runners: JobRunner[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  mailServer = await MailServer.open();
  em = () => database.em.fork();
});
beforeEach(async () => {
  for (const table of ['booking_mails', 'counters', 'mail_receivers'])
    await changed(em(), sql`delete from ${sql.table(table)}`);
  mailServer.mails.length = 0;
});
afterAll(async () => {
  for (const runner of runners) await runner.stop();
  await mailServer.close();
  await database.close();
});

/** Does the jobs of the service under these limits, and says which mails it has sent since the last time. */
function underLimits(changes: Partial<MailLimits> = {}) {
  const mailLimit = new MailLimit({ ...MAIL_LIMITS, ...changes }, SILENT);
  const runner = new JobRunner(database.em, kindsWith(mailServer, mailLimit), SILENT);
  runners.push(runner);
  const sent = async (): Promise<readonly ReceivedMail[]> => {
    await runner.settled();
    return mailServer.mails.splice(0);
  };
  return { mailLimit, sent };
}

/** So much time passes, for what is counted and for what waits. */
async function pass(interval: string): Promise<void> {
  await changed(em(), sql`update counters set ends_at = ends_at - ${interval}::interval`);
  await changed(em(), sql`update booking_mails set due_at = due_at - ${interval}::interval`);
}

/** Slots of half an hour, one after the other, over as many days as it takes. */
function startOf(place: number): Temporal.Instant {
  const [day, half] = [Math.floor(place / 14), place % 14];
  const date = day + 2 * Math.floor(day / 5);
  return slotOn(date, '09:00').add({ minutes: 30 * half });
}

interface Booked {
  readonly key: BookingKey;
  readonly uid: string;
  readonly email: string;
}

async function bookAt(of: BookableEventType, place: number, email: string, by: Actor = OFFICE): Promise<Booked> {
  const attendee = { name: 'Grace', email, timeZone: 'UTC', locale: null, phone: null };
  const { key } = await createBooking(em(), of, aRequest(startOf(place), { attendee }), by);
  return { key, uid: uidOf(key), email };
}

const aHost = async (): Promise<BookableEventType> => eventTypeOf(await namedHosts(database.em, 'Ada'));
const receivers = (mails: readonly ReceivedMail[]): string[] => mails.map(({ mailbox }) => mailbox);
const said = (mails: readonly ReceivedMail[]): string[] =>
  mails.map(({ mailbox, email }) => `${mailbox}: ${email.subject}`);
const toHosts = (mails: readonly ReceivedMail[]) => mails.filter(({ mailbox }) => mailbox.startsWith('ada.'));
const toOthers = (mails: readonly ReceivedMail[]) => mails.filter(({ mailbox }) => !mailbox.startsWith('ada.'));
const uidOf = (key: BookingKey) => UIDS.of({ ...key, version: 0 });
const linkOf = ({ uid }: Booked): string => `${PUBLIC_URL}/bookings/${uid}`;

async function outcomesOf(booked: readonly Booked[]): Promise<Record<string, number>> {
  const found = await rows(
    em(),
    sql<{ outcome: string; count: number }>`select outcome, count(*)::int as count from booking_mails
      where mailbox = any(${booked.map(({ email }) => email.toLowerCase())}::text[]) group by outcome`,
  );
  return Object.fromEntries(found.map(({ outcome, count }) => [outcome, count]));
}

describe('thirty people behind one address who book a host', () => {
  test('are each mailed at once, with the link to cancel, and the host is told of all thirty', async () => {
    const { sent } = underLimits();
    const host = await aHost();
    const booked: Booked[] = [];
    for (let place = 0; place < 30; place += 1) booked.push(await bookAt(host, place, `visitor-${place}@office.test`));
    const mails = await sent();
    for (const one of booked) {
      const [own, another] = mails.filter(({ mailbox }) => mailbox === one.email);
      expect(another?.email.subject).toBeUndefined();
      expect(own?.text).toContain(linkOf(one));
    }
    expect(toHosts(mails)).toHaveLength(10);
    await pass('10 minutes');
    const summary = toHosts(await sent());
    expect(summary).toHaveLength(1);
    const told = [...toHosts(mails), ...summary].map(({ text }) => text).join('\n');
    for (const { key } of booked) expect(told).toContain(`/bookings/${publicOwnedId('booking', key)}/host`);
    expect(await outcomesOf(booked)).toEqual({ SENT: 30 });
  });
});

const flood = async (host: BookableEventType, from: number, count: number, email = 'victim@example.test') => {
  const booked: Booked[] = [];
  for (let place = from; place < from + count; place += 1)
    booked.push(await bookAt(host, place, email, elsewhere(place)));
  return booked;
};

describe('a mailbox that strangers flood from forty networks', () => {
  test('gets five mails an hour, and one summary at its end with the link of each further booking', async () => {
    const { sent } = underLimits({ host: 1_000 });
    const host = await aHost();
    const booked = await flood(host, 0, 40);
    const single = toOthers(await sent());
    expect(single).toHaveLength(5);
    expect(said(toOthers(await sent()))).toEqual([]);
    await pass('1 hour');
    const [summary, another] = toOthers(await sent());
    expect(another?.email.subject).toBeUndefined();
    const unseen = booked.filter((one) => !single.some(({ text }) => text.includes(linkOf(one))));
    expect(unseen).toHaveLength(35);
    for (const one of unseen) expect(summary?.text).toContain(linkOf(one));
    expect(summary?.text).toContain('This was not me');
  });

  test('is mailed at the address that was named, however it is written, and all of them count together', async () => {
    const { sent } = underLimits({ host: 1_000 });
    const host = await aHost();
    const single: ReceivedMail[] = [];
    for (let place = 0; place < 8; place += 1) {
      await bookAt(host, place, `Victim+${place}@example.test`, elsewhere(place));
      single.push(...toOthers(await sent()));
    }
    expect(receivers(single)).toEqual(times(5, (index) => `Victim+${index}@example.test`));
  });

  test('gets twenty mails a day at most, and all else in a summary the next day', async () => {
    const { sent } = underLimits({ host: 1_000 });
    const host = await aHost();
    let place = 0;
    let mails = 0;
    for (let hour = 0; hour < 6; hour += 1) {
      await flood(host, place, 8);
      place += 8;
      mails += toOthers(await sent()).length;
      await pass('1 hour');
      mails += toOthers(await sent()).length;
    }
    expect(mails).toBe(20);
    await pass('18 hours');
    const [summary, another] = toOthers(await sent());
    expect(another?.email.subject).toBeUndefined();
    expect(summary?.text.match(/\/bookings\/uid_/g)?.length).toBeGreaterThan(10);
  });

  test('has no bound of the day once it has answered, but still one of the hour', async () => {
    const { sent } = underLimits({ host: 1_000, receiverDay: 6 });
    const host = await aHost();
    await noteAnswer(em(), receiverKey('victim@example.test'), { wantsMails: true });
    let mails = 0;
    for (let hour = 0; hour < 3; hour += 1) {
      await flood(host, 6 * hour, 6);
      mails += toOthers(await sent()).length;
      await pass('1 hour');
      mails += toOthers(await sent()).length;
    }
    expect(mails).toBe(18);
  });

  test('gets nothing of strangers for thirty days once somebody there has said that it was not them; signing in undoes it', async () => {
    const { sent, mailLimit } = underLimits({ host: 1_000 });
    const host = await aHost();
    await flood(host, 0, 8);
    expect(toOthers(await sent())).toHaveLength(5);
    await noteAnswer(em(), receiverKey('Victim+x@example.test'), { wantsMails: false });
    await pass('1 hour');
    expect(said(toOthers(await sent()))).toEqual([]);
    const [while_] = await flood(host, 8, 1);
    expect(while_ && (await mailsOfBooked(em(), while_.key, elsewhere(8), mailLimit))).toMatchObject([
      { outcome: 'NOT_SENT' },
    ]);
    const mails = await sent();
    expect([said(toOthers(mails)), toHosts(mails).length]).toEqual([[], 1]);
    const unsent = await row(
      em(),
      sql<{ count: number }>`select sum(unsent_mails)::int as count from bookings where owner_id = ${host.ownerId}`,
    );
    expect(unsent?.count).toBe(4);
    await noteSignIn(em(), 'victim@example.test');
    await flood(host, 9, 1);
    expect(toOthers(await sent())).toHaveLength(1);
  });
});

const someone = (index: number): string => `someone-${index}@example.test`;

describe('the line of a network that has reached as many new receivers as it may', () => {
  const LIMITS = { network: 4, line: 6, host: 1_000 } as const;

  test('goes on with its bookings, and their mails go out in the next hour: hosts in turns, the soonest meeting first', async () => {
    const { sent, mailLimit } = underLimits(LIMITS);
    const [one, two] = [await aHost(), await aHost()];
    for (let place = 0; place < 4; place += 1) await bookAt(one, 20 + place, someone(place));
    const first = await sent();
    // The later meetings are booked first.
    const ofOne = [
      await bookAt(one, 9, someone(10)),
      await bookAt(one, 8, someone(11)),
      await bookAt(one, 7, someone(12)),
    ];
    const ofTwo = [await bookAt(two, 6, someone(20)), await bookAt(two, 5, someone(21))];
    const atOnce = [...first, ...(await sent())];
    expect(toOthers(atOnce)).toHaveLength(4);
    expect(toHosts(atOnce)).toHaveLength(9);
    expect(await outcomesOf([...ofOne, ...ofTwo])).toEqual({ WAITING: 5 });
    await pass('1 hour');
    // There is room again, and it is theirs who wait.
    expect(await expectedStatus(em(), OFFICE, mailLimit)).toBe('WAITING');
    expect(receivers(toOthers(await sent())).toSorted()).toEqual([11, 12, 20, 21].map(someone));
    await pass('1 hour');
    const last = toOthers(await sent());
    expect(receivers(last)).toEqual([someone(10)]);
    expect(last[0]?.text).toContain(ofOne[0] && linkOf(ofOne[0]));
    expect(await outcomesOf([...ofOne, ...ofTwo])).toEqual({ SENT_LATER: 5 });
    await pass('1 hour');
    expect(said(await sent())).toEqual([]);
  });

  test('lets go what was cancelled or is past, and tells of what was moved the new time alone', async () => {
    const { sent } = underLimits(LIMITS);
    const host = await aHost();
    for (let place = 0; place < 4; place += 1) await bookAt(host, 20 + place, someone(place));
    await sent();
    const [cancelled, past, moved] = [
      await bookAt(host, 0, someone(10)),
      await bookAt(host, 1, someone(11)),
      await bookAt(host, 2, someone(12)),
    ];
    await sent();
    await cancelBooking(em(), host.rules, { key: cancelled.key, reason: null, callerId: null, by: OFFICE });
    await changed(
      em(),
      sql`update bookings set starts_at = now() - interval '1 hour', ends_at = now() where id = ${past.key.id}`,
    );
    const newKey = await rescheduleBooking(em(), host, {
      key: moved.key,
      start: startOf(5),
      durationInMinutes: null,
      reason: null,
      reservationId: null,
      callerId: null,
      by: OFFICE,
    });
    expect(said(toOthers(await sent()))).toEqual([]);
    await pass('1 hour');
    const mails = toOthers(await sent());
    expect(receivers(mails)).toEqual([someone(12)]);
    expect(mails[0]?.text).toContain(`/bookings/${uidOf(newKey)}`);
    expect(mails[0]?.email.subject).toContain('New time');
    await pass('1 hour');
    expect(said(await sent())).toEqual([]);
  });

  test('is full at its end: then it is said before and after a booking that no mail comes, and the host sees it', async () => {
    const { sent, mailLimit } = underLimits(LIMITS);
    const host = await aHost();
    const outlooks: unknown[] = [];
    const outcomes: unknown[] = [];
    for (let place = 0; place < 12; place += 1) {
      outlooks.push(await expectedStatus(em(), OFFICE, mailLimit));
      const { key } = await bookAt(host, place, someone(place));
      const [mail] = await mailsOfBooked(em(), key, OFFICE, mailLimit);
      outcomes.push(mail?.outcome);
    }
    const expected = [...times(4, () => 'SENT'), ...times(6, () => 'WAITING'), 'NOT_SENT', 'NOT_SENT'];
    expect(outcomes).toEqual(expected);
    expect(outlooks).toEqual(expected);
    const mails = await sent();
    expect([toOthers(mails).length, toHosts(mails).length]).toEqual([4, 12]);
    const unsent = await rows(em(), sql`select 1 from bookings where owner_id = ${host.ownerId} and unsent_mails = 1`);
    expect(unsent).toHaveLength(2);
  });

  test('never holds up those who are known here, nor other networks, apps and accounts', async () => {
    const { sent } = underLimits({ ...LIMITS, client: 2, account: 1 });
    const [host, [accountId = '']] = [await aHost(), await newHosts(em(), 1)];
    await bookAt(host, 0, 'known@example.test', elsewhere(1));
    for (let place = 1; place < 6; place += 1) await bookAt(host, place, someone(place));
    expect(toOthers(await sent())).toHaveLength(5);
    await bookAt(host, 6, 'known@example.test');
    const app = { ...OFFICE, clientId: 'cli_platform' };
    for (let place = 7; place < 10; place += 1) await bookAt(host, place, someone(place), app);
    for (let place = 10; place < 12; place += 1)
      await bookAt(host, place, someone(place), { ...OFFICE, userId: accountId });
    await bookAt(host, 12, someone(12), elsewhere(2));
    const mailed = receivers(toOthers(await sent()));
    // The app gets two of three, the account one of two.
    const of = (...places: number[]) => mailed.filter((mailbox) => places.map(someone).includes(mailbox)).length;
    expect([mailed.includes('known@example.test'), of(7, 8, 9), of(10, 11), of(12), mailed.length]).toEqual([
      true,
      2,
      1,
      1,
      5,
    ]);
  });
});

test('mails that wait survive the process, and are sent once by two of them', async () => {
  const [first, second] = [underLimits({ network: 1, host: 1_000 }), underLimits({ network: 1, host: 1_000 })];
  const host = await aHost();
  for (let place = 0; place < 3; place += 1) await bookAt(host, place, `someone-${place}@example.test`);
  expect(toOthers(await first.sent())).toHaveLength(1);
  // Taken up by a process that died before it was done.
  await changed(em(), sql`update booking_mails set due_at = now() + interval '10 minutes' where outcome = 'WAITING'`);
  await pass('1 hour');
  const [mine, theirs] = await Promise.all([first.sent(), second.sent()]);
  expect(toOthers([...mine, ...theirs])).toHaveLength(1);
  await pass('1 hour');
  expect(toOthers([...(await first.sent()), ...(await second.sent())])).toHaveLength(1);
});
