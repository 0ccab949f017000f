import { assert, constantFrom, property, tuple } from 'fast-check';
import { OverlappingFieldsCanBeMergedRule, parse, specifiedRules, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { print, rewriting, type Selection, selections } from './support/documents.ts';
import { productLike } from './support/product-like.ts';
import { requiredByDefinition } from './support/reference.ts';
import { requiredBy, rulesFrom } from './support/schema.ts';

/** Everything that is awkward at once: cycles, three levels, interfaces whose objects disagree, undeclared levels. */
const AWKWARD = rulesFrom(`
  type Query {
    me: Viewer @requiresScope(access: INHERIT, enters: USER)
    team: Team @requiresScope(access: INHERIT, enters: TEAM)
    organization: Organization @requiresScope(organization: [ORG_PROFILE_READ], enters: ORGANIZATION)
    node: Node @requiresScope(access: INHERIT, enters: USER)
    search: [Found] @requiresScope(user: [APPS_READ], enters: USER)
    open: Open @requiresScope(access: PUBLIC)
    admin: Viewer @requiresScope(access: FIRST_PARTY, enters: USER)
  }
  interface Node { id: ID owner: Owner }
  interface Owner { slug: String teams: TeamConnection }
  union Found = Viewer | Booking | Open
  type Viewer implements Node & Owner @requiresScope(user: [PROFILE_READ]) {
    id: ID @requiresScope(user: [PROFILE_READ])
    slug: String @requiresScope(user: [PROFILE_READ])
    owner: Viewer @requiresScope(access: INHERIT)
    teams: TeamConnection @requiresScope(access: INHERIT, enters: TEAM)
    bookings: [Booking] @requiresScope(user: [BOOKING_READ])
    secret: Int @requiresScope(access: FIRST_PARTY)
  }
  type Team implements Node & Owner @requiresScope(team: [TEAM_PROFILE_READ], organization: [ORG_PROFILE_READ]) {
    id: ID @requiresScope(team: [TEAM_PROFILE_READ])
    slug: String @requiresScope(team: [TEAM_PROFILE_READ], organization: [ORG_PROFILE_READ])
    owner: Organization @requiresScope(access: INHERIT, enters: ORGANIZATION)
    teams: TeamConnection @requiresScope(access: INHERIT)
    bookings: [Booking] @requiresScope(team: [TEAM_BOOKING_READ], organization: [ORG_BOOKING_READ])
    leader: Viewer @requiresScope(access: INHERIT, enters: USER)
  }
  type Organization implements Node & Owner {
    id: ID @requiresScope(organization: [ORG_PROFILE_READ])
    slug: String @requiresScope(access: PUBLIC)
    owner: Organization @requiresScope(organization: [ORG_PROFILE_READ, ORG_MEMBERSHIP_READ])
    teams: TeamConnection @requiresScope(organization: [ORG_PROFILE_READ])
    team: Team @requiresScope(access: INHERIT, enters: TEAM)
  }
  type TeamConnection @requiresScope(team: [TEAM_MEMBERSHIP_READ]) {
    totalCount: Int @requiresScope(access: INHERIT)
    nodes: [Team] @requiresScope(access: INHERIT)
  }
  type Booking implements Node @requiresScope(user: [BOOKING_READ]) {
    id: ID @requiresScope(user: [BOOKING_READ], team: [TEAM_BOOKING_READ], organization: [ORG_BOOKING_READ])
    owner: Owner @requiresScope(access: INHERIT)
    host: Node @requiresScope(user: [SCHEDULE_READ], team: [TEAM_SCHEDULE_READ], organization: [ORG_SCHEDULE_READ])
  }
  type Open { text: String @requiresScope(access: PUBLIC) }
`);

const selected = selections(AWKWARD.schema);
const required = (source: string) => new Set(requiredBy(AWKWARD, source, 'Chosen'));
const byDefinition = (source: string) => requiredByDefinition(AWKWARD.schema, parse(source), 'Chosen');

const RUNS = { numRuns: 300 };
/** Two fields may well want one response key here: the engine does not mind, and graphql-js stops at a hundred of them. */
const BUT_FOR_CONFLICTS = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

test('the documents of these tests are valid', () => {
  assert(
    property(selected, rewriting, (below, rewrite) => {
      for (const source of [print(below), rewrite(below)]) {
        const errors = validate(AWKWARD.schema, parse(source), BUT_FOR_CONFLICTS).map(({ message }) => message);
        expect(errors).toEqual([]);
      }
    }),
    RUNS,
  );
});

describe('the requirement of an operation', () => {
  test('is what the definition says, path by path', () => {
    assert(
      property(selected, (below) => {
        const { data, base } = byDefinition(print(below));
        expect(required(print(below))).toEqual(data.union(base));
      }),
      RUNS,
    );
  });

  test('does not change by aliases, order, conditions, fragments or other operations', () => {
    assert(
      property(selected, rewriting, (below, rewrite) => {
        expect(required(rewrite(below))).toEqual(required(print(below)));
      }),
      RUNS,
    );
  });

  test('never shrinks by a field more, save for what was owed for selecting nothing but structure', () => {
    const withOneMore = tuple(selected, selected).chain(([below, more]) =>
      constantFrom(...places(below)).map((path) => ({ below, grown: addedAt(below, path, more) })),
    );
    assert(
      property(withOneMore, ({ below, grown }) => {
        const before = byDefinition(print(below)).data;
        expect(before.isSubsetOf(required(print(grown)))).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('in a closed schema', () => {
  const operations = selections(productLike.schema).map(print);

  test('no valid operation requires what nobody holds', () => {
    assert(
      property(operations, (source) => {
        expect(requiredBy(productLike, source, 'Chosen')).not.toContain('NOBODY');
      }),
      RUNS,
    );
  });

  test('an operation that requires nothing selects nothing but what is public', () => {
    assert(
      property(operations, (source) => {
        const isOpen = requiredBy(productLike, source, 'Chosen').length === 0;
        expect(isOpen).toBe(!/\b(me|team|organization|reviewQueue)\b/.test(source));
      }),
      RUNS,
    );
  });
});

/** The index paths of the query root and of every selection below it that is on the query root again: fragments. */
function places(below: readonly Selection[], path: readonly number[] = []): (readonly number[])[] {
  return [
    path,
    ...below.flatMap((one, index) =>
      one.field === undefined && one.shared === undefined ? places(one.below, [...path, index]) : [],
    ),
  ];
}

function addedAt(
  below: readonly Selection[],
  [index, ...path]: readonly number[],
  more: readonly Selection[],
): readonly Selection[] {
  if (index === undefined) return [...below, ...more];
  return below.map((one, at) => (at === index ? { ...one, below: addedAt(one.below, path, more) } : one));
}
