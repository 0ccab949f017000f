import { NO_ID, type OwnedId, type OwnedKind } from '../../core/id.ts';
import { NO_PAGE, type Page, type PageRequest, type TimeRange } from '../../core/page.ts';
import { type ColumnOf, columnOf, type Entity, type RowOf, type Selection, tableOf } from '../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../database/each.ts';
import { read } from '../../database/lanes.ts';
import {
  type Apart,
  byKey,
  byTime,
  inOrder,
  type Narrowed,
  NOT_NARROWED,
  narrowedPage,
  orderBy,
  pageLimit,
  pageOrder,
  pagesByParent,
  pagesInPlace,
  withinPage,
} from '../../database/pages.ts';
import { type Em, type RawBuilder, sql, unnested } from '../../database/sql.ts';
import { type Group, manages } from '../organizations/group.ts';
import { isReachedBy, type Reached } from './reach.ts';

/**
 * A table of what belongs to somebody. Its ids are made in the order of time, so owner and id are the order of every list
 * of it. In statements its rows are called `item`.
 */
export interface OwnedTable<E extends Entity> {
  readonly entity: E;
  readonly kind: OwnedKind;
  /** The column that names the owner. */
  readonly owner: ColumnOf<E>;
  /** SQL over `item`: which of the table's rows they are, where it holds others as well. */
  readonly only?: RawBuilder<boolean>;
  /** Columns and parts that the administrators of a group are told only of those whom they manage (`isVisible`). */
  readonly guarded?: readonly string[];
  /** SQL over `item`: rows that the administrators of a group are shown only of those whom they manage. */
  readonly secret?: RawBuilder<boolean>;
  /** Whether rows carry the organization in whose lists they stand (organization.entity.ts). */
  readonly isDenormalized?: true;
}

/** Those of its rows of which this holds, over `item`. */
function narrowed<E extends Entity>(owned: OwnedTable<E>, condition: RawBuilder<boolean>): OwnedTable<E> {
  return { ...owned, only: sql<boolean>`(${isOne(owned)} and ${condition})` };
}

/** The columns that a list is ordered by and its cursors hold: where it reaches several owners, theirs comes first. */
export function keyOf<E extends Entity>({ owner }: OwnedTable<E>, reach: readonly Reached[]): readonly string[] {
  return reach.length === 0 ? ['id'] : [owner, 'id'];
}

/** Where a list stands: the people whom it reaches, and the viewer. Without people: what belongs to the parents themselves. */
export interface View {
  readonly reach: readonly Reached[];
  readonly group?: Group | undefined;
  readonly actorId: string;
}

/** All who may see the parent see its own things alike. */
export const EVERYBODYS_OWN: View = { reach: [], actorId: '' };

/** Whether the reader of a row may see its guarded fields. Rows are marked where that is in question. */
export function isVisible(row: object): boolean {
  return (row as { readonly isVisible?: boolean }).isVisible !== false;
}

/** A page of what belongs to each of these, oldest first; of a group, to those it reaches, by owner. @throws Problem BAD_INPUT */
export function ownedPages<E extends Entity>(
  em: Em,
  owned: OwnedTable<E>,
  view: View,
  parentIds: readonly string[],
  request: PageRequest,
  selection: Selection<E>,
  by: Narrowed<Apart> = NOT_NARROWED,
): Promise<Map<string, Page<RowOf<E>>>> {
  const selected = selection.with(owned.owner, 'id' as ColumnOf<E>);
  const key = [sql.ref(owned.owner), sql`id`];
  const page = (condition: RawBuilder<boolean>) => {
    const some = by === NOT_NARROWED ? owned : narrowed(owned, condition);
    return view.reach.length === 0 ? pageOfOwner(some, request, selected) : pageOfGroup(some, view, request, selected);
  };
  return pagesInPlace<RowOf<E>>(
    em,
    request,
    sql<ForEach<RowOf<E>>>`select ${FOUND_FOR}, page.*
        from ${eachOf({ id: parentIds })}
        cross join lateral (${narrowedPage(by, page, key, request)}) page
        ${orderBy(key, request)}`,
    parentIds,
    read,
  );
}

/** A page of the rows of one owner. */
export async function ownedPage<E extends Entity>(
  em: Em,
  owned: OwnedTable<E>,
  ownerId: string,
  request: PageRequest,
  selection: Selection<E>,
): Promise<Page<RowOf<E>>> {
  const pages = await ownedPages(em, owned, EVERYBODYS_OWN, [ownerId], request, selection);
  return pages.get(ownerId) ?? NO_PAGE;
}

/** A look-up: a row by its id, where it belongs to the parent, or to somebody whom the parent reaches. */
export interface LookUp extends OwnedId {
  readonly parentId: string;
}

/** The row of each look-up, in their order; none unless `condition` holds. */
export async function findOwned<E extends Entity>(
  em: Em,
  owned: OwnedTable<E>,
  view: View,
  lookUps: readonly LookUp[],
  selection: Selection<E>,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<(RowOf<E> | undefined)[]> {
  const isOwn = view.reach.length === 0;
  const ownerId = sql`wanted.owner_id`;
  const parentId = isOwn ? ownerId : sql`wanted.parent_id`;
  const isReached = isOwn ? sql`true` : isReachedBy(view.reach, parentId, ownerId);
  const parentIds = lookUps.map((lookUp) => lookUp.parentId);
  const wanted = eachOf({
    ...(isOwn ? {} : { parent_id: parentIds }),
    // Nobody finds what belongs to somebody else.
    owner_id: lookUps.map((lookUp) => (isOwn && lookUp.parentId !== lookUp.ownerId ? NO_ID : lookUp.ownerId)),
    id: lookUps.map(({ id }) => id),
  });
  const visible = whetherVisible(owned, view, selection, parentId, ownerId);
  const found = await read(
    em,
    sql<
      ForEach<RowOf<E>>
    >`select ${FOUND_FOR}, ${columnsOfItem(selection)}${visible ? sql`, ${visible} as "isVisible"` : sql``}
        from ${wanted}
        join ${tableOf(owned.entity)} item on ${ownerColumn(owned)} = ${ownerId} and item.id = wanted.id
        where ${isReached} and ${isOne(owned)} and ${maySee(owned, view, parentId, ownerId)} and ${condition}`,
  );
  return inPlace(found, lookUps.length);
}

/** SQL: a page of what belongs to `parent` itself. */
function pageOfOwner<E extends Entity>(
  owned: OwnedTable<E>,
  request: PageRequest,
  selection: Selection<E>,
): RawBuilder<unknown> {
  return pageOf(itemsOf(owned, [], sql`wanted.id`, request), request, selection);
}

/**
 * SQL: a page of what belongs to those whom the group `parent` reaches. As many owners as a page has rows fill it, if each
 * has something: they are visited along an index, in order, until enough are found. That they are few by then is what
 * keeps PostgreSQL from sorting the lists of all of them.
 */
function pageOfGroup<E extends Entity>(
  owned: OwnedTable<E>,
  view: View,
  request: PageRequest,
  selection: Selection<E>,
): RawBuilder<unknown> {
  const [order, limit] = [pageOrder(request), pageLimit(request)];
  const visible = whetherVisible(owned, view, selection, sql`wanted.id`, sql`owner.id`);
  const items = (ownerId: RawBuilder<unknown>) =>
    sql`${itemsOf(owned, view.reach, ownerId, request)} and ${maySee(owned, view, sql`wanted.id`, ownerId)}`;
  const isDenormalized = owned.isDenormalized && view.group?.kind === 'organization';
  const walked = isDenormalized ? view.reach.flatMap(({ scattered }) => scattered ?? []) : view.reach;
  const ways = walked.map(
    ({ table, groupId, ownerId, condition }) => sql`(
      select found.* ${visible ? sql`, visible."isVisible"` : sql``}
      from (
        select ${ownerId} as id from ${table}
        where ${groupId} = wanted.id and ${condition} and ${withinOwners(ownerId, request)}
          and (select true from ${items(ownerId)} order by item.id limit 1)
        order by ${ownerId} ${order} limit ${limit}
      ) owner
      ${visible ? sql`cross join lateral (select ${visible} as "isVisible" offset 0) visible` : sql``}
      cross join lateral (${pageOf(items(sql`owner.id`), request, selection)}) found
      order by owner.id ${order}, found.id ${order} limit ${limit}
    )`,
  );
  if (isDenormalized) ways.push(denormalizedWay(owned, view, request, selection));
  return sql`select * from (${sql.join(ways, sql` union all `)}) found
    order by ${sql.ref(owned.owner)} ${order}, id ${order} limit ${limit}`;
}

/**
 * SQL: a page of the rows that carry the id of the organization `parent` and belong to somebody whom it still reaches:
 * nobody else's row is shown.
 */
function denormalizedWay<E extends Entity>(
  owned: OwnedTable<E>,
  view: View,
  request: PageRequest,
  selection: Selection<E>,
): RawBuilder<unknown> {
  const [parentId, ownerId] = [sql`wanted.id`, ownerColumn(owned)];
  // As the index has it.
  const key = [sql`case when item.organization_id is not null then ${ownerId} end`, sql`item.id`];
  const visible = whetherVisible(owned, view, selection, parentId, ownerId);
  // Not `exists`, which the planner may turn into a look through all who are reached.
  const isReached = view.reach.map(
    (one) => sql`(select true from ${one.table}
      where ${one.groupId} = ${parentId} and ${one.ownerId} = ${ownerId} and ${one.condition} and ${one.isDenormalized} limit 1)`,
  );
  return sql`(
    select ${columnsOfItem(selection)} ${visible ? sql`, ${visible} as "isVisible"` : sql``}
    from ${tableOf(owned.entity)} item
    where item.organization_id = ${parentId} and ${isOne(owned)} and ${withinPage(key, request)}
      and coalesce(${sql.join(isReached)}) and ${maySee(owned, view, parentId, ownerId)}
    ${inOrder(key, request).orderAndLimit}
  )`;
}

/** SQL: whether this owner is somebody whom the reader manages; undefined where nothing guarded is selected. */
function whetherVisible<E extends Entity>(
  { guarded = [] }: OwnedTable<E>,
  { group, actorId }: View,
  { columns, parts }: Selection<E>,
  groupId: RawBuilder<unknown>,
  ownerId: RawBuilder<unknown>,
): RawBuilder<boolean> | undefined {
  const isGuarded = [...columns, ...parts.map(({ part }) => part.name)].some((name) => guarded.includes(name));
  return group && isGuarded ? manages({ group, groupId, actorId }, ownerId) : undefined;
}

/** SQL: whether the reader may see `item` at all, which belongs to this owner. What is one's own is never in question. */
function maySee<E extends Entity>(
  { secret }: OwnedTable<E>,
  { group, reach, actorId }: View,
  groupId: RawBuilder<unknown>,
  ownerId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (!secret || !group || reach.length === 0) return sql<boolean>`true`;
  return sql<boolean>`(not ${secret} or ${manages({ group, groupId, actorId }, ownerId)})`;
}

function pageOf<E extends Entity>(
  items: RawBuilder<unknown>,
  request: PageRequest,
  selection: Selection<E>,
): RawBuilder<unknown> {
  return sql`select ${columnsOfItem(selection)} from ${items}
    ${inOrder([sql`item.id`], request).orderAndLimit}`;
}

function itemsOf<E extends Entity>(
  owned: OwnedTable<E>,
  reach: readonly Reached[],
  ownerId: RawBuilder<unknown>,
  request: PageRequest,
): RawBuilder<unknown> {
  const key = keyOf(owned, reach).map((name) => sql.ref(`item.${columnOf(name)}`));
  return sql`${tableOf(owned.entity)} item
    where ${ownerColumn(owned)} = ${ownerId} and ${isOne(owned)} and ${withinPage(key, request)}`;
}

/** SQL: whether `item` is one of them. */
export function isOne<E extends Entity>({ only }: Pick<OwnedTable<E>, 'only'>): RawBuilder<boolean> {
  return only ?? sql<boolean>`true`;
}

function ownerColumn<E extends Entity>({ owner }: OwnedTable<E>): RawBuilder<unknown> {
  return sql.ref(`item.${columnOf(owner)}`);
}

/** SQL: what is selected of `item`, and its id: a row of which nothing is selected is still there. */
export function columnsOfItem<E extends Entity>(selection: Selection<E>): RawBuilder<unknown> {
  return selection.with('id' as ColumnOf<E>).from('item');
}

/** The owners among whom a page lies, the cursors' own included. */
function withinOwners(ownerId: RawBuilder<unknown>, { after, before }: PageRequest): RawBuilder<unknown> {
  const bounds = [
    ...(after ? [sql`${ownerId} >= ${after[0]}`] : []),
    ...(before ? [sql`${ownerId} <= ${before[0]}`] : []),
  ];
  return bounds.length === 0 ? sql`true` : sql.join(bounds, sql` and `);
}

/** A table of what hangs on something of an owner's; both have the owner's id in the column `owner_id`. */
interface HangingTable<E extends Entity> {
  readonly entity: E;
  /** The column that names the parent of a row. */
  readonly parent: ColumnOf<E>;
  /** The column of the time by which the list is sorted, which a period can bound. Left out: by the ids alone. */
  readonly time?: ColumnOf<E>;
  /** Left out: `rows`. */
  readonly fetch?: typeof read;
}

/** A page of what hangs on each of these, oldest first. What narrows it is SQL over `item` and `parent` (`owner_id`, `id`). */
export function pagesHangingOn<E extends Entity>(
  em: Em,
  table: HangingTable<E> & { readonly time: ColumnOf<E> },
  parents: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<E>,
  by?: Narrowed<Apart, TimeRange>,
): Promise<Map<string, Page<RowOf<E>>>>;
export function pagesHangingOn<E extends Entity>(
  em: Em,
  table: HangingTable<E>,
  parents: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<E>,
  by?: Narrowed<Apart>,
): Promise<Map<string, Page<RowOf<E>>>>;
export function pagesHangingOn<E extends Entity>(
  em: Em,
  { entity, parent, time, fetch }: HangingTable<E>,
  parents: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<E>,
  { period, ...by }: Narrowed<Apart, TimeRange> = NOT_NARROWED,
): Promise<Map<string, Page<RowOf<E>>>> {
  const { within, orderAndLimit } = time
    ? byTime('OLDEST_FIRST', sql.ref(`item.${columnOf(time)}`), sql`item.id`, request, period)
    : byKey(sql`item.id`, request);
  // As the rows are selected.
  const key = [...(time ? [sql.ref(time)] : []), sql`id`];
  const selected = selection.with('id' as ColumnOf<E>, parent, ...(time ? [time] : []));
  const items = (condition: RawBuilder<boolean>) => sql`
    select ${selected.from('item')} from ${tableOf(entity)} item
    where item.owner_id = parent.owner_id and item.${sql.ref(columnOf(parent))} = parent.id and ${within}
      and ${condition}
    ${orderAndLimit}`;
  return pagesByParent(
    em,
    request,
    sql<RowOf<E>>`select page.*
        from ${unnested(parents)} as parent(owner_id, id)
        cross join lateral (${narrowedPage(by, items, key, request)}) page
        ${orderBy(key, request)}`,
    parent,
    parents.map(({ id }) => id),
    fetch,
  );
}
