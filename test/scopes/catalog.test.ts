import { describe, expect, test } from 'vitest';
import { CATALOG, describeScope, isScope, SCOPES, type Scope, scopesAtLevel } from '../../src/scopes/catalog.ts';
import { createCatalog, type ScopeRow, scopeNamesIn, scopeSetOf } from '../../src/scopes/create-catalog.ts';
import { MAX_SCOPES } from '../../src/scopes/scope-set.ts';

/** The tables of the specification, as it prints them. */
const SPECIFIED = `
| EVENT_TYPE_READ | View event types: listing and viewing event types and their private links. |
| EVENT_TYPE_WRITE | Create, update, delete event types; manage private links. |
| BOOKING_READ | List bookings; view recordings, transcripts, calendar links, references. |
| BOOKING_WRITE | Add guests, update locations, confirm, decline, reassign bookings. |
| SCHEDULE_READ | List and view schedules (availability). |
| SCHEDULE_WRITE | Create, update, delete schedules. |
| APPS_READ | List connected calendars, check busy times, check ICS feeds, verify calendar connections. |
| APPS_WRITE | Save ICS feeds, connect calendars via OAuth, save Apple calendar credentials, disconnect calendars. |
| PROFILE_READ | View the authorized user's profile. |
| PROFILE_WRITE | Update the authorized user's profile. |
| WEBHOOK_READ | List and view webhooks. |
| WEBHOOK_WRITE | Create, update, delete webhooks. |
| VERIFIED_RESOURCES_READ | List verified email addresses and phone numbers. |
| VERIFIED_RESOURCES_WRITE | Request verification codes; verify email addresses and phone numbers. |
| TEAM_EVENT_TYPE_READ | View team event types |
| TEAM_EVENT_TYPE_WRITE | Create, edit, delete team event types |
| TEAM_BOOKING_READ | View team bookings |
| TEAM_BOOKING_WRITE | Create, edit, delete team bookings |
| TEAM_SCHEDULE_READ | View team schedules |
| TEAM_SCHEDULE_WRITE | Create, edit, delete team schedules |
| TEAM_PROFILE_READ | View team profiles |
| TEAM_PROFILE_WRITE | Create, edit, delete teams |
| TEAM_MEMBERSHIP_READ | View team memberships |
| TEAM_MEMBERSHIP_WRITE | Create, edit, delete team memberships |
| TEAM_APPS_READ | View team connected apps |
| TEAM_APPS_WRITE | Connect and disconnect team apps |
| TEAM_ROUTING_FORM_READ | View team routing forms |
| TEAM_ROUTING_FORM_WRITE | Create, edit, delete team routing form responses |
| TEAM_WORKFLOW_READ | View team workflows |
| TEAM_WORKFLOW_WRITE | Create, edit, delete team workflows |
| TEAM_VERIFIED_RESOURCES_READ | View team verified emails and phone numbers |
| TEAM_VERIFIED_RESOURCES_WRITE | Verify emails and phone numbers for teams |
| ORG_EVENT_TYPE_READ | View all event types across the organization |
| ORG_EVENT_TYPE_WRITE | Create, edit, delete event types across the organization |
| ORG_BOOKING_READ | View all bookings across the organization |
| ORG_BOOKING_WRITE | Create, edit, delete bookings across the organization |
| ORG_SCHEDULE_READ | View schedules across the organization |
| ORG_SCHEDULE_WRITE | Create, edit, delete schedules across the organization |
| ORG_PROFILE_READ | View organization teams |
| ORG_PROFILE_WRITE | Create, edit, delete organization teams |
| ORG_MEMBERSHIP_READ | View organization memberships and users |
| ORG_MEMBERSHIP_WRITE | Create, edit, delete organization memberships and users |
| ORG_ROUTING_FORM_READ | View organization routing forms |
| ORG_ROUTING_FORM_WRITE | Create, edit, delete organization routing form responses |
| ORG_WEBHOOK_READ | View organization webhooks |
| ORG_WEBHOOK_WRITE | Create, edit, delete organization webhooks |`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', words = '']) => ({ name, words: words.replace(/\.$/, '') }));

describe('the catalogue', () => {
  test('is the table of the specification: 46 names in its order, in its words', () => {
    expect(CATALOG.definitions.map(({ name, words }) => ({ name, words }))).toEqual(SPECIFIED);
    expect(SCOPES).toHaveLength(46);
  });

  test('says of each scope what its name says', () => {
    const prefixes = { USER: '', TEAM: 'TEAM_', ORGANIZATION: 'ORG_' };
    for (const { name, level, resource, action } of CATALOG.definitions) {
      expect(name).toBe(`${prefixes[level]}${resource}_${action}`);
    }
  });

  test('groups 14 scopes of users, 18 of teams and 14 of organizations', () => {
    expect(scopesAtLevel('USER')).toHaveLength(14);
    expect(scopesAtLevel('TEAM').every((name) => name.startsWith('TEAM_'))).toBe(true);
    expect(scopesAtLevel('TEAM')).toHaveLength(18);
    expect(scopesAtLevel('ORGANIZATION')).toHaveLength(14);
  });

  test('has exactly the 12 implications ORG_X to TEAM_X whose team scope exists', () => {
    const resources = ['EVENT_TYPE', 'BOOKING', 'SCHEDULE', 'PROFILE', 'MEMBERSHIP', 'ROUTING_FORM'];
    const expected = resources.flatMap((resource) =>
      ['READ', 'WRITE'].map((action) => ({
        scope: `ORG_${resource}_${action}`,
        implies: `TEAM_${resource}_${action}`,
      })),
    );
    expect(CATALOG.implications).toEqual(expected);
  });

  test('knows a scope by its exact name only', () => {
    const strangers = ['booking_read', ' BOOKING_READ', 'BOOKING_READ\0', 'BOOKING', '', 'constructor', '__proto__'];
    expect([...strangers, 'BOOKING_READ'].filter(isScope)).toEqual(['BOOKING_READ']);
  });

  test('describes a scope in words, and does not invent words for a name it does not know', () => {
    expect(describeScope('TEAM_WORKFLOW_READ')).toMatchObject({ level: 'TEAM', words: 'View team workflows' });
    expect(() => describeScope('TEAM_WORKFLOW' as Scope)).toThrow('"TEAM_WORKFLOW" is not a scope');
  });
});

const rows = (count: number) =>
  Array.from({ length: count }, (_, index): ScopeRow => [`R${index}_READ`, 'USER', `R${index}`, 'READ', 'Read']);

describe('another catalogue', () => {
  test(`may have up to ${MAX_SCOPES} scopes, each with a bit of its own`, () => {
    const catalog = createCatalog(rows(MAX_SCOPES));
    for (const name of catalog.names) expect(scopeNamesIn(scopeSetOf([name], catalog), catalog)).toEqual([name]);
    expect(scopeNamesIn(catalog.all, catalog)).toHaveLength(MAX_SCOPES);
    expect(() => createCatalog(rows(MAX_SCOPES + 1))).toThrow('at most 62 scopes');
  });

  test('derives its implications, and an organization scope without a team twin implies nothing', () => {
    const catalog = createCatalog([
      ['ORG_DOC_READ', 'ORGANIZATION', 'DOC', 'READ', 'Read'],
      ['ORG_DOC_WRITE', 'ORGANIZATION', 'DOC', 'WRITE', 'Write'],
      ['TEAM_DOC_READ', 'TEAM', 'DOC', 'READ', 'Read'],
    ]);
    expect(catalog.implications).toEqual([{ scope: 'ORG_DOC_READ', implies: 'TEAM_DOC_READ' }]);
  });

  test.each(['doc_read', 'DOC READ', 'DOC"READ', 'DOC\r\nREAD', '1DOC', '__proto__', ''])(
    'cannot name a scope %j',
    (name) => {
      expect(() => createCatalog([[name, 'USER', 'DOC', 'READ', 'Read']])).toThrow('cannot name a scope');
    },
  );

  test('cannot have one scope twice, by name or by meaning', () => {
    const read: ScopeRow = ['DOC_READ', 'USER', 'DOC', 'READ', 'Read'];
    expect(() => createCatalog([read, ['DOC_READ', 'TEAM', 'DOC', 'READ', 'Read']])).toThrow(
      '"DOC_READ" appears twice',
    );
    expect(() => createCatalog([read, ['DOC_VIEW', 'USER', 'DOC', 'READ', 'Read']])).toThrow(
      '"USER DOC READ" appears twice',
    );
  });

  test('has no bits for a name it lacks', () => {
    expect(() => scopeSetOf(['NOPE_READ'], CATALOG)).toThrow('"NOPE_READ" is not a scope of this catalogue');
  });
});
