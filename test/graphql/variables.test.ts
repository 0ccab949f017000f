import * as fc from 'fast-check';
import { buildSchema, getVariableValues, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { variablesOf } from '../../src/graphql/plan.ts';

const schema = buildSchema(/* GraphQL */ `
  type Query { say(input: Input): String }
  enum Color { RED, BLUE }
  input Inner { text: String = "inner", n: Int }
  input Choice @oneOf { a: Int, b: Int }
  input Input { id: ID!, text: String, n: Int, color: Color, inner: Inner, list: [Int!], grid: [[Int]], again: Input, choice: Choice, flag: Boolean }
`);

function told(definitions: string, sent: Record<string, unknown>) {
  const [operation] = parse(`query ${definitions} { say }`).definitions as [OperationDefinitionNode];
  expect(operation.kind).toBe(Kind.OPERATION_DEFINITION);
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], sent, { maxErrors: 1 });
  return { ours: variablesOf(schema, operation)(sent), theirs: coerced };
}

/** With the order of the fields, which resolvers see. */
const written = (value: unknown): string | undefined => JSON.stringify(value);

describe('variables are what graphql-js makes of them', () => {
  test.each<[string, Record<string, unknown>]>([
    ['($i: Input!)', { i: { id: 1, text: 'x' } }],
    ['($i: Input!)', { i: { text: 'x', n: 3, id: 'a' } }],
    ['($i: Input!)', { i: { id: 'a', again: { id: 'b', again: { id: 'c', list: [1, 2] } }, grid: [[1, null], null] } }],
    ['($i: Input!)', { i: { id: 'a', text: null, color: 'RED', inner: null } }],
    ['($i: Input!)', { i: { id: 'a', inner: { n: 3 } } }],
    ['($i: Input!)', { i: { id: 'a', list: 4, grid: 4 } }],
    ['($i: Input!)', { i: { id: 'a', choice: { a: 1 } } }],
    ['($c: Choice)', { c: { b: 2 } }],
    ['($i: Input, $n: Int, $c: [Color!])', {}],
    ['($i: Input, $n: Int, $c: [Color!])', { i: null, n: 0, c: ['BLUE'], more: 1 }],
    ['($n: Int = 3, $t: String! = "x")', {}],
    ['($n: Int = 3, $t: String! = "x")', { n: null, t: 'y' }],
    ['($constructor: Int, $toString: ID)', { toString: 7 }],
  ])('%s of %j', (definitions, sent) => {
    const { ours, theirs } = told(definitions, sent);
    expect(theirs).toBeDefined();
    expect(ours).toEqual(theirs);
    expect(written(ours)).toBe(written(theirs));
  });

  test.each<[string, Record<string, unknown>]>([
    ['($i: Input!)', {}],
    ['($i: Input!)', { i: null }],
    ['($i: Input!)', { i: [] }],
    ['($i: Input!)', { i: {} }],
    ['($i: Input!)', { i: { id: null } }],
    ['($i: Input!)', { i: { id: 'a', unknown: 1 } }],
    ['($i: Input!)', { i: JSON.parse('{ "id": "a", "__proto__": {} }') }],
    ['($i: Input!)', { i: JSON.parse('{ "id": "a", "constructor": 1 }') }],
    ['($i: Input!)', { i: { id: 'a', n: 2 ** 31 } }],
    ['($i: Input!)', { i: { id: 'a', color: 'GREEN' } }],
    ['($i: Input!)', { i: { id: 'a', list: [1, null] } }],
    ['($i: Input!)', { i: { id: 'a', again: { text: 'x' } } }],
    ['($i: Input!)', { i: { id: 'a', choice: { a: 1, b: 2 } } }],
    ['($i: Input!)', { i: { id: 'a', choice: { a: 1, b: null } } }],
    ['($i: Input!)', { i: { id: 'a', choice: { a: null } } }],
    ['($i: Input!)', { i: { id: 'a', choice: {} } }],
    ['($c: Choice)', { c: { a: 'x' } }],
    ['($l: [Int!]!)', { l: { length: 1 } }],
  ])('and nothing where they are wrong: %s of %j', (definitions, sent) => {
    expect(told(definitions, sent)).toEqual({ ours: undefined, theirs: undefined });
  });

  test('for any value that is sent', () => {
    const wrong = fc.oneof(fc.constantFrom(null, 1, 'x', true, 1.5, [], {}, [1]), fc.jsonValue({ maxDepth: 2 }));
    const mostly = (right: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 19, arbitrary: right }, { weight: 1, arbitrary: wrong });
    const numbers = fc.array(fc.integer(), { maxLength: 3 });
    const { input } = fc.letrec((tie) => ({
      input: fc.record(
        {
          text: mostly(fc.string()),
          unknown: fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: wrong }),
          n: mostly(fc.integer()),
          color: mostly(fc.constantFrom('RED', 'BLUE')),
          list: mostly(fc.oneof(numbers, fc.integer())),
          flag: mostly(fc.boolean()),
          id: mostly(fc.oneof(fc.string(), fc.integer())),
          inner: fc.record({ n: mostly(fc.integer()), text: mostly(fc.string()) }, { requiredKeys: [] }),
          grid: mostly(fc.array(fc.option(numbers), { maxLength: 3 })),
          again: fc.option(tie('input'), { maxDepth: 3 }),
        },
        { requiredKeys: ['id'] },
      ),
    }));
    let right = 0;
    const property = fc.property(input, (sent) => {
      // As it comes: without what is undefined.
      const i = JSON.parse(JSON.stringify(sent));
      const { ours, theirs } = told('($i: Input!)', { i });
      if (theirs) right += 1;
      return written(ours) === written(theirs);
    });
    fc.assert(property, { numRuns: 2_000 });
    expect(right).toBeGreaterThan(200);
    expect(right).toBeLessThan(1_800);
  });
});
