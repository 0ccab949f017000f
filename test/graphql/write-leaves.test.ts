import {
  executeSync,
  GraphQLFloat,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLObjectType,
  GraphQLSchema,
  isEnumType,
  isLeafType,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { leafWriter } from '../../src/graphql/plan.ts';
import { TEXT_SCALARS } from '../../src/graphql/text-scalars.ts';
import { buildSchemas } from '../../src/schema.ts';

const TYPES = Object.values(buildSchemas().forTokens.schema.getTypeMap()).filter(
  (type): type is GraphQLLeafType => isLeafType(type) && !type.name.startsWith('__'),
);
/** Whatever a resolver may give: right for some types, wrong for others. */
const VALUES: readonly (readonly [string, unknown])[] = [
  ['a text', 'text'],
  ['an empty text', ''],
  ['quotes and a backslash', '"\\\\"'],
  ['control characters', '\0\u0001\b\t\n\f\r\u001f\u007f'],
  ['line separators', '\u2028\u2029'],
  ['half of a pair', '\ud83d'],
  ['the other half', 'x\udc00'],
  ['an emoji', '👋🏽'],
  ['markup', '</script><!--'],
  ['digits', '12'],
  ['zero', 0],
  ['minus zero', -0],
  ['a number', 42],
  ['the largest Int', 2 ** 31 - 1],
  ['the smallest Int', -(2 ** 31)],
  ['more than an Int', 2 ** 31],
  ['a large whole number', 2 ** 53 + 2],
  ['1e21', 1e21],
  ['a float', 0.1],
  ['the smallest float', 5e-324],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['a bigint', 9_007_199_254_740_993n],
  ['true', true],
  ['false', false],
  ['a list', ['x']],
  ['an object', { a: 'b' }],
  ['an object with odd keys', JSON.parse('{"__proto__":"x","\\u2028":"y","2":"z","1":null}')],
  ['an object that says its own value', { valueOf: () => 7 }],
  ['an object that says its own text', { toJSON: () => 'text' }],
  ['an instant', Temporal.Instant.from('2026-12-01T09:00:00Z')],
  ['an instant with milliseconds', Temporal.Instant.from('2026-12-01T09:00:00.25Z')],
  ['an instant with nanoseconds', Temporal.Instant.from('2026-12-01T09:00:00.000000001Z')],
  ['an instant long ago', Temporal.Instant.from('-000001-01-01T00:00:00Z')],
  ['a time as PostgreSQL writes it', '2026-12-01 09:00:00+00'],
  ['one with milliseconds', '2026-12-01 09:00:00.25+00'],
  ['one with an offset', '2026-12-01 09:00:00+05:30'],
  ['a day', '2026-12-01'],
  ['a symbol', Symbol('x')],
  ['a function', () => 'x'],
  ['an error', new Error('as a value')],
];

/** As the executor gives it in an answer; undefined when it has an error to tell of. */
function executed(type: GraphQLLeafType, value: unknown): string | undefined {
  const query = new GraphQLObjectType({ name: 'Query', fields: { value: { type, resolve: () => value } } });
  const { data, errors } = executeSync({ schema: new GraphQLSchema({ query }), document: parse('{ value }') });
  try {
    return errors ? undefined : JSON.stringify(data?.['value']);
  } catch {
    // A text that is no JSON is Yoga's to fail with.
    return undefined;
  }
}

/** Undefined where the plan hands on to the executor. */
function written(type: GraphQLLeafType, value: unknown): string | undefined {
  try {
    return leafWriter(type)(value);
  } catch {
    return undefined;
  }
}

test('the schema has these scalars; a new one is written by what it says of itself', () => {
  const scalars = TYPES.filter((type) => !isEnumType(type)).map(({ name }) => name);
  expect(scalars.toSorted()).toEqual(
    [
      'BookingResponses',
      'Boolean',
      'DateTime',
      'ID',
      'Int',
      'Metadata',
      'MetadataPatch',
      'String',
      ...Object.keys(TEXT_SCALARS),
    ].toSorted(),
  );
});

describe('every scalar and every enum writes each value as the executor does, or hands it on', () => {
  test.each([...TYPES, GraphQLFloat, GraphQLInt].map((type) => [type.name, type] as const))('%s', (_name, type) => {
    const own = isEnumType(type) ? type.getValues().map(({ name, value }) => [name, value] as const) : [];
    const values = [...VALUES, ...own];
    const found = values.map(([what, value]) => [what, written(type, value)]);
    const expected = values.map(([what, value]) => [what, executed(type, value)]);
    expect(found).toEqual(expected);
    expect(found.filter(([, text]) => text !== undefined).length).toBeGreaterThanOrEqual(
      isEnumType(type) ? own.length : 2,
    );
  });
});

test('texts with everything in them, a character at a time', () => {
  const string = TYPES.find(({ name }) => name === 'String') as GraphQLLeafType;
  for (let code = 0; code < 0x1_0000; code += code < 0x300 ? 1 : 97) {
    const text = `a${String.fromCharCode(code)}b`;
    expect(written(string, text)).toBe(JSON.stringify(text));
  }
});
