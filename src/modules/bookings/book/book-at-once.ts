import { isTeam } from '../../../core/id.ts';
import { type Em, type RawBuilder, row, sql } from '../../../database/sql.ts';
import { announcing, recording } from '../../../events/record-event.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { lockingOwner, organizationOf } from '../../teams/lock-owner.ts';
import { withBuffers } from '../occupancy/booking-time.rules.ts';
import { lockingMembers } from '../occupancy/lock-members.ts';
import { takingOfOne } from '../occupancy/occupy.ts';
import type { OpenSeries } from '../slots/open-series.ts';
import { type Booked, bookedAs } from './booked-by-key.ts';
import { insertionOfBooking } from './insert-booking.ts';
import { creationOf, personOf, type RequestOf, requestedBooking } from './requested-booking.ts';

/**
 * Books by a single statement where a booking is one alone, of one host, with nothing counted and nothing reserved, as
 * most are: the owner is locked (in a team, the host's membership), the time is taken if the exclusion constraint lets
 * it, and only where it was taken the booking is written and the event recorded.
 * @returns undefined for any other booking; a promise of undefined when nothing was done: a rival or a reservation that
 * is over has the time, or the owner is gone, or the host is leaving the team
 */
export function bookAtOnce(
  em: Em,
  eventType: BookableEventType,
  { now, reservation, assignments }: OpenSeries,
  request: RequestOf,
): Promise<Booked | undefined> | undefined {
  const [assignment, another] = assignments;
  const [hostId, anyOther] = assignment?.hostIds ?? [];
  if (!assignment || another || hostId === undefined || anyOther !== undefined) return undefined;
  if (reservation || eventType.rules.seats) return undefined;

  const { ownerId, rules } = eventType;
  const place = { now, isSeries: false, firstId: null };
  const booking = requestedBooking(eventType, assignment, request, place, personOf(eventType, request, place));
  const time = { ...withBuffers(assignment, rules), hostIds: [hostId], holderId: booking.id, ownerId };
  const { parts, facts } = insertionOfBooking(eventType, booking, sql`taken`);
  const event = { type: creationOf(booking.status), booking: facts, by: request.by };
  return carryOut(
    em,
    sql`with owner as (${lockingOwner(ownerId, organizationOf(ownerId))}),
      host as (${isTeam(ownerId) ? lockingMembers(ownerId, [hostId], sql`owner`) : sql`select from owner`}),
      taken as (${takingOfOne(time, hostId, sql`host`)}),
      ${parts},
      recorded as (${recording(ownerId, event, sql`taken`)})
      ${announcing(sql`taken`)}`,
    bookedAs([{ ownerId, id: booking.id }]),
  );
}

async function carryOut(em: Em, statement: RawBuilder<unknown>, booked: Booked): Promise<Booked | undefined> {
  return (await row(em, statement)) === undefined ? undefined : booked;
}
