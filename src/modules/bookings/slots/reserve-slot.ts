import { newId, type OwnedId, userOrTeam } from '../../../core/id.ts';
import { instantText } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { fromNow, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row } from '../../../database/sql.ts';
import { deleteFrom, insertInto } from '../../../database/statements.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { wholeNumberMistake } from '../../event-types/settings/whole-number.rules.ts';
import { lockOwner } from '../../teams/lock-owner.ts';
import { withBuffers } from '../occupancy/booking-time.rules.ts';
import { occupy } from '../occupancy/occupy.ts';
import { SlotLost, whileSlotIsLost } from '../occupancy/slot-lost.ts';
import { SLOT_CODES } from './closed-slot.rules.ts';
import { lockSeat } from './lock-seat.ts';
import { makeRoom, requireOpenSeries, seriesWanted } from './open-series.ts';
import { START_CODES } from './requested-start.ts';
import { SlotReservation } from './slot-reservation.entity.ts';
import {
  dropReservation,
  findLiveReservation,
  type ReservationRow,
  reservationNotFound,
} from './slot-reservation.queries.ts';

export const DELETE_RESERVATION_CODES = ['NOT_FOUND'] as const;

export const RESERVE_SLOT_CODES = [
  'NOT_FOUND',
  'AUTHENTICATION_REQUIRED',
  ...SLOT_CODES,
  ...START_CODES,
  'OUT_OF_RANGE',
  'FORBIDDEN',
] as const;

export interface ReservationRequest {
  readonly start: Temporal.Instant;
  /** Null is the event type's own length. */
  readonly lengthInMinutes: number | null;
  /** How long it is kept; null is five minutes, and more is for hosts of the event type. */
  readonly keptForMinutes: number | null;
  /** A reservation that this one takes the place of, or null. */
  readonly replacesId: OwnedId | null;
  readonly callerId: string | null;
}

/** For how long a slot is kept: at first, and at most. */
export const KEPT_MINUTES = { standard: 5, most: 60 };

/**
 * Keeps a slot for the holder of the id that it returns. With `replacesId` the new slot is taken and the old one given
 * back, or neither. @throws Problem OUT_OF_RANGE, FORBIDDEN, and whatever closes a slot
 */
export async function reserveSlot(
  em: Em,
  eventType: BookableEventType,
  request: ReservationRequest,
): Promise<ReservationRow> {
  const minutes = checkedMinutes(eventType, request);
  const slot = { ...request, occurrences: 1, reservationId: request.replacesId, isExchange: true };
  return whileSlotIsLost(em, seriesWanted(eventType, slot, null), async (inner, seen) => {
    const series = seen ?? (await requireOpenSeries(inner, eventType, slot));
    const [assignment] = series.assignments;
    if (!assignment) throw new SlotLost();
    const { start, end, hostIds, joins } = assignment;

    await makeRoom(inner, series);
    const { ownerId, rules } = eventType;
    const id = newId();
    if (joins === null) {
      const time = { ...withBuffers({ start, end }, rules), hostIds, holderId: id, ownerId };
      if (!(await occupy(inner, { ...time, expiresInSeconds: minutes * 60 }))) throw new SlotLost();
    } else await lockSeat(inner, eventType, joins);
    return insertReservation(inner, eventType, { id, start, end, hostIds, seatOfId: joins, minutes });
  });
}

/** Gives a reserved slot back. @throws Problem NOT_FOUND */
export async function deleteReservation(em: Em, named: OwnedId): Promise<void> {
  await em.transactional(async (inner) => {
    const found = await findLiveReservation(inner, named);
    if (!found || !(await lockOwner(inner, found.ownerId))) throw reservationNotFound(named);
    await dropReservation(inner, found);
  });
}

function checkedMinutes({ hosts }: BookableEventType, { keptForMinutes, callerId }: ReservationRequest): number {
  if (keptForMinutes === null) return KEPT_MINUTES.standard;
  const mistake = wholeNumberMistake(['keptForMinutes'], keptForMinutes, 1, KEPT_MINUTES.most);
  Problem.throwIfAny(mistake ? [mistake] : []);
  if (keptForMinutes <= KEPT_MINUTES.standard || hosts.some(({ userId }) => userId === callerId)) return keptForMinutes;
  const message = `Only a host of this event type keeps a slot for more than ${KEPT_MINUTES.standard} minutes; ask for less.`;
  throw new Problem('FORBIDDEN', message, ['keptForMinutes']);
}

interface NewReservation {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly hostIds: readonly string[];
  readonly seatOfId: string | null;
  readonly minutes: number;
}

async function insertReservation(
  em: Em,
  { ownerId, id: eventTypeId }: BookableEventType,
  { id, start, end, hostIds, seatOfId, minutes }: NewReservation,
): Promise<ReservationRow> {
  // Those of this event type that are over go with the next one, so that nothing has to sweep them up.
  await changed(em, deleteFrom(SlotReservation, { ownerId, eventTypeId }).where('expiresAt', '<=', NOW));
  const [from, to] = [instantText(start), instantText(end)];
  const inserted = await row(
    em,
    insertInto(SlotReservation)
      .values({
        ownerId,
        id,
        ...userOrTeam(ownerId),
        eventTypeId,
        startsAt: from,
        endsAt: to,
        hostIds,
        seatOfId,
        expiresAt: fromNow(minutes, 'mins'),
        createdAt: NOW,
      })
      .returning('expiresAt'),
  );
  if (!inserted) throw new Error('A reservation was not stored.');
  return { ownerId, id, eventTypeId, start: from, end: to, hostIds, seatOfId, ...inserted };
}
