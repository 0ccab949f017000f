import type { Page, PageRequest } from '../../core/page.ts';
import { type Selected, selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../database/each.ts';
import {
  type Apart,
  byKey,
  type Narrowed,
  NOT_NARROWED,
  narrowedPage,
  orderBy,
  pageLimit,
  pageOf,
  pageOrder,
  pagesByParent,
} from '../../database/pages.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import type { Group } from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization.entity.ts';
import type { Role } from '../organizations/role.rules.ts';
import { isGiven } from './answer-invitation.ts';
import { Invitation } from './invitation.entity.ts';
import type { WantedOfGroup } from './membership.queries.ts';

/** A membership that somebody has not accepted yet, or may have by their address, with as much of the group as they need to decide. */
export interface InvitationRow extends Selected<typeof MEMBERSHIP> {
  readonly groupId: string;
  readonly groupKind: Group['kind'];
  readonly groupName: string;
}

// Memberships of teams have the same columns, and so have invitations.
const MEMBERSHIP = selectColumnsAs(
  OrganizationMembership,
  { membershipId: 'id', role: 'role', createdAt: 'createdAt', updatedAt: 'updatedAt' },
  'm',
);

/** An invitation by mail that waits for an answer, as its group's administrators see it. */
export interface SentInvitationRow {
  readonly id: string;
  readonly groupId: string;
  readonly email: string;
  readonly role: Role;
  /** RFC 3339, as the database writes it; so are the others. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
}

const COLUMNS = selectColumns(Invitation, ['id', 'email', 'role', 'createdAt', 'updatedAt', 'expiresAt'], 'i');

/** The groups of one kind that a user is invited to: by their id, and by their address once it is verified. */
export async function listInvitations(
  em: Em,
  group: Group,
  userId: string,
  request: PageRequest,
): Promise<Page<InvitationRow>> {
  const { kind, table, memberships, column } = group;
  const key = sql`m.${column}`;
  const { within, orderAndLimit } = byKey(key, request);
  const shown = sql`${MEMBERSHIP}, g.id as "groupId", ${kind}::text as "groupKind", g.name as "groupName"`;
  // A person who is invited in both ways accepts the membership that waits.
  return pageOf(
    em,
    request,
    sql<InvitationRow>`select page.* from (
          (
            select ${shown} from ${memberships} m join ${table} g on g.id = ${key}
            where m.user_id = ${userId} and not m.accepted and ${isGiven(group, key, 'm')} and ${within} ${orderAndLimit}
          ) union all (
            select ${shown} from users u join invitations m on m.email = u.email join ${table} g on g.id = ${key}
            where u.id = ${userId} and u.email_verified_at is not null and m.expires_at > now() and ${within}
              and ${isGiven(group, key, 'm')}
              and not exists (select 1 from ${memberships} mine 
                where mine.${column} = ${key} and mine.user_id = u.id
                  and (mine.accepted or ${isGiven(group, sql`mine.${column}`, 'mine')}))
            ${orderAndLimit}
          )
        ) page
        order by page."groupId" ${pageOrder(request)} limit ${pageLimit(request)}`,
  );
}

/** A page of what each group has sent, of rows `i`. Whether the caller may see it is decided where the group was loaded. */
export async function sentInvitationPages(
  em: Em,
  { column }: Group,
  groupIds: readonly string[],
  request: PageRequest,
  by: Narrowed<Apart> = NOT_NARROWED,
): Promise<Map<string, Page<SentInvitationRow>>> {
  const { within, orderAndLimit } = byKey(sql`i.id`, request);
  const key = [sql`id`];
  const invitations = (filter: RawBuilder<boolean>) => sql`
    select ${COLUMNS} from invitations i where i.${column} = g.id and i.expires_at > now() and ${filter} and ${within}
    ${orderAndLimit}`;
  return pagesByParent(
    em,
    request,
    sql<SentInvitationRow>`select g.id as "groupId", page.*
        from unnest(${groupIds}::uuid[]) as g(id)
        cross join lateral (${narrowedPage(by, invitations, key, request)}) page
        ${orderBy(key, request)}`,
    'groupId',
    groupIds,
  );
}

/** Each of these invitations, in their order: one of another group is not found. */
export async function findSentInvitations(
  em: Em,
  { column }: Group,
  wanted: readonly WantedOfGroup[],
  condition: RawBuilder<boolean> = sql`true`,
): Promise<(SentInvitationRow | undefined)[]> {
  const each = eachOf({ group_id: wanted.map(({ groupId }) => groupId), id: wanted.map(({ id }) => id) });
  const found = await rows<ForEach<SentInvitationRow>>(
    em,
    sql`select ${FOUND_FOR}, i.${column} as "groupId", ${COLUMNS}
        from ${each} join invitations i on i.id = wanted.id and i.${column} = wanted.group_id and i.expires_at > now()
        where ${condition}`,
  );
  return inPlace(found, wanted.length);
}
