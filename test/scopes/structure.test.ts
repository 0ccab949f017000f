import { describe, expect, test } from 'vitest';
import { POLYMORPHIC } from './support/polymorphic.ts';
import { productLike } from './support/product-like.ts';
import { requiredBy, rulesFrom } from './support/schema.ts';

const requires = (source: string, operationName?: string) => requiredBy(productLike, source, operationName);

describe('structure is free, unless nothing but structure is selected', () => {
  test('a wrapper costs what led to it', () => {
    const wrapper = 'edges { cursor node { __typename } } nodes { __typename } pageInfo { hasNextPage } totalCount';
    expect(requires(`{ me { eventTypes { ${wrapper} } } }`)).toEqual(['EVENT_TYPE_READ']);
  });

  test('a door costs nothing besides the data behind it', () => {
    expect(requires('{ organization(id: 1) { team(id: 2) { slug } } }')).toEqual(['TEAM_PROFILE_READ']);
    expect(requires('{ me { __typename eventTypes { totalCount } } }')).toEqual(['EVENT_TYPE_READ']);
  });

  test('a door with nothing but `__typename` behind it costs the base scope', () => {
    expect(requires('{ me { __typename } }')).toEqual(['PROFILE_READ']);
    expect(requires('{ team(id: 1) { __typename } }')).toEqual(['TEAM_PROFILE_READ']);
    expect(requires('{ organization(id: 1) { t: __typename } }')).toEqual(['ORG_PROFILE_READ']);
  });

  test('a door behind a door owes for both, for it has been told that both are there', () => {
    expect(requires('{ organization(id: 1) { team(id: 2) { __typename } } }')).toEqual([
      'TEAM_PROFILE_READ',
      'ORG_PROFILE_READ',
    ]);
  });

  test('each selection is judged for itself: data beside an empty one does not pay for it', () => {
    expect(requires('{ a: team(id: 1) { __typename } b: team(id: 2) { eventTypes { totalCount } } }')).toEqual([
      'TEAM_EVENT_TYPE_READ',
      'TEAM_PROFILE_READ',
    ]);
    expect(requires('{ me { bookings { nodes { eventType { __typename } } } } }')).toEqual([
      'EVENT_TYPE_READ',
      'BOOKING_READ',
    ]);
  });

  test('`__typename` hidden in fragments is still nothing but structure', () => {
    expect(
      requires('{ me { ...A } } fragment A on Viewer { ... { ...B } } fragment B on Viewer { __typename }'),
    ).toEqual(['PROFILE_READ']);
    expect(
      requires(
        '{ me { ...A } } fragment A on Viewer { ... { ...B } } fragment B on Viewer { bookings { nodes { id } } }',
      ),
    ).toEqual(['BOOKING_READ']);
  });

  test('a connection with a base scope owes it for `totalCount`, `pageInfo` or `cursor` alone', () => {
    const rules = rulesFrom(`
      type Query { team: Team @requiresScope(access: INHERIT, enters: TEAM) }
      type Team @requiresScope(team: [TEAM_PROFILE_READ]) { forms: FormConnection @requiresScope(access: INHERIT) }
      type FormConnection @requiresScope(team: [TEAM_ROUTING_FORM_READ]) {
        totalCount: Int @requiresScope(access: INHERIT)
        pageInfo: PageInfo @requiresScope(access: INHERIT)
        edges: [FormEdge] @requiresScope(access: INHERIT)
      }
      type FormEdge { cursor: String @requiresScope(access: INHERIT) node: Form @requiresScope(access: INHERIT) }
      type PageInfo { hasNextPage: Boolean @requiresScope(access: INHERIT) }
      type Form { name: String @requiresScope(team: [TEAM_ROUTING_FORM_READ]) }`);
    for (const selection of ['totalCount', 'pageInfo { hasNextPage }', 'edges { cursor }', '__typename']) {
      expect(requiredBy(rules, `{ team { forms { ${selection} } } }`)).toEqual([
        'TEAM_PROFILE_READ',
        'TEAM_ROUTING_FORM_READ',
      ]);
    }
    expect(requiredBy(rules, '{ team { forms { totalCount edges { cursor node { name } } } } }')).toEqual([
      'TEAM_ROUTING_FORM_READ',
    ]);
  });

  test('public fields are no data that pays for a door', () => {
    const rules = rulesFrom(`
      type Query { team: Team @requiresScope(access: INHERIT, enters: TEAM) }
      type Team @requiresScope(team: [TEAM_PROFILE_READ]) { kind: String @requiresScope(access: PUBLIC) }`);
    expect(requiredBy(rules, '{ team { kind } }')).toEqual(['TEAM_PROFILE_READ']);
  });

  test('a door to an abstract type owes the base scope of each type of which nothing is selected', () => {
    const all = ['EVENT_TYPE_READ', 'BOOKING_READ', 'WEBHOOK_READ'];
    expect(requiredBy(POLYMORPHIC, '{ free { __typename } }')).toEqual(all);
    // `{}` instead of null would tell that the webhook of this id exists
    expect(requiredBy(POLYMORPHIC, '{ free { ... on EventType { id } ... on Booking { id } } }')).toEqual(all);
    expect(requiredBy(POLYMORPHIC, '{ free { ... on EventType { ... on Booking { id } } } }')).toEqual(all);
    // A field with a price of its own has paid for what it returns.
    expect(requiredBy(POLYMORPHIC, '{ any { __typename ... on EventType { id } } }')).toEqual([
      'EVENT_TYPE_READ',
      'PROFILE_READ',
    ]);
  });

  test('a field that leads to an abstract type owes its own scope, unless each type that may stand there shows data', () => {
    const rules = rulesFrom(`
      type Query { team: Team @requiresScope(access: INHERIT, enters: TEAM) }
      type Team @requiresScope(team: [TEAM_PROFILE_READ]) {
        found: Found @requiresScope(access: INHERIT)
        all: FoundConnection @requiresScope(access: INHERIT)
        paid: Found @requiresScope(team: [TEAM_APPS_READ])
        outer: Outer @requiresScope(access: INHERIT)
      }
      union Found = Booking | Workflow
      union Outer = Box | Workflow
      type Box { found: Found @requiresScope(access: INHERIT) }
      type FoundConnection { nodes: [[Found]] @requiresScope(access: INHERIT) }
      type Booking @requiresScope(team: [TEAM_BOOKING_READ]) { title: ID @requiresScope(team: [TEAM_BOOKING_READ]) }
      type Workflow @requiresScope(team: [TEAM_WORKFLOW_READ]) { name: ID @requiresScope(team: [TEAM_WORKFLOW_READ]) }`);
    const of = (selection: string) =>
      requiredBy(rules, `{ team { ${selection} } } fragment T on Booking { ... { title } }`);
    const [both, andTeam] = [
      ['TEAM_BOOKING_READ', 'TEAM_WORKFLOW_READ'],
      ['TEAM_BOOKING_READ', 'TEAM_PROFILE_READ', 'TEAM_WORKFLOW_READ'],
    ];
    const bookings = ['... on Booking { title }', '... { ...T __typename }', '__typename ... on Booking { a: title }'];
    for (const some of bookings) {
      // The answer with a workflow would be `{"team":{"found":{}}}`: it tells that the team is there.
      expect(of(`found { ${some} }`)).toEqual(andTeam);
      expect(of(`all { nodes { ${some} } }`)).toEqual(andTeam);
      expect(of(`outer { ... on Box { found { ${some} } } ... on Workflow { name } }`)).toEqual(andTeam);
      expect(of(`a: found { ${some} } b: found { ... on Workflow { name } }`)).toEqual(andTeam);
      const every = `${some} ... on Workflow { name }`;
      expect(of(`found { ${every} }`)).toEqual(both);
      expect(of(`all { nodes { ${every} } }`)).toEqual(both);
      expect(of(`outer { ... on Box { found { ${every} } } ... on Workflow { name } }`)).toEqual(both);
      // A field with a price of its own is data of the team, whatever it leads to, and has paid for that.
      expect(of('paid { __typename }')).toEqual(['TEAM_APPS_READ']);
      expect(of(`paid { ${some} }`)).toEqual(['TEAM_BOOKING_READ', 'TEAM_APPS_READ']);
      expect(of(`found { ${some} } paid { ${every} }`)).toEqual([
        'TEAM_BOOKING_READ',
        'TEAM_APPS_READ',
        'TEAM_WORKFLOW_READ',
      ]);
    }
  });

  test('and nobody may select nothing but structure where the type has no base scope for the level', () => {
    const rules = rulesFrom(`
      type Query {
        me: Viewer @requiresScope(access: INHERIT, enters: USER)
        bare: Bare @requiresScope(access: INHERIT, enters: USER)
      }
      type Viewer @requiresScope(team: [TEAM_PROFILE_READ]) { name: String @requiresScope(user: [PROFILE_READ]) }
      type Bare { name: String @requiresScope(user: [PROFILE_READ]) }`);
    expect(requiredBy(rules, '{ me { name } bare { name } }')).toEqual(['PROFILE_READ']);
    expect(requiredBy(rules, '{ me { __typename } }')).toEqual(['NOBODY']);
    expect(requiredBy(rules, '{ bare { __typename } }')).toEqual(['NOBODY']);
  });
});

describe('the payload of a mutation', () => {
  test('gives its ids and errors for the WRITE scope alone', () => {
    expect(requires('mutation { teamEventTypeCreate { __typename eventTypeId userErrors { code } } }')).toEqual([
      'TEAM_EVENT_TYPE_WRITE',
    ]);
  });

  test('gives the entity for READ besides, at the level of the mutation', () => {
    expect(requires('mutation { eventTypeCreate { eventType { title } } }')).toEqual([
      'EVENT_TYPE_READ',
      'EVENT_TYPE_WRITE',
    ]);
    expect(requires('mutation { teamEventTypeCreate { eventType { __typename } } }')).toEqual([
      'TEAM_EVENT_TYPE_READ',
      'TEAM_EVENT_TYPE_WRITE',
    ]);
  });
});
