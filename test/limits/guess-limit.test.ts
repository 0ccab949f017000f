import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { createGuessLimit, type GuessLimit, TooManyGuesses } from '../../src/limits/guess-limit.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';

const HERE = '192.0.2.1';
const NEXT_DOOR = '192.0.2.99';
const ELSEWHERE = '198.51.100.1';
const RULE = { guesses: 3, windowInSeconds: 60 };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
afterEach(() => vi.useRealTimers());

describe('guesses of one subject', () => {
  test('are refused from the fourth on when three are allowed, and the answer says how long', async () => {
    const limit = aLimit('fourth');
    expect(await countTimes(limit, 3)).toEqual([undefined, undefined, undefined]);
    const wait = await limit.count('ada', HERE);
    expect(wait).toBeGreaterThan(55);
    expect(wait).toBeLessThanOrEqual(60);
  });

  test('are refused in its whole network, and nowhere else', async () => {
    const limit = aLimit('network');
    await countTimes(limit, 4);
    expect(await limit.count('ada', NEXT_DOOR)).toBeGreaterThan(0);
    expect(await limit.count('ada', ELSEWHERE)).toBeUndefined();
  });

  test('do not lock out another subject of the same network', async () => {
    const limit = aLimit('subject');
    await countTimes(limit, 4);
    expect(await limit.count('bob', HERE)).toBeUndefined();
  });

  test('do not count for another rule', async () => {
    await countTimes(aLimit('one rule'), 4);
    expect(await aLimit('another rule').count('ada', HERE)).toBeUndefined();
  });

  test('are forgotten when the subject has proved itself', async () => {
    const limit = aLimit('clear');
    await countTimes(limit, 3);
    await limit.clear('ada', HERE);
    expect(await countTimes(limit, 3)).toEqual([undefined, undefined, undefined]);
  });

  test('are forgotten when the window is over', async () => {
    const limit = aLimit('window');
    vi.useFakeTimers({ toFake: ['performance'] });
    await countTimes(limit, 4);
    expect(limit.secondsToWait('ada', HERE)).toBe(60);
    vi.advanceTimersByTime(60_001);
    await changed(database.em.fork(), sql`update counters set ends_at = ends_at - interval '1 minute'`);
    expect(limit.secondsToWait('ada', HERE)).toBeUndefined();
    expect(await limit.count('ada', HERE)).toBeUndefined();
  });

  test('sent at once are counted one by one', async () => {
    const limit = aLimit('at once');
    const waits = await Promise.all(Array.from({ length: 50 }, () => limit.count('ada', HERE)));
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(3);
  });

  test('may be any text from any address', async () => {
    const limit = aLimit('hostile');
    for (const subject of ['', '\0', '\ud800', '__proto__', 'x'.repeat(100_000)]) {
      expect(await limit.count(subject, subject)).toBeUndefined();
    }
  });
});

describe('guesses of one subject from many networks', () => {
  const everywhere = { guesses: 3, pauseInSeconds: 1 };
  const slowing = (name: string) => createGuessLimit({ ...RULE, name, everywhere }, database);

  test('are judged one at a time with a pause between them, past what all may have together', async () => {
    const limit = slowing('everywhere');
    await fromEach(limit, 0, 4);
    for (const index of [4, 5]) {
      const [wait, milliseconds] = await guess(limit, index);
      expect([wait, milliseconds > 500]).toEqual([undefined, true]);
    }
    expect(await limit.count('bob', network(6))).toBeUndefined();
  });

  test('wait for nothing in a network where the subject has proved itself before', async () => {
    const limit = slowing('known');
    await fromEach(limit, 0, 4);
    const asked: string[] = [];
    const isKnownThere = async () => asked.push('') > 0;
    for (let n = 0; n < 3; n += 1) expect(await limit.count('ada', ELSEWHERE, isKnownThere)).toBeUndefined();
    expect(await limit.count('ada', ELSEWHERE, isKnownThere)).toBeGreaterThan(50);
    expect(asked).toHaveLength(3);
  });

  test('are no guesses where they were right', async () => {
    const limit = slowing('right');
    for (let index = 0; index < 10; index += 1) {
      expect(await limit.count('ada', network(index))).toBeUndefined();
      await limit.clear('ada', network(index));
    }
    await fromEach(limit, 10, 13);
  });

  test('are held for a moment when a hundred come at once, twenty at most, and the others told to come again soon', async () => {
    const limit = slowing('crowd');
    await fromEach(limit, 0, 3);
    const [waits, milliseconds] = await timed(
      Promise.all(Array.from({ length: 100 }, (_, index) => guess(limit, index + 3))),
    );
    const judged = waits.filter(([wait]) => wait === undefined);
    expect(judged.length).toBeGreaterThan(1);
    expect(judged.length).toBeLessThan(9);
    expect(waits.filter(([, held]) => held > 900).length).toBeLessThanOrEqual(20);
    expect(milliseconds).toBeLessThan(paced(15_000));
    for (const [wait = 1] of waits) expect(wait).toBe(1);
    // A caller who comes when the crowd has gone is let in.
    expect(await limit.count('ada', network(200))).toBeUndefined();
  });
});

test('a guess that this process has not refused needs no waiting, as far as it knows', async () => {
  const limit = aLimit('known');
  await countTimes(limit, 3);
  expect(limit.secondsToWait('ada', HERE)).toBeUndefined();
  await limit.count('ada', HERE);
  expect(limit.secondsToWait('ada', HERE)).toBeGreaterThan(0);
  expect(limit.secondsToWait('ada', ELSEWHERE)).toBeUndefined();
});

test('a refusal says how long to wait, in minutes', () => {
  expect(new TooManyGuesses(61)).toMatchObject({ code: 'TOO_MANY_GUESSES', secondsToWait: 61 });
  expect(new TooManyGuesses(61).message).toContain('wait 2 minutes');
  expect(new TooManyGuesses(60).message).toContain('wait 1 minute and');
});

describe.runIf(isOnPostgres)('on PostgreSQL', () => {
  test('all processes give the turns of one subject together', async () => {
    const rule = { ...RULE, name: 'turns', everywhere: { guesses: 3, pauseInSeconds: 2 } };
    const limits = [createGuessLimit(rule, database), createGuessLimit(rule, database)];
    const begun = performance.now();
    const waits = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (limits[index % 2] ?? aLimit('turns')).count('ada', `198.51.${index}.1`),
      ),
    );
    const turns = (performance.now() - begun) / 2_000 + 1;
    expect(waits.filter((wait) => wait === undefined).length).toBeLessThanOrEqual(3 + turns);
  });

  test('all processes count together', async () => {
    const limits = [aLimit('shared'), aLimit('shared')];
    const waits = await Promise.all(
      limits.flatMap((limit) => Array.from({ length: 25 }, () => limit.count('ada', HERE))),
    );
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(3);
  });
});

function aLimit(name: string): GuessLimit {
  return createGuessLimit({ ...RULE, name }, database);
}

async function countTimes(limit: GuessLimit, times: number): Promise<(number | undefined)[]> {
  const waits: (number | undefined)[] = [];
  for (let i = 0; i < times; i += 1) waits.push(await limit.count('ada', HERE));
  return waits;
}

function network(index: number): string {
  return `198.51.${index}.1`;
}

async function timed<Result>(work: Promise<Result>): Promise<readonly [Result, number]> {
  const begun = performance.now();
  return [await work, performance.now() - begun];
}

function guess(limit: GuessLimit, index: number) {
  return timed(limit.count('ada', network(index)));
}

async function fromEach(limit: GuessLimit, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) expect(await limit.count('ada', network(index))).toBeUndefined();
}
