import { describe, expect, test } from 'vitest';
import { productLike } from './support/product-like.ts';
import { requiredBy, rulesFrom } from './support/schema.ts';

const requires = (source: string, operationName?: string) => requiredBy(productLike, source, operationName);

describe('a path is judged at the level of the last door it passed', () => {
  test('at user level below `me`', () => {
    expect(requires('{ me { eventTypes { nodes { title } } } }')).toEqual(['EVENT_TYPE_READ']);
  });

  test('at team level below `team`, `organization.team` and `me.teams`', () => {
    expect(requires('{ team(id: 1) { eventTypes { nodes { title } } } }')).toEqual(['TEAM_EVENT_TYPE_READ']);
    expect(requires('{ organization(id: 1) { team(id: 2) { eventTypes { nodes { title } } } } }')).toEqual([
      'TEAM_EVENT_TYPE_READ',
    ]);
    expect(requires('{ me { teams { nodes { eventTypes { nodes { title } } } } } }')).toEqual([
      'TEAM_EVENT_TYPE_READ',
      'TEAM_PROFILE_READ',
    ]);
  });

  test('at organization level below `organization`, also for the teams it lists', () => {
    expect(requires('{ organization(id: 1) { eventTypes { nodes { title } } } }')).toEqual(['ORG_EVENT_TYPE_READ']);
    expect(requires('{ organization(id: 1) { teams { nodes { eventTypes { nodes { title } } } } } }')).toEqual([
      'ORG_EVENT_TYPE_READ',
      'ORG_PROFILE_READ',
    ]);
  });

  test('a field that enters a level is itself judged at it', () => {
    expect(requires('mutation { teamEventTypeCreate { eventTypeId } }')).toEqual(['TEAM_EVENT_TYPE_WRITE']);
  });

  test('one fragment below two doors is judged at both levels', () => {
    const source = `{ me { eventTypes { nodes { ...F } } } team(id: 1) { eventTypes { nodes { ...F } } } }
      fragment F on EventType { id }`;
    expect(requires(source)).toEqual(['EVENT_TYPE_READ', 'TEAM_EVENT_TYPE_READ']);
  });

  test('one fragment below three doors is judged at three levels', () => {
    const source = `{
        me { eventTypes { ...F } }
        team(id: 1) { eventTypes { ...F } }
        organization(id: 1) { eventTypes { ...F } }
      }
      fragment F on EventTypeConnection { nodes { id } }`;
    expect(requires(source)).toEqual(['EVENT_TYPE_READ', 'TEAM_EVENT_TYPE_READ', 'ORG_EVENT_TYPE_READ']);
  });

  test('one fragment on one type is judged at both, where nothing but the level tells them apart', () => {
    const rules = rulesFrom(`
      type Query {
        team: Team @requiresScope(access: INHERIT, enters: TEAM)
        lead: Team @requiresScope(access: INHERIT, enters: ORGANIZATION)
      }
      type Team { slug: String @requiresScope(team: [TEAM_PROFILE_READ], organization: [ORG_PROFILE_READ]) }`);
    expect(requiredBy(rules, '{ team { ...F } lead { ...F } } fragment F on Team { slug }')).toEqual([
      'TEAM_PROFILE_READ',
      'ORG_PROFILE_READ',
    ]);
  });

  test('and nobody may select a field that lists nothing for the level', () => {
    const rules = rulesFrom(`
      type Query { team: Team @requiresScope(access: INHERIT, enters: TEAM) }
      type Team @requiresScope(team: [TEAM_PROFILE_READ]) {
        ours: Int @requiresScope(team: [TEAM_PROFILE_READ])
        mine: Int @requiresScope(user: [PROFILE_READ])
      }`);
    expect(requiredBy(rules, '{ team { ours } }')).toEqual(['TEAM_PROFILE_READ']);
    expect(requiredBy(rules, '{ team { ours mine } }')).toEqual(['TEAM_PROFILE_READ', 'NOBODY']);
  });

  test('nobody may come back to a person from a team, even by a field that claims to lead there', () => {
    const rules = rulesFrom(`
      type Query {
        me: Viewer @requiresScope(access: INHERIT, enters: USER)
        team: Team @requiresScope(access: INHERIT, enters: TEAM)
      }
      type Viewer @requiresScope(user: [PROFILE_READ]) {
        email: String @requiresScope(user: [PROFILE_READ])
        self: Viewer @requiresScope(user: [PROFILE_READ], enters: USER)
      }
      type Team @requiresScope(team: [TEAM_PROFILE_READ]) {
        owner: Viewer @requiresScope(user: [PROFILE_READ], enters: USER)
        door: Viewer @requiresScope(access: INHERIT, enters: USER)
      }`);
    expect(requiredBy(rules, '{ me { self { email } } }')).toEqual(['PROFILE_READ']);
    expect(requiredBy(rules, '{ team { owner { email } } }')).toContain('NOBODY');
    expect(requiredBy(rules, '{ team { door { email } } }')).toContain('NOBODY');
  });
});
