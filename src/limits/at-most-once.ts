import { idempotencyKeyMistake, reusedIdempotencyKey } from '../core/idempotency-key.ts';
import { Problem } from '../core/problem.ts';
import { sha256Hex } from '../core/secret.ts';
import { changed, type Em, row, sql } from '../database/sql.ts';

/** A request that may be sent again. */
export interface KeyedRequest {
  /** Whose keys they are. */
  readonly userId: string;
  readonly key: string;
  /** What is done, and through which app: each has keys of its own. */
  readonly operation: readonly string[];
  /** The input of the request; the same key with another input is a mistake. */
  readonly input: unknown;
}

const KEPT_FOR_HOURS = 24;

/**
 * Does `work` once for a key, and answers a repetition of the request with what is remembered of the result, for 24
 * hours. The key is stored in the transaction of the work: what fails may be tried again, and of many at the same moment,
 * one does it and the others wait for it. @throws Problem IDEMPOTENCY_KEY_REUSED, mistakes of the key
 */
export async function atMostOnce<Result extends object, Remembered extends object>(
  em: Em,
  { userId, key, operation, input }: KeyedRequest,
  work: (inner: Em) => Promise<Result>,
  remember: (result: Result) => Remembered,
): Promise<Result | Remembered> {
  const mistake = idempotencyKeyMistake(key);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const keyHash = sha256Hex(JSON.stringify([key, ...operation]));
  const requestHash = sha256Hex(JSON.stringify(input));
  return em.transactional(async (inner) => {
    const isFirst = await changed(
      inner,
      sql`insert into idempotency_keys (user_id, key_hash, request_hash, created_at)
          values (${userId}, ${keyHash}, ${requestHash}, now())
          on conflict (user_id, key_hash) do nothing`,
    );
    if (isFirst === 0) return earlierResult<Remembered>(inner, userId, keyHash, requestHash);
    const result = await work(inner);
    await changed(
      inner,
      sql`update idempotency_keys set result = ${JSON.stringify(remember(result))}::jsonb
          where user_id = ${userId} and key_hash = ${keyHash}`,
    );
    return result;
  });
}

async function earlierResult<Remembered extends object>(
  em: Em,
  userId: string,
  keyHash: string,
  requestHash: string,
): Promise<Remembered> {
  const earlier = await row(
    em,
    sql<{ requestHash: string; result: Remembered }>`
      select request_hash as "requestHash", result from idempotency_keys
      where user_id = ${userId} and key_hash = ${keyHash}`,
  );
  if (earlier?.requestHash !== requestHash) throw reusedIdempotencyKey();
  return earlier.result;
}

/** Deletes keys that are over, at most `limit` of them. @returns how many */
export async function removeOldIdempotencyKeys(em: Em, limit: number): Promise<number> {
  return changed(
    em,
    sql`delete from idempotency_keys where (user_id, key_hash) in (
      select user_id, key_hash from idempotency_keys
      where created_at < now() - make_interval(hours => ${KEPT_FOR_HOURS}) order by created_at limit ${limit}
    )`,
  );
}
