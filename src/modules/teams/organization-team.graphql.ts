import { publicId } from '../../core/id.ts';
import type { Selection } from '../../database/selection.ts';
import { batchedEach } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { requireUserId } from '../../graphql/context.ts';
import { idArgument, OTHER_KINDS } from '../../graphql/id-arguments.ts';
import { ifUpdatedAtField, mutation } from '../../graphql/mutation.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { ORGANIZATION, requireGroupId } from '../organizations/group.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { CREATE_TEAM_CODES, createTeam } from './create-team.ts';
import { Team as TeamEntity } from './team.entity.ts';
import { changedTeam, newTeamFields, Team, TeamConnection, teamPatchFields, teamTargetOf } from './team.graphql.ts';
import { findTeamsIn, type TeamOfOrganization, type TeamRow, teamPages } from './team.queries.ts';
import { UPDATE_TEAM_CODES, updateTeam } from './update-team.ts';

const read = reads('PROFILE', ['ORGANIZATION']);
const write = entering('ORGANIZATION', writes('PROFILE', ['ORGANIZATION']));

type TeamSelection = Selection<typeof TeamEntity>;

const loadTeams = pagesBelow(
  { columns: ['TEXT'], keyOf: ({ slug }: TeamRow) => [slug] },
  (context, organizationIds, request, selection: TeamSelection) =>
    teamPages(context.em, requireUserId(context), organizationIds, request, selection),
);
const loadTeam = batchedEach((context, wanted: readonly TeamOfOrganization[], selection: TeamSelection) =>
  findTeamsIn(context.em, requireUserId(context), wanted, selection),
);

builder.objectFields(Organization, (t) => ({
  teams: t.field({
    type: TeamConnection,
    nullable: true,
    description: 'Its teams by slug: all of them if you administer it, otherwise your own.',
    requires: read,
    args: pageArguments(),
    resolve: ({ id }, page, context, info) => loadTeams(context, id, page, selectionOf(info, TeamEntity)),
  }),
  team: t.field({
    type: Team,
    nullable: true,
    description: 'One of its teams.',
    requires: entering('TEAM', INHERIT),
    args: {
      id: t.arg.id({ required: true, description: `The id of a team, which begins with \`tea_\`. ${OTHER_KINDS}` }),
    },
    resolve: (organization, { id: named }, context, info) => {
      const id = idArgument('team', named, ['id']);
      if (id === undefined) return undefined;
      return loadTeam(context, { organizationId: organization.id, id }, selectionOf(info, TeamEntity));
    },
  }),
}));

mutation('organizationTeamCreate', {
  description: 'Creates a team in an organization that you administer. You own it at first.',
  requires: write,
  errors: CREATE_TEAM_CODES,
  onceByKey: true,
  input: (t) => ({ organizationId: t.id({ required: true }), ...newTeamFields(t) }),
  resolve: async ({ organizationId: named, ...input }, context) => {
    const organizationId = requireGroupId(ORGANIZATION, named);
    return { teamId: publicId('team', await createTeam(context.em, requireUserId(context), input, organizationId)) };
  },
  payload: changedTeam(read),
});

mutation('organizationTeamUpdate', {
  description: 'Changes a team of an organization that you administer. What is left out stays as it is.',
  requires: write,
  errors: UPDATE_TEAM_CODES,
  input: (t) => ({
    organizationId: t.id({ required: true }),
    teamId: t.id({ required: true }),
    ...teamPatchFields(t),
    ...ifUpdatedAtField(t),
  }),
  resolve: async ({ organizationId, teamId, ...patch }, context) => {
    await updateTeam(context.em, teamTargetOf({ organizationId, teamId }, context, 'ADMINISTRATOR'), patch);
    return { teamId };
  },
  payload: changedTeam(read),
});
