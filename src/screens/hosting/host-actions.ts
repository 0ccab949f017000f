import { idOf } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { BookingRow } from '../../modules/bookings/booking.queries.ts';
import { holdsTime, movesMistake } from '../../modules/bookings/booking-transitions.rules.ts';
import { cancelBooking, cancelSeries } from '../../modules/bookings/change/cancel-booking.ts';
import { confirmBooking, declineBooking } from '../../modules/bookings/change/confirm-booking.ts';
import { markAbsence } from '../../modules/bookings/change/mark-absence.ts';
import { reassignBooking } from '../../modules/bookings/change/reassign-booking.ts';
import { requestReschedule } from '../../modules/bookings/change/reschedule-booking.ts';
import { byHost, type HostedBooking, isOver, timeOf } from '../../modules/bookings/locked-booking.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { reasonName } from './actions-part.ts';
import { HOST_ACTIONS, type HostAction } from './hosting-paths.ts';
import { bookingsWords } from './words/hosting-words.ts';

/** A form of a booking's page, sent by one of its hosts. */
interface SentAction {
  readonly acting: HostedBooking;
  readonly booking: BookingRow;
  readonly eventType: BookableEventType | undefined;
  readonly form: URLSearchParams;
  readonly reason: string | null;
}

interface ActionOfHost {
  /** Whether the page offers it; the command decides once more. */
  readonly isPossible: (booking: BookingRow, eventType: BookableEventType | undefined, now: number) => boolean;
  /** @throws Problem */
  readonly act: (em: Em, sent: SentAction) => Promise<unknown>;
}

/** The command of each form of a booking's page. */
export const ACTIONS_OF_HOST: Readonly<Record<HostAction, ActionOfHost>> = {
  confirm: {
    isPossible: ({ status }) => status === 'PENDING',
    act: (em, { acting }) => confirmBooking(em, acting),
  },
  decline: {
    isPossible: ({ status }) => status === 'PENDING',
    act: (em, { acting, reason }) => declineBooking(em, acting, reason),
  },
  'request-reschedule': {
    isPossible: (booking, eventType, now) =>
      eventType !== undefined && booking.status === 'ACCEPTED' && !isOver(booking, now) && !movesMistake(booking.moves),
    act: (em, { acting, reason }) => requestReschedule(em, acting, reason),
  },
  reassign: {
    isPossible: (booking, eventType, now) =>
      (eventType?.hosts.length ?? 0) > booking.hosts.length && isStanding(booking, now),
    act: handOver,
  },
  absence: {
    isPossible: (booking, _eventType, now) => booking.status === 'ACCEPTED' && timeOf(booking).start <= now,
    act: (em, { acting, booking, form }) => markAbsence(em, acting, absenceIn(form, booking, acting.hostId)),
  },
  cancel: {
    isPossible: (booking, _eventType, now) => isStanding(booking, now),
    act: cancel,
  },
};

/** The actions that a page offers a host. `now`: epoch milliseconds */
export function possibleActions(
  booking: BookingRow,
  eventType: BookableEventType | undefined,
  now: number,
): readonly HostAction[] {
  return HOST_ACTIONS.filter((action) => ACTIONS_OF_HOST[action].isPossible(booking, eventType, now));
}

/** Whether what is said to be done is still how things stand. */
export function isDone(action: HostAction, { status, rescheduleRequested }: BookingRow): boolean {
  if (action === 'confirm') return status === 'ACCEPTED';
  if (action === 'decline') return status === 'REJECTED';
  if (action === 'cancel') return status === 'CANCELLED' && !rescheduleRequested;
  return action === 'request-reschedule' ? status === 'CANCELLED' && rescheduleRequested : action === 'absence';
}

/** A form that was not carried out, and why. */
export interface Refused<Action extends HostAction = HostAction> {
  readonly action: Action;
  readonly problem: Problem;
  readonly form: URLSearchParams;
}

/** The mistakes in a form, at its fields: the reason has another name in each. */
export function mistakesOf({ action, problem }: Refused, locale: string): readonly Mistake[] {
  const { mistakes: texts } = bookingsWords(locale);
  return mistakesIn(locale, problem, { texts }).map(({ code, message, path }) => {
    const field = path?.[0] === 'reason' ? reasonName(action) : path?.[0] === 'toHost' ? 'toHost' : undefined;
    return { code, message, ...(field && { path: [field] }) };
  });
}

function isStanding(booking: BookingRow, now: number): boolean {
  return holdsTime(booking.status) && !isOver(booking, now);
}

async function handOver(em: Em, { acting, eventType, form, reason }: SentAction): Promise<void> {
  if (!eventType) throw new Problem('NOT_POSSIBLE', 'The event type was deleted, so it has no other hosts.');
  const named = form.get('toHost') ?? '';
  const toHostId = named === '' ? null : idOf('user', named);
  if (toHostId === undefined) throw new Problem('NOT_FOUND', 'Choose one of the hosts in the list.', ['toHost']);
  await reassignBooking(em, eventType, acting, toHostId, { reason });
}

async function cancel(em: Em, { acting, eventType, form, reason }: SentAction): Promise<void> {
  const { ownerId, id, hostId: callerId } = acting;
  const cancelThem = form.has('series') ? cancelSeries : cancelBooking;
  await cancelThem(em, eventType?.rules, { key: { ownerId, id }, reason, callerId, by: byHost(acting) });
}

/** Says of everybody in the form whether they came: a box that is not ticked says that they did. */
function absenceIn(form: URLSearchParams, { attendees }: BookingRow, hostId: string) {
  const absent = new Set(form.getAll('absent'));
  return {
    hosts: [{ hostId, absent: form.has('hostAbsent') }],
    attendees: attendees.map(({ email }) => ({ email, absent: absent.has(email) })),
  };
}
