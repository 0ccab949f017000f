/** Expressions that many statements hold, for the template and the builder. */
import type { OwnedId } from '../core/id.ts';
import { type RawBuilder, sql } from './sql.ts';

/** The beginning of the transaction, by the clock of the database. */
export const NOW = sql<string>`now()`;
/**
 * The new `updated_at` of a changed row: later than the one before by a millisecond at least, since callers see
 * milliseconds. So two changes in one millisecond differ, and so does one by a transaction that began earlier and had
 * to wait.
 */
export const LATER = sql<string>`greatest(now(), updated_at + interval '1 millisecond')`;
export const COUNT = sql<number>`count(*)::int`;

type Unit = 'days' | 'hours' | 'mins' | 'secs';

export function fromNow(count: number, unit: Unit): RawBuilder<string> {
  return sql`now() + ${interval(count, unit)}`;
}

export function ago(count: number, unit: Unit): RawBuilder<string> {
  return sql`now() - ${interval(count, unit)}`;
}

/** One of these, as one parameter: the statement is the same however many there are. */
export function anyOf<Value>(values: readonly Value[]): RawBuilder<Value> {
  return sql`any(${values})`;
}

/**
 * A list for `unnest`, of which PostgreSQL does not know the length when it plans: it keeps one plan for all. With the list
 * itself it would make a new one for each, which takes longer than such a statement does.
 */
export function listOf(values: readonly unknown[], type: 'uuid' | 'text' | 'int'): RawBuilder<unknown> {
  return sql`(select ${values}::${sql.raw(type)}[])`;
}

/** For `from`: these, as rows of two columns, the owner's id and the thing's own. */
export function unnested(ids: readonly OwnedId[]): RawBuilder<unknown> {
  return sql`unnest(${ids.map(({ ownerId }) => ownerId)}::uuid[], ${ids.map(({ id }) => id)}::uuid[])`;
}

/** A value for a column of type jsonb: a list would else be taken for an array of the database. */
export function json<Value>(value: Value): RawBuilder<Value> {
  return sql`${JSON.stringify(value)}::jsonb`;
}

function interval(count: number, unit: Unit): RawBuilder<unknown> {
  return sql`make_interval(${sql.raw(unit)} => ${count}::int)`;
}
