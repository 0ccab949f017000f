/**
 * database/on-behalf says in whose name a flow of execution writes. A door that answers a request of somebody who may
 * be put out of the account while it runs sets their standing when it begins; every transaction below it asks for that
 * before its first change, whatever sends it (sql.ts, write.ts), and a change outside of transactions gets one of its
 * own.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlEntityManager as Em } from '@mikro-orm/postgresql';
import { Problem } from '../core/problem.ts';

/**
 * Asks, within the transaction of a change, whether who began this may still do it, and holds a lock that keeps it so until the
 * transaction ends. It only reads and locks. @throws PutOut
 */
export type Standing = (inner: Em) => Promise<void>;

/** The caller lost the account while the request ran. Nothing was changed. */
export class PutOut extends Problem {
  constructor() {
    super(
      'FORGED_FORM',
      'Nothing was done, because the e-mail address of the account was confirmed at this moment; sign in again, and send this again.',
    );
  }
}

interface Flow {
  standing: Standing | undefined;
}

const current = new AsyncLocalStorage<Flow>();
/** The answer, kept by transaction: each asks once. */
const asked = new WeakMap<object, Promise<void>>();

/** A statement that changes or locks rows; some that do not look like it, which cost a question more. */
const CHANGES = /\b(?:insert|update|delete|merge)\b/i;

/** Runs work on behalf of somebody. Without a standing nothing is asked, until `takeStanding` in the same flow. */
export function onBehalfOf<Result>(standing: Standing | undefined, run: () => Result): Result {
  return current.run({ standing }, run);
}

/** From here on, the flow that `onBehalfOf` has begun is on behalf of somebody: they are known only now. */
export function takeStanding(standing: Standing | undefined): void {
  const flow = current.getStore();
  if (flow) flow.standing = standing;
}

/** Returns the check that the current flow must pass before this statement; undefined if it needs none. */
export function standingBefore(statement: string): Standing | undefined {
  const standing = current.getStore()?.standing;
  return standing && CHANGES.test(statement) ? standing : undefined;
}

/** Whether changes of the current flow depend on the standing of a user. */
export function hasStanding(): boolean {
  return current.getStore()?.standing !== undefined;
}

/** Carries out a change in a transaction in which its standing was asked for. */
export function whileInForce<Result>(
  em: Em,
  standing: Standing,
  change: (inner: Em) => Promise<Result>,
): Promise<Result> {
  const transaction: object | undefined = em.getTransactionContext();
  if (!transaction) return em.transactional((inner) => whileInForce(inner, standing, change));
  return asked.getOrInsertComputed(transaction, () => standing(em)).then(() => change(em));
}
