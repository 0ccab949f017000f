import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { removeGivenUpJobs } from '../../src/jobs/job-queue.ts';
import type { BookingKey } from '../../src/modules/bookings/booking-key.rules.ts';
import { cancelBooking } from '../../src/modules/bookings/change/cancel-booking.ts';
import { book, eventTypeOf, slotOn, times } from '../modules/bookings/support/booked-hosts.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { paced } from '../support/pace.ts';
import { headings, kindsWith, namedHosts } from './support/booking-mails.ts';
import { aRunner, claimSome, letTimePass, startRunner, storedJobs } from './support/jobs.ts';

let database: TestDatabase;
let mailServer: MailServer;
let em: () => Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = () => database.em.fork();
});
afterAll(() => database.close());
beforeEach(async () => {
  mailServer = await MailServer.open();
});
afterEach(async () => {
  await mailServer.close();
  await rows(em(), sql`delete from jobs.job`);
});

/** A booking with Ada; two mails. */
async function booked(day = 0): Promise<BookingKey> {
  const eventType = eventTypeOf(await namedHosts(database.em, 'Ada'));
  return (await book(em(), eventType, slotOn(day, '09:00'))).key;
}

const messageIds = () => mailServer.mails.map(({ email }) => email.messageId);

describe('a mail', () => {
  test('that the mail server defers is sent when it takes it', async () => {
    await booked();
    mailServer.refusalFor = () => ({ code: 451, message: 'Try again later.' });
    const { runner, logged } = aRunner(database.em, ...kindsWith(mailServer));
    await runner.settled();
    expect(mailServer.mails).toEqual([]);
    expect(await storedJobs(em())).toMatchObject([
      { queue: 'mail', attempts: 1, error: expect.stringContaining('451'), isGivenUp: false },
      { queue: 'mail', attempts: 1 },
    ]);
    expect(logged[0]).toEqual(['warn', 'A job failed and is tried again in 30 s.']);
    mailServer.refusalFor = () => undefined;
    await letTimePass(em());
    await runner.settled();
    expect(headings(mailServer.mails)).toEqual(['ada: New booking', 'grace: Booked']);
    expect(await storedJobs(em())).toEqual([]);
  });

  test('waits while there is no mail server, and is sent when it is back', async () => {
    await booked();
    const kinds = kindsWith(mailServer);
    await mailServer.close();
    const { runner } = aRunner(database.em, ...kinds);
    await runner.settled();
    expect(await storedJobs(em())).toMatchObject([{ error: expect.stringContaining('ECONNREFUSED') }, {}]);
    mailServer = await MailServer.open();
    await letTimePass(em());
    await aRunner(database.em, ...kindsWith(mailServer)).runner.settled();
    expect(headings(mailServer.mails)).toEqual(['ada: New booking', 'grace: Booked']);
  });

  test('is tried for about a day, and then kept for the operator, and no longer than a month', async () => {
    await booked();
    mailServer.refusalFor = (mailbox) => (mailbox.startsWith('grace') ? { code: 450, message: 'Full.' } : undefined);
    const { runner, logged } = aRunner(database.em, ...kindsWith(mailServer));
    for (let isGivenUp = false; !isGivenUp; ) {
      await runner.settled();
      isGivenUp = (await storedJobs(em())).every((job) => job.isGivenUp);
      await letTimePass(em());
    }
    const pauses = logged.map(([, message]) => Number(/again in (\d+) s/.exec(message)?.[1] ?? 0));
    expect(pauses).toEqual(
      pauses
        .toSorted((a, b) => a - b)
        .slice(1)
        .concat(0),
    );
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(28);
    expect(logged.at(-1)).toEqual(['error', 'A job was given up: see `gatehouse jobs`.']);

    const passDays = (days: number) =>
      rows(em(), sql`update jobs.job set given_up_on = given_up_on - make_interval(days => ${days}::int)`);
    await passDays(29);
    expect(await removeGivenUpJobs(em(), 10)).toBe(0);
    await passDays(2);
    expect(await removeGivenUpJobs(em(), 10)).toBe(1);
  });

  test('that the mail server will never take is given up at once, and all others are sent', async () => {
    const key = await booked(0);
    await booked(1);
    mailServer.refusalFor = (mailbox) =>
      mailbox.startsWith('grace') ? { code: 550, message: 'No such user here.' } : undefined;
    const { runner } = aRunner(database.em, ...kindsWith(mailServer));
    await runner.settled();
    expect(headings(mailServer.mails)).toEqual(['ada: New booking', 'ada: New booking']);
    expect(await storedJobs(em())).toMatchObject([
      { attempts: 1, isGivenUp: true, error: expect.stringContaining('No such user here.') },
      { attempts: 1, isGivenUp: true },
    ]);
    // A later event of the same booking goes its way.
    mailServer.refusalFor = () => undefined;
    await cancelBooking(em(), undefined, { key, reason: null, callerId: null });
    await runner.settled();
    expect(headings(mailServer.mails.slice(2))).toEqual(['ada: Cancelled', 'grace: Cancelled']);
  });

  test('that says "cancelled" does not overtake one that says "booked"', async () => {
    const key = await booked();
    mailServer.refusalFor = (mailbox) => (mailbox.startsWith('grace') ? { code: 450, message: 'Later.' } : undefined);
    const { runner } = aRunner(database.em, ...kindsWith(mailServer));
    await runner.settled();
    mailServer.refusalFor = () => undefined;
    await cancelBooking(em(), undefined, { key, reason: null, callerId: null });
    await runner.settled();
    expect(headings(mailServer.mails)).toEqual(['ada: Cancelled', 'ada: New booking']);
    await letTimePass(em());
    await runner.settled();
    expect(mailServer.mails.slice(2).map(({ email }) => email.subject?.split(':')[0])).toEqual(['Booked', 'Cancelled']);
  });

  test('has an id of its own, which it keeps when it must be sent again', async () => {
    await booked();
    const { runner } = aRunner(database.em, ...kindsWith(mailServer));
    // As if the process had died after the mail server's answer.
    mailServer.onTaken = async () => {
      await rows(em(), sql`update jobs.job set retry_count = retry_count + 1 where queue = 'mail'`);
    };
    await runner.settled();
    mailServer.onTaken = () => undefined;
    expect(new Set(messageIds()).size).toBe(2);
    await letTimePass(em());
    await runner.settled();
    expect(mailServer.mails).toHaveLength(4);
    expect(new Set(messageIds()).size).toBe(2);
    expect(messageIds()[0]).toMatch(/^<[0-9a-f-]{36}\.[0-9a-f]{16}@gatehouse\.example>$/);
  });
});

/** Where statements follow each other anyway, fewer of a burst say the same. */
const PER_HOST = isOnPostgres ? 10 : 3;

describe(`a burst of ${20 * PER_HOST} bookings`, () => {
  test('is one mail to each, sent once by processes that share the work', { timeout: paced(120_000) }, async () => {
    const hostIds = await namedHosts(database.em, ...times(20, (index) => `Host${String.fromCharCode(97 + index)}`));
    for (const hostId of hostIds) {
      const eventType = eventTypeOf([hostId]);
      for (let slot = 0; slot < PER_HOST; slot += 1) {
        const start = slotOn(slot % 5, slot < 5 ? '09:00' : '13:00');
        await book(em(), eventType, start);
      }
    }
    const kinds = () => kindsWith(mailServer);
    const count = isOnPostgres ? 3 : 1;
    const runners = await Promise.all(times(count, () => startRunner(database, ...kinds())));
    const mails = 2 * 20 * PER_HOST;
    await mailServer.received(mails);
    await Promise.all(runners.map(({ runner }) => runner.settled()));
    expect(mailServer.mails).toHaveLength(mails);
    expect(new Set(messageIds()).size).toBe(mails);
    expect(await storedJobs(em())).toEqual([]);
    expect(runners.flatMap(({ logged }) => logged)).toEqual([]);
  });
});

test('a mail that another process is at is not sent by this one meanwhile', async () => {
  await booked();
  const kinds = kindsWith(mailServer);
  const { runner: writer } = aRunner(database.em, ...kinds.filter(({ queue }) => queue !== 'mail'));
  await writer.settled();
  expect((await claimSome(em(), 'mail', 5)).jobs).toHaveLength(2);
  const { runner } = aRunner(database.em, ...kinds);
  await runner.settled();
  expect(mailServer.mails).toEqual([]);
});
