import { type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';

/**
 * SQL: those of a team's members whom nobody is removing, kept in it until the transaction ends. A command that gives a host a
 * booking of a team holds this lock: a removal, which deletes the membership first, so finds all bookings that there will
 * ever be. Members who are being removed are passed over, not waited for: a caller who holds other locks would deadlock.
 */
export function lockingMembers(
  teamId: string,
  hostIds: readonly string[],
  from: RawBuilder<unknown> = sql`(select) as always`,
): RawBuilder<unknown> {
  return sql`select m.user_id from ${from}, team_memberships m
    where m.team_id = ${teamId} and m.user_id = any(${hostIds}::uuid[]) and m.accepted
    for key share of m skip locked`;
}

/** Whether all of them are members, and stay so until the transaction ends. */
export async function lockMembers(em: Em, teamId: string, hostIds: readonly string[]): Promise<boolean> {
  return (await rows(em, lockingMembers(teamId, hostIds))).length === hostIds.length;
}

/** Waits until nobody is removing one of these members. It does so outside of transactions, so that nobody waits for the caller. */
export async function removalsEnded(em: Em, teamId: string, hostIds: readonly string[]): Promise<void> {
  await rows(
    em,
    sql`select 1 from team_memberships m where m.team_id = ${teamId} and m.user_id = any(${hostIds}::uuid[]) for key share of m`,
  );
}
