import { ownerOf } from '../../core/id.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import type { WeekDay } from '../schedules/schedule.rules.ts';
import type { BookingField } from './booking-field.rules.ts';
import { type EventTypeHost, HOST_DEFAULTS } from './event-type-host.rules.ts';
import { EVENT_TYPE_DEFAULTS, type EventTypeRules } from './event-type-scheduling.rules.ts';
import type { Location } from './location.rules.ts';
import { type PublicOwner, publicOwnerId } from './public-event-type.queries.ts';

/** An event type with everything that booking it takes. */
export interface BookableEventType {
  readonly id: string;
  /** A user's or a team's id. */
  readonly ownerId: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly hidden: boolean;
  readonly rules: EventTypeRules;
  /** The schedule of a user's event type; null is their default. Hosts of a team are booked by their own default. */
  readonly scheduleId: string | null;
  readonly locations: readonly Location[];
  readonly bookingFields: readonly BookingField[];
  readonly requiresAuthentication: boolean;
  /** Nobody who is suspended; empty when there is nobody to book. */
  readonly hosts: readonly EventTypeHost[];
}

/** By its id, or by its place on a booking page. */
export type EventTypeName = { readonly id: string } | { readonly owner: PublicOwner; readonly slug: string };

interface Found {
  readonly id: string;
  readonly ownerId: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly hidden: boolean;
  readonly lengthInMinutes: number;
  readonly isTeam: boolean;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly hostIds: readonly string[];
}

/** Undefined when there is no such event type, or when its owner is suspended. Hidden ones are found: the caller decides. */
export async function findEventTypeRules(em: Em, name: EventTypeName): Promise<BookableEventType | undefined> {
  const condition = conditionOf(name);
  if (!condition) return undefined;
  const found = await row(
    em,
    sql<Found>`
      select e.id, e.owner_id as "ownerId", e.slug, e.title, e.description, e.hidden,
        e.length_in_minutes as "lengthInMinutes", e.team_id is not null as "isTeam",
        coalesce(s.time_zone, u.time_zone, t.time_zone) as "timeZone",
        coalesce(u.week_start, t.week_start) as "weekStart",
        case when u.id is not null then array[u.id] else (
          select coalesce(array_agg(m.user_id order by m.user_id), '{}')
          from team_memberships m join users member on member.id = m.user_id
          where m.team_id = t.id and m.accepted and member.suspended_at is null
        ) end as "hostIds"
      from event_types e
      left join users u on u.id = e.user_id
      left join teams t on t.id = e.team_id
      left join schedules s on s.user_id = e.user_id and s.is_default
      where ${condition} and u.suspended_at is null`,
  );
  return found && bookable(found);
}

function conditionOf(name: EventTypeName): RawBuilder<boolean> | undefined {
  if ('slug' in name) return sql`e.owner_id = ${publicOwnerId(name.owner)} and e.slug = ${name.slug}`;
  const ownerId = ownerOf('eventType', name.id);
  return ownerId === undefined ? undefined : sql`e.owner_id = ${ownerId} and e.id = ${name.id}`;
}

function bookable({ isTeam, lengthInMinutes, timeZone, weekStart, hostIds, ...eventType }: Found): BookableEventType {
  return {
    ...eventType,
    rules: {
      ...EVENT_TYPE_DEFAULTS,
      schedulingType: isTeam ? 'ROUND_ROBIN' : null,
      lengthInMinutes,
      timeZone,
      weekStart,
    },
    scheduleId: null,
    locations: [],
    bookingFields: [],
    requiresAuthentication: false,
    hosts: hostIds.map((userId) => ({ userId, ...HOST_DEFAULTS })),
  };
}
