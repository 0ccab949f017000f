import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core';
import { ownerOf } from '../../core/id.ts';
import { type Page, type PageArguments, pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import type { Entity } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import type { Em } from '../../database/sql.ts';
import { batched } from '../../graphql/batch.ts';
import { builder, type Types } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import type { RowRef } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { entering, INHERIT } from '../../scopes/declare.ts';
import type { Requirement, ScopeLists } from '../../scopes/requirement.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { ORGANIZATION } from '../organizations/group.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { isAtLeast, type Role } from '../organizations/role.rules.ts';
import { Team } from '../teams/team.graphql.ts';
import { TEAM } from '../teams/team-role.ts';
import { notFoundHere } from './not-found-here.ts';
import { findOwned, type OwnedTable, ownedPages, type View } from './owned.queries.ts';
import {
  type Belonging,
  type LevelName,
  type Owner,
  own,
  ownOfTeam,
  REACH,
  type Reached,
  reachedOwner,
  requireOwner,
} from './reach.ts';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** The levels, as rows of one table: the door, how its mutations are called, and the group whose administrator acts. */
const LEVELS = {
  user: { scopeLevel: 'USER', door: Viewer, prefix: '', group: undefined },
  team: { scopeLevel: 'TEAM', door: Team, prefix: 'team', group: TEAM },
  organization: { scopeLevel: 'ORGANIZATION', door: Organization, prefix: 'organization', group: ORGANIZATION },
} as const;

/** What a resource offers, at which levels: each names them by describing what it does there. */
type Descriptions = Readonly<Partial<Record<LevelName, string>>>;

interface Operation {
  readonly describes: Descriptions;
  /** The codes of its `userErrors`, beside NOT_FOUND, and FORBIDDEN in groups. */
  readonly errors?: readonly string[];
  /** Further codes at one level. */
  readonly errorsAt?: Readonly<Partial<Record<LevelName, readonly string[]>>>;
}

interface Create<Fields extends InputFieldMap> extends Operation {
  readonly input: (t: InputBuilder, level: LevelName) => Fields;
  /** @returns the id of what was made */
  readonly run: (em: Em, owner: Owner, input: InputShapeFromFields<Fields>) => Promise<string>;
}

interface Update<Fields extends InputFieldMap> extends Operation {
  readonly input: (t: InputBuilder, level: LevelName) => Fields;
  readonly run: (em: Em, owner: Owner, id: string, patch: InputShapeFromFields<Fields>) => Promise<unknown>;
}

interface Delete extends Operation {
  readonly run: (em: Em, owner: Owner, id: string) => Promise<unknown>;
}

export interface ResourceOptions<E extends Entity, New extends InputFieldMap, Patch extends InputFieldMap> {
  readonly type: RowRef<E>;
  /** Its table. The kind of its ids is its name in the schema too: `scheduleCreate`, `scheduleId`, the payload's `schedule`. */
  readonly owned: OwnedTable<E>;
  readonly belongsTo: Belonging;
  /** What its fields require at each level. */
  readonly reads: ScopeLists;
  readonly writes: ScopeLists;
  readonly list?: { readonly name: string; readonly describes: Descriptions };
  readonly lookUp?: { readonly name: string; readonly describes: Descriptions };
  readonly create?: Create<New>;
  readonly update?: Update<Patch>;
  readonly delete?: Delete;
}

/** Declares what a resource offers at each level: its list, its look-up, and the mutations that make, change and delete it. */
export function resource<
  E extends Entity,
  New extends InputFieldMap = InputFieldMap,
  Patch extends InputFieldMap = InputFieldMap,
>(options: ResourceOptions<E, New, Patch>): void {
  const untyped = options as unknown as Options;
  if (untyped.list) declareList(untyped, untyped.list);
  if (untyped.lookUp) declareLookUp(untyped, untyped.lookUp);
  if (untyped.create) declareCreate(untyped, untyped.create);
  if (untyped.update) declareUpdate(untyped, untyped.update);
  if (untyped.delete) declareDelete(untyped, untyped.delete);
}

type Options = Omit<ResourceOptions<Entity, InputFieldMap, InputFieldMap>, 'type'> & {
  readonly type: ObjectRef<Types, Row>;
};
type Input = Readonly<Record<string, unknown>>;

/** What a list or a look-up hangs on: the caller, or a team or an organization with the caller's role in it. */
interface Parent {
  readonly id: string;
  readonly role?: Role;
}

function declareList(options: Options, { name, describes }: NonNullable<Options['list']>): void {
  const { type, owned, belongsTo } = options;
  const Connection = connectionOf(type);
  for (const [level, description] of levelsOf(describes)) {
    const reach = REACH[level][belongsTo];
    const load = batched((context, ids, { page, selection }: { page: PageArguments; selection: Selection }) =>
      ownedPages(context.em, owned, viewOf(level, reach, context), ids, pageRequest(page), selection),
    );
    builder.objectField(LEVELS[level].door, name, (t) =>
      t.field({
        type: Connection,
        nullable: true,
        description,
        requires: requiredAt(level, options.reads),
        args: pageArguments(),
        resolve: async (parent, page, context, info) => {
          if (!mayList(parent)) return undefined;
          const found = await load(context, parent.id, { page, selection: selectionOf(info, owned.entity) });
          return found && connection(found as unknown as Page<Row>, ({ id }) => [id]);
        },
      }),
    );
  }
}

function declareLookUp(options: Options, { name, describes }: NonNullable<Options['lookUp']>): void {
  const { type, owned, belongsTo } = options;
  for (const [level, description] of levelsOf(describes)) {
    const reach = REACH[level][belongsTo];
    const load = batched((context, ids, { id, selection }: { id: string; selection: Selection }) =>
      findRows(context.em, owned, viewOf(level, reach, context), ids, id, selection),
    );
    builder.objectField(LEVELS[level].door, name, (t) =>
      t.field({
        type,
        nullable: true,
        ...(description !== '' && { description }),
        requires: requiredAt(level, options.reads),
        args: { id: t.arg.id({ required: true }) },
        resolve: (parent, { id }, context, info) =>
          mayList(parent) ? load(context, parent.id, { id, selection: selectionOf(info, owned.entity) }) : undefined,
      }),
    );
  }
}

function declareCreate(options: Options, operation: NonNullable<Options['create']>): void {
  const { belongsTo } = options;
  const noun = options.owned.kind;
  for (const [level, description] of levelsOf(operation.describes)) {
    mutation(mutationName(level, noun, 'Create'), {
      description,
      requires: entering(LEVELS[level].scopeLevel, options.writes as never),
      errors: errorsOf(level, operation),
      onceByKey: true,
      input: (t) => ({ ...pathFields(t, level), ...newOwnerFields(t, level, belongsTo), ...operation.input(t, level) }),
      resolve: async (input, context) => {
        const { owner, rest } = newOwner(level, belongsTo, input, context);
        return { [`${noun}Id`]: await operation.run(context.em, owner, rest), wasDone: true };
      },
      payload: (t) => payloadFields(t as never, level, options, true),
    });
  }
}

function declareUpdate(options: Options, operation: NonNullable<Options['update']>): void {
  const noun = options.owned.kind;
  for (const [level, description] of levelsOf(operation.describes)) {
    mutation(mutationName(level, noun, 'Update'), {
      description,
      requires: entering(LEVELS[level].scopeLevel, options.writes as never),
      errors: errorsOf(level, operation),
      input: (t) => ({ ...pathFields(t, level), ...idField(t, noun), ...operation.input(t, level) }),
      resolve: async (input, context) => {
        const { owner, id, rest } = namedOwner(level, options, input, context);
        await operation.run(context.em, owner, id, rest);
        return { [`${noun}Id`]: id, wasDone: true };
      },
      payload: (t) => payloadFields(t as never, level, options, true),
    });
  }
}

function declareDelete(options: Options, operation: NonNullable<Options['delete']>): void {
  const noun = options.owned.kind;
  for (const [level, description] of levelsOf(operation.describes)) {
    mutation(mutationName(level, noun, 'Delete'), {
      description,
      requires: entering(LEVELS[level].scopeLevel, options.writes as never),
      errors: errorsOf(level, operation),
      input: (t) => ({ ...pathFields(t, level), ...idField(t, noun) }),
      resolve: async (input, context) => {
        const { owner, id } = namedOwner(level, options, input, context);
        await operation.run(context.em, owner, id);
        return { [`${noun}Id`]: id };
      },
      payload: (t) => payloadFields(t as never, level, options, false),
    });
  }
}

interface Row {
  readonly id: string;
}

function viewOf(level: LevelName, reach: readonly Reached[], context: GraphQLContext): View {
  return { reach, group: LEVELS[level].group, actorId: requireUserId(context) };
}

/** Ids are columns of every table here; that this one has them, the compiler cannot see any more. */
const findRows = findOwned as (...args: Parameters<typeof findOwned>) => Promise<Map<string, unknown>> as (
  ...args: Parameters<typeof findOwned>
) => Promise<Map<string, Row>>;

function levelsOf(describes: Descriptions): [LevelName, string][] {
  return Object.entries(describes) as [LevelName, string][];
}

/** `me` shows the caller what is theirs; a team and an organization show it to those who administer them. */
function mayList({ role }: Parent): boolean {
  return role === undefined || isAtLeast(role, 'ADMIN');
}

/** A team is reached by itself and in the list of its organization, and judged there by the organization's scopes. */
function requiredAt(level: LevelName, { user, team, organization }: ScopeLists): Requirement {
  if (level === 'user') return { ...(user && { user }) };
  return { ...(level === 'team' && team && { team }), ...(organization && { organization }) };
}

function mutationName(level: LevelName, noun: string, verb: string): string {
  const { prefix } = LEVELS[level];
  return prefix === '' ? `${noun}${verb}` : `${prefix}${capitalized(noun)}${verb}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function errorsOf(level: LevelName, { errors = [], errorsAt = {} }: Operation): readonly [string, ...string[]] {
  return ['NOT_FOUND', ...errors, ...(level === 'user' ? [] : ['FORBIDDEN']), ...(errorsAt[level] ?? [])];
}

function pathFields(t: InputBuilder, level: LevelName) {
  return level === 'user' ? {} : { [`${level}Id`]: t.id({ required: true }) };
}

function idField(t: InputBuilder, noun: string) {
  return { [`${noun}Id`]: t.id({ required: true }) };
}

/** Whose the new thing is: said where a level reaches several. */
function newOwnerFields(t: InputBuilder, level: LevelName, belongsTo: Belonging) {
  if (REACH[level][belongsTo].length === 0) return {};
  if (belongsTo === 'PERSON') return { userId: t.id({ required: true }) };
  return {
    teamId: t.id({ description: 'The team whose it is; give this or userId.' }),
    userId: t.id({ description: 'The member whose it is; give this or teamId.' }),
  };
}

function newOwner(level: LevelName, belongsTo: Belonging, input: Input, context: GraphQLContext) {
  const actorId = requireUserId(context);
  const { group } = LEVELS[level];
  if (!group) return { owner: own(actorId), rest: input };
  const { [`${level}Id`]: groupId, ...others } = input as Readonly<Record<string, string>>;
  const administrator = { group, groupId: String(groupId), actorId };
  const reach = REACH[level][belongsTo];
  if (reach.length === 0) return { owner: ownOfTeam(actorId, administrator.groupId), rest: others };
  const { userId, teamId, ...rest } = others;
  const [ownerId, field] = chosenOwner(belongsTo === 'PERSON' ? undefined : teamId, userId);
  const what = belongsTo === 'PERSON' ? 'member' : 'team or member';
  const notFound = new Problem('NOT_FOUND', `There is no such ${what} in the ${group.kind}.`, [field]);
  return { owner: reachedOwner(administrator, reach, ownerId, notFound), rest };
}

function chosenOwner(teamId: string | null | undefined, userId: string | null | undefined): [string, string] {
  if (teamId != null && userId == null) return [teamId, 'teamId'];
  if (userId != null && teamId == null) return [userId, 'userId'];
  throw new Problem('BAD_INPUT', 'Give teamId or userId, one of the two: it says whose this is.', ['teamId']);
}

/** The owner of what an input names by its id. */
function namedOwner(level: LevelName, options: Options, input: Input, context: GraphQLContext) {
  const { owned, belongsTo } = options;
  const noun = owned.kind;
  const actorId = requireUserId(context);
  const { [`${noun}Id`]: named, ...others } = input;
  const id = String(named);
  const { group } = LEVELS[level];
  if (!group) return { owner: own(actorId), id, rest: others };
  const { [`${level}Id`]: groupId, ...rest } = others;
  const administrator = { group, groupId: String(groupId), actorId };
  const reach = REACH[level][belongsTo];
  if (reach.length === 0) return { owner: ownOfTeam(actorId, administrator.groupId), id, rest };
  const notFound = notFoundHere(noun, id);
  const ownerId = requireOwner(owned.kind, id, notFound);
  return { owner: reachedOwner(administrator, reach, ownerId, notFound), id, rest };
}

/** The id of what was made or changed and, where it is selected, the thing itself, read as it is by then. */
function payloadFields(t: PayloadBuilder, level: LevelName, { type, owned, reads }: Options, isThere: boolean) {
  const noun = owned.kind;
  const id = t.id({ nullable: true, requires: INHERIT, resolve: (payload) => payload[`${noun}Id`] });
  if (!isThere) return { [`${noun}Id`]: id };
  const scopes = reads[level];
  return {
    [`${noun}Id`]: id,
    [noun]: t.field({
      type,
      nullable: true,
      requires: scopes ? { [level]: scopes } : INHERIT,
      resolve: async (payload, _args, context, info) => {
        // Under an idempotency key that comes again nothing was done, and who has lost their role since must see nothing.
        const changed = payload.wasDone ? payload[`${noun}Id`] : undefined;
        const ownerId = changed === undefined ? undefined : ownerOf(owned.kind, changed);
        if (changed === undefined || ownerId === undefined) return undefined;
        const itself = viewOf(level, [], context);
        return (await findRows(context.em, owned, itself, [ownerId], changed, selectionOf(info, owned.entity))).get(
          ownerId,
        );
      },
    }),
  };
}

type PayloadBuilder = PothosSchemaTypes.ObjectFieldBuilder<Types, Payload>;

interface Payload {
  readonly wasDone?: boolean;
  readonly [id: `${string}Id`]: string | undefined;
}
