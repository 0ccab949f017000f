import { Migration } from '@mikro-orm/migrations';

/** Bookings that a host has cancelled to have them at another time. */
export class RescheduleRequests extends Migration {
  override name = '2026-11-20-reschedule-requests';

  override up(): void {
    this.addSql(`
      alter table "bookings" add column "reschedule_requested" boolean not null default false;
      update bookings b set reschedule_requested = true from domain_events e
        where e.owner_id = b.owner_id and e.type = 'BOOKING_CANCELLED' and e.data->'booking'->>'uid' = b.uid
          and (e.data->>'rescheduleRequested')::boolean;
    `);
  }
}
