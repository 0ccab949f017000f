import { isId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type RawBuilder, sql } from '../../database/sql.ts';
import type { Owner } from '../levels/reach.ts';
import { managesMember } from '../organizations/standing.ts';

/**
 * SQL: whether guests of a user can be sent to this one, or to nobody (null): to a colleague of theirs, and by an
 * administrator to members whom they manage only, or guests could be sent to people out of the administrator's reach.
 * @throws Problem NOT_A_COLLEAGUE for the user themselves, and for what cannot be a user's id
 */
export function canRedirect(
  { ownerId, administrator }: Pick<Owner, 'ownerId' | 'administrator'>,
  redirectToUserId: string | null,
): RawBuilder<boolean> {
  if (redirectToUserId === null) return sql`true`;
  if (redirectToUserId === ownerId || !isId('user', redirectToUserId)) throw notAColleague(redirectToUserId);
  return administrator
    ? managesMember(administrator, sql`${redirectToUserId}`)
    : areColleagues(sql`${ownerId}`, sql`${redirectToUserId}`);
}

/** The same answer for somebody who is no colleague and for nobody. */
export function notAColleague(userId: string): Problem {
  const shown = JSON.stringify(userId.slice(0, 60));
  const message = `${shown} is no colleague; name somebody else of the same team or organization, or leave it out.`;
  return new Problem('NOT_A_COLLEAGUE', message, ['redirectToUserId']);
}

/** SQL: whether two users belong to one organization or one team, both having accepted. */
export function areColleagues(userId: RawBuilder<unknown>, otherId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (
      select 1 from organization_memberships a join organization_memberships b on b.organization_id = a.organization_id
      where a.user_id = ${userId} and a.accepted and b.user_id = ${otherId} and b.accepted
    ) or exists (
      select 1 from team_memberships a join team_memberships b on b.team_id = a.team_id
      where a.user_id = ${userId} and a.accepted and b.user_id = ${otherId} and b.accepted
    )
  )`;
}
