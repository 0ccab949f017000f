import { ago } from '../../../../database/expressions.ts';
import { type Sweep, sweepOf } from '../../../../database/sweep.ts';
import { OccupiedTime } from '../../occupancy/occupied-time.entity.ts';
import { SlotReservation } from '../slot-reservation.entity.ts';

const AN_HOUR_AGO = ago(1, 'hours');
const SWEEPS = [sweepOf(OccupiedTime, 'expiresAt', AN_HOUR_AGO), sweepOf(SlotReservation, 'expiresAt', AN_HOUR_AGO)];

/** Sweeps away reservations that were over an hour ago and that nobody has come across since, at most `limit` rows of each table. */
export const removeExpiredReservations: Sweep = async (em, limit) => {
  let removed = 0;
  for (const sweep of SWEEPS) removed += await sweep(em, limit);
  return removed;
};
