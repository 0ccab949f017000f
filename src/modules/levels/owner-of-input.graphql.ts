/** Whose the thing is that a mutation is about: what its input says of that at each level, and the owner that follows. */
import { idOf, ownedIdOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Entity } from '../../database/columns.ts';
import type { Types } from '../../graphql/builder.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { requireGroupId } from '../organizations/group.ts';
import { LEVELS } from './level.graphql.ts';
import { notFoundHere, requireOwnId } from './not-found-here.ts';
import type { OwnedTable } from './owned.queries.ts';
import { type Belonging, type LevelName, type Owner, own, ownOfTeam, REACH, reachedOwner } from './reach.ts';

export type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;
export type Input = Readonly<Record<string, unknown>>;

interface Whose {
  readonly owned: OwnedTable<Entity>;
  readonly belongsTo: Belonging;
}

/** Whose the new thing is, and the rest of the input. */
export interface Given {
  readonly owner: Owner;
  readonly rest: Input;
}

/** Whose the thing is that the input names. */
export interface Named extends Given {
  readonly id: string;
}

export function pathFields(t: InputBuilder, level: LevelName) {
  return level === 'user' ? {} : { [`${level}Id`]: t.id({ required: true }) };
}

export function idField(t: InputBuilder, _level: LevelName, { owned }: Whose) {
  return { [`${owned.kind}Id`]: t.id({ required: true }) };
}

/** Whose the new thing is: said where a level reaches several. */
export function newOwnerFields(t: InputBuilder, level: LevelName, belongsTo: Belonging) {
  if (REACH[level][belongsTo].length === 0) return {};
  if (belongsTo === 'PERSON')
    return { userId: t.id({ required: true, description: 'The member whose it is to be, by their id (`usr_…`).' }) };
  return {
    teamId: t.id({ description: 'The team that owns it, by its id (`tea_…`); give this or userId.' }),
    userId: t.id({ description: 'The member who owns it, by their id (`usr_…`); give this or teamId.' }),
  };
}

export function newOwner(level: LevelName, { belongsTo }: Whose, input: Input, context: GraphQLContext): Given {
  const actorId = requireUserId(context);
  const { group } = LEVELS[level];
  if (!group) return { owner: own(actorId), rest: input };
  const { [`${level}Id`]: groupId, ...others } = input as Readonly<Record<string, string>>;
  const administrator = { group, groupId: requireGroupId(group, String(groupId)), actorId };
  const reach = REACH[level][belongsTo];
  if (reach.length === 0) return { owner: ownOfTeam(actorId, administrator.groupId), rest: others };
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

/** The owner of what an input names by its id. */
export function namedOwner(level: LevelName, options: Whose, input: Input, context: GraphQLContext): Named {
  const { owned, belongsTo } = options;
  const noun = owned.kind;
  const actorId = requireUserId(context);
  const { [`${noun}Id`]: named, ...others } = input;
  const { group } = LEVELS[level];
  if (!group) return { owner: own(actorId), id: requireOwnId(noun, String(named), actorId), rest: others };
  const { [`${level}Id`]: groupId, ...rest } = others;
  const found = ownedIdOf(noun, String(named));
  const reach = REACH[level][belongsTo];
  if (reach.length === 0) {
    // What is not this team's is not there, whatever is named as the team: no statement has to be sent to see that.
    if (!found || found.ownerId !== idOf(group.kind, String(groupId))) throw notFoundHere(noun, String(named));
    return { owner: ownOfTeam(actorId, found.ownerId), id: found.id, rest };
  }
  const administrator = { group, groupId: requireGroupId(group, String(groupId)), actorId };
  if (!found) throw notFoundHere(noun, String(named));
  const { ownerId, id } = found;
  return { owner: reachedOwner(administrator, reach, ownerId, notFoundHere(noun, found)), id, rest };
}
