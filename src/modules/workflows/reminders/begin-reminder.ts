import { selectColumns, selectColumnsAs } from '../../../database/columns.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import type { BookingFacts } from '../../../events/record-event.ts';
import { Booking } from '../../bookings/booking.entity.ts';
import { hostIdsOf } from '../../bookings/host-ids.queries.ts';
import { bookingMatter } from '../sendings/booking-matter.ts';
import { type PlanSettings, planMessages, type Started } from '../sendings/plan-messages.ts';
import { BOOKINGS_WITH_WORKFLOWS, DUE_AT, IS_ABOUT_IT } from '../sendings/workflow-condition.queries.ts';
import { asItStands } from '../sendings/workflow-events.ts';
import { Workflow } from '../workflow.entity.ts';
import type { DueReminder } from './plan-reminders.ts';

/**
 * Writes down the messages of a reminder, unless the booking or the workflow was changed so that it is due at another time, or
 * not at all.
 */
export async function beginReminder(em: Em, due: DueReminder, settings: PlanSettings): Promise<void> {
  const found = await findDue(em, due);
  if (!found) return;
  const { ownerId, bookingId, dueAt } = due;
  const { teamId, id, steps, ...facts } = found;
  const booking: BookingFacts = { ...facts, id: bookingId, thread: bookingId };
  const event = asItStands({ id: bookingId, ownerId, occurredAt: dueAt, booking });
  const matter = await bookingMatter(em, event, steps);
  if (matter) await planMessages(em, [{ teamId, id, steps }], { matter, event, occurrence: dueAt }, settings);
}

type Found = Started & Pick<BookingFacts, 'eventTypeId' | 'hostIds' | 'start' | 'end'>;

function findDue(em: Em, { teamId, workflowId, ownerId, bookingId, dueAt }: DueReminder): Promise<Found | undefined> {
  return row(
    em,
    sql<Found>`
      select ${selectColumns(Workflow, ['teamId', 'id', 'steps'], 'w')},
        ${selectColumnsAs(Booking, { eventTypeId: 'eventTypeId', start: 'startsAt', end: 'endsAt' }, 'b')},
        ${hostIdsOf('b')} as "hostIds"
      from ${BOOKINGS_WITH_WORKFLOWS}
      where b.owner_id = ${ownerId} and b.id = ${bookingId} and w.team_id = ${teamId} and w.id = ${workflowId}
        and b.status = 'ACCEPTED' and ${IS_ABOUT_IT} and ${DUE_AT} = ${dueAt}::timestamptz`,
  );
}
