/** An event type as it can be booked: by whoever may see it, or by a booking of it that moves. */
import type { OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { readOne } from '../../../database/lanes.ts';
import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import { EVENT_TYPE_COLUMNS, type EventTypeRow } from '../../event-types/event-type.queries.ts';
import { type EventTypeHost, HOST_DEFAULTS, MAX_HOSTS } from '../../event-types/event-type-host.rules.ts';
import type { ManagingTeam } from '../../event-types/managed-event-type.rules.ts';
import { MANAGED_BY } from '../../event-types/managed-event-types.ts';
import { findPrivatelyLinked } from '../../event-types/private-links.ts';
import { type EventTypeName, publicOwnerId } from '../../event-types/public/public-event-type.queries.ts';
import type { BookingField } from '../../event-types/settings/booking-field.rules.ts';
import { type OfferedLocation, offeredLocations } from '../../event-types/settings/location.rules.ts';
import type { EventTypeRules } from '../../event-types/settings/scheduling.rules.ts';
import type { WeekDay } from '../../schedules/schedule.rules.ts';
import { inherited } from '../../teams/team.queries.ts';
import { isOpenTo } from '../../teams/team-role.ts';
import { type BookingRow, findBooking } from '../booking.queries.ts';
import { type BookingKey, bookingNotFound } from '../booking-key.rules.ts';
import { awaitsReschedule, holdsTime, isOver } from '../booking-transitions.rules.ts';

/** An event type with everything that booking it takes. */
export interface BookableEventType extends OwnedId {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly isHidden: boolean;
  /** Whether it belongs to a private team or organization of which the caller is no member. */
  readonly isClosed: boolean;
  /** The team whose child it is; null for what its owner decides. */
  readonly managedBy: ManagingTeam | null;
  readonly rules: EventTypeRules;
  /** The schedule of a user's event type; null is their default. Hosts of a team are booked by their own default. */
  readonly scheduleId: string | null;
  readonly locations: readonly OfferedLocation[];
  readonly bookingFields: readonly BookingField[];
  readonly requiresAuthentication: boolean;
  readonly requiresBookerEmailVerification: boolean;
  readonly successRedirectUrl: string | null;
  /** The websites that may show its booking pages in a frame. */
  readonly embedOrigins: readonly string[];
  /** The hosts, without suspended users; empty when nobody can be booked. */
  readonly hosts: readonly EventTypeHost[];
}

/** The viewer, link or booking that opens a hidden event type, or one of a private team. */
export interface OfferedTo {
  /** The user who asks; null is anybody. */
  readonly viewerId: string | null;
  readonly privateLinkToken: string | null;
  /** A booking of it, or a seat in one, which may be rescheduled. */
  readonly booking?: BookingKey | null;
  /** Where a private link leads. */
  readonly follow?: typeof findPrivatelyLinked | undefined;
}

/**
 * An event type as the caller may see it: with a private link, the one that it leads to, hidden or not; without one, one
 * that is neither hidden nor closed to them, or that of their booking.
 */
export async function findOfferedEventType(
  em: Em,
  name: EventTypeName,
  { viewerId, privateLinkToken, booking = null, follow = findPrivatelyLinked }: OfferedTo,
): Promise<BookableEventType | undefined> {
  const found = await findEventTypeRules(em, name, viewerId);
  if (!found) return undefined;
  if (privateLinkToken !== null) return (await follow(em, privateLinkToken))?.id === found.id ? found : undefined;
  if (!found.isHidden && !found.isClosed) return found;
  return booking !== null && (await opensEventType(em, booking, found.id)) ? found : undefined;
}

/** Whether the uid opens the event type of the booking, so that a new time can be chosen. */
async function opensEventType(em: Em, key: BookingKey, eventTypeId: string): Promise<boolean> {
  const booking = await findBooking(em, key);
  return booking?.eventTypeId === eventTypeId && mayMove(booking, await databaseNow(em));
}

/** The uid of a booking that can no longer be moved does not open its event type any more. */
function mayMove(booking: BookingRow, now: number): boolean {
  return awaitsReschedule(booking) || (holdsTime(booking.status) && !isOver(booking, now));
}

/** The event type of a booking or a seat; undefined when either is gone. */
export async function findBookedEventType(em: Em, key: BookingKey): Promise<BookableEventType | undefined> {
  const booking = await findBooking(em, key);
  return booking && findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId });
}

/** The event type of a booking that is to move. @throws Problem NOT_FOUND without the booking, NOT_POSSIBLE without the event type */
export async function requireBookedEventType(em: Em, key: BookingKey): Promise<BookableEventType> {
  const booking = await findBooking(em, key);
  if (!booking) throw bookingNotFound(key);
  const found = await findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId });
  if (found) return found;
  // Whether it was deleted or its owner suspended is not for a booker to know.
  const message =
    'What was booked is offered no longer, so no other time can be chosen; cancel the booking, or ask its host.';
  throw new Problem('NOT_POSSIBLE', message, ['bookingId']);
}

/** Where only somebody signed in can book. @throws Problem AUTHENTICATION_REQUIRED */
export function requireSignedIn({ requiresAuthentication }: BookableEventType, callerId: string | null): void {
  if (!requiresAuthentication || callerId !== null) return;
  const message = 'This event type is booked by signed-in users only; sign in, or send an access token.';
  throw new Problem('AUTHENTICATION_REQUIRED', message);
}

interface Found extends EventTypeRow {
  readonly isClosed: boolean;
  readonly managedBy: ManagingTeam | null;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly hosts: readonly EventTypeHost[];
}

/**
 * SQL: as JSON, the hosts of `e`: its user, or those named of its team, or all members, those named as they are named.
 * In a team with more members than an event type can have hosts, those named come first.
 */
const HOSTS = sql`case when u.id is not null
  then jsonb_build_array(jsonb_build_object('userId', u.id) || ${JSON.stringify(HOST_DEFAULTS)}::jsonb)
  else (
    select coalesce(jsonb_agg(host.one order by host.user_id), '[]') from (
      select m.user_id, case when h.user_id is null
          then jsonb_build_object('userId', m.user_id) || ${JSON.stringify(HOST_DEFAULTS)}::jsonb
          else jsonb_build_object('userId', m.user_id, 'isMandatory', h.is_mandatory, 'priority', h.priority, 'weight', h.weight)
        end as one
      from team_memberships m
      join users member on member.id = m.user_id
      left join event_type_hosts h on h.owner_id = e.owner_id and h.event_type_id = e.id and h.user_id = m.user_id
      where m.team_id = e.team_id and m.accepted and member.suspended_at is null
        and (e.assigns_all_members or h.user_id is not null)
      order by h.user_id is null, m.user_id limit ${MAX_HOSTS}
    ) host
  ) end`;

/**
 * Undefined when there is no such event type, or when its owner is suspended. A hidden one, or one that is closed to
 * the viewer or anybody (null), is found: the caller decides.
 */
export async function findEventTypeRules(
  em: Em,
  name: EventTypeName,
  viewerId: string | null = null,
): Promise<BookableEventType | undefined> {
  const found = await readOne(
    em,
    sql<Found>`
      select ${EVENT_TYPE_COLUMNS}, coalesce(s.time_zone, u.time_zone, ${inherited('timeZone')}) as "timeZone",
        coalesce(u.week_start, ${inherited('weekStart')}) as "weekStart", ${HOSTS} as hosts,
        t.id is not null and not ${isOpenTo(viewerId)} as "isClosed", ${MANAGED_BY} as "managedBy"
      from event_types e
      left join users u on u.id = e.user_id
      left join teams t on t.id = e.team_id
      left join organizations o on o.id = t.organization_id
      left join schedules s on s.user_id = e.user_id
        and case when e.schedule_id is null then s.is_default else s.id = e.schedule_id end
      where ${conditionOf(name)} and u.suspended_at is null`,
  );
  return found && bookable(found);
}

function conditionOf(name: EventTypeName): RawBuilder<boolean> {
  return 'slug' in name
    ? sql`e.owner_id = ${publicOwnerId(name.owner)} and e.slug = ${name.slug}`
    : sql`e.owner_id = ${name.ownerId} and e.id = ${name.id}`;
}

function bookable(found: Found): BookableEventType {
  const { id, ownerId, slug, title, description, isHidden, isClosed, managedBy, scheduleId, locations, bookingFields } =
    found;
  const { requiresAuthentication, requiresBookerEmailVerification, successRedirectUrl, embedOrigins, hosts } = found;
  return {
    id,
    ownerId,
    slug,
    title,
    description,
    isHidden,
    isClosed,
    managedBy,
    rules: rulesOf(found),
    scheduleId,
    locations: offeredLocations(locations, found.seats),
    bookingFields,
    requiresAuthentication,
    requiresBookerEmailVerification,
    successRedirectUrl,
    embedOrigins,
    hosts,
  };
}

function rulesOf(found: Found): EventTypeRules {
  return {
    durationInMinutes: found.durationInMinutes,
    durationInMinutesOptions: found.durationInMinutesOptions,
    slotIntervalInMinutes: found.slotIntervalInMinutes,
    minimumBookingNoticeInMinutes: found.minimumBookingNoticeInMinutes,
    bufferBeforeInMinutes: found.bufferBeforeInMinutes,
    bufferAfterInMinutes: found.bufferAfterInMinutes,
    bookingWindow: found.bookingWindow,
    bookingLimits: found.bookingLimits,
    confirmation: found.confirmation,
    recurrence: found.recurrence,
    seats: found.seats,
    allowsGuests: found.allowsGuests,
    cancellationPolicy: found.cancellationPolicy,
    reschedulingPolicy: found.reschedulingPolicy,
    schedulingType: found.schedulingType,
    timeZone: found.timeZone,
    weekStart: found.weekStart,
  };
}
