import type { RowOf } from '../../../database/columns.ts';
import { anyOf, type Em, row, rows, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import type { MailLimit } from '../../../limits/mail-limit.ts';
import { User } from '../../accounts/user.entity.ts';
import { Team } from '../../teams/team.entity.ts';
import { type BookingRow, findBookings, findSeries } from '../booking.queries.ts';
import type { Uids } from '../booking-key.rules.ts';

/** A user as a receiver of mails, or as the person who did what a mail reports. */
export interface MailedUser extends Pick<RowOf<typeof User>, (typeof MAILED)[number]> {
  readonly isSuspended: boolean;
  /** Whether it is known that the address is theirs. */
  readonly isVerified: boolean;
}

const MAILED = ['id', 'name', 'email', 'timeZone', 'locale', 'timeFormat'] as const;

export async function findMailedUsers(em: Em, ids: readonly string[]): Promise<readonly MailedUser[]> {
  return rows(
    em,
    selectFrom(User)
      .where('id', '=', anyOf(ids))
      .select(MAILED)
      .select((eb) => [
        eb('suspendedAt', 'is not', null).$castTo<boolean>().as('isSuspended'),
        eb('emailVerifiedAt', 'is not', null).$castTo<boolean>().as('isVerified'),
      ])
      .orderBy(sql`array_position(${ids}::uuid[], id)`),
  );
}

/**
 * Whether whose words a booking holds is verified: its owner, and the team that has written them on the owner's page. In the
 * name of others, those who booked are not mailed. `verifiedIds`: users who are known to be.
 */
export async function isAuthorVerified(
  em: Em,
  { ownerId, managedBy }: Pick<BookingRow, 'ownerId' | 'managedBy'>,
  verifiedIds: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  if (!verifiedIds.has(ownerId) && !(await isVerifiedOwner(em, ownerId))) return false;
  return managedBy === null || isVerifiedTeam(em, managedBy.id);
}

/** Whether an owner is known by an e-mail address: a user by their own, a team by that of somebody who leads it. */
export async function isVerifiedOwner(em: Em, ownerId: string): Promise<boolean> {
  const leads = sql`m.accepted and m.role in ('OWNER', 'ADMIN') and u.email_verified_at is not null
    and u.suspended_at is null`;
  const found = await row(
    em,
    sql<{ isVerified: boolean }>`
      select exists (select 1 from users where id = ${ownerId} and email_verified_at is not null)
        or exists (
          select 1 from team_memberships m join users u on u.id = m.user_id where m.team_id = ${ownerId} and ${leads})
        or exists (
          select 1 from teams t join organization_memberships m on m.organization_id = t.organization_id
          join users u on u.id = m.user_id
          where t.id = ${ownerId} and ${leads}) as "isVerified"`,
  );
  return found?.isVerified ?? false;
}

/** Whether a team is verified, or gone: the booker must still hear what becomes of the booking. */
async function isVerifiedTeam(em: Em, teamId: string): Promise<boolean> {
  if (await isVerifiedOwner(em, teamId)) return true;
  return (await row(em, selectFrom(Team, { id: teamId }).select('id'))) === undefined;
}

/** The bookings that were made together with the first one, which is among them, in their order. */
export async function findBookedTogether(em: Em, first: BookingRow): Promise<readonly BookingRow[]> {
  const ids = (await findSeries(em, first)).map(({ id }) => id);
  return findBookings(em, first.ownerId, ids);
}

export interface BookingMailSettings {
  /** An origin without a slash at its end. */
  readonly publicUrl: string;
  /** The sender of the service's mails. */
  readonly mailFrom: string;
  /** Derives the links by which bookers invite their guests, and hosts answer; 32 bytes, for nothing else. */
  readonly linkKey: Uint8Array;
  readonly uids: Uids;
  readonly mailLimit: MailLimit;
}
