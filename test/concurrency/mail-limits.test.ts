import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, row, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { MAIL_LIMITS, MailLimit } from '../../src/limits/mail-limit.ts';
import { foldedAddress } from '../../src/limits/mail-receivers.ts';
import { networkOf } from '../../src/limits/network.ts';
import { createBooking } from '../../src/modules/bookings/book/book.ts';
import { mailsOfBooked } from '../../src/modules/bookings/mails/mail-outcomes.ts';
import { kindsWith } from '../jobs/support/booking-mails.ts';
import { aRequest, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';

const SILENT = { warn: () => undefined, error: () => undefined };

describe.runIf(isOnPostgres)(
  'fifty bookings at the same moment, each with a host of its own and from a network of its own',
  () => {
    let database: TestDatabase;
    let mailServer: MailServer;
    const em = (): Em => database.em.fork();
    beforeAll(async () => {
      database = await openTestDatabase();
      mailServer = await MailServer.open();
    });
    afterAll(async () => {
      await mailServer.close();
      await database.close();
    });

    test('mail one receiver five times, and every host once', async () => {
      const hostIds = await newHosts(em(), 50);
      await row(em(), sql`update users set email = id::text || '@acme.example' where id = any(${hostIds}::uuid[])`);
      await Promise.all(
        hostIds.map((hostId, index) => {
          const email = `victim+${index}@example.test`;
          const attendee = { name: 'Eve', email, timeZone: 'UTC', locale: null, phone: null };
          const by = { userId: null, network: networkOf(`10.0.${index}.1`) };
          return createBooking(em(), eventTypeOf([hostId]), aRequest(slotOn(0, '09:00'), { attendee }), by);
        }),
      );
      const runners = Array.from(
        { length: 3 },
        () => new JobRunner(database.em, kindsWith(mailServer, new MailLimit(MAIL_LIMITS, SILENT)), SILENT),
      );
      await Promise.all(runners.map((runner) => runner.settled()));
      for (const runner of runners) await runner.settled();
      const byReceiver = Map.groupBy(mailServer.mails, ({ mailbox }) => foldedAddress(mailbox));
      expect(byReceiver.get('victim@example.test')).toHaveLength(5);
      expect(mailServer.mails).toHaveLength(55);
      const held = sql<{ count: number }>`select count(*)::int as count from booking_mails where outcome = 'SUMMARY'`;
      expect(await row(em(), held)).toEqual({ count: 45 });
      for (const runner of runners) await runner.stop();
    });

    test('from one network, mail as many new people as may be, and let as many wait, whoever asks first what becomes of it', async () => {
      await row(em(), sql`truncate counters, booking_mails, mail_receivers`);
      const hostIds = await newHosts(em(), 50);
      const by = { userId: null, network: networkOf('192.0.2.1') };
      const limit = new MailLimit({ ...MAIL_LIMITS, network: 10, line: 20 }, SILENT);
      const asked = await Promise.all(
        hostIds.map(async (hostId, index) => {
          const attendee = {
            name: 'Eve',
            email: `new-${index}@example.test`,
            timeZone: 'UTC',
            locale: null,
            phone: null,
          };
          const { key } = await createBooking(
            em(),
            eventTypeOf([hostId]),
            aRequest(slotOn(0, '09:00'), { attendee }),
            by,
          );
          const twice = await Promise.all([1, 2].map(() => mailsOfBooked(em(), key, by, limit)));
          const [first, second] = twice.map(([mail]) => mail?.outcome);
          expect(first).toBe(second);
          return first;
        }),
      );
      const outcomes = Object.fromEntries(
        [...Map.groupBy(asked, (outcome) => outcome)].map(([outcome, { length }]) => [outcome, length]),
      );
      expect(outcomes).toEqual({ SENT: 10, WAITING: 20, NOT_SENT: 20 });
    });
  },
);
