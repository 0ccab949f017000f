import { GraphQLError } from 'graphql';
import { builder } from './builder.ts';

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

builder.scalarType('DateTime', {
  description: 'An instant as RFC 3339 text, such as `2026-12-01T09:00:00Z`. Answers are in UTC, to the millisecond.',
  serialize: (time) => {
    const instant = typeof time === 'string' ? Temporal.Instant.from(time) : time;
    return instant.toString({ smallestUnit: fractionOf(instant) });
  },
  parseValue: (value) => {
    const instant = typeof value === 'string' && RFC_3339.test(value) ? parseInstant(value) : undefined;
    if (instant) return instant;
    throw badValue('DateTime', value, 'write an RFC 3339 time with its offset, such as 2026-12-01T09:00:00Z');
  },
});

builder.scalarType('Metadata', {
  description: 'Your own keys and values: at most 50 keys of at most 40 characters, values of at most 500 characters.',
  serialize: (record) => record,
  parseValue: (value) => {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isRecord && Object.values(value).every((entry) => typeof entry === 'string')) {
      return value as Record<string, string>;
    }
    throw badValue('Metadata', value, 'give an object whose values are strings');
  },
});

function fractionOf(instant: Temporal.Instant): 'second' | 'millisecond' {
  return instant.epochMilliseconds % 1000 === 0 ? 'second' : 'millisecond';
}

function parseInstant(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(text);
  } catch {
    return undefined;
  }
}

function badValue(type: string, value: unknown, advice: string): GraphQLError {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : `a value of type ${typeof value}`;
  return new GraphQLError(`${shown} is not a ${type}: ${advice}.`);
}
