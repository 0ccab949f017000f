import { Migration } from '@mikro-orm/migrations';

/** Each filter of the list of bookings in each of its orders, and what limits count, by an index. */
export class BookingLists extends Migration {
  override name = '2026-11-20-booking-lists';

  override up(): void {
    this.addSql(`
      drop index "booking_hosts_start_idx", "booking_hosts_end_idx", "booking_hosts_created_idx", "booking_hosts_updated_idx", "booking_hosts_event_type_idx";
      create index booking_hosts_start_idx on booking_hosts (user_id, status, starts_at, booking_uid) include (ends_at, created_at, updated_at);
      create index booking_hosts_end_idx on booking_hosts (user_id, status, ends_at, booking_uid) include (starts_at, created_at, updated_at);
      create index booking_hosts_created_idx on booking_hosts (user_id, status, created_at, booking_uid) include (starts_at, ends_at, updated_at);
      create index booking_hosts_updated_idx on booking_hosts (user_id, status, updated_at, booking_uid) include (starts_at, ends_at, created_at);
      create index "booking_hosts_event_type_start_idx" on "booking_hosts" ("user_id", "owner_id", "event_type_id", "status", "starts_at", "booking_uid");
      create index "booking_hosts_event_type_end_idx" on "booking_hosts" ("user_id", "owner_id", "event_type_id", "status", "ends_at", "booking_uid");
      create index "booking_hosts_event_type_created_idx" on "booking_hosts" ("user_id", "owner_id", "event_type_id", "status", "created_at", "booking_uid");
      create index "booking_hosts_event_type_updated_idx" on "booking_hosts" ("user_id", "owner_id", "event_type_id", "status", "updated_at", "booking_uid");

      drop index "bookings_event_type_idx";
      create index bookings_event_type_idx on bookings (owner_id, event_type_id, status, starts_at) include (ends_at);

      alter table "booking_attendees" add "starts_at" timestamptz(3) null, add "ends_at" timestamptz(3) null, add "booked_at" timestamptz(3) null;
      update "booking_attendees" a set "starts_at" = b."starts_at", "ends_at" = b."ends_at", "booked_at" = b."created_at" from "bookings" b where b."owner_id" = a."owner_id" and b."uid" = a."booking_uid";
      alter table "booking_attendees" alter "starts_at" set not null, alter "ends_at" set not null, alter "booked_at" set not null;
      drop index "booking_attendees_email_idx";
      create index booking_attendees_start_idx on booking_attendees (owner_id, lower(email), starts_at, booking_uid);
      create index booking_attendees_end_idx on booking_attendees (owner_id, lower(email), ends_at, booking_uid);
      create index booking_attendees_booked_idx on booking_attendees (owner_id, lower(email), booked_at, booking_uid);
    `);
  }
}
