import { Problem } from '../../../core/problem.ts';
import { COUNT, changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../../database/statements.ts';
import { forgetKeys } from '../../../limits/at-most-once.ts';
import { isTeamInCharge, refuseTeam, type TeamTarget } from '../../teams/team.commands.ts';
import { Team } from '../../teams/team.entity.ts';
import { Booking } from '../booking.entity.ts';
import { MAX_COUNTED } from './departure.queries.ts';

export const DELETE_TEAM_CODES = ['NOT_FOUND', 'FORBIDDEN', 'TEAM_IN_USE'] as const;

/** How many bookings one transaction deletes, in some tenths of a second: people who book the team wait that long. */
export const BOOKINGS_AT_ONCE = 5_000;

/**
 * Deletes a team with its memberships and everything it owns; its bookings too, so none of them may be upcoming. Of more than
 * `atOnce` bookings, some go before the team does, each time in a transaction of their own: whatever ends it, what is gone is gone,
 * and the next attempt goes on from there. @throws Problem NOT_FOUND, FORBIDDEN, TEAM_IN_USE
 */
export async function deleteTeam(em: Em, target: TeamTarget, atOnce = BOOKINGS_AT_ONCE): Promise<void> {
  let first: string | undefined = BEFORE_ALL;
  while (first !== undefined) first = await deleteSome(em, target, atOnce, first);
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes bookings, beginning with the one of this id, or the team where no more than `atOnce` are left. What is gone is not gone
 * through again. @returns the first booking that is left; undefined once the team is gone
 *
 * Who books locks the team first (`lockOwner`), and this lock excludes that one: what was booked before is counted, and who
 * books later finds no team.
 */
function deleteSome(em: Em, target: TeamTarget, atOnce: number, first: string): Promise<string | undefined> {
  const ownerId = target.teamId;
  const isInCharge = isTeamInCharge(target);
  return em.transactional(async (inner) => {
    const locked = await row(inner, selectFrom(Team).where(isInCharge).select('id').forUpdate());
    if (!locked) return refuseTeam(inner, target);
    await requireNoneUpcoming(inner, ownerId);
    const left = selectFrom(Booking, { ownerId }).where('id', '>=', first).select('id').orderBy('id');
    const next = await row(inner, left.offset(atOnce).limit(1));
    if (next) await deleteBookings(inner, { ownerId, first, next: next.id });
    else {
      await changed(inner, deleteFrom(Team).where(isInCharge));
      // This comes last: the deletion above waits for everybody who is filling in one of its forms, so their keys are stored by now.
      await forgetKeys(inner, ownerId, sql`true`);
    }
    return next?.id;
  });
}

/** From the first to before the next, with their places in the lists and the times of their hosts, which no foreign key ties to them. */
async function deleteBookings(
  em: Em,
  { ownerId, first, next }: { readonly ownerId: string; readonly first: string; readonly next: string },
): Promise<void> {
  await changed(
    em,
    sql`with gone as (
          delete from bookings where owner_id = ${ownerId} and id >= ${first} and id < ${next}
          returning id, coalesce(host_ids, array[owner_id]) as host_ids
        ), hosted as (select gone.id, host.id as host_id from gone cross join unnest(gone.host_ids) as host(id)),
        forgotten as (
          delete from idempotency_keys where owner_id = ${ownerId} and result_id in (
            select id from gone union all
            select a.seat_id from gone join booking_attendees a on a.owner_id = ${ownerId} and a.booking_id = gone.id and a.seat_id is not null)
        ),
        listed as (delete from booking_hosts h using hosted where h.user_id = hosted.host_id and h.booking_id = hosted.id)
        delete from occupied_times t using hosted where t.host_id = hosted.host_id and t.holder_id = hosted.id`,
  );
}

/**
 * Counts bookings of its deleted event types, too: bookings outlive those. Copies of MANAGED event types belong to the
 * hosts, and their bookings stay. No booking takes longer than a day (booking.entity.ts).
 */
async function requireNoneUpcoming(em: Em, teamId: string): Promise<void> {
  const found = await row(
    em,
    sql<{ count: number }>`select ${COUNT} as count from (
        select 1 from unnest(array['PENDING', 'ACCEPTED']) as standing(status)
        join bookings b on b.team_id = ${teamId} and b.status = standing.status
          and b.starts_at > now() - interval '24 hours' and b.ends_at > now()
        limit ${MAX_COUNTED + 1}::int
      ) upcoming`,
  );
  const count = found?.count ?? 0;
  if (count > 0) throw teamInUse(count);
}

function teamInUse(count: number): Problem {
  const howMany = count > MAX_COUNTED ? `more than ${MAX_COUNTED}` : String(count);
  const bookings = `${howMany} upcoming booking${count === 1 ? '' : 's'}`;
  const message = `The team has ${bookings}, which would go with it; cancel them first, or wait until they are over.`;
  return new Problem('TEAM_IN_USE', message, ['teamId']);
}
