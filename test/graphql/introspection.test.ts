import { buildSchema, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { GraphQLContext } from '../../src/graphql/context.ts';
import { Introspection } from '../../src/graphql/operation.ts';
import { chooseOperation } from '../../src/scopes/compile.ts';

const SCHEMA = buildSchema('type Query { hello: String }');
const TYPES = '{ all: __schema { types { name } } }';

function chosen(text: string) {
  const document = parse(text);
  const operation = chooseOperation(document);
  if (!operation) throw new Error('There is no operation.');
  return { document, operation };
}

/** As much of a context as the making of an answer looks at. */
const context = (address: string) =>
  ({ caller: { kind: 'anonymous' }, address, budget: { cost: { requested: 1, limit: 10 } } }) as GraphQLContext;

describe('the schema', () => {
  test('is made once for all who ask at the same moment, whoever they are', async () => {
    const introspection = new Introspection(SCHEMA);
    const document = chosen(TYPES);
    const asked = Array.from({ length: 50 }, (_, n) => introspection.answer(document, context(`192.0.2.${n}`)));
    expect(new Set(asked).size).toBe(1);
    const { data } = JSON.parse(String(await asked[0]));
    expect(data.all.types).toContainEqual({ name: 'Query' });
  });

  test('is kept once it has been asked for again', async () => {
    const introspection = new Introspection(SCHEMA);
    const document = chosen(TYPES);
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await introspection.answer(document, context('192.0.2.1')));
    const [first, second, third] = answers;
    expect(second).not.toBe(first);
    expect(third).toBe(second);
  });

  test('is not what answers anything that asks for more', () => {
    const introspection = new Introspection(SCHEMA);
    expect(introspection.answer(chosen('{ hello __schema { types { name } } }'), context('192.0.2.1'))).toBeUndefined();
  });
});
