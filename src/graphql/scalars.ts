import { GraphQLError, GraphQLString, Kind, print, type ValueNode, valueFromASTUntyped } from 'graphql';
import { answeredInstant, answerOf, INSTANTS_IN_WORDS, instantFrom, instantOf } from '../core/instant.ts';
import { METADATA_IN_WORDS, shown } from '../core/text.ts';
import { CATALOG } from '../scopes/catalog.ts';
import { builder } from './builder.ts';
import { TEXT_SCALARS, type TextScalar } from './text-scalars.ts';

/** Declares what a single value can hold: how it is read from callers, and how it is answered. */

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: `An instant as RFC 3339 text with an offset, such as \`2026-12-01T09:00:00Z\`, ${INSTANTS_IN_WORDS}. It is cut to the millisecond; leap seconds are not taken. Answers are in UTC.`,
  serialize: (time) => {
    if (typeof time === 'number') return answeredInstant(time);
    if (typeof time === 'string' && WHOLE_SECOND.test(time)) return `${time.slice(0, 10)}T${time.slice(11, 19)}Z`;
    return answerOf(typeof time === 'string' ? instantOf(time) : time);
  },
  ...taking((value) => {
    const instant = typeof value === 'string' ? instantFrom(value) : undefined;
    if (instant) return instant;
    const advice = `write an RFC 3339 time with its offset, such as 2026-12-01T09:00:00Z, ${INSTANTS_IN_WORDS}`;
    throw badValue('DateTime', value, advice);
  }),
});

builder.scalarType('Metadata', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description: `Your own keys and values, as texts: ${METADATA_IN_WORDS}. An example: \`{ "crmId": "4711" }\`.`,
  serialize: (record) => record,
  ...taking((value) => {
    requireTexts('Metadata', value, 'give an object whose values are strings', isString);
    return value as Record<string, string>;
  }),
});

for (const name of Object.keys(TEXT_SCALARS) as TextScalar[]) {
  builder.scalarType(name, {
    ...TEXT_SCALARS[name],
    serialize: (value) => GraphQLString.serialize(value),
    parseValue: (value) => {
      if (typeof value === 'string') return value;
      throw badValue(name, value, 'give a string');
    },
    // Unlike what graphql-js would take: a name without quotes is no text.
    parseLiteral: (node) => {
      if (node.kind === Kind.STRING) return node.value;
      throw new GraphQLError(notOf(name, print(node), 'give a string in quotes'), { nodes: node });
    },
  });
}

builder.scalarType('MetadataPatch', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7396',
  description:
    'Keys of your metadata to set, and with null those to take away; all others stay. An example: `{ "crmId": "4711", "old": null }`.',
  serialize: (record) => record,
  ...taking((value) => {
    const advice = 'give an object whose values are strings, or null for keys to take away';
    requireTexts('MetadataPatch', value, advice, (entry) => entry === null || isString(entry));
    return value as Record<string, string | null>;
  }),
});

/** @throws GraphQLError for what is no object of such entries, which names the first other one by its key */
function requireTexts(scalar: string, value: unknown, advice: string, isTaken: (entry: unknown) => boolean): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badValue(scalar, value, advice);
  const wrong = Object.entries(value).find(([, entry]) => !isTaken(entry));
  if (wrong) throw badValue(scalar, value, `${advice}; that of ${shown(wrong[0])} is ${valueInWords(wrong[1])}`);
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

/** As PostgreSQL writes most of our times. */
const WHOLE_SECOND = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/;

/** Words the error for a value that a scalar does not take: the value, and what to give instead. */
export function badValue(scalar: string, value: unknown, advice: string): GraphQLError {
  return new GraphQLError(notOf(scalar, valueInWords(value), advice));
}

/** `7 is not an EmailAddress: give a string.` */
function notOf(scalar: string, value: string, advice: string): string {
  return `${value} is not ${/^[AEIO]/.test(scalar) ? 'an' : 'a'} ${scalar}: ${advice}.`;
}

/** As it begins, if it is a text. */
function valueInWords(value: unknown): string {
  if (typeof value === 'string') return shown(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}

/** Makes a scalar read by `parse`, from a variable and in a document: there, a mistake is told with its place. */
export function taking<Value>(parse: (value: unknown) => Value) {
  const parseLiteral = (node: ValueNode, variables?: Readonly<Record<string, unknown>> | null): Value => {
    try {
      return parse(valueFromASTUntyped(node, variables));
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      throw new GraphQLError(error.message, { nodes: node });
    }
  };
  return { parseValue: parse, parseLiteral };
}

/** The scopes as a type of the schema, for fields that list them; the directive uses the same one. */
export const Scope = builder.enumType('Scope', {
  description: 'A scope that an access token may carry.',
  values: Object.fromEntries(CATALOG.definitions.map(({ name, words }) => [name, { description: words }])),
});
