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
  // In turns, and then the fastest of each: what other work of the machine adds is never negative.
  for (let i = 0; i < 5; i += 1) {
    known.push(await millisecondsOf(attempt(email)));
    unknown.push(await millisecondsOf(attempt('nobody@acme.test')));
  }
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2);
});

function attempt(email: string): Promise<SignedIn> {
  const input = { email, password: 'wrong', address: '192.0.2.1' };
  return signIn(database.em.fork(), passwordGuesses(database), input);
}

async function millisecondsOf(refused: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await expect(refused).rejects.toThrow('is not right');
  return performance.now() - start;
}
