import type { Page, PageRequest } from '../../core/page.ts';
import { type Selected, selectColumns } from '../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../database/each.ts';
import {
  type Apart,
  byKey,
  type Narrowed,
  NOT_NARROWED,
  narrowedPage,
  orderBy,
  pagesByParent,
} from '../../database/pages.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import type { Member } from '../accounts/user.queries.ts';
import type { Group } from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization.entity.ts';
import type { Role } from '../organizations/role.rules.ts';

/** A membership with the person whose it is. */
export interface MembershipRow extends Selected<typeof MEMBERSHIP> {
  readonly groupId: string;
  /** Null before they have accepted: administrators see no more of them than the id by which they were invited. */
  readonly user: Member | null;
}

// One statement brings memberships and people; the JSON object is the row's `user` as it is.
const MEMBERSHIP = selectColumns(
  OrganizationMembership,
  ['id', 'userId', 'role', 'accepted', 'createdAt', 'updatedAt'],
  'm',
);
const COLUMNS = sql`${MEMBERSHIP}, case when m.accepted
  then json_build_object('id', u.id, 'name', u.name, 'username', u.username, 'avatarUrl', u.avatar_url,
    'timeZone', u.time_zone, 'email', u.email) end as "user"`;

/** Two lists of the same rows: memberships in the order in which they began, or the people who have accepted theirs. */
const LISTS = {
  MEMBERSHIPS: { key: sql`m.id`, condition: sql`true` },
  USERS: { key: sql`m.user_id`, condition: sql`m.accepted` },
};

/** SQL: whether the person of a membership `m` has this address. Each of two indexes has a part of the accounts. */
export function isOfEmail(email: string): RawBuilder<boolean> {
  return sql<boolean>`m.user_id = any(array(${accountsOf(email)}))`;
}

/** SQL: the ids of the accounts with this address. */
export function accountsOf(email: string): RawBuilder<unknown> {
  const accounts = (condition: RawBuilder<unknown>) =>
    sql`select p.id from users p where p.email = ${email.toLowerCase()} and ${condition}`;
  return sql`${accounts(sql`p.email_verified_at is not null`)} union all ${accounts(sql`p.email_verified_at is null`)}`;
}

/** SQL: whether administrators see more of a person than the id by which they were invited. */
export const IS_SHOWN = sql<boolean>`m.accepted`;

/** A page of each group's list, of rows `m` with their people `u`. Whether the caller may see it is decided where the group was loaded. */
export async function membershipPages(
  em: Em,
  { memberships, column }: Group,
  list: keyof typeof LISTS,
  groupIds: readonly string[],
  request: PageRequest,
  by: Narrowed<Apart> = NOT_NARROWED,
): Promise<Map<string, Page<MembershipRow>>> {
  const { key, condition } = LISTS[list];
  const { within, orderAndLimit } = byKey(key, request);
  const ofPage = [sql`key`];
  const memberOf = (filter: RawBuilder<boolean>) => sql`
    select ${COLUMNS}, ${key} as key
    from ${memberships} m join users u on u.id = m.user_id
    where m.${column} = g.id and ${condition} and ${filter} and ${within}
    ${orderAndLimit}`;
  return pagesByParent(
    em,
    request,
    sql<MembershipRow>`select g.id as "groupId", page.*
        from unnest(${groupIds}::uuid[]) as g(id)
        cross join lateral (${narrowedPage(by, memberOf, ofPage, request)}) page
        ${orderBy(ofPage, request)}`,
    'groupId',
    groupIds,
  );
}

/** A row of a group's, by its id: one of another group is not found. */
export interface WantedOfGroup {
  readonly groupId: string;
  readonly id: string;
}

/** Each of these memberships, or those of these users, in their order; none unless `condition` holds. */
export async function findMemberships(
  em: Em,
  { memberships, column }: Group,
  wanted: readonly WantedOfGroup[],
  condition: RawBuilder<boolean> = sql`true`,
  list: keyof typeof LISTS = 'MEMBERSHIPS',
): Promise<(MembershipRow | undefined)[]> {
  const each = eachOf({ group_id: wanted.map(({ groupId }) => groupId), id: wanted.map(({ id }) => id) });
  const found = await rows<ForEach<MembershipRow>>(
    em,
    sql`select ${FOUND_FOR}, m.${column} as "groupId", ${COLUMNS}
        from ${each}
        join ${memberships} m on ${LISTS[list].key} = wanted.id and m.${column} = wanted.group_id
        join users u on u.id = m.user_id
        where ${LISTS[list].condition} and ${condition}`,
  );
  return inPlace(found, wanted.length);
}

/** The membership by which somebody is a member of a group themselves. */
export interface OwnMembership {
  readonly id: string;
  readonly role: Role;
}

/** The membership of a user who has accepted it. */
export async function findMembershipOf(
  em: Em,
  { memberships, column }: Group,
  groupId: string,
  userId: string,
): Promise<OwnMembership | undefined> {
  return row(
    em,
    sql<OwnMembership>`select m.id, m.role from ${memberships} m
        where m.${column} = ${groupId} and m.user_id = ${userId} and m.accepted`,
  );
}
