import { instantOf } from '../core/instant.ts';

export type WithInstants<Row, Name extends keyof Row> = Omit<Row, Name> & {
  readonly [Time in Name]: null extends Row[Time] ? Temporal.Instant | null : Temporal.Instant;
};

/** A row whose times, which the database gives as text, are calculated with or formatted. */
export function withInstants<Row extends object, Name extends keyof Row & string>(
  row: Row,
  names: readonly Name[],
): WithInstants<Row, Name> {
  const copy = { ...row } as Record<string, unknown>;
  for (const name of names) copy[name] = instantOf(row[name] as string | null);
  return copy as WithInstants<Row, Name>;
}
