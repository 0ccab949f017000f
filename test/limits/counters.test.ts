/** The one table and the one way in which requests, guesses, mails and SMS are counted. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import {
  addCounts,
  admitCounted,
  type Count,
  clearCounts,
  counterKey,
  type Refusal,
  removeExpiredCounters,
} from '../../src/limits/counters.ts';
import { createGuessLimit } from '../../src/limits/guess-limit.ts';
import { MAIL_LIMITS, MailLimit, strangerAt } from '../../src/limits/mail-limit.ts';
import { RequestLimit, shareInDatabase } from '../../src/limits/request-limit.ts';
import { SMS_LIMITS, SmsLimit } from '../../src/limits/sms-limit.ts';
import { connect } from '../../src/persistence/connect.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
const em = () => database.em.fork();
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => changed(em(), sql`truncate counters`));

const count = (limit: string, most: number, windowInSeconds?: number): Count => ({
  limit,
  key: counterKey('test', limit),
  most,
  ...(windowInSeconds !== undefined && { windowInSeconds }),
});
const limitsOf = (refusals: readonly (Refusal | undefined)[]) => refusals.map((refusal) => refusal?.limit);
const inAll = (refusals: readonly (readonly (Refusal | undefined)[])[]) =>
  refusals.flat().filter((refusal) => refusal === undefined).length;
const stored = () =>
  rows(em(), sql<{ counted: number; refused: number }>`select counted, refused from counters order by key`);
const letTimePass = (seconds: number) =>
  changed(em(), sql`update counters set ends_at = ends_at - make_interval(secs => ${seconds})`);

describe('things that count', () => {
  test('are refused by whatever is full, and then count for nothing', async () => {
    const thing = [count('a', 5), count('b', 2)];
    expect(limitsOf(await admitCounted(em(), [thing, thing, thing]))).toEqual([undefined, undefined, 'b']);
    expect(limitsOf(await admitCounted(em(), [thing, [count('a', 5)]]))).toEqual(['b', undefined]);
    expect(new Set((await stored()).map(({ counted }) => counted))).toEqual(new Set([2, 3]));
  });

  test('have each a window of their own, which begins with the first of them and then begins anew', async () => {
    const thing = [count('minute', 1, 60), count('hour', 2)];
    expect(await admitCounted(em(), [thing, thing])).toEqual([undefined, { limit: 'minute', secondsToWait: 60 }]);
    await letTimePass(60);
    expect(await admitCounted(em(), [thing, thing])).toEqual([undefined, { limit: 'minute', secondsToWait: 60 }]);
    await letTimePass(60);
    expect(await admitCounted(em(), [thing])).toEqual([{ limit: 'hour', secondsToWait: 3480 }]);
  });

  test('are reported once for each counter and window, by their place', async () => {
    const told: [string, number][] = [];
    const report = ({ limit }: Refusal, place: number) => void told.push([limit, place]);
    const [a, b] = [[count('a', 1)], [count('b', 0)]];
    await admitCounted(em(), [a, b, a, b, a], report);
    await admitCounted(em(), [a, b], report);
    expect(told).toEqual([
      ['b', 1],
      ['a', 2],
    ]);
    await letTimePass(3_600);
    await admitCounted(em(), [a, a], report);
    expect(told.slice(2)).toEqual([['a', 1]]);
  });

  test('are forgotten when they are cleared, and nothing else is', async () => {
    const [a, b] = [count('a', 1), count('b', 1)];
    await admitCounted(em(), [[a, b]]);
    await clearCounts(em(), [a.key]);
    expect(limitsOf(await admitCounted(em(), [[a], [b]]))).toEqual([undefined, 'b']);
  });

  test('count for nothing where the work around them fails', async () => {
    const thing = [count('a', 1)];
    const failed = em().transactional(async (inner) => {
      await admitCounted(inner, [thing]);
      throw new Error('The work failed.');
    });
    await expect(failed).rejects.toThrow('The work failed.');
    expect(await admitCounted(em(), [thing])).toEqual([undefined]);
  });
});

test('an earlier count is added to, whatever the limit, and everybody learns of it', async () => {
  const { key } = count('a', 3);
  const added = await addCounts(em(), new Map([[key, { by: 7, windowInSeconds: 60 }]]));
  expect(added.get(key)).toMatchObject({ counted: 7, refused: 0 });
  expect(await admitCounted(em(), [[count('a', 8)], [count('a', 8)]])).toMatchObject([undefined, { limit: 'a' }]);
});

test('counters whose window is over are swept away, the others stay', async () => {
  await admitCounted(em(), [[count('a', 1, 60), count('b', 1, 60), count('hour', 1)]]);
  await letTimePass(61);
  expect(await removeExpiredCounters(em(), 1)).toBe(1);
  expect(await removeExpiredCounters(em(), 100)).toBe(1);
  expect(await stored()).toEqual([{ counted: 1, refused: 0 }]);
});

test('requests, guesses, mails and SMS are counted in one table, which names nobody', async () => {
  const log = { warn: () => undefined };
  const requests = new RequestLimit({ windowInSeconds: 60, share: shareInDatabase(database.em, 60) });
  await requests.take([{ key: 'address 192.0.2.1', limit: 100 }]);
  await requests.close();
  await createGuessLimit({ name: 'one', guesses: 3, windowInSeconds: 60 }, database).count('ada', '192.0.2.1');
  const link = { to: 'ada@acme.test', cause: strangerAt('192.0.2.1'), purpose: 'ACCESS' } as const;
  await new MailLimit(MAIL_LIMITS, log).admit(em(), [link]);
  await new SmsLimit(SMS_LIMITS, log).admit(em(), { to: '+15005550001', ownerId: 'usr_1' });
  const keys = await rows(em(), sql<{ key: string }>`select key from counters`);
  expect(keys).toHaveLength(1 + 1 + 3 + 3);
  for (const { key } of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
});

describe.runIf(isOnPostgres)('of fifty simultaneous requests', () => {
  test('as many pass as the limit says, and none waits for another crosswise', async () => {
    const things = Array.from({ length: 50 }, (_, index) => {
      const counts = [count('shared', 7), count(`own ${index % 5}`, 3), count(`other ${index % 3}`, 50)];
      return index % 2 === 0 ? counts : counts.toReversed();
    });
    expect(inAll(await Promise.all(things.map((thing) => admitCounted(em(), [thing]))))).toBe(7);
    const counted = await stored();
    expect(counted.reduce((sum, one) => sum + one.counted, 0)).toBe(7 * 3);
  });

  test('as many as the limit says pass in two processes together, when the window begins anew', async () => {
    const other = await connect({ databaseUrl: database.url, dataDir: '' });
    const processes = [database.em, other.em];
    try {
      const thing = [count('shared', 7)];
      await admitCounted(em(), [thing, thing, thing]);
      await letTimePass(3_600);
      const asked = Array.from({ length: 50 }, (_, n) => admitCounted(processes[n % 2]?.fork() ?? em(), [thing]));
      expect(inAll(await Promise.all(asked))).toBe(7);
    } finally {
      await other.close();
    }
  });
});
