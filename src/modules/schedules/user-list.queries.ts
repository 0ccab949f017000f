import { type IdKind, ownerOf } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { pageLimit, pageOrder, pagesByParent, withinPage } from '../../database/keyset.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import { type GroupAdministrator, manages } from '../organizations/standing.ts';

/** What every user has of their own: their schedules, their out-of-office. The rows are called `item` in statements. */
export interface UserList<Row> {
  readonly kind: IdKind;
  readonly table: RawBuilder<unknown>;
  readonly columns: RawBuilder<Row>;
  /** The columns where some of them are told to administrators only who manage the user; left out, all are. */
  readonly columnsFor?: (isTold: RawBuilder<boolean>) => RawBuilder<Row>;
}

interface UserRow {
  readonly id: string;
  readonly userId: string;
}

// Ids are made in the order of time and start with their user, so they are the order of every list.
const KEY = sql`item.id`;

/** A page of what each user has, oldest first. */
export async function userPages<Row extends UserRow>(
  em: Em,
  list: UserList<Row>,
  userIds: readonly string[],
  request: PageRequest,
): Promise<Map<string, Page<Row>>> {
  const fetched = await rows(
    em,
    sql<Row>`select page.*
        from unnest(${userIds}::text[]) as owner(id)
        cross join lateral (${pageOfOwner(list, list.columns, request)}) page
        order by page.id ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ userId }) => userId, userIds, request);
}

/** A page of what the members of each group have, by member, for one of its administrators. @throws Problem BAD_INPUT */
export async function memberPages<Row extends UserRow>(
  em: Em,
  list: UserList<Row>,
  { group, actorId }: Omit<GroupAdministrator, 'groupId'>,
  groupIds: readonly string[],
  request: PageRequest,
): Promise<Map<string, Page<Row>>> {
  const [order, limit] = [pageOrder(request), pageLimit(request)];
  const { memberships, column } = group;
  const isManaged = list.columnsFor ? manages({ group, groupId: sql`g.id`, actorId }, sql`owner.id`) : sql`true`;
  const columns = list.columnsFor?.(sql`told.is_told`) ?? list.columns;
  // As many members as a page has rows fill it, if each has something. Members are visited in order until so many are
  // found, from the cursor on; that they are few by then is what keeps PostgreSQL from sorting the lists of all of them.
  const fetched = await rows(
    em,
    sql<Row & { readonly groupId: string }>`select g.id as "groupId", page.*
        from unnest(${groupIds}::text[]) as g(id)
        cross join lateral (
          select found.*
          from (
            select m.user_id as id from ${memberships} m
            where m.${column} = g.id and m.accepted and ${withinOwners(list.kind, request)}
              and (select true from ${list.table} item where item.user_id = m.user_id and ${withinPage(KEY, request)}
                order by ${KEY} limit 1)
            order by m.user_id ${order} limit ${limit}
          ) as owner
          cross join lateral (select ${isManaged} as is_told offset 0) told
          cross join lateral (${pageOfOwner(list, columns, request)}) found
          order by owner.id ${order}, found.id ${order} limit ${limit}
        ) page
        order by page.id ${order}`,
  );
  return pagesByParent(fetched, ({ groupId }) => groupId, groupIds, request);
}

/** One row, by its user, if that is one of these. */
export async function findOfUsers<Row extends UserRow>(
  em: Em,
  { kind, table, columns }: UserList<Row>,
  userIds: readonly string[],
  id: string,
): Promise<Map<string, Row>> {
  const userId = ownerOf(kind, id);
  if (userId === undefined || !userIds.includes(userId)) return new Map();
  const found = await rows(
    em,
    sql<Row>`select ${columns} from ${table} item where item.user_id = ${userId} and item.id = ${id}`,
  );
  return new Map(found.map((row) => [userId, row]));
}

/** SQL: a page of one user's list, the user being `owner` in the statement around it. */
function pageOfOwner<Row>({ table }: UserList<Row>, columns: RawBuilder<Row>, request: PageRequest): RawBuilder<Row> {
  return sql`select ${columns} from ${table} item
    where item.user_id = owner.id and ${withinPage(KEY, request)}
    order by ${KEY} ${pageOrder(request)} limit ${pageLimit(request)}`;
}

function withinOwners(kind: IdKind, { after, before }: PageRequest): RawBuilder<unknown> {
  const bounds = [
    ...(after ? [sql`m.user_id >= ${ownerOfCursor(kind, after, 'after')}`] : []),
    ...(before ? [sql`m.user_id <= ${ownerOfCursor(kind, before, 'before')}`] : []),
  ];
  return bounds.length === 0 ? sql`true` : sql.join(bounds, sql` and `);
}

function ownerOfCursor(kind: IdKind, [id = '']: readonly string[], argument: string): string {
  const ownerId = ownerOf(kind, id);
  if (ownerId !== undefined) return ownerId;
  throw new Problem('BAD_INPUT', `${argument} is not a cursor of this list; use one that it gave you.`, [argument]);
}
