import { expect, test, vi } from 'vitest';
import type { Turns } from '../../src/limits/owner-turns.ts';
import { ServerTurns } from '../../src/limits/server-turns.ts';

const AWAY = 'away';

/** Asks so many times, and answers once it is let. @returns how many are with a server at once */
function ask(turns: Turns, count: number, server: (n: number) => string, account?: (n: number) => string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = 0;
  const all = Promise.all(
    Array.from({ length: count }, (_, n) =>
      turns.run<string>(
        server(n),
        async () => {
          running += 1;
          await promise;
          return 'asked';
        },
        () => AWAY,
        account && { account: account(n) },
      ),
    ),
  );
  return { running: () => running, end: () => (resolve(), all) };
}
const soon = () => new Promise((done) => setImmediate(done));

test('a server is asked six times at once, and half of that at most is for visitors', async () => {
  const turns = new ServerTurns();
  const visitors = ask(turns.ofVisitors, 50, () => 'a.example');
  await soon();
  const jobs = ask(turns.ofJobs, 7, () => 'a.example');
  await soon();
  expect([visitors.running(), jobs.running()]).toEqual([3, 3]);
  const elsewhere = ask(turns.ofVisitors, 3, () => 'b.example');
  await soon();
  expect(elsewhere.running()).toBe(3);
  await Promise.all([jobs.end(), elsewhere.end()]);
  expect(await visitors.end()).toEqual(Array(50).fill('asked'));
});

test('when the background has all of a server, visitors get the next turns, however many wait', async () => {
  const turns = new ServerTurns();
  const jobs = [0, 1].map(() => ask(turns.ofJobs, 3, () => 'a.example'));
  await soon();
  const waiting = ask(turns.ofJobs, 4, () => 'a.example');
  const visitors = ask(turns.ofVisitors, 5, () => 'a.example');
  await soon();
  expect([waiting.running(), visitors.running()]).toEqual([0, 0]);
  await jobs[0]?.end();
  await soon();
  expect([waiting.running(), visitors.running()]).toEqual([0, 3]);
  await jobs[1]?.end();
  await soon();
  expect([waiting.running(), visitors.running()]).toEqual([3, 3]);
  await Promise.all([waiting.end(), visitors.end()]);
});

test('an account gets two at once, and all visitors together 64', async () => {
  const turns = new ServerTurns();
  const one = ask(
    turns.ofJobs,
    5,
    () => 'a.example',
    () => 'account',
  );
  const many = ask(turns.ofVisitors, 100, (n) => `${n}.example`);
  await soon();
  expect([one.running(), many.running()]).toEqual([2, 64]);
  await Promise.all([one.end(), many.end()]);
});

test('a server, or an account, that wants to be left alone is asked by nobody, and no other is kept from its turn', async () => {
  const turns = new ServerTurns();
  turns.ofVisitors.rest?.('a.example', 60);
  turns.ofJobs.rest?.('account', 3_600);
  const outcome = async (by: Turns, server: string, account?: string) => {
    const left: number[] = [];
    const asked = await by.run(
      server,
      async () => 'asked',
      (seconds) => (left.push(seconds), AWAY),
      account === undefined ? {} : { account },
    );
    return [asked, ...left];
  };
  expect(await outcome(turns.ofJobs, 'a.example')).toEqual([AWAY, 60]);
  expect(await outcome(turns.ofVisitors, 'a.example', 'another')).toEqual([AWAY, 60]);
  expect(await outcome(turns.ofVisitors, 'b.example', 'account')).toEqual([AWAY, 900]);
  expect(await outcome(turns.ofVisitors, 'b.example', 'another')).toEqual(['asked']);
});

test('where visitors have all places, one that has lasted half a second makes room for each that waits, and no more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const turns = new ServerTurns();
  const ended: number[] = [];
  const hang = (n: number) => (signal?: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    signal?.addEventListener('abort', () => (ended.push(n), resolve('ended')));
    return promise;
  };
  const gone = new AbortController();
  const later = () => AWAY;
  // All at the same moment: those that wait come before any has begun.
  for (let n = 0; n < 64; n += 1) void turns.ofVisitors.run(`${n}.example`, hang(n), later, { signal: gone.signal });
  for (const n of [64, 65]) void turns.ofVisitors.run(`${n}.example`, hang(n), later, { signal: gone.signal });
  const leaves = turns.ofVisitors.run('z.example', hang(99), later, { signal: AbortSignal.abort() });
  await soon();
  await vi.advanceTimersByTimeAsync(499);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await leaves).toBe(AWAY);
  expect(ended).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ended).toEqual([0, 1]);
  // Whoever asked waits no longer.
  gone.abort();
  expect(ended).toHaveLength(66);
  vi.useRealTimers();
});
