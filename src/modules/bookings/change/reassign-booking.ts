import { Problem } from '../../../core/problem.ts';
import { OPTIONAL_TEXT_CODES } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import type { Em } from '../../../database/sql.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import type { BookingRow } from '../booking.queries.ts';
import { byHost, type HostedBooking, lockHostedBooking } from '../hosted-booking.ts';
import { requireStanding, STANDING_CODES, timeOf } from '../locked-booking.ts';
import { lockHosts, requireMembers, whileSlotIsLost } from '../occupancy/lock.ts';
import { substitutesFor } from '../slots/availability.ts';
import { checkedReason } from './cancel-booking.ts';
import { handOver } from './hand-over.ts';

export const REASSIGN_BOOKING_CODES = [
  'HOST_NOT_AVAILABLE',
  'SLOT_TAKEN',
  ...STANDING_CODES,
  ...OPTIONAL_TEXT_CODES,
] as const;

export interface Handover {
  /** The host whose part an administrator hands over; null: the only one. A host hands over their own. */
  readonly fromHostId?: string | null;
  readonly reason?: string | null;
}

/**
 * Hands a host's part in a booking to another host of its event type who has time: to the named one, or to the one
 * whose turn it is. Answers who it is.
 * @throws Problem NOT_FOUND, NOT_POSSIBLE, BOOKING_OVER, HOST_NOT_AVAILABLE, REQUIRED without the host of several whose
 * part it is, and mistakes of the reason
 */
export async function reassignBooking(
  em: Em,
  eventType: BookableEventType,
  hosted: HostedBooking,
  toHostId: string | null,
  { fromHostId = null, reason: given = null }: Handover = {},
): Promise<string> {
  const reason = checkedReason(given);
  const wanted = { eventType, start: null, isCounted: true };
  return whileSlotIsLost(em, wanted, async (inner, _, asking) => {
    const booking = await lockHostedBooking(inner, hosted);
    const now = await databaseNow(inner);
    requireStanding(booking, now);
    const fromId = requirePart(booking, hosted.right ? fromHostId : hosted.hostId);
    const findSubstitute = await substitutesFor(inner, eventType, [booking], now);
    const newHost = await findSubstitute(booking, toHostId);
    if (!newHost) throw notAvailable();
    asking.requireFresh([newHost], timeOf(booking));
    const newHostId = newHost.userId;
    await requireMembers(inner, booking.ownerId, [newHostId]);
    await lockHosts(inner, [fromId, newHostId]);
    const by = byHost(hosted);
    const part = { booking, toHostId: newHostId, rules: eventType.rules };
    await handOver(inner, [part], { fromHostId: fromId, reason, by });
    return newHostId;
  });
}

/** The host whose part is handed over. @throws Problem NOT_FOUND, REQUIRED */
function requirePart({ hostIds }: BookingRow, fromHostId: string | null): string {
  const [only, ...others] = hostIds;
  if (fromHostId === null && only !== undefined && others.length === 0) return only;
  if (fromHostId === null) {
    throw new Problem('REQUIRED', 'The booking has several hosts; say whose part is handed over.', ['fromHostId']);
  }
  if (hostIds.includes(fromHostId)) return fromHostId;
  throw new Problem('NOT_FOUND', 'This user does not host the booking; name one of its hosts.', ['fromHostId']);
}

/** A host without time and a user who is no host get the same answer: nobody learns who is in a team. */
function notAvailable(): Problem {
  const message = 'No other host of this event type has time then; name somebody else, or reschedule the booking.';
  return new Problem('HOST_NOT_AVAILABLE', message, ['hostId']);
}
