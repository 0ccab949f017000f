/**
 * A request that comes again under its key is done once. All of them are kept here: mutations and REST requests with an idempotency
 * key, forms of pages by the token of their showing, bookings, and responses to routing forms.
 */
import { idempotencyKeyMistake, type KeyedRequest, keyedRequest, requireSameRequest } from '../core/idempotency-key.ts';
import { Problem } from '../core/problem.ts';
import { ago, changed, type Em, json, NOW, type RawBuilder, row, sql } from '../database/sql.ts';
import { deleteFrom, insertInto, selectFrom, updateTable } from '../database/statements.ts';
import { sweepOf } from '../database/sweep.ts';
import { IdempotencyKey } from './idempotency-key.entity.ts';

/** A request that may be sent again. */
export interface RepeatableRequest {
  /** The user who sent the key, or the owner of what anybody may make by it. */
  readonly ownerId: string;
  readonly key: string;
  /** The operation, and the app or caller that asked for it: each has keys of its own. */
  readonly operation: readonly (string | null)[];
  /** The input of the request; the same key with another input is a mistake. */
  readonly input: unknown;
  /** How long it counts as the same one; as long as its key is kept, where that is not said. */
  readonly seconds?: number;
}

/** Says how a repetition is answered. */
export interface Repetition<Result, Kept, Again> {
  /** Chooses what is kept of the result. */
  readonly keep: (result: Result) => Kept;
  /** Answers a repetition from that. */
  readonly again: (kept: Kept, inner: Em) => Again | Promise<Again>;
  /** The id of what was made, for as long as which the key is kept. */
  readonly made?: (result: Result) => string;
}

const KEPT_FOR_HOURS = 24;
const KEPT_FOR_SECONDS = KEPT_FOR_HOURS * 3_600;

/** Keeps a text whole, such as an id or a path, and answers with it again. */
export const SAME_TEXT: Repetition<string, string, string> = { keep: (text) => text, again: (text) => text };

/**
 * Does `work` once for a key. Nothing is kept of its result, unless `repetition` says what, and how a repetition of the request is
 * answered from that: a result may hold secrets, and what is about people. The key is stored in the transaction of the work: what fails may be tried
 * again, and of many at the same moment, one does it and the others wait for it.
 * @throws Problem IDEMPOTENCY_KEY_REUSED, mistakes of the key
 */
export function once(em: Em, request: RepeatableRequest, work: (inner: Em) => Promise<unknown>): Promise<void>;
export function once<Result, Kept, Again>(
  em: Em,
  request: RepeatableRequest,
  work: (inner: Em) => Promise<Result>,
  repetition: Repetition<Result, Kept, Again>,
): Promise<Result | Again>;
export async function once(
  em: Em,
  { ownerId, key, operation, input, seconds = KEPT_FOR_SECONDS }: RepeatableRequest,
  work: (inner: Em) => Promise<unknown>,
  { keep, again, made }: Repetition<unknown, unknown, unknown> = { keep: () => ({}), again: () => undefined },
): Promise<unknown> {
  const mistake = idempotencyKeyMistake(key);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const keyed = keyedRequest(key, operation, input);
  const { keyHash, requestHash } = keyed;
  return em.transactional(async (inner) => {
    const isFirst = await changed(
      inner,
      insertInto(IdempotencyKey)
        .values({ ownerId, keyHash, requestHash, createdAt: NOW })
        .onConflict((key) =>
          key
            .columns(['ownerId', 'keyHash'])
            .doUpdateSet({ requestHash, createdAt: NOW })
            .where(
              sql<boolean>`idempotency_keys.result_id is null and idempotency_keys.created_at < ${ago(seconds, 'secs')}`,
            ),
        ),
    );
    if (isFirst === 0) return again((await findEarlier(inner, ownerId, keyed))?.result, inner);
    const result = await work(inner);
    const kept = { result: json(keep(result) ?? {}), resultId: made?.(result) ?? null };
    await changed(inner, updateTable(IdempotencyKey, { ownerId, keyHash }).set(kept));
    return result;
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
  const store = (inner: Em): Promise<void> => once(inner, request, async () => {}, { keep: () => ({}), again: refuse });
  if (await wasCarriedOut(em, request)) return;
  try {
    await work(store);
  } catch (error) {
    if (!(error instanceof Problem) || !(await wasCarriedOut(em, request))) throw error;
  }
}

function refuse(): never {
  throw new Problem('CONFLICT', 'This was done a moment ago.');
}

/**
 * Whether a request was carried out before: for limits, which count a request that is sent twice once. If several come
 * at the same moment, none was.
 */
export async function wasCarriedOut(
  em: Em,
  { ownerId, key, operation, input, seconds = KEPT_FOR_SECONDS }: RepeatableRequest,
): Promise<boolean> {
  const { keyHash } = keyedRequest(key, operation, input);
  const same = selectFrom(IdempotencyKey, { ownerId, keyHash }).where('createdAt', '>=', ago(seconds, 'secs'));
  return (await row(em, same.select('requestHash'))) !== undefined;
}

/**
 * Finds what an earlier request of the same key and input has left; undefined if there was none.
 * @throws Problem IDEMPOTENCY_KEY_REUSED
 */
export async function findEarlier(em: Em, ownerId: string, keyed: KeyedRequest) {
  const { keyHash } = keyed;
  const key = selectFrom(IdempotencyKey, { ownerId, keyHash });
  const earlier = await row(em, key.select(['requestHash', 'result', 'resultId']));
  return earlier && requireSameRequest(earlier, keyed);
}

/**
 * SQL: stores the key where `from` has a row, for a statement that makes the thing itself. If the same key was stored at the same
 * moment, the statement violates `IDEMPOTENCY_KEY_INDEX`.
 */
export function storingKey(
  ownerId: string,
  { keyHash, requestHash }: KeyedRequest,
  resultId: string,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`insert into idempotency_keys (owner_id, key_hash, request_hash, result_id, created_at)
    select ${ownerId}::uuid, ${keyHash}, ${requestHash}, ${resultId}::uuid, now() from ${from}`;
}

/** Forgets the keys by which an owner's things were made that are deleted; `are` is SQL over `result_id`. */
export async function forgetKeys(em: Em, ownerId: string, are: RawBuilder<boolean>): Promise<void> {
  await changed(em, deleteFrom(IdempotencyKey, { ownerId }).where(are));
}

/** Deletes keys that are over. */
export const removeOldIdempotencyKeys = sweepOf(
  IdempotencyKey,
  'createdAt',
  ago(KEPT_FOR_HOURS, 'hours'),
  sql<boolean>`result_id is null`,
);
