import { describe, expect, expectTypeOf, test } from 'vitest';
import { entering, FIRST_PARTY, INHERIT, reads, writes } from '../../src/scopes/declare.ts';
import type { Requirement } from '../../src/scopes/requirement.ts';

describe('a requirement names', () => {
  test('the scope of its resource at every level that has one', () => {
    expect(reads('BOOKING')).toEqual({
      user: ['BOOKING_READ'],
      team: ['TEAM_BOOKING_READ'],
      organization: ['ORG_BOOKING_READ'],
    });
    expect(writes('WEBHOOK')).toEqual({ user: ['WEBHOOK_WRITE'], organization: ['ORG_WEBHOOK_WRITE'] });
    expect(reads('WORKFLOW')).toEqual({ team: ['TEAM_WORKFLOW_READ'] });
  });

  test('only the levels asked for', () => {
    expect(reads('WEBHOOK', ['USER'])).toEqual({ user: ['WEBHOOK_READ'] });
    expect(writes('PROFILE', ['TEAM', 'ORGANIZATION'])).toEqual({
      team: ['TEAM_PROFILE_WRITE'],
      organization: ['ORG_PROFILE_WRITE'],
    });
  });

  test('only the level it enters', () => {
    expect(entering('TEAM', writes('EVENT_TYPE'))).toEqual({ team: ['TEAM_EVENT_TYPE_WRITE'], enters: 'TEAM' });
    expect(entering('USER', INHERIT)).toEqual({ access: 'INHERIT', enters: 'USER' });
    expect(entering('ORGANIZATION', FIRST_PARTY)).toEqual({ access: 'FIRST_PARTY', enters: 'ORGANIZATION' });
  });
});

/** Never called: that it compiles, with each line an error that is expected, is the test. */
const mistakes = () => {
  // @ts-expect-error there is no such resource
  reads('BOOKINGS');
  // @ts-expect-error workflows are a team's
  reads('WORKFLOW', ['USER']);
  // @ts-expect-error no level at all
  reads('BOOKING', []);
  // @ts-expect-error an empty list is not "open"
  const open: Requirement = { user: [] };
  // @ts-expect-error there is no such scope
  const unknown: Requirement = { user: ['BOOKINGS_READ'] };
  // @ts-expect-error public and scoped at once
  const both: Requirement = { access: 'PUBLIC', user: ['BOOKING_READ'] };
  return [open, unknown, both];
};

test('a mistake does not compile', () => {
  expectTypeOf(reads('BOOKING', ['TEAM'])).toEqualTypeOf<{ readonly team: readonly ['TEAM_BOOKING_READ'] }>();
  expectTypeOf(reads('BOOKING')).toExtend<Requirement>();
  expect(mistakes).toBeTypeOf('function');
  // @ts-expect-error nothing is listed for that level
  expect(() => entering('USER', reads('WORKFLOW'))).toThrow('lists no scopes for USER');
});
