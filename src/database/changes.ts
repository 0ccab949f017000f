import { LATER } from './expressions.ts';
import { RawBuilder, sql } from './sql.ts';

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

const COLUMNS = new Map<string, string>();

/** `lengthInMinutes` → `length_in_minutes`. Names are those of our entities and statements, never a caller's. */
export function columnOf(name: string): string {
  const known = COLUMNS.get(name) ?? name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  COLUMNS.set(name, known);
  return known;
}

function asParameter(value: unknown): unknown {
  if (value instanceof RawBuilder) return value;
  return typeof value === 'object' && value !== null ? sql`${JSON.stringify(value)}::jsonb` : value;
}
