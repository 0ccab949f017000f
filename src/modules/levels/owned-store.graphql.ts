import type { InputFieldMap, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { type IdKind, idOf, type OwnedId, type OwnedKind, ownedIdOf, publicOwnedId } from '../../core/id.ts';
import type { Page, PageArguments } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import type { Entity, Selection } from '../../database/columns.ts';
import type { Apart, Narrowed } from '../../database/pages.ts';
import type { LastSeen } from '../../database/updates.ts';
import { batchedEach, batchedEachForAll } from '../../graphql/batch.ts';
import type { InputBuilder, Types } from '../../graphql/builder.ts';
import { type ConnectionShape, type ListOrder, pagesBelow, pagesForAll } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { idInWords } from '../../graphql/id-arguments.ts';
import { type GivenFilter, isNarrowed, type ListFilter } from '../../graphql/list-filter.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { type GroupAdministrator, requireGroupId } from '../organizations/group.ts';
import { organizationOfTeamField } from '../teams/team.graphql.ts';
import { notFoundHere, requireOwnId } from './change-owned.ts';
import { type GroupLevel, LEVELS } from './level.graphql.ts';
import {
  EVERYBODYS_OWN,
  findOwned,
  keyOf,
  type LookUp,
  type OwnedTable,
  ownedPages,
  type View,
} from './owned.queries.ts';
import {
  type Belonging,
  type LevelName,
  type Owner,
  own,
  ownOfGroup,
  REACH,
  type Reached,
  reachedOwner,
  requireTeamOf,
} from './reach.ts';

/** `findOwned` of a table that the compiler does not know any more. */
const findRows = findOwned as unknown as (...args: Parameters<typeof findOwned>) => Promise<(Row | undefined)[]>;

/** A table of what belongs to somebody, at the levels at which its owners are reached. */
export function ownedStore(owned: OwnedTable<Entity>, belongsTo: Belonging): Store<Owner> {
  const { kind, entity } = owned;
  return {
    kind,
    idInWords: idInWords(kind),
    idOf: (named) => ownedIdOf(kind, named),
    publicId: (id) => publicOwnedId(kind, id),

    pagesAt(level, filter) {
      const load = pagesOf(owned, level, REACH[level][belongsTo]);
      const loadNarrowed = filter && narrowedPagesOf(owned, level, REACH[level][belongsTo], filter);
      return (context, parentId, page, info, given) => {
        const selection = selectionOf(info, entity);
        return loadNarrowed && isNarrowed(given)
          ? loadNarrowed(context, parentId, page, { given, selection })
          : load(context, parentId, page, selection);
      };
    },
    lookUpsAt(level) {
      const load = lookUpsOf(owned, level, REACH[level][belongsTo]);
      return (context, parentId, { ownerId, id }, info) =>
        load(context, { parentId, ownerId, id }, selectionOf(info, entity));
    },
    readAgainAt: () => async (context, id, info) => {
      const lookUp = { parentId: id.ownerId, ...id };
      const [found] = await findRows(context.em, owned, EVERYBODYS_OWN, [lookUp], selectionOf(info, entity));
      return found;
    },
    async readInCharge({ em }, { ownerId, isInCharge }, id, info) {
      const lookUp = { parentId: ownerId, ...id };
      const [found] = await findRows(em, owned, EVERYBODYS_OWN, [lookUp], selectionOf(info, entity), isInCharge);
      return found;
    },
    selected: (info) => selectionOf(info, entity),

    ownerFields: (t, level) => newOwnerFields(t, level, belongsTo),
    newOwner: (level, input, context) => newOwner(level, belongsTo, input, context),
    namedOwner: (level, input, context) => namedOwner(level, { kind, belongsTo }, input, context),
  };
}

/** Pages by parent, of any resource's rows. */
type PagesByParent = Promise<Map<string, Page<Row>>>;

function orderOf(owned: OwnedTable<Entity>, reach: readonly Reached[]): ListOrder<Row> {
  const key = keyOf(owned, reach);
  return { columns: key.map(() => 'UUID'), keyOf: (row) => key.map((name) => row[name] ?? '') };
}

interface NarrowedList {
  readonly given: GivenFilter;
  readonly selection: Selection;
}

/** A list that is narrowed may take longer: its statements end with their caller. */
function narrowedPagesOf(
  owned: OwnedTable<Entity>,
  level: LevelName,
  reach: readonly Reached[],
  filter: ListFilter<Narrowed<Apart>>,
) {
  return pagesBelow(orderOf(owned, reach), (context, ids, request, { given, selection }: NarrowedList) => {
    const view = reach.length === 0 ? EVERYBODYS_OWN : viewOf(level, reach, context);
    const by = filter.narrowedBy(given, context);
    return ownedPages(context.em, owned, view, ids, request, selection, by) as unknown as PagesByParent;
  });
}

function pagesOf(owned: OwnedTable<Entity>, level: LevelName, reach: readonly Reached[]) {
  const order = orderOf(owned, reach);
  if (reach.length === 0) {
    return pagesForAll(
      order,
      (em, ids, request, selection: Selection) =>
        ownedPages(em, owned, EVERYBODYS_OWN, ids, request, selection) as unknown as PagesByParent,
    );
  }
  return pagesBelow(
    order,
    (context, ids, request, selection: Selection) =>
      ownedPages(context.em, owned, viewOf(level, reach, context), ids, request, selection) as unknown as PagesByParent,
  );
}

function lookUpsOf(owned: OwnedTable<Entity>, level: LevelName, reach: readonly Reached[]) {
  if (reach.length === 0) {
    return batchedEachForAll((em, lookUps: readonly LookUp[], selection: Selection) =>
      findRows(em, owned, EVERYBODYS_OWN, lookUps, selection),
    );
  }
  return batchedEach((context, lookUps: readonly LookUp[], selection: Selection) =>
    findRows(context.em, owned, viewOf(level, reach, context), lookUps, selection),
  );
}

function viewOf(level: LevelName, reach: readonly Reached[], context: GraphQLContext): View {
  return { reach, group: LEVELS[level].group, actorId: requireUserId(context) };
}

/** The keys of a row of whatever table. */
export interface Row {
  readonly [key: string]: string;
}

export type RowType = ObjectRef<Types, Row>;
export type Input = Readonly<Record<string, unknown>>;

/** The owner of the things that a mutation is about. */
export interface Whose {
  readonly ownerId: string;
  /** The last change that the caller of an update has seen, if they will not overwrite a later one. */
  readonly lastSeen?: LastSeen;
}

/** The owner of the new thing, and the rest of the input. */
export interface Given<Owner extends Whose = Whose> {
  readonly owner: Owner;
  readonly rest: Input;
}

/** The owner and the id of the thing that the input names. */
export interface Named<Owner extends Whose = Whose> extends Given<Owner> {
  readonly id: string;
}

type Pages = (
  context: GraphQLContext,
  parentId: string,
  page: PageArguments,
  info: GraphQLResolveInfo,
  given?: GivenFilter | null,
) => Promise<ConnectionShape<Row> | undefined>;
type LookUps = (
  context: GraphQLContext,
  parentId: string,
  id: OwnedId,
  info: GraphQLResolveInfo,
) => Promise<Row | undefined>;
type ReadAgain = (context: GraphQLContext, id: OwnedId, info: GraphQLResolveInfo) => Promise<Row | undefined>;
type ReadInCharge<Owner> = (
  context: GraphQLContext,
  owner: Owner,
  id: OwnedId,
  info: GraphQLResolveInfo,
) => Promise<Row | undefined>;

/**
 * Where the things of a resource are, level by level, as its lists, look-ups and mutations see it: in a table of what
 * belongs to somebody (`ownedStore`), or among the memberships of a group.
 */
export interface Store<Owner extends Whose = Whose> {
  /** The kind of their ids, which is their name in the schema too. */
  readonly kind: IdKind;
  /** Describes the argument of a look-up. */
  readonly idInWords: string;
  /** The id that a caller names below a parent, and how callers see it. */
  readonly idOf: (named: string, parentId: string) => OwnedId | undefined;
  readonly publicId: (id: OwnedId) => string;

  readonly pagesAt: (level: LevelName, filter?: ListFilter<Narrowed<Apart>>) => Pages;
  readonly lookUpsAt: (level: LevelName) => LookUps;
  /** Reads a thing that was just made or changed. Whether the caller may see it has been decided. */
  readonly readAgainAt: (level: LevelName) => ReadAgain;
  /**
   * Reads the thing that an earlier request of the same key made, if the caller may still make it, which the statement
   * that reads it decides.
   */
  readonly readInCharge: ReadInCharge<Owner>;
  /** The columns that a document selects of them, where statements select no more. */
  readonly selected: (info: GraphQLResolveInfo) => Selection | undefined;

  /** The inputs that name the owner of a new one, beside the path. */
  readonly ownerFields: (t: InputBuilder, level: LevelName) => InputFieldMap;
  readonly newOwner: (level: LevelName, input: Input, context: GraphQLContext) => Given<Owner>;
  readonly namedOwner: (level: LevelName, input: Input, context: GraphQLContext) => Named<Owner>;
}

/** Finds the owner of the thing that a mutation is about, from what its input has at each level. */

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
