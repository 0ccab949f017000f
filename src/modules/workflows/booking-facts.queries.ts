import type { OwnedId } from '../../core/id.ts';
import { selectColumnsAs } from '../../database/columns.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import type { BookingFacts } from '../../events/record-event.ts';
import { Booking } from '../bookings/booking.entity.ts';
import { hostIdsOf } from '../bookings/host-ids.queries.ts';
import { areReadThrough } from '../bookings/lists/group-owner.queries.ts';
import { isOfTeam } from './sendings/workflow-condition.queries.ts';

/**
 * A booking of a team, or of an event type that it manages, as events tell of it, to an administrator of the team in whose lists it is;
 * undefined for any other.
 */
export async function findBookingFacts(
  em: Em,
  { ownerId, id }: OwnedId,
  teamId: string,
  readerId: string,
): Promise<BookingFacts | undefined> {
  const found = await row(
    em,
    sql<Pick<BookingFacts, 'eventTypeId' | 'hostIds' | 'start' | 'end'>>`
      select ${selectColumnsAs(Booking, { eventTypeId: 'eventTypeId', start: 'startsAt', end: 'endsAt' }, 'b')},
        ${hostIdsOf('b')} as "hostIds"
      from bookings b
      where b.owner_id = ${ownerId} and b.id = ${id} and ${isOfTeam(sql`${teamId}::uuid`)}
        and ${areReadThrough(sql`${teamId}::uuid`, sql`${readerId}::uuid`, sql`b.owner_id`)}`,
  );
  return found && { ...found, id, thread: id };
}
