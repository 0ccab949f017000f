/**
 * Why base scopes are owed: nobody may tell by an answer whether an object is there whose type they have no scope for. Documents
 * that a token may send are executed in two worlds, with an object and without it, and the answers must be equal to the byte.
 *
 * An object may show where it is paid for: by its base scopes, by data with a price of its own that the answer has of it, or by
 * the price of the field that leads to it, if that returns one type alone. Worlds are full: a field that costs nothing and
 * is null or empty shows what it is in, which is the price of what is selected below it.
 */
import { type Arbitrary, assert, gen, property } from 'fast-check';
import {
  execute,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { compileOperation } from '../../src/scopes/compile.ts';
import { scopeNamesIn } from '../../src/scopes/create-catalog.ts';
import { heldScopes } from '../../src/scopes/held-scopes.ts';
import { BASE_SCOPES, REQUIREMENT } from '../../src/scopes/requirement.ts';
import type { SchemaRules } from '../../src/scopes/schema-rules.ts';
import { covers, FIRST_PARTY_BIT, NOBODY_BIT } from '../../src/scopes/scope-set.ts';
import { print, selections } from './support/documents.ts';
import { pickFrom } from './support/pick.ts';
import { productLike } from './support/product-like.ts';
import { closedSchema } from './support/random-schema.ts';
import { rulesFrom } from './support/schema.ts';

interface Declared {
  readonly access?: string;
  readonly enters?: string;
  readonly [level: string]: string | readonly string[] | undefined;
}

/** An object that an answer showed: where it stands in the world, and what would have paid for it. */
interface Shown {
  readonly place: string;
  /** Scopes of which all would; undefined where it is paid for, or costs what led to it. */
  readonly price: readonly string[] | undefined;
  hasPaidData: boolean;
}

interface Node {
  readonly __typename: string;
  readonly place: string;
  readonly level: string;
  /** The objects that it is in, and itself. */
  readonly within: readonly Shown[];
}

/** A world full of objects, each of a type that may stand there; but for the one at `without`. */
function worldOf(schema: GraphQLSchema, seed: number, without?: string) {
  const shown: Shown[] = [];
  const resolve: GraphQLFieldResolver<Node | undefined, unknown> = (parent, _args, _context, info) => {
    const declared = declaredOf(info);
    const access = declared.access ?? 'SCOPED';
    const level = declared.enters ?? parent?.level ?? '';
    const place = `${parent?.place ?? ''}.${info.fieldName}`;
    if (access === 'SCOPED' || access === 'FIRST_PARTY') for (const one of parent?.within ?? []) one.hasPaidData = true;
    return valueAt(info.returnType, place);

    function valueAt(type: GraphQLResolveInfo['returnType'], at: string): unknown {
      const nullable = getNullableType(type);
      if (isListType(nullable)) {
        // What is not there is no element either. One is enough to tell, and more would be too many, list in list.
        return [valueAt(nullable.ofType, `${at}[0]`)].filter((value) => value !== null);
      }
      const named = getNamedType(type);
      if (!isAbstractType(named) && !isObjectType(named)) return named.name === 'Boolean' ? true : 1;
      const types = isAbstractType(named) ? schema.getPossibleTypes(named) : [named];
      const chosen = types[hash(`${seed} ${at}`) % Math.max(types.length, 1)];
      if (!chosen || at === without) return null;
      const base = chosen.extensions[BASE_SCOPES] as Declared | undefined;
      const isPaidByField = access === 'PUBLIC' || (access !== 'INHERIT' && !isAbstractType(named));
      const list = base?.[level.toLowerCase()];
      const price = isPaidByField || !base ? undefined : Array.isArray(list) ? (list as string[]) : ['NOBODY'];
      const object = { place: at, price, hasPaidData: false };
      shown.push(object);
      return { __typename: chosen.name, place: at, level, within: [...(parent?.within ?? []), object] } satisfies Node;
    }
  };
  return { resolve, shown };
}

function declaredOf({ parentType, fieldName }: GraphQLResolveInfo): Declared {
  return (parentType.getFields()[fieldName]?.extensions[REQUIREMENT] as Declared | undefined) ?? { access: 'PUBLIC' };
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return value;
}

function answerIn(schema: GraphQLSchema, source: string, { resolve }: ReturnType<typeof worldOf>): string {
  const result = execute({
    schema,
    document: parse(source),
    operationName: 'Chosen',
    fieldResolver: resolve as GraphQLFieldResolver<unknown, unknown>,
  });
  return JSON.stringify(result);
}

/** Objects that the weakest token which may send the document could tell by its answer, though nothing of them is paid for. */
function toldOf(rules: SchemaRules, source: string, seed: number): string[] {
  const compiled = compileOperation(rules, parse(source), 'Chosen');
  // No token may send it.
  if (!compiled || covers(compiled.required, NOBODY_BIT) || covers(compiled.required, FIRST_PARTY_BIT)) return [];
  const held = heldScopes(scopeNamesIn(compiled.required, rules.catalog), rules.catalog);
  const names = scopeNamesIn(held, rules.catalog);
  const world = worldOf(rules.schema, seed);
  const answer = answerIn(rules.schema, source, world);
  const unpaid = world.shown.filter(
    ({ price, hasPaidData }) => price !== undefined && !hasPaidData && !price.every((scope) => names.includes(scope)),
  );
  return [...new Set(unpaid.map(({ place }) => place))]
    .slice(0, 5)
    .filter((place) => answerIn(rules.schema, source, worldOf(rules.schema, seed, place)) !== answer);
}

const SEEDS = [1, 2, 3];
const toldByAny = (rules: SchemaRules, source: string) => SEEDS.flatMap((seed) => toldOf(rules, source, seed));

const RESOURCES = ['EVENT_TYPE', 'BOOKING', 'SCHEDULE', 'APPS', 'PROFILE', 'WEBHOOK', 'VERIFIED_RESOURCES'];
const TYPES = RESOURCES.flatMap((resource) => [`${resource}_READ`, `${resource}_WRITE`]).map(
  (scope, index) => [`T${index}`, scope] as const,
);

/** Types with scopes of their own, and whatever may stand between them: unions, an interface, a wrapper, lists, fields with a price. */
const smallSchema: Arbitrary<string> = gen().map((value) => {
  const pick = <Value>(values: readonly Value[]): Value => pickFrom(value, values);
  const names = TYPES.map(([name]) => name);
  const unions = ['U0', 'U1', 'U2', 'U3'];
  const output = () => {
    const name = pick([pick(names), pick(unions), pick(unions), pick(['Some', 'Box'])]);
    return pick([name, name, `[${name}]`, `[[${name}]]`]);
  };
  const inherited = (name: string) => `${name}: ${output()} @requiresScope(access: INHERIT)`;
  const types = TYPES.map(
    ([name, scope], index) => `type ${name} ${index < 3 ? 'implements Some' : ''} @requiresScope(user: [${scope}]) {
      value: Int @requiresScope(user: [${scope}])
      ${inherited('one')} ${inherited('two')}
      priced: ${output()} @requiresScope(user: [${pick(TYPES)[1]}])
    }`,
  );
  const doors = ['a', 'b', 'c'].map((name) => `${name}: ${output()} @requiresScope(access: INHERIT, enters: USER)`);
  return [
    `type Query { ${doors.join(' ')} }`,
    'interface Some { value: Int }',
    ...unions.map((name) => `union ${name} = ${[...new Set([pick(names), pick(names)])].join(' | ')}`),
    `type Box { ${inherited('nodes')} ${inherited('more')} }`,
    ...types,
  ].join('\n');
});

const written = <Value>(schemas: Arbitrary<string>, documents: (rules: SchemaRules) => Arbitrary<Value>) =>
  schemas.chain((sdl) => {
    const rules = rulesFrom(sdl);
    return documents(rules).map((document) => ({ rules, document }));
  });

// What fails is found again by its seed; making it smaller would take minutes.
const RUNS = { numRuns: 400, endOnFailure: true };

describe('an answer is the same with an object and without it, if nothing of it is paid for', () => {
  test.each([
    ['types with scopes of their own', smallSchema],
    ['whatever is closed', closedSchema],
  ])('in random schemas: %s', (_, schemas) => {
    assert(
      property(
        written(schemas, ({ schema }) => selections(schema)),
        ({ rules, document }) => {
          expect(toldByAny(rules, print(document))).toEqual([]);
        },
      ),
      RUNS,
    );
  });

  // That another spelling of a document requires the same is proved in properties.test.ts.
  test('in a schema like the product’s', () => {
    assert(
      property(selections(productLike.schema), (below) => {
        expect(toldByAny(productLike, print(below))).toEqual([]);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});

test('the two worlds tell a leak from what is paid for', () => {
  // The same schema, but for what pays: with the price of `found`, the team shows data of its own.
  const withFound = (requires: string) =>
    rulesFrom(`
      type Query { team: Team @requiresScope(access: PUBLIC) }
      type Team { found: Found @requiresScope(${requires}) }
      union Found = Booking | Workflow
      type Booking @requiresScope(team: [TEAM_BOOKING_READ]) { title: ID @requiresScope(access: PUBLIC) }
      type Workflow @requiresScope(team: [TEAM_WORKFLOW_READ]) { name: ID @requiresScope(access: PUBLIC) }`);
  const source = 'query Chosen { team { found { __typename } } }';
  expect(toldByAny(withFound('access: PUBLIC'), source)).toEqual([]);
  const world = worldOf(withFound('access: INHERIT').schema, 1);
  expect(answerIn(withFound('access: INHERIT').schema, source, world)).toContain('found');
  expect(world.shown.map(({ place, price }) => [place, price])).toEqual([
    ['.team', undefined],
    ['.team.found', ['NOBODY']],
  ]);
});
