import { Type } from '@mikro-orm/core';

/** `timestamptz(3)` as Temporal.Instant: milliseconds are what every client and every JavaScript clock can carry. */
export class InstantType extends Type<Temporal.Instant, string> {
  override convertToDatabaseValue(value: Temporal.Instant | string): string {
    return typeof value === 'string' ? value : value.toString({ fractionalSecondDigits: 3 });
  }
  override convertToJSValue(value: string): Temporal.Instant {
    return Temporal.Instant.from(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  override getColumnType(): string {
    return 'timestamptz(3)';
  }
}

/** `date` as Temporal.PlainDate. */
export class PlainDateType extends Type<Temporal.PlainDate, string> {
  override convertToDatabaseValue(value: Temporal.PlainDate | string): string {
    return value.toString();
  }
  override convertToJSValue(value: string): Temporal.PlainDate {
    return Temporal.PlainDate.from(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  override getColumnType(): string {
    return 'date';
  }
}

/** `time` as Temporal.PlainTime, to the minute or finer. */
export class PlainTimeType extends Type<Temporal.PlainTime, string> {
  override convertToDatabaseValue(value: Temporal.PlainTime | string): string {
    return value.toString();
  }
  override convertToJSValue(value: string): Temporal.PlainTime {
    return Temporal.PlainTime.from(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  override getColumnType(): string {
    return 'time(0)';
  }
}

/** `interval` as Temporal.Duration, in ISO 8601 form. */
export class DurationType extends Type<Temporal.Duration, string> {
  override convertToDatabaseValue(value: Temporal.Duration | string): string {
    return value.toString();
  }
  override convertToJSValue(value: string): Temporal.Duration {
    return Temporal.Duration.from(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  override getColumnType(): string {
    return 'interval';
  }
}
