import type { OwnedId } from '../../../core/id.ts';
import { readOne } from '../../../database/lanes.ts';
import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import type { WeekDay } from '../../schedules/schedule.rules.ts';
import { inherited } from '../../teams/team.queries.ts';
import { isOpenTo } from '../../teams/team-role.ts';
import type { PublicOwner } from '../booking-url.rules.ts';
import { EVENT_TYPE_COLUMNS, type EventTypeRow } from '../event-type.queries.ts';
import { type EventTypeHost, HOST_DEFAULTS, MAX_HOSTS } from '../event-type-host.rules.ts';
import type { ManagingTeam } from '../managed-event-type.rules.ts';
import { MANAGED_BY } from '../managed-event-types.ts';
import type { BookingField } from '../settings/booking-field.rules.ts';
import { type OfferedLocation, offeredLocations } from '../settings/location.rules.ts';
import type { EventTypeRules } from '../settings/scheduling.rules.ts';
import { publicOwnerId } from './public-event-type.queries.ts';

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

/** By its id, or by its place on a booking page. */
export type EventTypeName = OwnedId | { readonly owner: PublicOwner; readonly slug: string };

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
