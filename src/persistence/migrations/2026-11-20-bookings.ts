import { Migration } from '@mikro-orm/migrations';

/** What is booked, whose time it takes, and what is to be told of it. */
export class Bookings extends Migration {
  override name = '2026-11-20-bookings';

  override up(): void {
    this.addSql(`
      create extension if not exists btree_gist;

      create table "domain_events" ("owner_id" text not null, "id" text not null, "type" text not null, "data" jsonb not null, "occurred_at" timestamptz(3) not null, primary key ("owner_id", "id"));

      create table "slot_reservations" ("owner_id" text not null, "id" text not null, "user_id" text null, "team_id" text null, "event_type_id" text not null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "host_ids" text[] not null, "seat_of_uid" text null, "expires_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index "slot_reservations_expires_at_idx" on "slot_reservations" ("expires_at");
      create index "slot_reservations_event_type_idx" on "slot_reservations" ("owner_id", "event_type_id", "starts_at");
      create index slot_reservations_user_id_idx on slot_reservations (user_id) where user_id is not null;
      create index slot_reservations_team_id_idx on slot_reservations (team_id) where team_id is not null;

      create table "occupied_times" ("host_id" text not null, "holder_id" text not null, "during" tstzrange not null, "team_id" text null, "expires_at" timestamptz(3) null, primary key ("host_id", "holder_id"));
      create index occupied_times_expires_at_idx on occupied_times (expires_at) where expires_at is not null;
      create index occupied_times_team_id_idx on occupied_times (team_id) where team_id is not null;

      create table "booking_hosts" ("user_id" text not null, "booking_uid" text not null, "owner_id" text not null, "team_id" text null, "event_type_id" text not null, "status" text not null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "absent" boolean not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("user_id", "booking_uid"));
      create index "booking_hosts_start_idx" on "booking_hosts" ("user_id", "starts_at", "booking_uid");
      create index "booking_hosts_end_idx" on "booking_hosts" ("user_id", "ends_at", "booking_uid");
      create index "booking_hosts_created_idx" on "booking_hosts" ("user_id", "created_at", "booking_uid");
      create index "booking_hosts_updated_idx" on "booking_hosts" ("user_id", "updated_at", "booking_uid");
      create index "booking_hosts_event_type_idx" on "booking_hosts" ("user_id", "event_type_id", "created_at");
      create index booking_hosts_team_id_idx on booking_hosts (team_id) where team_id is not null;

      create table "bookings" ("owner_id" text not null, "uid" text not null, "user_id" text null, "team_id" text null, "event_type_id" text not null, "title" text not null, "description" text null, "status" text not null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "location" jsonb null, "host_ids" text[] not null, "guest_emails" text[] not null, "seats" jsonb null, "metadata" jsonb not null, "cancellation_reason" text null, "rejection_reason" text null, "rescheduling_reason" text null, "rescheduled_from_uid" text null, "rescheduled_to_uid" text null, "recurring_uid" text null, "ics_uid" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "uid"));
      create index "bookings_event_type_idx" on "bookings" ("owner_id", "event_type_id", "starts_at");
      create index bookings_user_id_idx on bookings (user_id) where user_id is not null;
      create index bookings_team_id_idx on bookings (team_id) where team_id is not null;

      create table "booking_attendees" ("owner_id" text not null, "booking_uid" text not null, "id" text not null, "name" text not null, "email" text not null, "time_zone" text not null, "locale" text null, "phone" text null, "notes" text null, "responses" jsonb not null, "absent" boolean not null, "seat_uid" text null, "request_hash" text null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_uid", "id"));
      create index booking_attendees_email_idx on booking_attendees (lower(email), owner_id);
      create unique index booking_attendees_seat_key on booking_attendees (owner_id, seat_uid) where seat_uid is not null;
      create unique index booking_attendees_request_key on booking_attendees (owner_id, request_hash) where request_hash is not null;

      alter table "slot_reservations" add constraint "slot_reservations_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "slot_reservations" add constraint "slot_reservations_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "occupied_times" add constraint "occupied_times_host_id_foreign" foreign key ("host_id") references "users" ("id") on delete cascade;
      alter table "occupied_times" add constraint "occupied_times_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "occupied_times" add constraint "occupied_times_no_overlap" exclude using gist (host_id with =, during with &&);

      alter table "booking_hosts" add constraint "booking_hosts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "booking_hosts" add constraint "booking_hosts_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "bookings" add constraint "bookings_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "bookings" add constraint "bookings_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "bookings" add constraint "bookings_owner_check" check (num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id));
      alter table "bookings" add constraint "bookings_time_check" check (starts_at < ends_at);

      alter table "booking_attendees" add constraint "booking_attendees_owner_id_booking_uid_foreign" foreign key ("owner_id", "booking_uid") references "bookings" ("owner_id", "uid") on update cascade on delete cascade;
    `);
  }
}
