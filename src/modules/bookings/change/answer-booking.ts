import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import { type Act, type DomainEvent, recordEvent } from '../../../events/record-event.ts';
import { type Asking, askingCalendars } from '../../calendars/fresh-calendars.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import type { BookingRow } from '../booking.queries.ts';
import { type BookingAction, TRANSITION_CODES } from '../booking-transitions.rules.ts';
import { actorIn, byHost, type HostedBooking, lockHostedBooking } from '../hosted-booking.ts';
import {
  type BookingChanges,
  factsOf,
  requireFewMoves,
  requireNotOver,
  saveBooking,
  statusAfter,
  timeOf,
} from '../locked-booking.ts';
import { type HostAtTime, loadHostsOf } from '../slots/slot-request.queries.ts';
import { checkedReason } from './cancel-booking.ts';

export const REQUEST_RESCHEDULE_CODES = [
  'NOT_FOUND',
  'BOOKING_OVER',
  'TOO_MANY_MOVES',
  ...TRANSITION_CODES,
  ...OPTIONAL_TEXT_CODES,
] as const;

export const DECLINE_BOOKING_CODES = ['NOT_FOUND', ...TRANSITION_CODES, ...OPTIONAL_TEXT_CODES] as const;

export const CONFIRM_BOOKING_CODES = ['NOT_FOUND', 'SLOT_TAKEN', ...TRANSITION_CODES] as const;

/**
 * Agrees to a request. Its time is taken since it was made; what calendars have got meanwhile is in its way all the same.
 * @throws Problem NOT_FOUND, NOT_POSSIBLE, SLOT_TAKEN
 */
export function confirmBooking(em: Em, hosted: HostedBooking): Promise<void> {
  return askingCalendars(em, (asking) =>
    answer(em, hosted, {
      action: 'CONFIRM',
      reason: null,
      kind: 'CONFIRMED',
      changes: {},
      look: async (inner, booking) => {
        const { now, hosts } = await loadHostsOf(inner, booking);
        return { now, requireFree: () => requireFree(hosts, timeOf(booking), asking) };
      },
      eventOf: (act) => ({ ...act, type: 'BOOKING_CONFIRMED' }),
    }),
  );
}

/** The calendars are asked also where one says that it is taken: its user may have made room for this. */
function requireFree(hosts: readonly HostAtTime[], time: Interval, asking: Asking): void {
  asking.requireFresh(hosts, time);
  if (hosts.some(({ isBusy }) => isBusy)) {
    const message = 'The time is taken by now in a calendar of a host; decline the request, or move it.';
    throw new Problem('SLOT_TAKEN', message, ['uid']);
  }
}

/** Refuses a request and gives its time back. @throws Problem NOT_FOUND, NOT_POSSIBLE, and mistakes of the reason */
export async function declineBooking(em: Em, hosted: HostedBooking, given: string | null): Promise<void> {
  const reason = checkedReason(given);
  await answer(em, hosted, {
    action: 'DECLINE',
    reason,
    kind: 'DECLINED',
    changes: { rejectionReason: reason },
    eventOf: (act) => ({ ...act, type: 'BOOKING_REJECTED', reason }),
  });
}

/** Cancels a booking and asks its attendee for another time. @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, TOO_MANY_MOVES, … of the reason */
export async function requestReschedule(em: Em, hosted: HostedBooking, given: string | null): Promise<void> {
  const reason = checkedReason(given);
  const { hostId: byHostId } = hosted;
  await answer(em, hosted, {
    action: 'REQUEST_RESCHEDULE',
    reason,
    kind: 'RESCHEDULE_REQUESTED',
    changes: { reschedulingReason: reason, rescheduleRequested: true },
    check: (booking, now) => {
      requireNotOver(booking, now);
      requireFewMoves(booking);
    },
    eventOf: (act) => ({ ...act, type: 'BOOKING_CANCELLED', reason, rescheduleRequested: true, byHostId }),
  });
}

interface Answer {
  readonly action: BookingAction;
  readonly reason: string | null;
  /** The answer, as the booking's history names it. */
  readonly kind: 'CONFIRMED' | 'DECLINED' | 'RESCHEDULE_REQUESTED';
  /** The columns that change beside the status. */
  readonly changes: BookingChanges;
  /** Judges the booking once its status allows the answer. */
  readonly check?: (booking: BookingRow, now: number) => void;
  /** Reads the clock, and what else decides; left out: the clock alone. */
  readonly look?: (
    inner: Em,
    booking: BookingRow,
  ) => Promise<{ readonly now: number; readonly requireFree: () => void }>;
  readonly eventOf: (act: Act) => DomainEvent;
}

async function answer(
  em: Em,
  hosted: HostedBooking,
  { action, reason, kind, changes, check, look, eventOf }: Answer,
): Promise<void> {
  await em.transactional(async (inner) => {
    const booking = await lockHostedBooking(inner, hosted);
    const seen = await look?.(inner, booking);
    const now = seen?.now ?? (await databaseNow(inner));
    const status = statusAfter(booking, { action, actor: actorIn(hosted), reason, now });
    check?.(booking, now);
    seen?.requireFree();
    await saveBooking(inner, booking, { status, ...changes }, { kind, by: hosted.hostId, reason });
    await recordEvent(inner, booking.ownerId, eventOf({ booking: factsOf(booking), by: byHost(hosted) }));
  });
}
