import type { Page, PageRequest } from '../../core/page.ts';
import { type Selected, selectColumns } from '../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../database/each.ts';
import { byKey, pageOrder, pagesByParent } from '../../database/pages.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import type { Person } from '../accounts/user.queries.ts';
import type { Group } from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization.entity.ts';
import type { Role } from '../organizations/role.rules.ts';

/** A membership with the person whose it is. */
export interface MembershipRow extends Selected<typeof MEMBERSHIP> {
  readonly groupId: string;
  /** Before they have accepted, administrators see no more of them than the id by which they were invited. */
  readonly user: Person;
}

// One statement brings memberships and people; the JSON object is the row's `user` as it is.
const MEMBERSHIP = selectColumns(OrganizationMembership, ['id', 'role', 'accepted', 'createdAt', 'updatedAt'], 'm');
const COLUMNS = sql`${MEMBERSHIP}, case when m.accepted
  then json_build_object('id', u.id, 'name', u.name, 'username', u.username, 'avatarUrl', u.avatar_url,
    'timeZone', u.time_zone, 'email', u.email)
  else json_build_object('id', u.id, 'name', '', 'username', '', 'avatarUrl', null, 'timeZone', 'UTC', 'email', null)
  end as "user"`;

/** Two lists of the same rows: memberships in the order in which they began, or the people who have accepted theirs. */
const LISTS = {
  MEMBERSHIPS: { key: sql`m.id`, condition: sql`true` },
  USERS: { key: sql`m.user_id`, condition: sql`m.accepted` },
};

/** A page of each group's list. Whether the caller may see it is decided where the group was loaded. */
export async function membershipPages(
  em: Em,
  { memberships, column }: Group,
  list: keyof typeof LISTS,
  groupIds: readonly string[],
  request: PageRequest,
): Promise<Map<string, Page<MembershipRow>>> {
  const { key, condition } = LISTS[list];
  const { within, orderAndLimit } = byKey(key, request);
  const fetched = await rows<MembershipRow>(
    em,
    sql`select g.id as "groupId", page.*
        from unnest(${groupIds}::uuid[]) as g(id)
        cross join lateral (
          select ${COLUMNS}, ${key} as key
          from ${memberships} m join users u on u.id = m.user_id
          where m.${column} = g.id and ${condition} and ${within}
          ${orderAndLimit}
        ) page
        order by page.key ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ groupId }) => groupId, groupIds, request);
}

/** A row of a group's, by its id: one of another group is not found. */
export interface WantedOfGroup {
  readonly groupId: string;
  readonly id: string;
}

/** Each of these memberships, in their order; none unless `condition` holds. */
export async function findMemberships(
  em: Em,
  { memberships, column }: Group,
  wanted: readonly WantedOfGroup[],
  condition: RawBuilder<boolean> = sql`true`,
): Promise<(MembershipRow | undefined)[]> {
  const each = eachOf({ group_id: wanted.map(({ groupId }) => groupId), id: wanted.map(({ id }) => id) });
  const found = await rows<ForEach<MembershipRow>>(
    em,
    sql`select ${FOUND_FOR}, m.${column} as "groupId", ${COLUMNS}
        from ${each}
        join ${memberships} m on m.id = wanted.id and m.${column} = wanted.group_id
        join users u on u.id = m.user_id
        where ${condition}`,
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
