import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, signIn } from '../../../../src/modules/accounts/sign-in/sign-in.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { anAccount, passwordGuesses } from '../an-account.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

// Alone: the hashes have to take their time, so that one too few shows.
test('signing in takes as long for an account that does not exist', async () => {
  const { email } = await anAccount(database.em.fork());
  const [known, unknown]: [number[], number[]] = [[], []];
  // In turns, and then the least of each: what else this process does is never negative.
  for (let i = 0; i < 5; i += 1) {
    known.push(await workOf(attempt(email)));
    unknown.push(await workOf(attempt('nobody@acme.test')));
  }
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2);
});

function attempt(email: string): Promise<SignedIn> {
  const input = { email, password: 'wrong', address: '192.0.2.1' };
  return signIn(database.em.fork(), passwordGuesses(database), input);
}

/** Microseconds of a processor, on whichever thread: how long it takes depends on what else the machine does. */
async function workOf(refused: Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await expect(refused).rejects.toThrow('password is wrong');
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
