/**
 * Settles the bookings of somebody who leaves: each is looked at under its lock, and all are decided before any
 * changes.
 */

import { timeOfId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { nextTurn, turnIsOver } from '../../../core/turns.ts';
import { type Selected, selectColumnsAs } from '../../../database/columns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { anyOf, type Em, rows, sql, unnested } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { type Actor, recordEvents } from '../../../events/record-event.ts';
import { User } from '../../accounts/user.entity.ts';
import type { Asking } from '../../calendars/fresh-calendars.ts';
import type { Leaver } from '../../memberships/membership.commands.ts';
import { BookingHost } from '../booking.entity.ts';
import { BOOKING_COLUMNS, type BookingRow } from '../booking.queries.ts';
import { holdsTime, timeOf } from '../booking-transitions.rules.ts';
import { type HandedOver, handOver } from '../change/reassign-booking.ts';
import { lockEventTypes, lockHosts, requireMembers } from '../occupancy/take-time.ts';
import { spanOf } from '../slots/assign-hosts.rules.ts';
import { type FindSubstitute, substitutesFor } from '../slots/availability.ts';
import { type BookableEventType, findEventTypeRules } from '../slots/bookable-event-type.queries.ts';
import { type Host, type OccupiedTime, withBuffers } from '../slots/open-slots.rules.ts';
import { cancelAll, factsOf } from '../stored-booking.ts';
import { upcomingOf } from './departure.queries.ts';
import { type DepartureChoice, goesOnWithout, MAX_SETTLED_BOOKINGS } from './departure-choice.rules.ts';

/** How many of their upcoming bookings went which way. */
export interface SettledBookings {
  readonly reassigned: number;
  /** Other hosts do them without the leaver. */
  readonly released: number;
  readonly cancelled: number;
  readonly kept: number;
}

/** Somebody who has just left, and how that is decided. */
export interface Departing extends Leaver {
  readonly choice: DepartureChoice;
  readonly by: Actor & { readonly userId: string };
  /** Event types of which they attended every booking. */
  readonly mandatoryIn: ReadonlySet<string>;
  readonly asking: Asking;
}

/** The decision about one of the bookings. */
type Plan =
  | { readonly kind: 'REASSIGN'; readonly eventType: BookableEventType; readonly toHost: Host }
  | { readonly kind: 'RELEASE' | 'CANCEL' | 'KEEP' | 'NOBODY' };

interface Planned {
  readonly booking: BookingRow;
  readonly plan: Plan;
}

/**
 * Carries out a choice about the upcoming bookings of a group whose host is no member any more, so that nobody can make
 * further ones. @throws Problem TOO_MANY, HOST_NOT_AVAILABLE; SlotLost when somebody else was faster, HostLeaving; CalendarsToAsk
 */
export async function settleBookings(em: Em, departing: Departing): Promise<SettledBookings> {
  const { userId } = departing;
  const bookings = await lockUpcoming(em, departing);
  const planned = await planFor(em, departing, bookings);
  const withNobody = planned.filter(({ plan }) => plan.kind === 'NOBODY');
  if (withNobody.length > 0) throw nobodyFor(withNobody.length, bookings.length);
  const taken = planned.flatMap(({ booking, plan }) =>
    plan.kind === 'REASSIGN' ? [{ booking, host: plan.toHost }] : [],
  );
  const hosts = new Map(taken.map(({ host }) => [host.userId, host]));
  if (taken.length > 0)
    departing.asking.requireFresh([...hosts.values()], spanOf(taken.map(({ booking }) => timeOf(booking))));
  const substitutes = taken.map(({ booking: { ownerId }, host }) => ({ ownerId, hostId: host.userId }));
  for (const [ownerId, parts] of Map.groupBy(substitutes, (one) => one.ownerId)) {
    await requireMembers(em, ownerId, [...new Set(parts.map(({ hostId }) => hostId))]);
  }
  await lockHosts(em, [userId, ...substitutes.map(({ hostId }) => hostId)]);
  await carryOut(em, planned, departing);
  const count = (kind: Plan['kind']) => planned.filter(({ plan }) => plan.kind === kind).length;
  return { reassigned: count('REASSIGN'), released: count('RELEASE'), cancelled: count('CANCEL'), kept: count('KEEP') };
}

const UPCOMING = selectColumnsAs(
  BookingHost,
  { ownerId: 'ownerId', id: 'bookingId', eventTypeId: 'eventTypeId' },
  'upcoming',
);

/**
 * In the order in which every command locks: event types, bookings. Those of one kind by their ids, so that two who lock
 * several never wait for each other. @throws Problem TOO_MANY
 */
async function lockUpcoming(em: Em, { group, groupId, userId }: Departing): Promise<readonly BookingRow[]> {
  const upcoming = upcomingOf(group, sql`${groupId}::uuid`, sql`${userId}`, MAX_SETTLED_BOOKINGS + 1);
  const found = await rows(em, sql<Selected<typeof UPCOMING>>`select ${UPCOMING} from ${upcoming} upcoming`);
  if (found.length > MAX_SETTLED_BOOKINGS) throw tooMany();
  await lockEventTypes(
    em,
    found.map(({ eventTypeId }) => eventTypeId),
  );
  const named = sql`${unnested(found)} as named(owner_id, id)`;
  const those = sql`join bookings b on b.owner_id = named.owner_id and b.id = named.id`;
  await rows(em, sql`select 1 from ${named} ${those} order by b.id for no key update of b`);
  const locked = await rows(
    em,
    sql<BookingRow>`select ${BOOKING_COLUMNS} from ${named} ${those} order by b.starts_at, b.id`,
  );
  const now = await databaseNow(em);
  return locked.filter(
    (booking) => booking.hostIds.includes(userId) && holdsTime(booking.status) && timeOf(booking).start > now,
  );
}

async function planFor(em: Em, departing: Departing, bookings: readonly BookingRow[]): Promise<readonly Planned[]> {
  const now = await databaseNow(em);
  const taken = new TakenTimes();
  const suspended = await suspendedOf(em, bookings);
  const substitutes = new Map<string, Promise<Substitutes | undefined>>();
  const planned: Planned[] = [];
  for (const booking of bookings) {
    const { ownerId, eventTypeId } = booking;
    const known = await substitutes.getOrInsertComputed(eventTypeId, async () => {
      const eventType = await findEventTypeRules(em, { ownerId, id: eventTypeId });
      const those = bookings.filter((one) => one.eventTypeId === eventTypeId);
      const isAsked = departing.choice.upcomingBookings === 'REASSIGN';
      return eventType && { eventType, find: isAsked ? await substitutesFor(em, eventType, those, now) : undefined };
    });
    const hasOthers = booking.hostIds.some((id) => id !== departing.userId && !suspended.has(id));
    planned.push({ booking, plan: await planOf(departing, booking, { ...known, hasOthers, taken }) });
    // All of it is computed at once, which may take a while.
    if (turnIsOver()) await nextTurn();
  }
  return planned;
}

/** An event type, and how its hosts are found; left out where nothing is reassigned. */
interface Substitutes {
  readonly eventType: BookableEventType;
  readonly find?: FindSubstitute | undefined;
}

/** Finds the hosts of these bookings who are suspended, and can do nothing at present. */
async function suspendedOf(em: Em, bookings: readonly BookingRow[]): Promise<ReadonlySet<string>> {
  const hostIds = [...new Set(bookings.flatMap((booking) => booking.hostIds))];
  const those = selectFrom(User).where('id', '=', anyOf(hostIds)).where('suspendedAt', 'is not', null);
  const found = await rows(em, those.select('id'));
  return new Set(found.map(({ id }) => id));
}

/** The event type is undefined when it is gone. */
interface Known extends Partial<Substitutes> {
  readonly hasOthers: boolean;
  readonly taken: TakenTimes;
}

async function planOf(
  { choice, mandatoryIn }: Departing,
  booking: BookingRow,
  { eventType, find, hasOthers, taken }: Known,
): Promise<Plan> {
  const isRoundRobin = eventType?.rules.schedulingType === 'ROUND_ROBIN';
  if (goesOnWithout({ hasOthers, isRoundRobin, isMandatory: mandatoryIn.has(booking.eventTypeId) })) {
    return { kind: 'RELEASE' };
  }
  if (choice.upcomingBookings !== 'REASSIGN') return { kind: choice.upcomingBookings };
  const toHost = await find?.(booking, choice.toUserId, taken.addedTo);
  if (!eventType || !toHost) return { kind: choice.ifNobodyIsFree ?? 'NOBODY' };
  taken.take(toHost.userId, eventType, booking);
  return { kind: 'REASSIGN', eventType, toHost };
}

/** The times and turns that are planned, which the database does not know yet. */
class TakenTimes {
  readonly #ofHosts = new Map<string, (OccupiedTime & { readonly eventTypeId: string; readonly madeAt: number })[]>();

  take(hostId: string, { id: eventTypeId, rules }: BookableEventType, booking: BookingRow): void {
    const time = { ...withBuffers(timeOf(booking), rules), bookingId: booking.id };
    this.#ofHosts.getOrInsertComputed(hostId, () => []).push({ ...time, eventTypeId, madeAt: timeOfId(booking.id) });
  }

  /** Everything that is planned counts for the month: a host who is given much is not given more. */
  readonly addedTo = (host: Host): Host => {
    const taken = this.#ofHosts.get(host.userId);
    if (!taken) return host;
    const lastBookedAt = Math.max(host.lastBookedAt ?? 0, ...taken.map(({ madeAt }) => madeAt));
    const bookingCount = host.bookingCount + taken.length;
    return { ...host, occupied: [...host.occupied, ...taken], bookingCount, lastBookedAt };
  };
}

/** Settles all bookings of one kind by one statement, however many they are. @throws SlotLost */
async function carryOut(
  em: Em,
  planned: readonly Planned[],
  { userId, choice: { reason }, by }: Departing,
): Promise<void> {
  const parts = planned.flatMap(({ booking, plan }): HandedOver[] => {
    if (plan.kind === 'RELEASE') return [{ booking, toHostId: null, rules: undefined }];
    return plan.kind === 'REASSIGN' ? [{ booking, toHostId: plan.toHost.userId, rules: plan.eventType.rules }] : [];
  });
  await handOver(em, parts, { fromHostId: userId, reason, by });
  const cancelled = planned.filter(({ plan }) => plan.kind === 'CANCEL').map(({ booking }) => booking);
  await cancelAll(em, cancelled, { reason, by: by.userId });
  await recordEvents(
    em,
    cancelled.map((booking) => {
      const event = { type: 'BOOKING_CANCELLED', booking: factsOf(booking), rescheduleRequested: false } as const;
      return { ownerId: booking.ownerId, event: { ...event, reason, byHostId: by.userId, by, leaving: null } };
    }),
  );
}

function tooMany(): Problem {
  const advice = 'reassign or cancel some of them first, or choose bookings: KEEP';
  const message = `They host more than ${MAX_SETTLED_BOOKINGS} upcoming bookings here, the most that are changed at once; ${advice}.`;
  return new Problem('TOO_MANY', message, ['bookings']);
}

function nobodyFor(count: number, all: number): Problem {
  const advice = 'say ifNobodyIsFree: KEEP or CANCEL, or reassign those by themselves first';
  const message = `Of ${all} upcoming bookings, there are ${count} that no host of their event type has time for; ${advice}.`;
  return new Problem('HOST_NOT_AVAILABLE', message, ['ifNobodyIsFree']);
}
