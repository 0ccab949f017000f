import {
  type GraphQLField,
  type GraphQLInputObjectType,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { singleMutationsOf } from '../../src/graphql/mutation.ts';
import { buildSchemas } from '../../src/schema.ts';
import { declaredRequirement } from '../../src/scopes/requirement.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const { schema } = buildSchemas().forSessions;
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const single = singleMutationsOf(schema);

const SOMETHING_GUESSABLE = /password|code$/i;

function inputOf({ args }: GraphQLField<unknown, unknown>): GraphQLInputObjectType {
  const [input] = args;
  if (!input || !isNonNullType(input.type) || !isInputObjectType(input.type.ofType)) throw new Error('No input.');
  return input.type.ofType;
}

const isPublic = (mutation: GraphQLField<unknown, unknown>): boolean =>
  JSON.stringify(declaredRequirement(mutation)).includes('"PUBLIC"');
const checksSomething = (mutation: GraphQLField<unknown, unknown>): boolean =>
  Object.keys(inputOf(mutation).getFields()).some((name) => SOMETHING_GUESSABLE.test(name));

test('mutations that are open to anybody, or check a code or a password, are sent alone', () => {
  const expected = mutations
    .filter((mutation) => isPublic(mutation) || checksSomething(mutation))
    .map(({ name }) => name);
  expect(expected.length).toBeGreaterThan(7);
  expect(expected.filter((name) => !single.includes(name))).toEqual([]);
});

/** Anybody may begin something new with these: an offer, or a form. */
const NAMES_AN_OFFER = ['eventTypeId', 'routingFormId'];

test('an id changes nothing for anybody: the only ids that open mutations take are of what can be booked or answered', () => {
  const ids = mutations.filter(isPublic).flatMap((mutation) => {
    const fields = Object.values(inputOf(mutation).getFields());
    const named = fields.filter(({ name, type }) => getNamedType(type).name === 'ID' || /ids?$/i.test(name));
    return named.filter(({ name }) => !/uid$/i.test(name)).map(({ name }) => [mutation.name, name] as const);
  });
  expect(ids.length).toBeGreaterThan(3);
  expect(ids.filter(([, name]) => !NAMES_AN_OFFER.includes(name))).toEqual([]);
});

describe('two of a mutation that is sent alone are refused before anything is done', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  const DOCUMENTS: readonly (readonly [how: string, write: (name: string) => string])[] = [
    ['under aliases', (name) => `{ a: ${name}(input: $i) { ...P } b: ${name}(input: $i) { ...P } }`],
    [
      'in a fragment',
      (name) => `{ a: ${name}(input: $i) { ...P } ...M } fragment M on Mutation { b: ${name}(input: $i) { ...P } }`,
    ],
    [
      'in fragments of fragments',
      (name) =>
        `{ ...M } fragment M on Mutation { a: ${name}(input: $i) { ...P } ... { ...N } } fragment N on Mutation { b: ${name}(input: $i) { ...P } }`,
    ],
    [
      'behind a directive',
      (name) => `{ a: ${name}(input: $i) { ...P } ... @include(if: true) { b: ${name}(input: $i) { ...P } } }`,
    ],
    [
      'with another one of them',
      (name) =>
        /* invalid */ `{ a: ${name}(input: $i) { ...P } slotReservationDelete(input: { id: "none" }) { userErrors { code } } }`,
    ],
  ];

  test.each(single.flatMap((name) => DOCUMENTS.map(([how, write]) => [name, how, write] as const)))(
    '%s %s',
    async (name, _how, write) => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const query = `mutation ($i: ${type}Input!) ${write(name)} fragment P on ${type}Payload { userErrors { code } }`;
      const { status, body } = await app.graphql(query, { variables: { i: {} } });
      expect(status).toBe(400);
      expect(body).not.toHaveProperty('data');
      expect(body.errors[0].extensions.code).toBe('TOO_MANY_MUTATIONS');
    },
  );
});
