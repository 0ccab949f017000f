/** Finds the owner of the thing that a mutation is about, from what its input has at each level. */
import { type IdKind, idOf, type OwnedKind, ownedIdOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { InputBuilder } from '../../graphql/builder.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { type GroupAdministrator, requireGroupId } from '../organizations/group.ts';
import { organizationOfTeamField } from '../teams/team.graphql.ts';
import { type GroupLevel, LEVELS } from './level.graphql.ts';
import { notFoundHere, requireOwnId } from './not-found-here.ts';
import { type Belonging, type LevelName, type Owner, own, ownOfGroup, REACH, reachedOwner } from './reach.ts';
import type { Given, Input, Named } from './store.graphql.ts';
import { requireTeamOf } from './team-of-organization.ts';

export function pathFields(t: InputBuilder, level: LevelName) {
  if (level === 'user') return {};
  const group = { [`${level}Id`]: t.id({ required: true }) };
  return level === 'team' ? { ...group, ...organizationOfTeamField(t) } : group;
}

/** Checks that the organization in an input is that of its team, and leaves it out. @throws Problem NOT_FOUND */
export async function withinOrganization(level: LevelName, input: Input, context: GraphQLContext): Promise<Input> {
  if (level !== 'team') return input;
  const { organizationId, ...rest } = input as Readonly<Record<string, string | null | undefined>>;
  if (organizationId == null) return rest;
  await requireTeamOf(context.em, { teamId: String(rest['teamId']), organizationId }, requireUserId(context));
  return rest;
}

export function idField(t: InputBuilder, kind: IdKind) {
  return { [`${kind}Id`]: t.id({ required: true }) };
}

/** The inputs that name the owner of a new thing, at levels that reach several. */
export function newOwnerFields(t: InputBuilder, level: LevelName, belongsTo: Belonging) {
  if (REACH[level][belongsTo].length === 0) return {};
  if (belongsTo === 'PERSON')
    return { userId: t.id({ required: true, description: 'The member whose it is to be, by their id (`usr_…`).' }) };
  return {
    teamId: t.id({ description: 'The team that owns it, by its id (`tea_…`); give this or userId.' }),
    userId: t.id({ description: 'The member who owns it, by their id (`usr_…`); give this or teamId.' }),
  };
}

/** The actor, in the group that the input names. @throws Problem NOT_FOUND */
export function actorInGroup(level: GroupLevel, input: Input, context: GraphQLContext): GroupAdministrator {
  const { group } = LEVELS[level];
  const groupId = requireGroupId(group, String(input[`${level}Id`]));
  return { group, groupId, actorId: requireUserId(context) };
}

export function newOwner(level: LevelName, belongsTo: Belonging, input: Input, context: GraphQLContext): Given<Owner> {
  if (level === 'user') return { owner: own(requireUserId(context)), rest: input };
  const administrator = actorInGroup(level, input, context);
  const { group } = administrator;
  const { [`${level}Id`]: _group, ...others } = input as Readonly<Record<string, string>>;
  const reach = REACH[level][belongsTo];
  if (reach.length === 0) return { owner: ownOfGroup(administrator), rest: others };
  const { userId, teamId, ...rest } = others;
  const [kind, named] = chosenOwner(belongsTo === 'PERSON' ? undefined : teamId, userId);
  const what = belongsTo === 'PERSON' ? 'member' : 'team or member';
  const notFound = new Problem('NOT_FOUND', `There is no such ${what} in the ${group.kind}.`, [`${kind}Id`]);
  const ownerId = idOf(kind, named);
  if (ownerId === undefined) throw notFound;
  return { owner: reachedOwner(administrator, reach, ownerId, notFound), rest };
}

function chosenOwner(teamId: string | null | undefined, userId: string | null | undefined): ['team' | 'user', string] {
  if (teamId != null && userId == null) return ['team', teamId];
  if (userId != null && teamId == null) return ['user', userId];
  throw new Problem('BAD_INPUT', 'Give teamId or userId, one of the two: it says whose this is.', ['teamId']);
}

interface Thing {
  readonly kind: OwnedKind;
  readonly belongsTo: Belonging;
}

/** The owner of what an input names by its id. */
export function namedOwner(
  level: LevelName,
  { kind, belongsTo }: Thing,
  input: Input,
  context: GraphQLContext,
): Named<Owner> {
  const actorId = requireUserId(context);
  const { [`${kind}Id`]: named, ...others } = input;
  if (level === 'user') return { owner: own(actorId), id: requireOwnId(kind, String(named), actorId), rest: others };
  const { [`${level}Id`]: groupId, ...rest } = others;
  const found = ownedIdOf(kind, String(named));
  const reach = REACH[level][belongsTo];
  if (reach.length === 0) {
    // A thing outside of this group is not there, whatever group is named: no statement has to be sent to see that.
    const { group } = LEVELS[level];
    if (!found || found.ownerId !== idOf(group.kind, String(groupId))) throw notFoundHere(kind, String(named));
    return { owner: ownOfGroup({ group, groupId: found.ownerId, actorId }), id: found.id, rest };
  }
  const administrator = actorInGroup(level, input, context);
  if (!found) throw notFoundHere(kind, String(named));
  const { ownerId, id } = found;
  return { owner: reachedOwner(administrator, reach, ownerId, notFoundHere(kind, found)), id, rest };
}
