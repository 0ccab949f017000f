import { Type } from '@mikro-orm/core';
import { instantOf } from '../core/instant.ts';

/** A column as a Temporal value. Both drivers hand such columns over as text, so nothing is read through `Date`. */
abstract class TemporalType<Value extends { toString(): string }> extends Type<Value | null, string | null> {
  protected abstract readonly columnType: string;
  protected abstract parse(text: string): Value;

  override convertToDatabaseValue(value: Value | null): string | null {
    // MikroORM also hands in what was converted before.
    const given = value as Value | string | null;
    return given === null || typeof given === 'string' ? given : this.print(given);
  }
  override convertToJSValue(value: string | null): Value | null {
    return value === null ? null : this.parse(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  override getColumnType(): string {
    return this.columnType;
  }
  protected print(value: Value): string {
    return value.toString();
  }
}

/** `timestamptz(3)` as Temporal.Instant: milliseconds are what every client and every JavaScript clock can carry. */
export class InstantType extends TemporalType<Temporal.Instant> {
  protected readonly columnType = 'timestamptz(3)';
  protected parse(text: string): Temporal.Instant {
    return instantOf(text);
  }
  protected override print(value: Temporal.Instant): string {
    return value.toString({ fractionalSecondDigits: 3 });
  }
}

/**
 * For a column that holds what somebody from outside has said: the years that `core/instant.ts` takes. One row beyond them,
 * and no list that holds it could be read any more.
 */
export function instantCheck(table: string, ...columns: readonly string[]): { name: string; expression: string } {
  // The condition is spelt as PostgreSQL stores it, so that the entity and the database can be compared.
  const within = columns.map(
    (column) => `${column} >= '0001-01-01 00:00:00+00' and ${column} <= '9999-12-31 23:59:59.999+00'`,
  );
  return { name: `${table}_instants_check`, expression: within.join(' and ') };
}

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
