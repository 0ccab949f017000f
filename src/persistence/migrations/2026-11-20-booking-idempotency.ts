import { Migration } from '@mikro-orm/migrations';

/** A key of a booking serves one request; what was booked before is still found by its request. */
export class BookingIdempotency extends Migration {
  override name = '2026-11-20-booking-idempotency';

  override up(): void {
    this.addSql(`
      alter table "booking_attendees" add column "key_hash" text null;
      create unique index booking_attendees_idempotency_key on booking_attendees (owner_id, key_hash) where key_hash is not null;
    `);
  }
}
