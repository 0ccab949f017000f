import type { InputFieldMap, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { IdKind } from '../../core/id.ts';
import type { Entity } from '../../database/columns.ts';
import type { Apart, Narrowed } from '../../database/pages.ts';
import type { Em } from '../../database/sql.ts';
import { builder, type Types } from '../../graphql/builder.ts';
import { connectionOf, pageArguments } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import {
  BY_IDS,
  describedById,
  describedByIds,
  eachById,
  idsArgument,
  refuseOtherKind,
  WITH_NULLS,
} from '../../graphql/id-arguments.ts';
import { filterArgument, type ListFilter } from '../../graphql/list-filter.ts';
import type { RowRef } from '../../graphql/row.ts';
import type { Requirement, ScopeLists } from '../../scopes/requirement.ts';
import { isAtLeast, type Role } from '../organizations/role.rules.ts';
import { deleteOwned } from './change-owned.ts';
import { type Descriptions, LEVELS, levelsOf } from './level.graphql.ts';
import type { OwnedTable } from './owned.queries.ts';
import { ownedStore, type Row, type Store, type Whose } from './owned-store.graphql.ts';
import type { Belonging, LevelName, Owner } from './reach.ts';
import {
  type Create,
  type Delete,
  type Deletion,
  declareMutations,
  type Options,
  type Update,
} from './resource-mutations.graphql.ts';

interface Listing {
  readonly name: string;
  readonly describes: Descriptions;
  /** The fields that it can be narrowed by, over `item` where it is of an `OwnedTable`. */
  readonly filter?: ListFilter<Narrowed<Apart>>;
}

/** A list at a door, and the look-up of one of it by its id: `schedules` and `schedule(id:)`. */
interface ListOffer extends Listing {
  /** The name of the look-up, where the list's is no plural. */
  readonly one?: string;
}

/** The lists and look-ups that a resource offers, and the scopes of all that it offers. */
interface Offers {
  /** The scopes that its fields require at each level. */
  readonly reads: ScopeLists;
  readonly writes: ScopeLists;
  readonly list?: ListOffer;
  /** For things that are listed below others alone: those of a list at the door are looked up beside it. */
  readonly lookUp?: Listing;
}

interface ResourceOptions<E extends Entity, New extends InputFieldMap, Patch extends InputFieldMap> extends Offers {
  readonly type: RowRef<E>;
  /** Its table. The kind of its ids is its name in the schema too: `scheduleCreate`, `scheduleId`, the payload's `schedule`. */
  readonly owned: OwnedTable<E>;
  readonly belongsTo: Belonging;
  readonly create?: Create<New>;
  readonly update?: Update<Patch>;
  readonly delete?: Deletion;
}

interface StoredOptions<Shape, Holder extends Whose, New extends InputFieldMap, Patch extends InputFieldMap>
  extends Offers {
  readonly type: ObjectRef<Types, Shape>;
  readonly store: Store<Holder>;
  readonly create?: Create<New, Holder>;
  readonly update?: Update<Patch, Holder>;
  readonly delete?: Delete<Holder>;
}

/** A resource as it was declared, for those who make something of all of them. */
export interface Declared {
  readonly kind: IdKind;
  /** The name of its list, and the levels that have one. */
  readonly list: string | undefined;
  readonly listedAt: readonly LevelName[];
  /** The same of its look-up. */
  readonly lookUp: string | undefined;
  readonly lookedUpAt: readonly LevelName[];
  readonly changedAt: Readonly<Record<'Create' | 'Update' | 'Delete', readonly LevelName[]>>;
  /** Undefined for a resource whose things are no rows of one table. */
  readonly rows: { readonly owned: OwnedTable<Entity>; readonly belongsTo: Belonging } | undefined;
}

const DECLARED: Declared[] = [];

function levelsAt(offer: { readonly describes: Descriptions } | undefined): readonly LevelName[] {
  return levelsOf(offer?.describes ?? {}).map(([level]) => level);
}

/** Every resource of the schema, in the order of `schema.ts`, which declares them. */
export function declaredResources(): readonly Declared[] {
  return DECLARED;
}

/**
 * Declares what a resource offers at each level: its list with the look-up of several by their ids, its look-up of one, and
 * the mutations that make, change and delete it.
 */
export function resource<
  E extends Entity,
  New extends InputFieldMap = InputFieldMap,
  Patch extends InputFieldMap = InputFieldMap,
>({ owned, belongsTo, delete: remove, ...options }: ResourceOptions<E, New, Patch>): void {
  const table = owned as unknown as OwnedTable<Entity>;
  const removal = remove && { delete: { run: deleteFrom(table), ...remove } };
  declareResource({ ...options, ...removal, store: ownedStore(table, belongsTo) }, { owned: table, belongsTo });
}

/** Deletes what needs no more than one statement over its table. */
const deleteFrom = (table: OwnedTable<Entity>) => (em: Em, owner: Owner, id: string) =>
  deleteOwned(em, table, owner, id);

/** Declares a resource whose things are no rows of an `OwnedTable`. */
export function resourceOf<
  Shape,
  Holder extends Whose,
  New extends InputFieldMap = InputFieldMap,
  Patch extends InputFieldMap = InputFieldMap,
>(options: StoredOptions<Shape, Holder, New, Patch>): void {
  declareResource(options, undefined);
}

function declareResource<
  Shape,
  Holder extends Whose,
  New extends InputFieldMap = InputFieldMap,
  Patch extends InputFieldMap = InputFieldMap,
>(options: StoredOptions<Shape, Holder, New, Patch>, rows: Declared['rows']): void {
  const lookUp = options.lookUp ?? (options.list && lookUpOf(options.list));
  DECLARED.push({
    kind: options.store.kind,
    list: options.list?.name,
    listedAt: levelsAt(options.list),
    lookUp: lookUp?.name,
    lookedUpAt: levelsAt(lookUp),
    changedAt: { Create: levelsAt(options.create), Update: levelsAt(options.update), Delete: levelsAt(options.delete) },
    rows,
  });
  const untyped = options as unknown as Options & Pick<typeof options, 'list'>;
  const findAt = findersOf(untyped);
  if (untyped.list) {
    declareList(untyped, untyped.list);
    declareByIds(untyped, untyped.list, findAt);
  }
  if (lookUp) declareLookUp(untyped, lookUp, findAt);
  declareMutations(untyped);
}

/** Every list at a door has its look-up beside it, at each level that has the list, named by the singular of the list's name. */
function lookUpOf({ name, one = name.replace(/s$/, ''), describes }: ListOffer): Listing {
  if (one === name) throw new Error(`Say what one of ${name} is called: it is no plural.`);
  const described = (level: LevelName) => `${describedById(name)}${forWhom(level)}`;
  return {
    name: one,
    describes: Object.fromEntries(levelsOf(describes).map(([level]) => [level, described(level)])),
  };
}

/** The end of the description of a look-up at a level: groups show nothing but to their administrators. */
function forWhom(level: LevelName): string {
  return level === 'user' ? '' : ' Null unless you administer it.';
}

/** The parent of a list or a look-up: the caller, or a team or an organization with the caller's role in it. */
interface Parent {
  readonly id: string;
  readonly role?: Role;
}

function declareList({ type, store, reads }: Options, { name, describes, filter }: Listing): void {
  const Connection = connectionOf(type);
  for (const [level, description] of levelsOf(describes)) {
    const pages = store.pagesAt(level, filter);
    builder.objectField(LEVELS[level].door, name, (t) =>
      t.field({
        type: Connection,
        nullable: true,
        description,
        requires: requiredAt(level, reads),
        args: { ...filterArgument(filter), ...pageArguments() },
        resolve: (parent, args, context, info) =>
          mayList(parent) ? pages(context, parent.id, args, info, args.filter) : undefined,
      }),
    );
  }
}

/**
 * The thing of this id, if the parent has it: undefined for what is somebody else's, and for a text that is no id.
 * @throws Problem BAD_INPUT for the id of another kind of thing
 */
type Find = (
  parent: Parent,
  id: string,
  context: GraphQLContext,
  info: GraphQLResolveInfo,
) => Promise<Row | undefined> | undefined;

/** One for each level, so that what is looked up in one turn, one by one or several by their ids, is one statement. */
function findersOf({ store }: Options): (level: LevelName) => Find {
  const finders = new Map<LevelName, Find>();
  const finderAt = (level: LevelName): Find => {
    const lookUp = store.lookUpsAt(level);
    return (parent, id, context, info) => {
      const named = store.idOf(id, parent.id) ?? refuseOtherKind([store.kind], id, ['id']);
      return named && lookUp(context, parent.id, named, info);
    };
  };
  return (level) => finders.getOrInsertComputed(level, finderAt);
}

function declareLookUp(
  { type, store, reads }: Options,
  { name, describes }: Listing,
  findAt: (level: LevelName) => Find,
): void {
  for (const [level, description] of levelsOf(describes)) {
    const find = findAt(level);
    builder.objectField(LEVELS[level].door, name, (t) =>
      t.field({
        type,
        nullable: true,
        description,
        requires: requiredAt(level, reads),
        args: { id: t.arg.id({ required: true, description: store.idInWords }) },
        resolve: (parent, { id }, context, info) => (mayList(parent) ? find(parent, id, context, info) : undefined),
      }),
    );
  }
}

/** Several of a list by their ids, at each level that has the list. */
function declareByIds(
  { type, store, reads }: Options,
  { name, describes }: Listing,
  findAt: (level: LevelName) => Find,
): void {
  for (const [level] of levelsOf(describes)) {
    const find = findAt(level);
    builder.objectField(LEVELS[level].door, `${name}ById`, (t) =>
      t.field({
        type: [type],
        nullable: WITH_NULLS,
        price: BY_IDS,
        description: `${describedByIds(name)}${forWhom(level)}`,
        requires: requiredAt(level, reads),
        args: idsArgument(store.kind),
        resolve: (parent, { ids }, context, info) =>
          mayList(parent) ? eachById(store.kind, ids, (id) => find(parent, id, context, info)) : undefined,
      }),
    );
  }
}

/** `me` shows the caller what is theirs; a team and an organization show it to those who administer them. */
export function mayList({ role }: Parent): boolean {
  return role === undefined || isAtLeast(role, 'ADMIN');
}

/**
 * A team is reached by itself and in the list of its organization, and judged there by the organization's scopes. Where those have
 * none for it, by the team's own, whichever way leads there.
 */
export function requiredAt(level: LevelName, { user, team, organization }: ScopeLists): Requirement {
  if (level === 'user') return { ...(user && { user }) };
  if (level === 'team' && team && !organization) return { team, enters: 'TEAM' };
  return { ...(level === 'team' && team && { team }), ...(organization && { organization }) };
}

/** Describes the three levels to GraphQL. */
