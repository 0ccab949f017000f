import type { InputShapeFromFields } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { idOf, publicId } from '../../core/id.ts';
import { SLUG_IN_WORDS } from '../../core/text.ts';
import type { Selection } from '../../database/columns.ts';
import { batched, batchedEach } from '../../graphql/batch.ts';
import { builder, type InputBuilder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { actingUserId, type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { idArgument, OTHER_KINDS, refuseOtherKind } from '../../graphql/id-arguments.ts';
import { containing, filterArgument, type GivenFilter, listFilter } from '../../graphql/list-filter.ts';
import { ifUpdatedAtField, mutation, type PayloadFields } from '../../graphql/mutation.ts';
import { doorType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { entering, INHERIT, reads, writes } from '../../scopes/declare.ts';
import { heldScopes } from '../../scopes/held-scopes.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import { viewerList } from '../accounts/accounts.graphql.ts';
import { ORGANIZATION, requireGroupId } from '../organizations/group.ts';
import {
  GroupProfile,
  groupPatchFields,
  groupProfileFields,
  InheritableFieldName,
  inheritableFields,
  inheritableFieldsNamed,
  inheritedNames,
  newGroupFields,
} from '../organizations/group-profile.graphql.ts';
import { INHERITABLE, INHERITABLE_FIELDS } from '../organizations/group-profile.rules.ts';
import { Organization as OrganizationEntity } from '../organizations/organization.entity.ts';
import { loadOrganization, Organization } from '../organizations/organization.graphql.ts';
import type { Role } from '../organizations/role.rules.ts';
import {
  CREATE_STAND_ALONE_TEAM_CODES,
  CREATE_TEAM_CODES,
  createTeam,
  MAX_TEAMS,
  type TeamTarget,
  UPDATE_TEAM_CODES,
  updateTeam,
} from './team.commands.ts';
import { Team as TeamEntity } from './team.entity.ts';
import {
  findTeams,
  findTeamsIn,
  INHERITED_FROM,
  listTeams,
  type TeamOfOrganization,
  type TeamRow,
  teamPages,
} from './team.queries.ts';
import { TEAM } from './team-role.ts';

// In the list of its organization, a team and all below it is judged by the organization's scopes; by itself, by its own.
// So its requirement lists both and enters nothing, except where organizations have no scope (it would enter TEAM).
const profile = reads('PROFILE', ['TEAM', 'ORGANIZATION']);
const write = entering('TEAM', writes('PROFILE', ['TEAM']));

/** A team that the caller can see, by its id; undefined for any other. Many are loaded by one statement. */
const loadTeam = batched((context, ids, selection: Selection<typeof TeamEntity>) =>
  findTeams(context.em, requireUserId(context), ids, selection),
);

export const Team = doorType<typeof TeamEntity, { readonly role: Role }>(TeamEntity, 'Team', {
  description: 'People who are booked together: in an organization, or stand-alone.',
  baseScopes: profile,
  interfaces: [GroupProfile],
  fields: (t) => ({
    id: t.id('id', 'team', { requires: profile }),
    ...groupProfileFields(t, profile, {
      slug: 'Its name in addresses, unique in its organization, or among the stand-alone teams.',
      isPrivate: 'Whether its booking page is for its members alone.',
    }),
    ...inheritableFields(profile, (name, options) => t.columnOr(name, INHERITED_FROM, INHERITABLE[name], options)),
    inherited: t.from(INHERITABLE_FIELDS, {
      type: [InheritableFieldName],
      price: { max: INHERITABLE_FIELDS.length },
      requires: profile,
      description:
        'Those of its fields that have no value of the team’s own: they show what its organization has, at every moment, or the service where it stands alone.',
      resolve: inheritedNames,
    }),
    organization: t.from(['organizationId'], {
      type: Organization,
      nullable: true,
      description: 'Null for a stand-alone team, and unless you are a member of the organization.',
      requires: entering('ORGANIZATION', profile),
      resolve: ({ organizationId }, _args, context, info) =>
        organizationId === null
          ? null
          : loadOrganization(context, organizationId, selectionOf(info, OrganizationEntity)),
    }),
  }),
});

/**
 * The organization's id, which every mutation about a team's things takes from callers who name the organization too.
 */
export function organizationOfTeamField(t: InputBuilder) {
  return {
    organizationId: t.id({
      description:
        'The organization of the team, by its id (`org_…`): a team that is not in it is then `NOT_FOUND`. It can be left out.',
    }),
  };
}

const TeamConnection = connectionOf(Team);

builder.queryField('team', (t) =>
  t.field({
    type: Team,
    nullable: true,
    description: 'A team that you are a member of, or that belongs to an organization you administer.',
    requires: entering('TEAM', INHERIT),
    args: {
      id: t.arg.id({ required: true, description: `The id of a team, which begins with \`tea_\`. ${OTHER_KINDS}` }),
    },
    resolve: (_root, { id }, context, info) => {
      refuseOtherKind(['team'], id, ['id']);
      return teamNamed(id, context, info);
    },
  }),
);

const TeamFilter = listFilter('Team', { text: containing(['t.name', 't.slug'], 'its name or slug') });

viewerList('teams', {
  type: TeamConnection,
  filter: TeamFilter,
  description: 'The teams that you are a member of.',
  requires: entering('TEAM', profile),
  order: { columns: ['UUID'], keyOf: ({ id }) => [id] },
  find: ({ em }, userId, request, info, by) => listTeams(em, userId, request, selectionOf(info, TeamEntity), by),
});

mutation('teamCreate', {
  description: 'Creates a stand-alone team, which you own.',
  requires: write,
  errors: CREATE_STAND_ALONE_TEAM_CODES,
  onceByKey: true,
  input: newTeamFields,
  resolve: async (input, context) => ({
    teamId: publicId('team', await createTeam(context.em, requireUserId(context), input)),
  }),
  payload: changedTeam(profile),
});

mutation('teamUpdate', {
  description:
    'Changes a team that you own. What is left out stays as it is; null empties `bio`, `logoUrl` and `brandColor`.',
  requires: write,
  errors: UPDATE_TEAM_CODES,
  input: (t) => ({ ...ownTeamFields(t), ...teamPatchFields(t), ...ifUpdatedAtField(t) }),
  resolve: async ({ teamId, organizationId, ...patch }, context) => {
    await updateTeam(context.em, teamTargetOf({ teamId, organizationId }, context), patchOf(patch));
    return { teamId };
  },
  payload: changedTeam(profile),
});

const INHERITS = 'Left out of a new team: as its organization has it.';
const OR_NONE = `${INHERITS} Null: none, whatever its organization has.`;
const WORDS = {
  slug: `Its name in addresses: ${SLUG_IN_WORDS}. Unique in its organization, or among the stand-alone teams.`,
  logoUrl: OR_NONE,
  brandColor: OR_NONE,
  timeZone: `${INHERITS} Of a stand-alone team: as the founder has it.`,
  weekStart: `${INHERITS} Of a stand-alone team: as the founder has it.`,
  hidesBranding: `${INHERITS} Of a stand-alone team: false.`,
  isPrivate: 'Whether its booking page is for its members alone. False of a new one.',
};

/** The input of a new team. */
function newTeamFields(t: InputBuilder) {
  return newGroupFields(t, WORDS);
}

/** The input of a change of a team. */
function teamPatchFields(t: InputBuilder) {
  return {
    ...groupPatchFields(t, WORDS),
    inherit: t.field({
      type: [InheritableFieldName],
      description: 'Fields whose own values it gives up: they are again as its organization has them.',
    }),
  };
}

type TeamPatchInput = InputShapeFromFields<ReturnType<typeof teamPatchFields>>;

function patchOf<Input extends Pick<TeamPatchInput, 'inherit'>>({ inherit, ...patch }: Input) {
  return { ...patch, inherit: inheritableFieldsNamed(inherit ?? []) };
}

/** The input by which its owner names a team. */
export function ownTeamFields(t: InputBuilder) {
  return { teamId: t.id({ required: true }), ...organizationOfTeamField(t) };
}

/** A team that a caller names, perhaps with its organization. @throws Problem NOT_FOUND for what is no such id */
export function teamTargetOf(
  { teamId, organizationId }: { readonly teamId: string; readonly organizationId?: string | null | undefined },
  context: GraphQLContext,
  as?: TeamTarget['as'],
): TeamTarget {
  return {
    as,
    teamId: requireGroupId(TEAM, teamId),
    organizationId: organizationId == null ? undefined : requireGroupId(ORGANIZATION, organizationId),
    actorId: requireUserId(context),
  };
}

/** The payload of a mutation that has made or changed a team. */
function changedTeam(requires: Requirement): PayloadFields<{ readonly teamId: string }> {
  return (t) => ({
    teamId: t.exposeID('teamId', { nullable: true, requires: INHERIT }),
    team: t.field({
      type: Team,
      nullable: true,
      requires,
      resolve: ({ teamId }, _args, context, info) =>
        teamId === undefined ? undefined : teamNamed(teamId, context, info),
    }),
  });
}

/** A team that the caller can see, by its public id. */
function teamNamed(
  named: string,
  context: GraphQLContext,
  info: GraphQLResolveInfo,
): Promise<TeamRow | undefined> | undefined {
  const id = idOf('team', named);
  return id === undefined ? undefined : loadTeam(context, id, selectionOf(info, TeamEntity));
}

const read = reads('PROFILE', ['ORGANIZATION']);
const writeOfOrganization = entering('ORGANIZATION', writes('PROFILE', ['ORGANIZATION']));

type TeamSelection = Selection<typeof TeamEntity>;

interface WantedTeams {
  readonly given: GivenFilter | null | undefined;
  readonly selection: TeamSelection;
}

const loadTeams = pagesBelow(
  { columns: ['TEXT'], keyOf: ({ slug }: TeamRow) => [slug] },
  (context, organizationIds, request, { given, selection }: WantedTeams) => {
    const by = TeamFilter.narrowedBy(given, context);
    return teamPages(context.em, requireUserId(context), organizationIds, request, selection, by);
  },
);
const loadTeamOfOrganization = batchedEach((context, wanted: readonly TeamOfOrganization[], selection: TeamSelection) =>
  findTeamsIn(context.em, requireUserId(context), wanted, selection),
);

builder.objectFields(Organization, (t) => ({
  teams: t.field({
    type: TeamConnection,
    nullable: true,
    description: 'Its teams by slug: all of them if you administer it, otherwise your own.',
    requires: read,
    args: { ...filterArgument(TeamFilter), ...pageArguments() },
    resolve: ({ id }, args, context, info) =>
      loadTeams(context, id, args, { given: args.filter, selection: selectionOf(info, TeamEntity) }),
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
      return loadTeamOfOrganization(context, { organizationId: organization.id, id }, selectionOf(info, TeamEntity));
    },
  }),
}));

mutation('organizationTeamCreate', {
  description: `Creates a team in an organization that you administer, which can have ${MAX_TEAMS}. You own it at first.`,
  requires: writeOfOrganization,
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
  requires: writeOfOrganization,
  errors: UPDATE_TEAM_CODES,
  input: (t) => ({
    organizationId: t.id({ required: true }),
    teamId: t.id({ required: true }),
    ...teamPatchFields(t),
    ...ifUpdatedAtField(t),
  }),
  resolve: async ({ organizationId, teamId, ...patch }, context) => {
    await updateTeam(context.em, teamTargetOf({ organizationId, teamId }, context, 'ADMINISTRATOR'), patchOf(patch));
    return { teamId };
  },
  payload: changedTeam(read),
});

const AS_MEMBER = heldScopes(['TEAM_EVENT_TYPE_READ']);

/** The viewer of what a private team offers; null for anonymous callers. */
export function insiderId(context: Pick<GraphQLContext, 'caller'>): string | null {
  return actingUserId(context, AS_MEMBER);
}
