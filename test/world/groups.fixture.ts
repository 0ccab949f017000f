import { Selection } from '../../src/database/columns.ts';
import { sql } from '../../src/database/sql.ts';
import { listPublicTeams } from '../../src/modules/event-types/public/public-event-type.queries.ts';
import { Organization } from '../../src/modules/organizations/organization.entity.ts';
import { listOrganizations } from '../../src/modules/organizations/organization.queries.ts';
import { Team } from '../../src/modules/teams/team.entity.ts';
import { listTeams, teamPages } from '../../src/modules/teams/team.queries.ts';
import { uuidNumbered } from '../support/ids.ts';
import { and, by, did, type Fixture, groupOf, type Maker, numbered } from './fixture.ts';

const newOrganizationTeam = async (maker: Maker) => ({
  teamId: await maker.made(
    'organizationTeamCreate',
    { ...(await groupOf(maker, 'organization')), slug: maker.slug(), name: 'Team' },
    'teamId',
  ),
});

const TEAMS = Selection.whole(Team);

const ORGANIZATIONS = Selection.whole(Organization);

const LOOKS = {
  bio: 'We talk.',
  logoUrl: 'https://pictures.example/2.png',
  brandColor: '#1a7f37',
  metadata: { key: 'value' },
};

export const fixture: Fixture = {
  after: ['accounts'],
  inputs: {
    teamCreate: by('own', (maker) => ({ slug: maker.slug(), name: 'Team' })),
    teamUpdate: by('own', and(newOrganizationTeam, { name: 'Other' })),
    teamDelete: by('own', newOrganizationTeam),
    organizationTeamCreate: by('organization', (maker) => ({ slug: maker.slug(), name: 'Team' })),
    organizationTeamUpdate: by('organization', and(newOrganizationTeam, { name: 'Other' })),
    organizationTeamDelete: by('organization', newOrganizationTeam),
  },
  fields: {
    Query: { MEMBERS: 'organization team', ANYBODY: 'publicOrganization publicTeam' },
    Viewer: { AS_ABOVE: 'organizations teams' },
    Organization: {
      AS_ABOVE:
        'id slug name bio logoUrl brandColor timeZone weekStart hidesBranding isPrivate metadata createdAt updatedAt teams team',
    },
    Team: {
      AS_ABOVE:
        'id slug name bio logoUrl brandColor timeZone weekStart hidesBranding inherited isPrivate metadata createdAt updatedAt organization',
    },
    PublicOrganization: { AS_ABOVE: 'name bio bookingUrl logoUrl brandColor timeZone weekStart hidesBranding teams' },
    PublicTeam: {
      AS_ABOVE: 'name organizationName bio bookingUrl logoUrl brandColor timeZone weekStart hidesBranding',
    },
  },
  lists: {
    'Organization.teams': {
      lists: [
        (em, { userId, organizationId }, page) => teamPages(em, userId, [organizationId], page, TEAMS),
        (em, { memberId, organizationId }, page) => teamPages(em, memberId, [organizationId], page, TEAMS),
      ],
    },
    'PublicOrganization.teams': {
      // Teams that offer nothing.
      passesOver: true,
      lists: [
        (em, { organizationId }, page) => listPublicTeams(em, organizationId, page, TEAMS, null),
        (em, { memberId, organizationId }, page) => listPublicTeams(em, organizationId, page, TEAMS, memberId),
      ],
    },
    'Viewer.organizations': { lists: [(em, { userId }, page) => listOrganizations(em, userId, page, ORGANIZATIONS)] },
    'Viewer.teams': { lists: [(em, { userId }, page) => listTeams(em, userId, page, TEAMS)] },
  },
  many: (many, count) => [
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        select id, id::text, id::text, 'UTC', 'MONDAY', false, '{}', now(), now()
        from (select ${many.organizationId}::uuid as id union all select ${uuidNumbered('0')} from ${numbered(count)}) o`,
    sql`insert into teams (id, organization_id, slug, name, time_zone, week_start, hides_branding, is_private, metadata,
          created_at, updated_at)
        select id, ${many.organizationId}::uuid, id::text, id::text, 'UTC', 'MONDAY', false, false, '{}', now(), now()
        from (select ${many.teamId}::uuid as id union all select ${uuidNumbered('0')} from ${numbered(count)}) t`,
  ],
  fillGroups: async ({ world, owner, ownerSignedIn, teamId }) => {
    await did(owner, 'teamUpdate', { teamId, ...LOOKS });
    await did(ownerSignedIn, 'organizationUpdate', { organizationId: world.organizationId, ...LOOKS });
  },
};
