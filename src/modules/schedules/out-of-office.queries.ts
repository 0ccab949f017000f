import { idOf, publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import type { Part } from '../../database/columns.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { tidyName } from '../accounts/account.rules.ts';
import { User } from '../accounts/user.entity.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import type { Owner } from '../levels/reach.ts';
import { managesMember } from '../organizations/group.ts';
import { OutOfOffice } from './out-of-office.entity.ts';

export const OUT_OF_OFFICE: OwnedTable<typeof OutOfOffice> = {
  entity: OutOfOffice,
  kind: 'outOfOffice',
  owner: 'userId',
  isDenormalized: true,
  guarded: ['reason', 'notes', 'redirectTo'],
};

/** The colleague who can be booked in the place of somebody who is away. */
export const COLLEAGUE: Part<'redirectTo', typeof User, 'ONE'> = {
  name: 'redirectTo',
  holds: 'ONE',
  entity: User,
  // A person who has left is no colleague any more, and is not shown to those who stayed.
  from: (alias, of) => {
    const isColleague = areColleagues(sql.ref(`${alias}.user_id`), sql`u.id`);
    return of.jsonObject(
      'u',
      sql`from users u
        where u.id = ${sql.ref(`${alias}.redirect_to_id`)} and u.suspended_at is null and ${isColleague}`,
    );
  },
};

/**
 * Reads which colleague an input sends a user's guests to; null for nobody.
 * @throws Problem NOT_A_COLLEAGUE for the user themselves, and for a text that cannot be a user's id
 */
export function redirectOf(ownerId: string, named: string | null): string | null {
  if (named === null) return null;
  const userId = idOf('user', named);
  if (userId === undefined || userId === ownerId) throw notAColleague(named);
  return userId;
}

/**
 * SQL: whether guests of a user can be sent to this one, or to nobody (null): to a colleague of theirs, and by an
 * administrator to members whom they manage only, or guests could be sent to people out of the administrator's reach.
 */
export function canRedirect(
  { ownerId, administrator }: Pick<Owner, 'ownerId' | 'administrator'>,
  redirectToId: string | null,
): RawBuilder<boolean> {
  if (redirectToId === null) return sql`true`;
  return administrator
    ? managesMember(administrator, sql`${redirectToId}`)
    : areColleagues(sql`${ownerId}`, sql`${redirectToId}`);
}

/** The id of a colleague as commands take it, by a username; that they are one, the command finds out. @throws Problem NOT_A_COLLEAGUE */
export async function colleagueCalled(em: Em, username: string): Promise<string> {
  const found = await row(em, selectFrom(User, { username: tidyName(username) }).select('id'));
  if (!found) throw notAColleague(username);
  return publicId('user', found.id);
}

/** Whether a user is a member of a team or an organization, so that they may have colleagues. */
export async function isMemberOfAny(em: Em, userId: string): Promise<boolean> {
  const found = await row(
    em,
    sql<{
      isMember: boolean;
    }>`select exists (select from organization_memberships where user_id = ${userId} and accepted)
      or exists (select from team_memberships where user_id = ${userId} and accepted) as "isMember"`,
  );
  return found?.isMember ?? false;
}

/** The same answer for somebody who is no colleague and for nobody. */
export function notAColleague(named: string): Problem {
  const message = `${shown(named)} is no colleague; name somebody else of the same team or organization, or leave it out.`;
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
