import { Problem } from '../../../core/problem.ts';
import { COUNT } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../../database/statements.ts';
import { Team } from '../../teams/team.entity.ts';
import { isTeamInCharge, refuseTeam, type TeamTarget } from '../../teams/team-in-charge.ts';
import { MAX_COUNTED } from './departure.queries.ts';

export const DELETE_TEAM_CODES = ['NOT_FOUND', 'FORBIDDEN', 'TEAM_IN_USE'] as const;

/**
 * Deletes a team with its memberships and everything it owns; its bookings too, so none of them may be upcoming.
 *
 * Who books locks the team first (`lockOwner`), and this lock excludes that one: what was booked before is counted, and who
 * books later finds no team. @throws Problem NOT_FOUND, FORBIDDEN, TEAM_IN_USE
 */
export async function deleteTeam(em: Em, target: TeamTarget): Promise<void> {
  const { teamId: id } = target;
  const isInCharge = isTeamInCharge(target);
  const count = await em.transactional(async (inner) => {
    const locked = await row(inner, selectFrom(Team).where(isInCharge).select('id').forUpdate());
    if (!locked) return 0;
    await requireNoneUpcoming(inner, id);
    return changed(inner, deleteFrom(Team).where(isInCharge));
  });
  if (count === 0) await refuseTeam(em, target);
}

/**
 * Of its event types that were deleted, too: bookings outlive those. Those of copies of MANAGED event types belong to
 * the hosts, and stay. No booking takes longer than a day (booking.entity.ts).
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
