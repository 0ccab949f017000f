import { instantOf } from '../core/instant.ts';

export type WithInstants<Row, Name extends keyof Row> = Omit<Row, Name> & {
  readonly [Time in Name]: null extends Row[Time] ? Temporal.Instant | null : Temporal.Instant;
};

/** A row whose times, which the database gives as text, are calculated with or formatted. */
export function withInstants<Row extends object, Name extends keyof Row & string>(
  row: Row,
  names: readonly Name[],
): WithInstants<Row, Name> {
  const instants = names.map((name) => [name, instantOf(row[name] as string | null)] as const);
  return { ...row, ...Object.fromEntries(instants) } as WithInstants<Row, Name>;
}
