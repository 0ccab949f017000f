import { Migration } from '@mikro-orm/migrations';

/** When people can be booked, and when they cannot. */
export class Schedules extends Migration {
  override name = '2026-11-20-schedules';

  override up(): void {
    this.addSql(`
      create table "schedules" ("user_id" text not null, "id" text not null, "name" text not null, "time_zone" text not null, "is_default" boolean not null, "availability" jsonb not null, "overrides" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("user_id", "id"));
      create unique index schedules_default_key on schedules (user_id) where is_default;

      create table "out_of_office" ("user_id" text not null, "id" text not null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "reason" text not null, "notes" text null, "redirect_to_id" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("user_id", "id"));
      create index out_of_office_redirect_to_id_idx on out_of_office (redirect_to_id) where redirect_to_id is not null;
      alter table "out_of_office" add constraint "out_of_office_range_check" check (starts_at < ends_at);

      alter table "schedules" add constraint "schedules_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "out_of_office" add constraint "out_of_office_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "out_of_office" add constraint "out_of_office_redirect_to_id_foreign" foreign key ("redirect_to_id") references "users" ("id") on delete set null;
    `);
  }
}
