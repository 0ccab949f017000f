import { newId, newUserId } from '../../../../src/core/id.ts';
import { type Em, rows, sql } from '../../../../src/database/sql.ts';
import { type Booked, createBooking } from '../../../../src/modules/bookings/book/book.ts';
import type { BookingRequest } from '../../../../src/modules/bookings/booking-request.rules.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import type { SlotHolder } from '../../../../src/modules/bookings/slots/holds/hold-limits.ts';
import { HOST_DEFAULTS } from '../../../../src/modules/event-types/event-type-host.rules.ts';
import type { EventTypeRules } from '../../../../src/modules/event-types/settings/scheduling.rules.ts';
import { outcomeOf } from '../../../support/outcome.ts';
import { anEventType } from './a-slot-request.ts';

/** Users in UTC, who work from Monday to Friday, 09:00 to 17:00. */
export async function newHosts(em: Em, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newUserId());
  await rows(
    em,
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at, email_verified_at)
        select id, id, id, right(id::text, 12), 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now(), now()
        from unnest(${ids}::uuid[]) as u(id)`,
  );
  return ids;
}

export interface EventTypeChanges extends Partial<Omit<BookableEventType, 'rules' | 'hosts'>> {
  readonly rules?: Partial<EventTypeRules>;
}

/** An event type of the first of these hosts, as it would be read: half an hour, in UTC, without notice. */
export function eventTypeOf(
  hostIds: readonly string[],
  { rules, ...changes }: EventTypeChanges = {},
): BookableEventType {
  const [ownerId = ''] = hostIds;
  return {
    id: newId(),
    ownerId,
    slug: 'talk',
    title: 'Talk',
    description: null,
    isHidden: false,
    isClosed: false,
    managedBy: null,
    rules: anEventType({ schedulingType: hostIds.length > 1 ? 'COLLECTIVE' : null, ...rules }),
    scheduleId: null,
    locations: [],
    bookingFields: [],
    requiresAuthentication: false,
    requiresBookerEmailVerification: false,
    successRedirectUrl: null,
    embedOrigins: [],
    hosts: hostIds.map((userId) => ({ userId, ...HOST_DEFAULTS })),
    ...changes,
  };
}

/** `slotOn(0, '09:00')` is nine o'clock on the Monday after next. */
export function slotOn(day: number, time: string): Temporal.Instant {
  const today = Temporal.Now.plainDateISO('UTC');
  const monday = today.add({ days: 15 - today.dayOfWeek });
  return monday.add({ days: day }).toZonedDateTime({ timeZone: 'UTC', plainTime: time }).toInstant();
}

export function aRequest(start: Temporal.Instant, changes: Partial<BookingRequest> = {}): BookingRequest {
  return {
    start,
    durationInMinutes: null,
    attendee: { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC', locale: null, phone: null },
    guests: [],
    location: null,
    notes: null,
    responses: {},
    metadata: {},
    reservationId: null,
    occurrences: null,
    idempotencyKey: null,
    ...changes,
  };
}

/** A holder of slots: somebody of a network, or a user as a host. */
export function aHolder(network = 'office', hostId: string | null = null): SlotHolder {
  return { hostId, isApp: false, names: [`network ${network}`] };
}

/** As nobody in particular, unless somebody is signed in. */
export function book(
  em: Em,
  eventType: BookableEventType,
  start: Temporal.Instant,
  changes: Partial<BookingRequest> = {},
  callerId: string | null = null,
): Promise<Booked> {
  return createBooking(em.fork(), eventType, aRequest(start, changes), { userId: callerId, network: null });
}

/** How often each outcome came. */
export async function outcomesOf(commands: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const outcomes = await Promise.all(commands.map(outcomeOf));
  return Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([code, list]) => [code, list.length]));
}

export function times<Result>(count: number, make: (index: number) => Result): Result[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
