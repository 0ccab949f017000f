import { randomUUID } from 'node:crypto';
import { createGuessLimit, type GuessLimit, type GuessRule } from '../../src/limits/guess-limit.ts';
import type { TestDatabase } from './database.ts';

/** A limit of the product under a name of its own, so that one test's guesses do not count in another. */
export function ownGuessLimit(rule: GuessRule, database: Pick<TestDatabase, 'em'>): GuessLimit {
  return createGuessLimit({ ...rule, name: randomUUID() }, database);
}
