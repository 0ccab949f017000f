import { sql } from '../../../database/sql.ts';
import { TableSweep } from '../../../database/sweep.ts';
import { OccupiedTime } from './occupied-time.entity.ts';

/** Deletes what bookings have taken of their hosts' time once that is over for a day: nobody books the past. */
export class PastTimeSweep extends TableSweep {
  constructor() {
    super(OccupiedTime, sql<boolean>`upper(during) < now() - interval '1 day'`);
  }
}
