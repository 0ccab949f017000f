/**
 * The values of inserts and updates, and how changes by several at once go together: metadata is merged by key, and an update may
 * ask for the state that it is for.
 */

import { instantOf } from '../core/instant.ts';
import { Problem } from '../core/problem.ts';
import { MAX_METADATA } from '../core/text.ts';
import { columnOf, type Entity, type RowOf } from './columns.ts';
import { violatedConstraint } from './failure.ts';
import { type Em, LATER, RawBuilder, row, sql } from './sql.ts';
import { selectFrom } from './statements.ts';

/**
 * The `set` list of an update: the given fields, each in the column of its name, and the time of the change. Names come
 * from our own tables of fields, never from a caller; objects are stored as jsonb, expressions stay what they are.
 */
export function changes(values: Readonly<Record<string, unknown>>): RawBuilder<unknown> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const assignments = given.map(([name, value]) => sql`${sql.ref(columnOf(name))} = ${asParameter(value)}`);
  return sql.join([...assignments, sql`updated_at = ${LATER}`]);
}

/** The same for the builder's `set`, without the time: objects are stored as jsonb. */
export function stored<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asParameter(value)])) as Values;
}

/** `changes` for an `insert`: the columns, and what goes into them. */
export function inserted(values: Readonly<Record<string, unknown>>): {
  columns: RawBuilder<unknown>;
  values: RawBuilder<unknown>;
} {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    columns: sql.join(given.map(([name]) => sql.ref(columnOf(name)))),
    values: sql.join(given.map(([, value]) => asParameter(value))),
  };
}

function asParameter(value: unknown): unknown {
  if (value instanceof RawBuilder) return value;
  return typeof value === 'object' && value !== null ? sql`${JSON.stringify(value)}::jsonb` : value;
}

/**
 * The `ifUpdatedAt` of an update names the last change that its caller has seen, and whatever has changed since is not overwritten:
 * the time of the last change grows with each change (`LATER`). Without one, every state is right.
 */
export type LastSeen = Temporal.Instant | null | undefined;

/** SQL: whether a row is as its caller has seen it. It belongs into the statement that changes the row, or locks it. */
export function isAsSeen(lastSeen: LastSeen, alias = 'item'): RawBuilder<boolean> {
  if (lastSeen == null) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(`${alias}.updated_at`)} = ${lastSeen.toString()}::timestamptz`;
}

/** Why nothing was changed of a row for which the condition over `item` holds: looked up after the statement has decided. @throws Problem CONFLICT */
export async function throwIfChanged<E extends Entity>(
  em: Em,
  entity: E,
  key: Partial<RowOf<E>>,
  lastSeen: LastSeen,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<void> {
  if (lastSeen == null) return;
  const found = await row(em, selectFrom(entity, key).where(condition).select(sql<string>`updated_at`.as('updatedAt')));
  if (found) throwIfNotAsSeen(found.updatedAt, lastSeen);
}

/** The same for what is locked until the transaction ends. @throws Problem CONFLICT */
export function throwIfNotAsSeen(updatedAt: string, lastSeen: LastSeen): void {
  const changedAt = instantOf(updatedAt);
  if (lastSeen == null || changedAt.equals(lastSeen)) return;
  const message = `It was last changed at ${changedAt.toString()}, and not at ${lastSeen.toString()}: read it again, merge your change into what it is now, and send it with the new updatedAt.`;
  throw new Problem('CONFLICT', message, ['ifUpdatedAt']);
}

type Keys = Readonly<Record<string, string | null>>;

/**
 * For the values of an update: metadata with these keys put in and those that are null taken away, whatever others put in
 * at the same moment.
 */
export function withMergedMetadata<Values extends { readonly metadata?: Keys | undefined }>(
  values: Values,
): Omit<Values, 'metadata'> & { readonly metadata?: RawBuilder<Record<string, string>> } {
  const { metadata, ...others } = values;
  if (metadata === undefined) return others;
  const merged = sql<Record<string, string>>`jsonb_strip_nulls(metadata || ${JSON.stringify(metadata)}::jsonb)`;
  return { ...others, metadata: merged };
}

/** The check that counts the keys after a merge. */
export function metadataCheck(table: string) {
  return {
    name: `${table}_metadata_check`,
    expression: `jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= ${MAX_METADATA.keys}`,
  };
}

/** Told where an update with merged metadata failed. @throws Problem TOO_MANY, or the error */
export function rethrowForMetadata(error: unknown): never {
  if (!violatedConstraint(error)?.endsWith('_metadata_check')) throw error;
  const message = `With the keys that are there already, the metadata would have more than ${MAX_METADATA.keys}; take some away by giving null for them.`;
  throw new Problem('TOO_MANY', message, ['metadata']);
}
