import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils';
import { assert, property } from 'fast-check';
import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  graphql,
  isInterfaceType,
  isObjectType,
  isUnionType,
  lexicographicSortSchema,
  parse,
  printSchema,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { buildSchemas } from '../../src/schema.ts';
import { hideFirstParty } from '../../src/scopes/hide-first-party.ts';
import { isFirstParty } from '../../src/scopes/requirement.ts';
import { rulesOf } from '../../src/scopes/schema-rules.ts';
import { findHoles } from '../../src/scopes/unguarded-fields.ts';
import { PRODUCT_LIKE, productLike } from './support/product-like.ts';
import { closedSchema } from './support/random-schema.ts';
import { aSchema, requiredBy } from './support/schema.ts';

const shown = hideFirstParty(productLike.schema);
const printSorted = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema));
const typesOf = (schema: GraphQLSchema) => Object.keys(schema.getTypeMap());
const errorsIn = (schema: GraphQLSchema, source: string) =>
  validate(schema, parse(source)).map(({ message }) => message);

describe('the schema without first-party fields', () => {
  test('has none of them, and none of the types that only they lead to', () => {
    const fields = Object.values(shown.getTypeMap())
      .filter(isObjectType)
      .flatMap((type) => Object.keys(type.getFields()));
    expect(fields).not.toEqual(expect.arrayContaining(['sessions']));
    expect(fields).toEqual(expect.arrayContaining(['me', 'name', 'eventTypeCreate']));
    expect(typesOf(productLike.schema).filter((name) => !typesOf(shown).includes(name))).toEqual([
      'OAuthClient',
      'Session',
    ]);
  });

  test('answers a hidden field as it answers one that never existed', () => {
    expect(errorsIn(shown, '{ me { sessions { id } } }')).toEqual(['Cannot query field "sessions" on type "Viewer".']);
    expect(errorsIn(productLike.schema, '{ me { session { id } } }').join()).toContain('sessions');
    expect(errorsIn(shown, '{ me { session { id } } }').join()).not.toContain('sessions');
    expect(errorsIn(shown, 'fragment F on Session { id } { me { ...F } }')[0]).toContain('Unknown type "Session"');
  });

  test('prints and introspects without them, syntax nodes included', async () => {
    const introspected = await graphql({ schema: shown, source: '{ __schema { types { name fields { name } } } }' });
    for (const text of [
      printSchema(shown),
      JSON.stringify(introspected),
      JSON.stringify(shown.getType('Viewer')?.astNode ?? null),
    ]) {
      expect(text).not.toMatch(/sessions|reviewQueue|clientApprove|OAuthClient/);
    }
  });

  test('keeps requirements, so that it is closed and judged as before', () => {
    expect(findHoles(rulesOf(shown))).toEqual([]);
    expect(requiredBy(rulesOf(shown), '{ me { name teams { nodes { slug } } } }')).toEqual([
      'PROFILE_READ',
      'TEAM_PROFILE_READ',
    ]);
    expect(requiredBy(rulesOf(shown), '{ me { __typename } }')).toEqual(['PROFILE_READ']);
  });

  test('keeps resolvers, arguments, directives and descriptions', async () => {
    const schema = aSchema(
      'type Query { "Adds." add(a: Int!, b: Int = 2): Int @requiresScope(access: PUBLIC) secret: Int @requiresScope(access: FIRST_PARTY) }',
    );
    const add = schema.getQueryType()?.getFields()['add'];
    if (add) add.resolve = (_source, { a, b }: { a: number; b: number }) => a + b;
    expect(await graphql({ schema: hideFirstParty(schema), source: '{ add(a: 1) }' })).toEqual({ data: { add: 3 } });
    expect(printSchema(hideFirstParty(schema))).toContain('directive @requiresScope');
    expect(printSchema(hideFirstParty(schema))).toContain('"""Adds."""');
  });

  test('keeps the objects of interfaces and unions that are left, and only those', async () => {
    const schema = aSchema(`
      type Query { node: Node @requiresScope(access: PUBLIC) either: Either @requiresScope(access: PUBLIC) admin: Admin @requiresScope(access: FIRST_PARTY) }
      interface Node { id: ID }
      interface Thing implements Node { id: ID self: Thing }
      interface Far { id: ID }
      type V implements Far { id: ID @requiresScope(access: PUBLIC) }
      interface Admin { log: Log }
      union Either = U
      type A implements Node & Thing { far: Far @requiresScope(access: PUBLIC) id: ID @requiresScope(access: PUBLIC) self: A @requiresScope(access: PUBLIC) }
      type B implements Admin { log: Log @requiresScope(access: FIRST_PARTY) }
      type Log { id: ID @requiresScope(access: FIRST_PARTY) }
      type U { id: ID @requiresScope(access: PUBLIC) }`);
    const hidden = hideFirstParty(schema);
    expect(
      typesOf(hidden)
        .filter((name) => /^[A-Z][a-z]*$/.test(name) && /^(A|B|U|V|Far|Log|Node|Thing|Admin|Either)$/.test(name))
        .toSorted(),
    ).toEqual(['A', 'Either', 'Far', 'Node', 'Thing', 'U', 'V']);
    const rootValue = {
      node: { __typename: 'A', id: '1', self: { __typename: 'A', id: '2' } },
      either: { __typename: 'U', id: '3' },
    };
    const source = '{ node { id ... on Thing { self { id } } } either { ... on U { id } } }';
    expect(await graphql({ schema: hidden, rootValue, source })).toEqual({
      data: { node: { id: '1', self: { id: '2' } }, either: { id: '3' } },
    });
  });

  test('has no mutation type if there are only first-party mutations', () => {
    const schema = aSchema(
      'type Query { open: Int @requiresScope(access: PUBLIC) } type Mutation { approve: Int @requiresScope(access: FIRST_PARTY) }',
    );
    expect(hideFirstParty(schema).getMutationType()).toBeUndefined();
  });

  test('cannot be made where a field that is shown leads to a type that has nothing to show', () => {
    const sdl = PRODUCT_LIKE.replace(
      'sessions: [Session!] @requiresScope(access: FIRST_PARTY)',
      'sessions: [Session!] @requiresScope(user: [PROFILE_READ])',
    );
    expect(() => hideFirstParty(aSchema(sdl))).toThrow('would also hide Viewer.sessions.');
  });

  test('cannot be made where an interface or a union that is shown may be a type that has nothing to show', () => {
    const sdl = `
      type Query { it: It @requiresScope(access: PUBLIC) }
      type A { id: ID @requiresScope(access: PUBLIC) }
      type B { a: A @requiresScope(access: PUBLIC) b: ID @requiresScope(access: FIRST_PARTY) }
      union It = A | B`;
    expect(hideFirstParty(aSchema(sdl)).getType('B')).toBeDefined();
    const emptied = sdl.replace('a: A @requiresScope(access: PUBLIC)', '');
    expect(() => hideFirstParty(aSchema(emptied))).toThrow('would also hide B as It.');
  });

  test('says nothing of what shares an interface with what is shown, where no object returns the interface', () => {
    const sdl = `
      type Query { open: Open @requiresScope(access: PUBLIC) secret: Secret @requiresScope(access: FIRST_PARTY) }
      interface Payload { errors: [Mistake!]! }
      interface Mistake { message: ID! }
      type Open implements Payload { errors: [OpenMistake!]! @requiresScope(access: PUBLIC) }
      type OpenMistake implements Mistake { message: ID! @requiresScope(access: PUBLIC) }
      type Secret implements Payload { errors: [SecretMistake!]! @requiresScope(access: INHERIT) }
      type SecretMistake implements Mistake { message: ID! @requiresScope(access: INHERIT) }`;
    const shown = hideFirstParty(aSchema(sdl));
    expect(shown.getType('OpenMistake')).toBeDefined();
    expect(shown.getType('Secret')).toBeUndefined();
    expect(shown.getType('SecretMistake')).toBeUndefined();
  });

  test('cannot be made where every public mutation returns a type that has nothing to show', () => {
    const sdl = `
      type Query { open: Int @requiresScope(access: PUBLIC) }
      type Mutation { approve: Result @requiresScope(access: PUBLIC) }
      type Result { client: Int @requiresScope(access: FIRST_PARTY) }`;
    expect(() => hideFirstParty(aSchema(sdl))).toThrow('would also hide Mutation.approve.');
  });

  test('is the same schema where there is nothing to hide', () => {
    const schema = buildSchema(
      'interface I { a(x: In): [E!]! } type Query implements I { a(x: In): [E!]! } input In { e: E } enum E { X }',
    );
    expect(printSorted(hideFirstParty(schema))).toBe(printSorted(schema));
  });
});

describe('graphql-tools, which takes longer, cuts out the same', () => {
  test('of the schema', () => {
    const { forSessions, forTokens } = buildSchemas();
    expect(printSorted(forTokens.schema)).toBe(printSorted(withoutUnreturned(cutByTools(forSessions.schema))));
    expect(Object.keys(forTokens.schema.getTypeMap()).length).toBeLessThan(
      Object.keys(forSessions.schema.getTypeMap()).length,
    );
  });

  test('of random ones', () => {
    const outcomes: string[] = [];
    assert(
      property(closedSchema, (sdl) => {
        const schema = aSchema(sdl);
        const { hidden, outcome } = tryToHide(schema);
        outcomes.push(outcome);
        expect(printSorted(hidden ?? withoutUnreturned(cutByTools(schema)))).toBe(
          printSorted(withoutUnreturned(cutByTools(schema))),
        );
      }),
      { numRuns: 300, endOnFailure: true },
    );
    // Where it fails, something that stays would lead to nothing, or an object would lack a field of its interface.
    const known = /^(?:cut|whole|.*(?:would also hide|does not provide it|must be provided|must define).*)$/s;
    expect(outcomes.filter((outcome) => !known.test(outcome))).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'cut').length).toBeGreaterThan(20);
  });
});

function tryToHide(schema: GraphQLSchema): { readonly hidden?: GraphQLSchema; readonly outcome: string } {
  try {
    const hidden = hideFirstParty(schema);
    return { hidden, outcome: printSorted(hidden) === printSorted(schema) ? 'whole' : 'cut' };
  } catch (error) {
    return { outcome: String(error) };
  }
}

/** The tools keep all that shares an interface with what is shown, though no field leads to it. */
function withoutUnreturned(schema: GraphQLSchema): GraphQLSchema {
  const led = new Set<string>();
  const lead = (type: GraphQLNamedType): void => {
    if (led.has(type.name)) return;
    led.add(type.name);
    if (isUnionType(type)) type.getTypes().forEach(lead);
    if (!isObjectType(type) && !isInterfaceType(type)) return;
    type.getInterfaces().forEach(lead);
    for (const field of Object.values(type.getFields())) {
      const returned = getNamedType(field.type);
      lead(returned);
      if (isObjectType(type) && isInterfaceType(returned)) schema.getPossibleTypes(returned).forEach(lead);
    }
  };
  for (const root of [schema.getQueryType(), schema.getMutationType()]) if (root) lead(root);
  return pruneSchema(mapSchema(schema, { [MapperKind.OBJECT_TYPE]: ({ name }) => (led.has(name) ? undefined : null) }));
}

function cutByTools(schema: GraphQLSchema): GraphQLSchema {
  return pruneSchema(
    mapSchema(schema, { [MapperKind.COMPOSITE_FIELD]: (field) => (isFirstParty(field) ? null : undefined) }),
  );
}
