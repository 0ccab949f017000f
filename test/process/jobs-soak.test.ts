import { rm } from 'node:fs/promises';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { changed, type Em, row, sql } from '../../src/database/sql.ts';
import { enqueueJobs, prepareQueues } from '../../src/jobs/job-queue.ts';
import { mailJob } from '../../src/jobs/kinds/mail.job.ts';
import { connect } from '../../src/persistence/connect.ts';
import { ADMITTED } from '../support/admitted.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailSink } from '../support/mail-sink.ts';
import { paced } from '../support/pace.ts';
import { type RunningService, startService, usedDataFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

let sink: MailSink;
/** Undefined where it is embedded in the service. */
let database: TestDatabase | undefined;
let env: Record<string, string>;
beforeEach(async () => {
  sink = await MailSink.open();
  onTestFinished(() => sink.close());
  database = isOnPostgres ? await openTestDatabase() : undefined;
  onTestFinished(() => database?.close());
  const DATA_DIR = await usedDataFolder();
  folders.push(DATA_DIR);
  env = { ...SHARED, DATA_DIR, SMTP_URL: sink.url, ...(database?.url && { DATABASE_URL: database.url }) };
});

async function start(): Promise<RunningService> {
  const service = await startService(env);
  onTestFinished(async () => {
    if (service.child.exitCode === null && service.child.signalCode === null) await service.kill('SIGKILL');
  });
  return service;
}

/** Runs on the database of the services, before there are any where it is embedded. */
async function inDatabase(run: (em: Em) => Promise<unknown>): Promise<void> {
  if (database) return void (await run(database.em.fork()));
  const opened = await connect({ databaseUrl: undefined, dataDir: env['DATA_DIR'] ?? '' });
  await run(opened.em.fork());
  await opened.close();
}

const PER_BOOKING = 5;

/** Five mails each of so many bookings wait: `Mail 3` to `n@example.test` is the third one of the n-th booking. */
async function putMails(bookings: number): Promise<void> {
  await inDatabase(async (em) => {
    await prepareQueues(em, ['mail']);
    for (let from = 0; from < bookings; from += 200) {
      const some = Array.from({ length: Math.min(200, bookings - from) }, (_, index) => from + index);
      const jobs = Array.from({ length: PER_BOOKING }, (_, index) =>
        some.map((booking) => {
          const to = `${booking}@example.test`;
          const messageId = `<${booking}.${index}@gatehouse.example>`;
          return mailJob({ to, subject: `Mail ${index + 1}`, parts: ['x'.repeat(500)], messageId }, ADMITTED, {
            orderKey: `${booking} ${to}`,
          });
        }),
      );
      await enqueueJobs(em, jobs.flat());
    }
  });
}

/** The mails about each booking, in order: `12345`. */
function told(): Map<string, string> {
  const byBooking = Map.groupBy(sink.mails, ({ mailbox }) => mailbox);
  return new Map(
    [...byBooking].map(([mailbox, mails]) => [mailbox, mails.map(({ subject }) => subject.slice(5)).join('')]),
  );
}

describe('a service that is killed again and again', () => {
  test('loses no mail, keeps the order of each booking, and repeats only what it was at', {
    timeout: paced(300_000),
  }, async () => {
    const bookings = isOnPostgres ? 400 : 60;
    await putMails(bookings);
    const other = isOnPostgres ? await start() : undefined;
    let repeated = 0;
    // A process that begins anew takes longest on the embedded database.
    for (const share of isOnPostgres ? [0.2, 0.4, 0.6] : [0.25, 0.5]) {
      const victim = await start();
      await sink.received(Math.floor(bookings * PER_BOOKING * share));
      await victim.kill('SIGKILL');
      // As many as a process sends at once.
      repeated += 10;
    }
    if (!other) await start();
    const isAllThere = () => [...told().values()].filter((numbers) => new Set(numbers).size === PER_BOOKING).length;
    await expect.poll(isAllThere, { timeout: paced(120_000) }).toBe(bookings);
    for (const numbers of told().values()) expect(numbers).toMatch(/^1+2+3+4+5+$/);
    expect(sink.mails.length).toBeLessThanOrEqual(bookings * PER_BOOKING + repeated);
  });

  test.runIf(isOnPostgres)(
    'has its mails sent by another one within ten seconds',
    { timeout: paced(120_000) },
    async () => {
      const { promise: taken, resolve: take } = Promise.withResolvers<void>();
      const victim = await start();
      // It takes all that the process sends, and never says so.
      sink.onTaken = () => (take(), new Promise(() => undefined));
      await putMails(2);
      await inDatabase((em) => changed(em, sql`select pg_notify('jobs', '')`));
      await taken;
      await start();
      const before = sink.mails.length;
      sink.onTaken = () => undefined;
      const killedAt = performance.now();
      await victim.kill('SIGKILL');
      await sink.received(before + 2 * PER_BOOKING);
      expect(performance.now() - killedAt).toBeLessThan(paced(10_000));
      expect(new Set(told().values())).toEqual(new Set(['112345']));
    },
  );
});

async function countNew(): Promise<number> {
  const { em } = database as TestDatabase;
  const found = await row(
    em.fork(),
    sql<{ count: number }>`select count(*)::int as count from jobs.job where priority = 0`,
  );
  return found?.count ?? -1;
}

test.runIf(isOnPostgres)(
  'seven thousand mails of one host that wait hold up nobody else for two seconds',
  { timeout: paced(180_000) },
  async () => {
    const [mails, threads] = [7_000, 700];
    sink.deferred = 'host@example.test';
    await inDatabase(async (em) => {
      await prepareQueues(em, ['mail']);
      const jobs = Array.from({ length: mails }, (_, n) => {
        const mail = { to: 'host@example.test', subject: 'Mail', parts: ['x'], messageId: `<${n}@gatehouse.example>` };
        return mailJob(mail, ADMITTED, { orderKey: `${n % threads} host@example.test` });
      });
      await enqueueJobs(em, jobs);
    });
    await start();
    // The first one of each thread has been tried and will be again and again; the others wait for it.
    await expect.poll(() => sink.timesDeferred, { timeout: paced(120_000) }).toBeGreaterThanOrEqual(threads);
    await expect.poll(countNew, { timeout: paced(60_000) }).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      const from = performance.now();
      const mail = {
        to: 'other@example.test',
        subject: 'Mail',
        parts: ['x'],
        messageId: `<other.${n}@gatehouse.example>`,
      };
      await inDatabase((em) => enqueueJobs(em, [mailJob(mail, ADMITTED, { orderKey: `${n} other@example.test` })]));
      await sink.received(n + 1);
      expect(performance.now() - from).toBeLessThan(paced(2_000));
    }
  },
);
