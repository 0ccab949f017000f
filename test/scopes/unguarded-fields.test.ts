import { describe, expect, test } from 'vitest';
import { BASE_SCOPES, REQUIREMENT } from '../../src/scopes/requirement.ts';
import { rulesOf } from '../../src/scopes/schema-rules.ts';
import { assertClosed, findHoles } from '../../src/scopes/unguarded-fields.ts';
import { PRODUCT_LIKE, productLike } from './support/product-like.ts';
import { aSchema, requiredBy, rulesFrom } from './support/schema.ts';

/** The schema in the manner of the product, with one line of it changed; fails if the line is not there. */
function changed(from: string, to: string): string {
  if (!PRODUCT_LIKE.includes(from)) throw new Error(`The schema has no "${from}".`);
  return PRODUCT_LIKE.replace(from, to);
}

function holesIn(sdl: string): string[] {
  return findHoles(rulesFrom(sdl)).map(
    ({ coordinate, standing, path, problem }) => `${coordinate} ${standing} ${path}: ${problem}`,
  );
}

describe('a schema in the manner of the product', () => {
  test('is closed', () => {
    expect(findHoles(productLike)).toEqual([]);
    expect(() => assertClosed(productLike)).not.toThrow();
  });

  test.each<[what: string, from: string, to: string, hole: string]>([
    [
      'a field without a requirement',
      'name: String! @requiresScope(user: [PROFILE_READ])',
      'name: String!',
      'Viewer.name USER query.me.name: it declares no requirement',
    ],
    [
      'a field that is reached at a level it does not name',
      'id: ID! @requiresScope(user: [BOOKING_READ])',
      'id: ID! @requiresScope(team: [TEAM_BOOKING_READ])',
      'Booking.id USER subscription.bookingChanged.id: it names no scopes for USER level',
    ],
    [
      'a root field that enters no level',
      'me: Viewer @requiresScope(access: INHERIT, enters: USER)',
      'me: Viewer @requiresScope(access: INHERIT)',
      'Query.me OUTSIDE query.me: it is a root field and enters no level',
    ],
    [
      'a subscription that enters no level',
      'bookingChanged: Booking @requiresScope(user: [BOOKING_READ], enters: USER)',
      'bookingChanged: Booking @requiresScope(user: [BOOKING_READ])',
      'Subscription.bookingChanged OUTSIDE subscription.bookingChanged: it is a root field and enters no level',
    ],
    [
      'an empty list',
      'name: String! @requiresScope(user: [PROFILE_READ])',
      'name: String! @requiresScope(user: [])',
      'Viewer.name USER query.me.name: its user list is empty',
    ],
    [
      'a list that opens a team to the scope of a user',
      'memberships: [Membership!] @requiresScope(team: [TEAM_MEMBERSHIP_READ],',
      'memberships: [Membership!] @requiresScope(team: [PROFILE_READ],',
      'Team.memberships TEAM query.team.memberships: its team list holds no scope of its level: PROFILE_READ',
    ],
    [
      'a way back from a team to a person',
      'user: User @requiresScope(team: [TEAM_MEMBERSHIP_READ], organization: [ORG_MEMBERSHIP_READ])',
      'user: Viewer @requiresScope(access: INHERIT, enters: USER)',
      'Membership.user USER query.team.memberships.user: it leads from TEAM level back to USER level',
    ],
    [
      'a private field below a public one',
      'id: ID! @requiresScope(access: PUBLIC)',
      'id: ID! @requiresScope(access: INHERIT)',
      'BookingConfirmation.id OUTSIDE mutation.bookingCreate.confirmation.id: it is below a public field and not PUBLIC itself',
    ],
    [
      'a private type below a public field',
      'confirmation: BookingConfirmation @requiresScope(access: PUBLIC)',
      'confirmation: Booking @requiresScope(access: PUBLIC)',
      'Booking.id OUTSIDE mutation.bookingCreate.confirmation.id: it needs scopes, and no field on the way says at which level',
    ],
    [
      'a first-party field below a public one',
      'start: String! @requiresScope(access: PUBLIC)',
      'start: String! @requiresScope(access: FIRST_PARTY)',
      'Slot.start OUTSIDE query.slots.start: it is below a public field and not PUBLIC itself',
    ],
    [
      'a mutation for which READ is enough',
      'eventTypeCreate: EventTypePayload @requiresScope(user: [EVENT_TYPE_WRITE], enters: USER)',
      'eventTypeCreate: EventTypePayload @requiresScope(user: [EVENT_TYPE_READ], enters: USER)',
      'Mutation.eventTypeCreate USER mutation.eventTypeCreate: it is a mutation that requires no WRITE scope',
    ],
    [
      'a mutation that only inherits',
      'teamEventTypeCreate: EventTypePayload @requiresScope(team: [TEAM_EVENT_TYPE_WRITE], enters: TEAM)',
      'teamEventTypeCreate: EventTypePayload @requiresScope(access: INHERIT, enters: TEAM)',
      'Mutation.teamEventTypeCreate TEAM mutation.teamEventTypeCreate: it is a mutation that requires no WRITE scope',
    ],
    [
      'a door to a type without base scopes',
      'type Viewer @requiresScope(user: [PROFILE_READ])',
      'type Viewer',
      'Query.me USER query.me: it is a door to Viewer, which has no base scopes',
    ],
    [
      'a door to a type whose base scopes are for another level',
      'type Viewer @requiresScope(user: [PROFILE_READ])',
      'type Viewer @requiresScope(team: [TEAM_PROFILE_READ])',
      'Query.me USER query.me: it leads to Viewer, whose base scopes name none for this level',
    ],
    [
      'data behind a door that costs nothing',
      'name: String! @requiresScope(user: [PROFILE_READ])',
      'name: String! @requiresScope(access: INHERIT)',
      'Viewer.name USER query.me.name: it inherits, but nothing on the way to it requires anything of its own',
    ],
    [
      'a list behind a door that costs nothing',
      'bookings: BookingConnection @requiresScope(user: [BOOKING_READ])',
      'bookings: BookingConnection @requiresScope(access: INHERIT)',
      'Viewer.bookings USER query.me.bookings: it inherits, but nothing on the way to it requires anything of its own, and BookingConnection has no base scopes',
    ],
  ])('has a hole with %s', (_, from, to, hole) => {
    expect(holesIn(changed(from, to))).toContainEqual(expect.stringContaining(hole));
  });
});

const list = (requires: string, base = '') => `
    type Query { team: Team @requiresScope(access: INHERIT, enters: TEAM) }
    type Team @requiresScope(team: [TEAM_PROFILE_READ]) {
      slug: String @requiresScope(team: [TEAM_PROFILE_READ])
      forms: FormConnection ${requires}
    }
    type FormConnection ${base} { totalCount: Int @requiresScope(access: INHERIT) nodes: [Form] @requiresScope(access: INHERIT) }
    type Form @requiresScope(team: [TEAM_ROUTING_FORM_READ]) { name: String @requiresScope(team: [TEAM_ROUTING_FORM_READ]) }`;

describe('the price that a field inherits', () => {
  test('is what a field on the way requires', () => {
    expect(holesIn(list('@requiresScope(team: [TEAM_ROUTING_FORM_READ])'))).toEqual([]);
  });

  test('or is the base scopes of a wrapper that has no data of its own', () => {
    expect(holesIn(list('@requiresScope(access: INHERIT)', '@requiresScope(team: [TEAM_ROUTING_FORM_READ])'))).toEqual(
      [],
    );
    expect(holesIn(list('@requiresScope(access: INHERIT)'))).not.toEqual([]);
  });

  test('and never stops at a type that is judged by itself again', () => {
    const rules = `
      type Query { list: Booking @requiresScope(user: [BOOKING_READ], enters: USER) }
      type Booking @requiresScope(user: [BOOKING_READ]) {
        location: Location @requiresScope(user: [BOOKING_READ])
        other: Booking @requiresScope(access: INHERIT)
        id: ID @requiresScope(user: [BOOKING_READ])
      }
      type Location { address: String @requiresScope(access: INHERIT) }`;
    expect(holesIn(rules)).toEqual([]);
    expect(
      holesIn(
        rules.replace(
          'location: Location @requiresScope(user: [BOOKING_READ])',
          'location: Location @requiresScope(access: INHERIT)',
        ),
      ),
    ).toContainEqual(expect.stringContaining('Booking.location USER query.list.other.location: it inherits'));
  });
});

describe('the base scopes of a wrapper', () => {
  const TEAMS = `
    type Query { me: Viewer @requiresScope(access: INHERIT, enters: USER) }
    type Viewer @requiresScope(user: [PROFILE_READ]) { teams: TeamConnection @requiresScope(access: INHERIT) }
    type TeamConnection @requiresScope(user: [BOOKING_READ]) {
      secret: Int @requiresScope(access: INHERIT)
      nodes: [Item] @requiresScope(access: INHERIT)
    }
    type Item { name: String @requiresScope(user: [SCHEDULE_READ]) }`;
  const HOLE =
    'it inherits the base scopes of TeamConnection, which are not owed when Item.name is selected beside it, for less';

  test('are not owed when other data is selected beside what inherits: so that must cost as much', () => {
    expect(requiredBy(rulesFrom(TEAMS), '{ me { teams { secret } } }')).toEqual(['BOOKING_READ', 'PROFILE_READ']);
    expect(requiredBy(rulesFrom(TEAMS), '{ me { teams { secret nodes { name } } } }')).toEqual(['SCHEDULE_READ']);
    expect(holesIn(TEAMS)).toEqual([`TeamConnection.secret USER query.me.teams.secret: ${HOLE}`]);
    expect(() => assertClosed(rulesFrom(TEAMS))).toThrow(HOLE);
  });

  test.each<[what: string, from: string, to: string]>([
    ['the same', 'user: [SCHEDULE_READ]', 'user: [BOOKING_READ]'],
    ['more', 'user: [SCHEDULE_READ]', 'user: [SCHEDULE_READ, BOOKING_READ]'],
    ['a session, which holds everything', 'user: [SCHEDULE_READ]', 'access: FIRST_PARTY'],
    ['nothing, and is public', 'user: [SCHEDULE_READ]', 'access: PUBLIC'],
    ['less, but nothing inherits beside it', 'secret: Int @requiresScope(access: INHERIT)', ''],
  ])('are enough where that costs %s', (_, from, to) => {
    expect(TEAMS).toContain(from);
    expect(holesIn(TEAMS.replace(from, to))).toEqual([]);
  });

  test.each<[where: string, sdl: string, holes: readonly string[]]>([
    [
      'deeper in it, behind fields that cost nothing, in lists',
      TEAMS.replace('nodes: [Item]', 'edges: [[Edge!]!]!').concat(
        'type Edge { node: Item @requiresScope(access: INHERIT) }',
      ),
      ['query.me.teams.secret'],
    ],
    [
      'and the leaf deeper in it than the data',
      TEAMS.replace('secret: Int', 'pageInfo: PageInfo').concat(
        'type PageInfo { secret: Int @requiresScope(access: INHERIT) }',
      ),
      ['query.me.teams.pageInfo.secret'],
    ],
    [
      'in a wrapper inside, whose own base scopes it costs',
      TEAMS.replace('nodes: [Item]', 'inner: Inner').concat(`
        type Inner @requiresScope(user: [SCHEDULE_READ]) {
          count: Int @requiresScope(access: INHERIT) node: Item @requiresScope(access: INHERIT)
        }`),
      ['query.me.teams.secret'],
    ],
    [
      'behind a field that costs nothing, on a type that is judged by itself',
      TEAMS.replace('type Item {', 'type Item @requiresScope(user: [BOOKING_READ]) {'),
      ['query.me.teams.secret'],
    ],
    [
      'on one of the types of an interface',
      TEAMS.replace('nodes: [Item]', 'nodes: [Named]')
        .replace('type Item', 'interface Named { name: String } type Item implements Named')
        .concat(`
        type Other implements Named { name: String @requiresScope(user: [BOOKING_READ]) }`),
      ['query.me.teams.secret'],
    ],
    [
      'on one of the types of a union, wherever the leaf is',
      TEAMS.replace('secret: Int', 'found: Found').concat(`
        union Found = A | B
        type A { secret: Int @requiresScope(access: INHERIT) }
        type B { secret: Int @requiresScope(access: INHERIT) other: Int @requiresScope(user: [BOOKING_READ]) }`),
      ['query.me.teams.found.secret', 'query.me.teams.found.secret'],
    ],
    [
      'below a door in it, at another level',
      TEAMS.replace(
        'nodes: [Item] @requiresScope(access: INHERIT)',
        'team: Item @requiresScope(access: INHERIT, enters: TEAM)',
      ).replace(
        'type Item { name: String @requiresScope(user: [SCHEDULE_READ])',
        'type Item @requiresScope(team: [TEAM_BOOKING_READ]) { name: String @requiresScope(team: [TEAM_BOOKING_READ])',
      ),
      ['query.me.teams.secret'],
    ],
    [
      'in a wrapper that is itself what may be found behind a door',
      TEAMS.replace('me: Viewer', 'me: Any').concat('union Any = TeamConnection | Viewer'),
      ['query.me.secret'],
    ],
  ])('do not pay when cheaper data is %s', (_, sdl, paths) => {
    expect(holesIn(sdl)).toEqual(
      paths.map((path) => expect.stringContaining(` ${path}: it inherits the base scopes of `)),
    );
  });

  test('are looked at for each level, and an organization’s scope is as good as the team’s that it implies', () => {
    const sdl = `
      type Query {
        team: Forms @requiresScope(access: INHERIT, enters: TEAM)
        organization: Forms @requiresScope(access: INHERIT, enters: ORGANIZATION)
      }
      type Forms @requiresScope(team: [TEAM_BOOKING_READ], organization: [ORG_BOOKING_READ]) {
        count: Int @requiresScope(access: INHERIT)
        nodes: [Form] @requiresScope(access: INHERIT)
      }
      type Form { name: String @requiresScope(team: [ORG_BOOKING_READ], organization: [ORG_BOOKING_READ]) }`;
    expect(holesIn(sdl)).toEqual([]);
    expect(holesIn(sdl.replace('organization: [ORG_BOOKING_READ]) }', 'organization: [ORG_SCHEDULE_READ]) }'))).toEqual(
      [
        expect.stringContaining(
          'Forms.count ORGANIZATION query.organization.count: it inherits the base scopes of Forms',
        ),
      ],
    );
    // Implied one way only.
    const reversed = sdl.replaceAll('team: [TEAM_BOOKING_READ], o', 'team: [ORG_BOOKING_READ], o');
    expect(
      holesIn(
        reversed.replace(
          'team: [ORG_BOOKING_READ], organization: [ORG_BOOKING_READ]) }',
          'team: [TEAM_BOOKING_READ], organization: [ORG_BOOKING_READ]) }',
        ),
      ),
    ).toEqual([expect.stringContaining('Forms.count TEAM query.team.count: it inherits the base scopes of Forms')]);
  });
});

describe('the proof', () => {
  test('covers every object type that may stand for an interface or in a union', () => {
    const sdl = `
      type Query { any: Node @requiresScope(user: [PROFILE_READ], enters: USER) either: Either @requiresScope(user: [PROFILE_READ], enters: USER) }
      interface Node { id: ID }
      union Either = C
      type A implements Node { id: ID @requiresScope(user: [PROFILE_READ]) }
      type B implements Node { id: ID }
      type C { id: ID }`;
    expect(holesIn(sdl)).toEqual([
      expect.stringContaining('B.id USER query.any.id: it declares no requirement'),
      expect.stringContaining('C.id USER query.either.id: it declares no requirement'),
    ]);
  });

  test('does not ask interfaces for requirements, nor types that no operation reaches', () => {
    expect(holesIn(`${PRODUCT_LIKE} interface Unused { id: ID } type Island { id: ID }`)).toEqual([]);
  });

  test('covers each level, in a schema whose levels lead round in circles', () => {
    const sdl = `
      type Query { team: Team @requiresScope(team: [TEAM_PROFILE_READ], enters: TEAM) }
      type Team { organization: Organization @requiresScope(organization: [ORG_PROFILE_READ], enters: ORGANIZATION) slug: String @requiresScope(team: [TEAM_PROFILE_READ]) }
      type Organization { lead: Team @requiresScope(organization: [ORG_PROFILE_READ]) team: Team @requiresScope(team: [TEAM_PROFILE_READ], enters: TEAM) }`;
    expect(holesIn(sdl)).toEqual([
      'Team.slug ORGANIZATION query.team.organization.lead.slug: it names no scopes for ORGANIZATION level',
    ]);
  });

  test('does not trust base scopes that cannot be enforced', () => {
    const schema = aSchema(PRODUCT_LIKE);
    Object.assign(schema.getType('Viewer')?.extensions ?? {}, { [BASE_SCOPES]: { user: ['NOPE'] } });
    expect(findHoles(rulesOf(schema)).map(({ problem }) => problem)).toEqual([
      'it leads to Viewer, but its user list names "NOPE", which is no scope',
    ]);
  });

  test('names every hole in the error that stops the process', () => {
    const schema = aSchema(PRODUCT_LIKE);
    for (const name of ['me', 'team']) {
      Reflect.deleteProperty(schema.getQueryType()?.getFields()[name]?.extensions ?? {}, REQUIREMENT);
    }
    expect(() => assertClosed(rulesOf(schema))).toThrow(
      /2 of its fields[^]*Query\.me, reached outside of any level by query\.me[^]*Query\.team/,
    );
  });
});
