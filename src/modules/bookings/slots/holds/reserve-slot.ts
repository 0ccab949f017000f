/**
 * holds/ keeps slots for callers who are about to book them, within what one caller may keep, and shows hosts what is
 * kept. It may import slots/.
 */

import { wholeNumberMistake } from '../../../../core/fields.ts';
import { newId, type OwnedId, userOrTeam } from '../../../../core/id.ts';
import { instantText } from '../../../../core/instant.ts';
import { Problem } from '../../../../core/problem.ts';
import { ago, changed, type Em, fromNow, NOW, row, sql } from '../../../../database/sql.ts';
import { deleteFrom, insertInto, updateTable } from '../../../../database/statements.ts';
import { type Sweep, sweepOf } from '../../../../database/sweep.ts';
import { lockOwner } from '../../../teams/lock-owner.ts';
import { reservationNotFound } from '../../booking-key.rules.ts';
import { OccupiedTime } from '../../occupancy/occupied-time.entity.ts';
import { lockHosts, occupy, release, SlotLost, whileSlotIsLost } from '../../occupancy/take-time.ts';
import { SLOT_CODES, START_CODES } from '../assign-hosts.rules.ts';
import type { BookableEventType } from '../bookable-event-type.queries.ts';
import { withBuffers } from '../open-slots.rules.ts';
import { SlotReservation } from '../slot-reservation.entity.ts';
import { findLiveReservation, lockSeat, type ReservationRow, requireOpen, seriesWanted } from '../take-slot.ts';
import {
  HELD_MINUTES,
  type HoldTerm,
  isHostOf,
  namesOf,
  requireRoomToHold,
  type SlotHolder,
  type WantedHold,
} from './hold-limits.ts';

export const DELETE_RESERVATION_CODES = ['NOT_FOUND'] as const;

export const RESERVE_SLOT_CODES = [
  'NOT_FOUND',
  'AUTHENTICATION_REQUIRED',
  ...SLOT_CODES,
  ...START_CODES,
  'OUT_OF_RANGE',
  'FORBIDDEN',
  'RESERVATION_LIMIT_REACHED',
] as const;

export interface ReservationRequest {
  readonly start: Temporal.Instant;
  /** Null is the event type's own length. */
  readonly durationInMinutes: number | null;
  /** How long it is kept; null is five minutes, and more is for hosts of the event type. */
  readonly expiresInMinutes: number | null;
  /** A reservation that this one takes the place of, or null. */
  readonly replacesId: OwnedId | null;
  readonly holder: SlotHolder;
}

/** For how long a slot is kept: at first, and at most. */
export const KEPT_MINUTES = { standard: 5, most: 60 };

/**
 * Keeps a slot for the holder of the id that it returns. With `replacesId` the new slot is taken and the old one given
 * back, or neither. How much callers keep is counted, so those who keep slots of one event type wait for each other.
 * @throws Problem OUT_OF_RANGE, FORBIDDEN, RESERVATION_LIMIT_REACHED, and whatever closes a slot
 */
export async function reserveSlot(
  em: Em,
  eventType: BookableEventType,
  request: ReservationRequest,
): Promise<ReservationRow> {
  const seconds = checkedMinutes(eventType, request) * 60;
  const slot = { ...request, occurrences: 1, reservationId: request.replacesId, isExchange: true };
  const { look, ...common } = seriesWanted(eventType, slot, null);
  // A reservation takes no time yet: the calendars of the hosts are asked once it is booked.
  const lookAlone = (one: Em) => requireOpen(one, eventType, slot);
  const wanted = { ...common, ...(look && { look: lookAlone }), isCounted: true };
  return whileSlotIsLost(em, wanted, async (inner) => {
    const { reservation: replaced, assignments } = await requireOpen(inner, eventType, slot);
    const [assignment] = assignments;
    if (!assignment) throw new SlotLost();
    const { start, end, hostIds, joins } = assignment;
    const { ownerId, rules } = eventType;
    const hold = { start, end, hostIds, joins, withBuffers: withBuffers({ start, end }, rules) };

    await lockHosts(inner, [...(replaced?.hostIds ?? []), ...hostIds]);
    const term = await requireRoomToHold(inner, eventType, request.holder, hold, replaced, seconds);
    if (replaced) await endReservation(inner, replaced);
    const id = newId();
    if (joins === null) {
      const time = { ...hold.withBuffers, hostIds, holderId: id, ownerId };
      if (!(await occupy(inner, { ...time, expiresInSeconds: term.secondsLeft }))) throw new SlotLost();
    } else await lockSeat(inner, eventType, joins);
    return insertReservation(inner, eventType, id, hold, request.holder, term);
  });
}

/** Gives a reserved slot back. @throws Problem NOT_FOUND */
export async function deleteReservation(em: Em, named: OwnedId): Promise<void> {
  await em.transactional(async (inner) => {
    const found = await findLiveReservation(inner, named);
    if (!found || !(await lockOwner(inner, found.ownerId))) throw reservationNotFound();
    await endReservation(inner, found);
  });
}

/**
 * Gives back the time of a reservation as it is given up. Its uid leads nowhere any more, and its row stays for a while under another
 * one, since what its caller has held goes on counting for them. The millisecond: the column rounds the time of now.
 */
async function endReservation(em: Em, { ownerId, id, hostIds }: ReservationRow): Promise<void> {
  await release(em, hostIds, id);
  const ended = { id: newId(), expiresAt: sql<string>`now() - interval '1 millisecond'` };
  await changed(em, updateTable(SlotReservation, { ownerId, id }).set(ended));
}

function checkedMinutes(eventType: BookableEventType, { expiresInMinutes, holder }: ReservationRequest): number {
  if (expiresInMinutes === null) return KEPT_MINUTES.standard;
  const mistake = wholeNumberMistake(['expiresInMinutes'], expiresInMinutes, 1, KEPT_MINUTES.most);
  Problem.throwIfAny(mistake ? [mistake] : []);
  if (expiresInMinutes <= KEPT_MINUTES.standard || isHostOf(eventType, holder)) return expiresInMinutes;
  const message = `Only a host of this event type keeps a slot for more than ${KEPT_MINUTES.standard} minutes; ask for less.`;
  throw new Problem('FORBIDDEN', message, ['expiresInMinutes']);
}

async function insertReservation(
  em: Em,
  eventType: BookableEventType,
  id: string,
  { start, end, hostIds, joins }: WantedHold,
  holder: SlotHolder,
  { secondsLeft, secondsHeld }: HoldTerm,
): Promise<ReservationRow> {
  const { ownerId, id: eventTypeId } = eventType;
  // Those of this event type that do not count for anybody any more go with the next one, so that nothing has to sweep them up.
  const gone = deleteFrom(SlotReservation, { ownerId, eventTypeId });
  await changed(em, gone.where('expiresAt', '<=', ago(HELD_MINUTES, 'mins')));
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
        seatOfId: joins,
        callers: namesOf(eventType, holder),
        heldSince: ago(secondsHeld, 'secs'),
        expiresAt: fromNow(secondsLeft, 'secs'),
        createdAt: NOW,
      })
      .returning(['heldSince', 'expiresAt']),
  );
  if (!inserted) throw new Error('A reservation was not stored.');
  return { ownerId, id, eventTypeId, start: from, end: to, hostIds, seatOfId: joins, ...inserted };
}

const AN_HOUR_AGO = ago(1, 'hours');
const SWEEPS = [sweepOf(OccupiedTime, 'expiresAt', AN_HOUR_AGO), sweepOf(SlotReservation, 'expiresAt', AN_HOUR_AGO)];

/** Sweeps away reservations that were over an hour ago and that nobody has come across since, at most `limit` rows of each table. */
export const removeExpiredReservations: Sweep = async (em, limit) => {
  let removed = 0;
  for (const sweep of SWEEPS) removed += await sweep(em, limit);
  return removed;
};
