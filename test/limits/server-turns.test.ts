import { expect, test } from 'vitest';
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
        account?.(n),
      ),
    ),
  );
  return { running: () => running, end: () => (resolve(), all) };
}
const soon = () => new Promise((done) => setImmediate(done));

test('visitors take half as much of a server as the background, and neither takes from the other', async () => {
  const turns = new ServerTurns();
  const visitors = ask(turns.ofVisitors, 50, () => 'a.example');
  await soon();
  const jobs = ask(turns.ofJobs, 9, () => 'a.example');
  await soon();
  expect([visitors.running(), jobs.running()]).toEqual([3, 6]);
  const elsewhere = ask(turns.ofVisitors, 3, () => 'b.example');
  await soon();
  expect(elsewhere.running()).toBe(3);
  expect(await visitors.end()).toEqual(Array(50).fill('asked'));
  await Promise.all([jobs.end(), elsewhere.end()]);
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
      account,
    );
    return [asked, ...left];
  };
  expect(await outcome(turns.ofJobs, 'a.example')).toEqual([AWAY, 60]);
  expect(await outcome(turns.ofVisitors, 'a.example', 'another')).toEqual([AWAY, 60]);
  expect(await outcome(turns.ofVisitors, 'b.example', 'account')).toEqual([AWAY, 900]);
  expect(await outcome(turns.ofVisitors, 'b.example', 'another')).toEqual(['asked']);
});
