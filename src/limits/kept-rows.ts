/**
 * This limits how many rows of a kind are kept for one owner: a list that is searched through has an end, and so has what one
 * account takes of a disk.
 */
import { Problem } from '../core/problem.ts';
import { type Em, type RawBuilder, row, sql } from '../database/sql.ts';

/** A kind of rows, as a refusal names it, the most that there are of it, and what to do about it: `delete one first` if left out. */
export interface KeptRows {
  readonly what: string;
  readonly most: number;
  readonly advice?: string;
}

/**
 * SQL: whether there is room for one more among these rows (`event_types where …`). Whoever asks holds a lock that nobody else
 * adds one under, so that the count is still true when the row is stored.
 */
export function hasRoom({ most }: KeptRows, among: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(select count(*) from (select from ${among} limit ${most}::int) kept) < ${most}::int`;
}

/**
 * For a row that is stored already: a statement that may also change one that is there, instead of adding one, is judged by what
 * is there afterwards. The caller holds the same lock. @throws Problem TOO_MANY
 */
export async function throwIfTooManyKept(em: Em, kept: KeptRows, among: RawBuilder<unknown>): Promise<void> {
  if (await row(em, sql`select from ${among} offset ${kept.most}::int limit 1`)) throw tooManyKept(kept);
}

/** The refusal of one row too many. */
export function tooManyKept({ what, most, advice = 'delete one first' }: KeptRows): Problem {
  const message = `There are already ${most} ${what}, which is the limit; ${advice}.`;
  return new Problem('TOO_MANY', message, undefined, { most });
}
