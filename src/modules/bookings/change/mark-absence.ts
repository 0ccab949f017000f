import { Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { recordEvent } from '../../../events/record-event.ts';
import type { AttendeeRow, BookingRow } from '../booking.queries.ts';
import { statusAfter, TRANSITION_CODES } from '../booking-transitions.rules.ts';
import { actorIn, type HostedBooking, lockHostedBooking } from '../locked-booking.ts';
import { factsOf, saveBooking } from '../stored-booking.ts';

export const MARK_ABSENCE_CODES = [
  'NOT_FOUND',
  'REQUIRED',
  'UNKNOWN_ATTENDEE',
  ...TRANSITION_CODES.MARK_ABSENT,
] as const;

/** The people who were absent, or were there after all; people who are left out stay as they are. */
interface Absence {
  readonly hosts: readonly { readonly hostId: string; readonly isAbsent: boolean }[];
  readonly attendees: readonly { readonly email: string; readonly isAbsent: boolean }[];
}

/** Marks who did not come, once the booking has started. @throws Problem NOT_FOUND, NOT_POSSIBLE, NOT_STARTED, REQUIRED, UNKNOWN_ATTENDEE */
export async function markAbsence(em: Em, hosted: HostedBooking, { hosts, attendees }: Absence): Promise<void> {
  if (hosts.length === 0 && attendees.length === 0) {
    throw new Problem('REQUIRED', 'No one is named; say who didn’t show up.', ['attendees']);
  }
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    statusAfter(booking, { action: 'MARK_ABSENT', actor: actorIn(hosted), reason: null, now });
    const named = attendees.flatMap(({ email, isAbsent }, index) =>
      attendeesWith(booking, email, index).map(({ id }) => ({ id, isAbsent })),
    );
    hosts.forEach(({ hostId }, index) => {
      if (booking.hostIds.includes(hostId)) return;
      const message = 'This person doesn’t host the booking; leave them out.';
      throw new Problem('NOT_FOUND', message, ['hosts', String(index), 'userId']);
    });
    await changed(
      inner,
      sql`update booking_attendees a set absent = named.absent
          from unnest(${named.map(({ id }) => id)}::uuid[], ${named.map(({ isAbsent }) => isAbsent)}::boolean[]) as named(id, absent)
          where a.owner_id = ${booking.ownerId} and a.booking_id = ${booking.id} and a.id = named.id`,
    );
    await changed(
      inner,
      sql`update booking_hosts h set absent = named.absent
          from unnest(${hosts.map(({ hostId }) => hostId)}::uuid[], ${hosts.map(({ isAbsent }) => isAbsent)}::boolean[]) as named(id, absent)
          where h.booking_id = ${booking.id} and h.user_id = named.id`,
    );
    await saveBooking(inner, booking, {}, { kind: 'ABSENCE_MARKED', by: hosted.hostId });
    await recordEvent(inner, booking.ownerId, {
      type: 'BOOKING_ABSENCE_MARKED',
      booking: factsOf(booking),
      absentHostIds: hosts.filter(({ isAbsent }) => isAbsent).map(({ hostId }) => hostId),
      absentEmails: attendees.filter(({ isAbsent }) => isAbsent).map(({ email }) => email),
    });
  });
}

function attendeesWith({ attendees }: BookingRow, email: string, index: number): AttendeeRow[] {
  const found = attendees.filter((attendee) => attendee.email.toLowerCase() === email.toLowerCase());
  if (found.length > 0) return found;
  const message = 'Nobody with this e-mail address attends the booking; leave it out.';
  throw new Problem('UNKNOWN_ATTENDEE', message, ['attendees', String(index), 'email']);
}
