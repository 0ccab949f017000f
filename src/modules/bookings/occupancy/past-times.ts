import { sql } from '../../../database/sql.ts';
import { TableSweep } from '../../../database/table-sweep.ts';

/** Deletes what bookings have taken of their hosts' time once that is over for a day: nobody books the past. */
export class PastTimeSweep extends TableSweep {
  constructor() {
    super('occupied_times', ['host_id', 'holder_id'], sql<boolean>`upper(during) < now() - interval '1 day'`);
  }
}
