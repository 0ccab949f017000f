import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { scopeNamesIn } from '../../src/scopes/create-catalog.ts';
import { fieldsLacking } from '../../src/scopes/field-needs.ts';
import type { Place } from '../../src/scopes/places.ts';
import { reachableFields } from '../../src/scopes/reach.ts';
import type { SchemaRules } from '../../src/scopes/schema-rules.ts';
import { NO_SCOPES } from '../../src/scopes/scope-set.ts';
import { type Walk, walk } from '../../src/scopes/walk.ts';
import { rulesFrom } from './support/schema.ts';

const TREE = rulesFrom(`
  type Query {
    me: Person @requiresScope(access: INHERIT, enters: USER)
    any: Node @requiresScope(user: [PROFILE_READ], enters: USER)
  }
  interface Node { id: ID child: Node }
  type Person implements Node @requiresScope(user: [PROFILE_READ]) {
    id: ID @requiresScope(user: [PROFILE_READ])
    child: Person @requiresScope(access: INHERIT)
    team: Team @requiresScope(access: INHERIT, enters: TEAM)
  }
  type Event implements Node @requiresScope(user: [EVENT_TYPE_READ]) {
    id: ID @requiresScope(user: [EVENT_TYPE_READ])
    child: Node @requiresScope(user: [EVENT_TYPE_READ])
  }
  type Team @requiresScope(team: [TEAM_PROFILE_READ], organization: [ORG_PROFILE_READ]) {
    slug: String @requiresScope(team: [TEAM_PROFILE_READ], organization: [ORG_PROFILE_READ])
    parent: Team @requiresScope(access: INHERIT, enters: ORGANIZATION)
    team: Team @requiresScope(access: INHERIT, enters: TEAM)
  }
`);

function walked(source: string): Walk {
  const document = parse(source, { noLocation: true });
  return walk(TREE, document, operationOf(document));
}

function operationOf({ definitions }: DocumentNode): OperationDefinitionNode {
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has no operation.');
  return operation;
}

function millisecondsOf(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const namesOf = ({ required }: Walk) => scopeNamesIn(required, TREE.catalog);

/** Fragments of which each selects the next twice: as many paths as 2 to the power of `levels`. */
function fanOut(levels: number, on: string, selection: (next: string) => string, last: string): string {
  const fragments = Array.from({ length: levels }, (_, level) => {
    const next = level + 1 < levels ? `...F${level + 1}` : last;
    return `fragment F${level} on ${on} { ${selection(next)} }`;
  });
  return fragments.join('\n');
}

describe('fragments that fan out cost what they are long', () => {
  test('400 levels, each below two fields: 2^400 paths, a place for each selection', () => {
    const source = `{ me { ...F0 } } ${fanOut(400, 'Person', (next) => `a: child { ${next} } b: child { ${next} }`, 'id')}`;
    const document = parse(source, { noLocation: true });
    const operation = operationOf(document);
    const result = walk(TREE, document, operation);
    const lacking = fieldsLacking(result, NO_SCOPES, TREE.catalog);

    expect(namesOf(result)).toEqual(['PROFILE_READ']);
    expect(result.visited).toBeLessThanOrEqual(3 * 400 + 2);
    expect(lacking.map(({ path }) => path.length)).toEqual([402, 402]);
    // The best of a few: other processes may have the core for longer than the walk takes.
    const walks = Array.from({ length: 5 }, () => millisecondsOf(() => walk(TREE, document, operation)));
    expect(Math.min(...walks)).toBeLessThan(50);
  });

  test('400 levels at two standings each: twice as many places', () => {
    const result = walked(
      `{ me { team { ...F0 } } } ${fanOut(400, 'Team', (next) => `team { ${next} } parent { ${next} }`, 'slug')}`,
    );
    expect(namesOf(result)).toEqual(['TEAM_PROFILE_READ', 'ORG_PROFILE_READ']);
    expect(result.visited).toBeLessThanOrEqual(2 * (3 * 400) + 3);
  });

  test('400 levels of an interface: a place for each type', () => {
    const result = walked(
      `{ any { ...F0 } } ${fanOut(400, 'Node', (next) => `a: child { ${next} } b: child { ${next} }`, 'id')}`,
    );
    expect(namesOf(result)).toEqual(['EVENT_TYPE_READ', 'PROFILE_READ']);
    expect(result.visited).toBeLessThanOrEqual(2 * (3 * 400 + 2));
  });

  test('the same fragment a thousand times over', () => {
    const result = walked(`{ me { ${'...F0 '.repeat(1000)} } } fragment F0 on Person { ${'child { id } '.repeat(3)} }`);
    expect(result.visited).toBe(6);
  });
});

describe('an interface of 300 types, 100 levels deep, below itself on each', () => {
  const [types, levels] = [300, 100];
  const names = Array.from({ length: types }, (_, index) => `T${index}`);
  /** Each type's fields cost or inherit: `requires` is the directive of `child`. */
  const interfaceOf = (requires: string) =>
    rulesFrom(`
      type Query { any: Node @requiresScope(user: [PROFILE_READ], enters: USER) }
      interface Node { id: ID child: Node }
      ${names.map((name) => `type ${name} implements Node @requiresScope(user: [BOOKING_READ]) { id: ID @requiresScope(user: [BOOKING_READ]) child: Node @requiresScope(${requires}) }`).join('\n')}`);
  const nested = `{ any ${'{ id child '.repeat(levels)} { id } ${'}'.repeat(levels)} }`;
  const shared = `{ any { ...F0 } } ${fanOut(levels, 'Node', (next) => `id a: child { ${next} } b: child { ${next} }`, 'id')}`;

  test.each([
    ['nested', 'access: INHERIT', nested],
    ['nested', 'user: [BOOKING_READ]', nested],
    ['nested, with structure alone', 'access: INHERIT', nested.replaceAll('id', '__typename')],
    ['in fragments', 'access: INHERIT', shared],
  ])('takes a few steps for each type and level: %s, %s', (_, requires, source) => {
    const rules = interfaceOf(requires);
    const reads = countReads(rules);
    const document = parse(source, { noLocation: true });
    const result = walk(rules, document, operationOf(document));
    expect(namesOf(result)).toEqual(['BOOKING_READ', 'PROFILE_READ']);
    // Not one for each pair of types on each level, which would be 9 million.
    expect(reads.count).toBeLessThan(8 * types * levels);
    expect(sizeOf(result)).toBeLessThan(16 * types * levels);

    reads.count = 0;
    expect(fieldsLacking(result, NO_SCOPES, rules.catalog).length).toBeGreaterThan(0);
    expect(reads.count).toBeLessThan(8 * types * levels);
  });
});

/** Counts how often the lists of possible types are read, element by element. */
function countReads(rules: SchemaRules): { count: number } {
  const reads = { count: 0 };
  const counted = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, key, receiver) {
        reads.count += typeof key === 'string' && /^\d+$/.test(key) ? 1 : 0;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  const lists = new Map<object, object>();
  for (const { field } of reachableFields(rules)) {
    Object.assign(field, { output: lists.getOrInsertComputed(field.output, () => counted([...field.output])) });
  }
  // Wrapping them was reading them.
  reads.count = 0;
  return reads;
}

/** How many places, steps and links there are: everything that reads the walk reads each of them once. */
function sizeOf({ root }: Walk): number {
  const [groups, places] = [new Set(root && [root]), new Set<Place>()];
  let size = 0;
  for (const group of groups) {
    size += group.places.length + group.sharesWith.length;
    for (const place of group.places) {
      if (places.has(place)) continue;
      places.add(place);
      size += place.steps.length + place.groups.length;
      for (const { below } of place.steps) if (below !== undefined) groups.add(below);
    }
  }
  return size;
}

describe('a walk ends, and finds everything, when', () => {
  test('fragments go round in a circle', () => {
    const result = walked(`{ me { ...A } }
      fragment A on Person { child { ...B } }
      fragment B on Person { ...A team { ...C } }
      fragment C on Team { ...C team { ...C } parent { slug } }`);
    expect(namesOf(result)).toEqual(['ORG_PROFILE_READ']);
    expect(fieldsLacking(result, NO_SCOPES, TREE.catalog).map(({ path }) => path)).toEqual([
      ['me', 'child', 'team', 'parent', 'slug'],
    ]);
  });

  test('a circle of fragments selects no data at all: then its doors owe their base scopes', () => {
    expect(
      namesOf(walked('{ me { ...A } } fragment A on Person { ...B } fragment B on Person { ...A __typename }')),
    ).toEqual(['PROFILE_READ']);
  });

  test('a chain of 20,000 fragments would exhaust the stack', () => {
    const chain = Array.from({ length: 20_000 }, (_, level) => `fragment F${level} on Person { ...F${level + 1} }`);
    const result = walked(`{ me { ...F0 } } ${chain.join(' ')} fragment F20000 on Person { id }`);
    expect(namesOf(result)).toEqual(['PROFILE_READ']);
    expect(fieldsLacking(result, NO_SCOPES, TREE.catalog)).toHaveLength(1);
  });
});
