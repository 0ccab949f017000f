import { Migration } from '@mikro-orm/migrations';

/** What conferencing providers tell of meetings. */
export class BookingMedia extends Migration {
  override name = '2026-11-20-booking-media';

  override up(): void {
    this.addSql(`
      create table "booking_recordings" ("owner_id" text not null, "booking_uid" text not null, "id" text not null, "url" text not null, "duration_in_seconds" int null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_uid", "id"));
      create table "booking_references" ("owner_id" text not null, "booking_uid" text not null, "id" text not null, "app" text not null, "url" text null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_uid", "id"));
      create table "booking_transcripts" ("owner_id" text not null, "booking_uid" text not null, "id" text not null, "url" text not null, "language" text null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_uid", "id"));
      create table "conferencing_sessions" ("owner_id" text not null, "booking_uid" text not null, "id" text not null, "started_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_uid", "id"));

      alter table "booking_recordings" add constraint "booking_recordings_owner_id_booking_uid_foreign" foreign key ("owner_id", "booking_uid") references "bookings" ("owner_id", "uid") on update cascade on delete cascade;
      alter table "booking_references" add constraint "booking_references_owner_id_booking_uid_foreign" foreign key ("owner_id", "booking_uid") references "bookings" ("owner_id", "uid") on update cascade on delete cascade;
      alter table "booking_transcripts" add constraint "booking_transcripts_owner_id_booking_uid_foreign" foreign key ("owner_id", "booking_uid") references "bookings" ("owner_id", "uid") on update cascade on delete cascade;
      alter table "conferencing_sessions" add constraint "conferencing_sessions_owner_id_booking_uid_foreign" foreign key ("owner_id", "booking_uid") references "bookings" ("owner_id", "uid") on update cascade on delete cascade;
    `);
  }
}
