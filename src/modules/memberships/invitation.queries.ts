import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { type Selected, selectColumnsAs } from '../../database/columns.ts';
import { byKey, pageLimit, pageOrder } from '../../database/keyset.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { Group } from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization-membership.entity.ts';
import { isGiven } from './answer-invitation.ts';

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
  const fetched = await rows<InvitationRow>(
    em,
    sql`select page.* from (
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
  return cutPage(fetched, request);
}
