import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../../support/app.ts';
import { atOnce } from '../../support/servers.ts';

const FLOOD = '198.51.100';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '127.0.0.1/32,::1/128' });
});
afterAll(() => app.close());

test('while one network sends hundreds of sign-ins, people elsewhere sign in behind a few of them', async () => {
  let judged = 0;
  const counted = { busy: 0 };
  const flood = atOnce(250, async (n) => {
    const status = await signIn(`${FLOOD}.${n}`, `nobody-${n}@acme.test`, 'wrong');
    if (status === 401) judged += 1;
    // On a slow machine the time of some is over while they wait.
    if (status === 503 || status === 504) counted.busy += 1;
  });
  // The flood stands in line, and a good part of it was told that the line is full.
  while (counted.busy < 50) await new Promise((resolve) => setImmediate(resolve));
  for (const [address, email] of [
    ['203.0.113.7', 'ada@acme.test'],
    ['2001:db8::1', 'bob@acme.test'],
    ['192.0.2.9', 'cyd@acme.test'],
  ] as const) {
    const before = judged;
    expect([email, await signIn(address, email, DEMO_PASSWORD)]).toEqual([email, 200]);
    // Some were judged before this request was read; of those in line, only two that ran already and the next of its turn.
    expect(judged - before).toBeLessThanOrEqual(25);
  }
  expect(judged).toBeLessThan(75);
  await flood;
  expect(judged + counted.busy).toBe(250);
});

test('people of one network who sign in at once all get in, when they are no flood', async () => {
  const statuses = await atOnce(50, (n) => signIn(`203.0.113.${n}`, 'dan@solo.test', DEMO_PASSWORD));
  // One account and network has ten tries at once; the right password makes the count begin anew.
  expect(statuses.filter((status) => status === 503)).toEqual([]);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10);
});

async function signIn(address: string, email: string, password: string): Promise<number> {
  const response = await fetch(`${app.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password }),
  });
  await response.arrayBuffer();
  return response.status;
}
