import { randomUUID } from 'node:crypto';
import { newUserId } from '../../../src/core/id.ts';
import { type Em, rows, sql } from '../../../src/database/sql.ts';
import { type GuessLimit, PASSWORD_GUESSES } from '../../../src/limits/guess-limit.ts';
import { type SignUpInput, signUp } from '../../../src/modules/accounts/sign-in/sign-up.ts';
import type { UserProfile } from '../../../src/modules/accounts/user.queries.ts';
import type { TestDatabase } from '../../support/database.ts';
import { ownGuessLimit } from '../../support/own-guess-limit.ts';

/** An administrator who acts. */
export const ADMINISTRATOR = newUserId();
export const PASSWORD = 'correct horse battery';

/** A new account's input that nothing is wrong with; its names are nobody else's. */
export function aSignUp(input: Partial<SignUpInput> = {}): SignUpInput {
  const name = `u${randomUUID()}`;
  return { name: 'Ada', username: name, email: `${name}@acme.test`, password: PASSWORD, ...input };
}

/** A verified account, unless it is said otherwise. */
export async function anAccount(em: Em, input: Partial<SignUpInput> = {}): Promise<UserProfile> {
  const { user } = await signUp(em, aSignUp({ isEmailVerified: true, ...input }));
  return user;
}

/** The limit of the product under a name of its own, so that one test's guesses do not count in another. */
export function passwordGuesses(database: TestDatabase): GuessLimit {
  return ownGuessLimit(PASSWORD_GUESSES, database);
}

/** The audit log of a user, oldest first. */
export function auditOf(em: Em, userId: string | null): Promise<unknown[]> {
  return rows(
    em,
    sql`select type, actor_id as "actorId", address, detail from audit_events
        where user_id is not distinct from ${userId} order by occurred_at, id`,
  );
}
