import { idempotencyKeyMistake, type KeyedRequest, keyedRequest, requireSameRequest } from '../core/idempotency-key.ts';
import { Problem } from '../core/problem.ts';
import { ago, json, NOW } from '../database/expressions.ts';
import { changed, type Em, row, sql } from '../database/sql.ts';
import { insertInto, selectFrom, updateTable } from '../database/statements.ts';
import { sweepOf } from '../database/sweep.ts';
import { IdempotencyKey } from './idempotency-key.entity.ts';

/** A request that may be sent again. */
export interface RepeatableRequest {
  /** The user who sent the key. */
  readonly userId: string;
  readonly key: string;
  /** The operation, and the app that asked for it: each has keys of its own. */
  readonly operation: readonly string[];
  /** The input of the request; the same key with another input is a mistake. */
  readonly input: unknown;
  /** How long it counts as the same one; as long as its key is kept, where that is not said. */
  readonly seconds?: number;
}

const KEPT_FOR_HOURS = 24;
const KEPT_FOR_SECONDS = KEPT_FOR_HOURS * 3_600;

/**
 * Does `work` once for a key, and answers a repetition of the request by `again`, from what `remember` kept of the result, for
 * 24 hours. The key is stored in the transaction of the work: what fails may be tried again, and of many at the same moment,
 * one does it and the others wait for it. @throws Problem IDEMPOTENCY_KEY_REUSED, mistakes of the key
 */
export async function atMostOnce<Result extends object, Remembered extends object, Again extends object>(
  em: Em,
  { userId, key, operation, input, seconds = KEPT_FOR_SECONDS }: RepeatableRequest,
  work: (inner: Em) => Promise<Result>,
  remember: (result: Result) => Remembered,
  again: (remembered: Remembered) => Again,
): Promise<Result | Again> {
  const mistake = idempotencyKeyMistake(key);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const keyed = keyedRequest(key, operation, input);
  const { keyHash, requestHash } = keyed;
  return em.transactional(async (inner) => {
    const isFirst = await changed(
      inner,
      insertInto(IdempotencyKey)
        .values({ userId, keyHash, requestHash, createdAt: NOW })
        .onConflict((key) =>
          key
            .columns(['userId', 'keyHash'])
            .doUpdateSet({ requestHash, createdAt: NOW })
            .where(sql<boolean>`idempotency_keys.created_at < ${ago(seconds, 'secs')}`),
        ),
    );
    if (isFirst === 0) return again(await earlierResult<Remembered>(inner, userId, keyed));
    const result = await work(inner);
    await changed(inner, updateTable(IdempotencyKey, { userId, keyHash }).set({ result: json(remember(result)) }));
    return result;
  });
}

/**
 * Does the same for work whose result holds no secret: a repetition gets the answer of the first request.
 * @throws Problem as `atMostOnce`
 */
export function sameOnce<Result extends object>(
  em: Em,
  request: RepeatableRequest,
  work: (inner: Em) => Promise<Result>,
): Promise<Result> {
  const same = (result: Result): Result => result;
  return atMostOnce(em, request, work, same, same);
}

/** The same for work without a result. @throws Problem as `atMostOnce` */
export async function once(em: Em, request: RepeatableRequest, work: (inner: Em) => Promise<unknown>): Promise<void> {
  await sameOnce(em, request, async (inner) => {
    await work(inner);
    return {};
  });
}

/**
 * Does the same for work that is too slow for a transaction with the key in it, as checking a password: `work` is given
 * the function that stores the key, for a transaction of its own. A request that is refused because the same one has
 * just been carried out counts as done.
 * @throws Problem as `work`, and mistakes of the key
 */
export async function onceApart(
  em: Em,
  request: RepeatableRequest,
  work: (store: (inner: Em) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  const nothing = { work: async () => ({}), remember: () => ({}) };
  const store = async (inner: Em) => {
    await atMostOnce(inner, request, nothing.work, nothing.remember, () => {
      throw new Problem('CONFLICT', 'This was done a moment ago.');
    });
  };
  if (await wasCarriedOut(em, request)) return;
  try {
    await work(store);
  } catch (error) {
    if (!(error instanceof Problem) || !(await wasCarriedOut(em, request))) throw error;
  }
}

/**
 * Whether a request was carried out before: for limits, which count a request that is sent twice once. If several come
 * at the same moment, none was.
 */
export async function wasCarriedOut(
  em: Em,
  { userId, key, operation, input, seconds = KEPT_FOR_SECONDS }: RepeatableRequest,
): Promise<boolean> {
  const { keyHash } = keyedRequest(key, operation, input);
  const same = selectFrom(IdempotencyKey, { userId, keyHash }).where('createdAt', '>=', ago(seconds, 'secs'));
  return (await row(em, same.select('requestHash'))) !== undefined;
}

async function earlierResult<Remembered extends object>(
  em: Em,
  userId: string,
  keyed: KeyedRequest,
): Promise<Remembered> {
  const { keyHash } = keyed;
  const earlier = await row(em, selectFrom(IdempotencyKey, { userId, keyHash }).select(['requestHash', 'result']));
  return requireSameRequest(earlier, keyed).result as Remembered;
}

/** Deletes keys that are over. */
export const removeOldIdempotencyKeys = sweepOf(IdempotencyKey, 'createdAt', ago(KEPT_FOR_HOURS, 'hours'));
