/**
 * departures/ says what becomes of somebody's bookings, event types and hosts when they leave a team or an organization, and
 * when a team can be deleted. It may import change/, slots/ and occupancy/.
 */
import { Problem } from '../../../core/problem.ts';
import { COUNT, type Em, row, rows, sql, unnested } from '../../../database/sql.ts';
import type { Actor } from '../../../events/record-event.ts';
import { type Asking, askingCalendars } from '../../calendars/fresh-calendars.ts';
import {
  DELETE_MEMBERSHIP_CODES,
  deleteMembership,
  type Leaver,
  type MembershipTarget,
} from '../../memberships/membership.commands.ts';
import type { Group } from '../../organizations/group.ts';
import { whileTimesAreLost } from '../occupancy/take-time.ts';
import {
  CONCERNED,
  type ConcernedEventType,
  hasAnotherHost,
  hostedBy,
  MANDATORY,
  MAX_COUNTED,
  MAX_NAMED,
  teamsOf,
  upcomingOf,
} from './departure.queries.ts';
import { choiceMistakes, DEPARTURE_CHOICE_CODES, type DepartureChoice, tidyChoice } from './departure-choice.rules.ts';
import { type SettledBookings, settleBookings } from './settle-bookings.ts';

export const END_MEMBERSHIP_CODES = [
  ...DELETE_MEMBERSHIP_CODES,
  ...DEPARTURE_CHOICE_CODES,
  'HOST_NOT_AVAILABLE',
  'SLOT_TAKEN',
  'TOO_MANY',
] as const;

/** The bookings and event types that somebody hosted, and what became of them. */
export interface Departed extends SettledBookings {
  /** Event types that nobody hosts any more, and that are not offered until somebody does. */
  readonly withoutHost: readonly ConcernedEventType[];
}

/**
 * Ends a membership, and settles in the same transaction what its holder hosts for the group, as `given` says. Event
 * types lose them as a host, and their copies of managed ones go, with the membership itself.
 * @returns undefined if they had not accepted yet
 * @throws Problem NOT_FOUND, FORBIDDEN, LAST_OWNER, HOST_NOT_AVAILABLE for bookings that nobody can take, TOO_MANY of
 * them, SLOT_TAKEN when others were faster each time, and mistakes of the choice
 */
export async function endMembership(
  em: Em,
  group: Group,
  target: MembershipTarget,
  given: DepartureChoice,
  by: Actor & { readonly userId: string },
): Promise<Departed | undefined> {
  const choice = tidyChoice(given);
  Problem.throwIfAny(choiceMistakes(choice));
  const end = (asking: Asking) => () =>
    deleteMembership(em, group, target, async (inner, leaver) => {
      await lockTeams(inner, leaver);
      const hosted = await hostedEventTypes(inner, leaver);
      return async () => {
        const mandatoryIn = new Set(hosted.filter(({ isMandatory }) => isMandatory).map(({ id }) => id));
        const settled =
          choice.upcomingBookings === 'KEEP'
            ? await keepAll(inner, leaver)
            : await settleBookings(inner, { ...leaver, choice, by, mandatoryIn, asking });
        return { ...settled, withoutHost: await withoutHost(inner, leaver, hosted) };
      };
    });
  return askingCalendars(em, (asking) => whileTimesAreLost(em, end(asking)));
}

/** As `lockOwner` does: of an organization, the teams that they are in, or are booked through. */
async function lockTeams(em: Em, { group, groupId, userId }: Leaver): Promise<void> {
  if (group.kind === 'team') return;
  await rows(
    em,
    sql`select 1 from teams t where t.organization_id = ${groupId} and (
          exists (select from team_memberships m where m.team_id = t.id and m.user_id = ${userId})
          or exists (select from booking_hosts h where h.user_id = ${userId} and h.team_id = t.id))
        order by t.id for key share of t`,
  );
}

type Hosted = ConcernedEventType & { readonly isMandatory: boolean };

function hostedEventTypes(em: Em, { group, groupId, userId }: Leaver): Promise<readonly Hosted[]> {
  return rows(
    em,
    sql<Hosted>`select ${CONCERNED}, ${MANDATORY}
      from ${hostedBy(teamsOf(group, sql`${groupId}`), sql`${userId}`)} e order by e.id`,
  );
}

async function keepAll(em: Em, { group, groupId, userId }: Leaver): Promise<SettledBookings> {
  const upcoming = upcomingOf(group, sql`${groupId}::uuid`, sql`${userId}`, MAX_COUNTED);
  const found = await row(em, sql<{ count: number }>`select ${COUNT} as count from ${upcoming} upcoming`);
  return { reassigned: 0, released: 0, cancelled: 0, kept: found?.count ?? 0 };
}

async function withoutHost(
  em: Em,
  { userId }: Leaver,
  hosted: readonly Hosted[],
): Promise<readonly ConcernedEventType[]> {
  if (hosted.length === 0) return [];
  return rows(
    em,
    sql<ConcernedEventType>`select ${CONCERNED} from ${unnested(hosted)} as hosted(owner_id, id)
      join event_types e on e.owner_id = hosted.owner_id and e.id = hosted.id
      where not ${hasAnotherHost(sql`${userId}`)} order by e.id limit ${MAX_NAMED}`,
  );
}
