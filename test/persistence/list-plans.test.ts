import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PageRequest, pageRequest } from '../../src/core/page.ts';
import type { Entity } from '../../src/database/columns.ts';
import { Selection } from '../../src/database/selection.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { findAuditEvents } from '../../src/events/audit-event.queries.ts';
import { findSessions } from '../../src/modules/accounts/sign-in/session.queries.ts';
import { EventType } from '../../src/modules/event-types/event-type.entity.ts';
import { EVENT_TYPES } from '../../src/modules/event-types/event-type.queries.ts';
import { childEventTypePages } from '../../src/modules/event-types/managed/child-event-type.queries.ts';
import { PrivateLink } from '../../src/modules/event-types/private-links/private-link.entity.ts';
import { privateLinkPages } from '../../src/modules/event-types/private-links/private-link.queries.ts';
import { listPublicEventTypes } from '../../src/modules/event-types/public/public-event-type.queries.ts';
import { type OwnedTable, ownedPages } from '../../src/modules/levels/owned.queries.ts';
import { type LevelName, REACH } from '../../src/modules/levels/reach.ts';
import { ORGANIZATION } from '../../src/modules/organizations/group.ts';
import { listInvitations } from '../../src/modules/organizations/invitation.queries.ts';
import { membershipPages } from '../../src/modules/organizations/membership.queries.ts';
import { Organization } from '../../src/modules/organizations/organization.entity.ts';
import { listOrganizations } from '../../src/modules/organizations/organization.queries.ts';
import { OUT_OF_OFFICE } from '../../src/modules/schedules/out-of-office.queries.ts';
import { SCHEDULES } from '../../src/modules/schedules/schedule.queries.ts';
import { Team } from '../../src/modules/teams/team.entity.ts';
import { listTeams, teamPages } from '../../src/modules/teams/team.queries.ts';
import { TEAM } from '../../src/modules/teams/team-role.ts';
import { findFailedRequests } from '../../src/oauth/clients/failed-request.queries.ts';
import { findClientsToReview, findOwnClients } from '../../src/oauth/clients/oauth-client.queries.ts';
import { findAuthorizedApps } from '../../src/oauth/grants/authorized-app.queries.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { costOf, PLAN_MODES } from '../support/plans.ts';
import { fillLists, type ManyRows } from './many-rows.ts';

/** A page of what belongs to people, with all its columns. */
function owned<E extends Entity>(
  em: Em,
  table: OwnedTable<E>,
  level: LevelName,
  parentId: string,
  actorId: string,
  page: PageRequest,
) {
  const whole = Selection.whole(table.entity);
  const group = { user: undefined, team: TEAM, organization: ORGANIZATION }[level];
  return ownedPages(
    em,
    table,
    { reach: REACH[level][table.owner === 'ownerId' ? 'OWNER' : 'PERSON'], group, actorId },
    [parentId],
    page,
    whole,
  );
}

const LINKS = Selection.whole(PrivateLink);
const TEAMS = Selection.whole(Team);
const ORGANIZATIONS = Selection.whole(Organization);

const ROWS = 10_000;
/** Pages of 8 kB that a page of 25 rows may look at. */
const MOST_BUFFERS = 500;
const MOST_ROWS = 100;
/** A page of each of so many. */
const MOST_SORTED = 1_000;

/** Members and teams that have nothing to list are passed over, each by one look into an index. */
const MOST_OF_ALL = 5 * ROWS;

type List = (em: Em, many: ManyRows, page: PageRequest) => Promise<unknown>;

interface Connection {
  readonly mostBuffers?: number;
  readonly lists: readonly List[];
}

/** Each connection of the schema. */
const LISTS: Readonly<Record<string, Connection>> = {
  'EventType.children': {
    lists: [(em, { teamId, managedId }, page) => childEventTypePages(em, [{ ownerId: teamId, id: managedId }], page)],
  },
  'EventType.privateLinks': {
    lists: [
      (em, { userId, eventTypeId }, page) =>
        privateLinkPages(em, userId, [{ ownerId: userId, id: eventTypeId }], page, LINKS),
    ],
  },
  'OAuthClient.failedRequests': {
    lists: [(em, { clientId }, page) => findFailedRequests(em, clientId, page)],
  },
  'Organization.eventTypes': {
    mostBuffers: MOST_OF_ALL,
    lists: [
      (em, { organizationId, userId }, page) => owned(em, EVENT_TYPES, 'organization', organizationId, userId, page),
    ],
  },
  'Organization.memberships': {
    lists: [(em, many, page) => membershipPages(em, ORGANIZATION, 'MEMBERSHIPS', [many.organizationId], page)],
  },
  'Organization.outOfOffice': {
    mostBuffers: MOST_OF_ALL,
    lists: [(em, many, page) => owned(em, OUT_OF_OFFICE, 'organization', many.organizationId, many.userId, page)],
  },
  'Organization.schedules': {
    mostBuffers: MOST_OF_ALL,
    lists: [(em, many, page) => owned(em, SCHEDULES, 'organization', many.organizationId, many.userId, page)],
  },
  'Organization.teams': {
    lists: [
      (em, { userId, organizationId }, page) => teamPages(em, userId, [organizationId], page, TEAMS),
      (em, { memberId, organizationId }, page) => teamPages(em, memberId, [organizationId], page, TEAMS),
    ],
  },
  'Organization.users': {
    lists: [(em, many, page) => membershipPages(em, ORGANIZATION, 'USERS', [many.organizationId], page)],
  },
  'Query.auditEvents': {
    lists: [
      (em, { userId }, page) => findAuditEvents(em, userId, {}, page),
      (em, { quietUserId }, page) => findAuditEvents(em, quietUserId, {}, page),
      (em, { administratorId }, page) => findAuditEvents(em, administratorId, {}, page),
      (em, many, page) => findAuditEvents(em, many.administratorId, { userId: many.quietUserId }, page),
      (em, many, page) => findAuditEvents(em, many.administratorId, { clientId: many.clientId }, page),
      (em, many, page) => findAuditEvents(em, many.quietUserId, { clientId: many.clientId }, page),
    ],
  },
  'Query.oauthClientReviewQueue': {
    lists: [(em, { administratorId }, page) => findClientsToReview(em, administratorId, page)],
  },
  'Query.publicEventTypes': {
    lists: [(em, { userId }, page) => listPublicEventTypes(em, { username: userId }, page, Selection.whole(EventType))],
  },
  'Team.eventTypes': {
    lists: [(em, { teamId, userId }, page) => owned(em, EVENT_TYPES, 'team', teamId, userId, page)],
  },
  'Team.memberships': { lists: [(em, { teamId }, page) => membershipPages(em, TEAM, 'MEMBERSHIPS', [teamId], page)] },
  'Team.outOfOffice': {
    mostBuffers: MOST_OF_ALL,
    lists: [(em, { teamId, userId }, page) => owned(em, OUT_OF_OFFICE, 'team', teamId, userId, page)],
  },
  'Team.schedules': {
    mostBuffers: MOST_OF_ALL,
    lists: [(em, { teamId, userId }, page) => owned(em, SCHEDULES, 'team', teamId, userId, page)],
  },
  'Viewer.authorizedApps': { lists: [(em, { userId }, page) => findAuthorizedApps(em, userId, page)] },
  'Viewer.eventTypes': { lists: [(em, { userId }, page) => owned(em, EVENT_TYPES, 'user', userId, userId, page)] },
  'Viewer.oauthClients': { lists: [(em, { userId }, page) => findOwnClients(em, userId, page)] },
  'Viewer.organizationInvitations': {
    lists: [(em, { userId }, page) => listInvitations(em, ORGANIZATION, userId, page)],
  },
  'Viewer.organizations': { lists: [(em, { userId }, page) => listOrganizations(em, userId, page, ORGANIZATIONS)] },
  'Viewer.outOfOffice': { lists: [(em, { userId }, page) => owned(em, OUT_OF_OFFICE, 'user', userId, userId, page)] },
  'Viewer.schedules': { lists: [(em, { userId }, page) => owned(em, SCHEDULES, 'user', userId, userId, page)] },
  'Viewer.sessions': { lists: [(em, { userId }, page) => findSessions(em, userId, page)] },
  'Viewer.teamInvitations': { lists: [(em, { userId }, page) => listInvitations(em, TEAM, userId, page)] },
  'Viewer.teams': { lists: [(em, { userId }, page) => listTeams(em, userId, page, TEAMS)] },
};

/** Its filters and orders have a test of their own. */
const ELSEWHERE = ['Viewer.bookings'];

test('every connection of the schema is here', async () => {
  const schema = await readFile('schema/first-party.graphql', 'utf8');
  const types = schema.matchAll(/^type (\w+)[^{]*\{\n(.*?)^\}/gms);
  const found = [...types].flatMap(([, type, fields = '']) =>
    [...fields.matchAll(/^ {2}(\w+)\((?:(?!^ {2}\w).)*?^ {2}\): \w+Connection\b/gms)].map(
      ([, name]) => `${type}.${name}`,
    ),
  );
  expect(found.toSorted()).toEqual([...Object.keys(LISTS), ...ELSEWHERE].toSorted());
});

// The planner of the embedded database is the same, but filling it takes long.
describe.runIf(isOnPostgres)(`with ${ROWS} rows in each table, a page costs as much as a page:`, () => {
  let database: TestDatabase;
  let many: ManyRows;

  beforeAll(async () => {
    database = await openTestDatabase();
    const em = database.em.fork();
    many = await em.transactional((inner) => fillLists(inner, ROWS));
    await rows(em, sql`vacuum analyze`);
  }, 120_000);
  afterAll(() => database?.close());

  test.each(Object.entries(LISTS))('%s', async (_, { mostBuffers = MOST_BUFFERS, lists }) => {
    const tooMuch: string[] = [];
    const mostRows = mostBuffers === MOST_OF_ALL ? MOST_OF_ALL : MOST_ROWS;
    for (const [index, list] of lists.entries()) {
      for (const page of [{ first: 25 }, { last: 25 }]) {
        for (const mode of PLAN_MODES) {
          const ask = (em: Em) => list(em, many, pageRequest(page));
          const { whole, buffers, removed, sorted, indexes } = await costOf(database.em, mode, ask);
          if (whole.length === 0 && buffers < mostBuffers && removed < mostRows && sorted < MOST_SORTED) continue;
          const what = `list ${index}, ${JSON.stringify(page)}, ${mode}`;
          tooMuch.push(
            `${what}: ${buffers} pages, ${removed} rows, ${sorted} sorted; ${indexes.join()}; ${whole.join()}`,
          );
        }
      }
    }
    expect(tooMuch).toEqual([]);
  });
});
