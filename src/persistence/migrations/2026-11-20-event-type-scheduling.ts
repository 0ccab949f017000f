import { Migration } from '@mikro-orm/migrations';

/** When, where, how and with whom event types are booked, and the private links of hidden ones. */
export class EventTypeScheduling extends Migration {
  override name = '2026-11-20-event-type-scheduling';

  override up(): void {
    this.addSql(`
      alter table "event_types" add "length_in_minutes_options" jsonb not null default '[]', add "locations" jsonb not null default '[]', add "booking_fields" jsonb not null default '[]', add "schedule_id" text null, add "slot_interval_in_minutes" int null, add "minimum_booking_notice_in_minutes" int not null default 120, add "buffer_before_in_minutes" int not null default 0, add "buffer_after_in_minutes" int not null default 0, add "booking_window" jsonb null, add "booking_limits" jsonb not null default '{}', add "confirmation" jsonb not null default '{"kind": "NONE"}', add "recurrence" jsonb null, add "seats" jsonb null, add "requires_booker_email_verification" boolean not null default false, add "requires_authentication" boolean not null default false, add "disable_guests" boolean not null default false, add "disable_cancelling" jsonb null, add "disable_rescheduling" jsonb null, add "success_redirect_url" text null, add "scheduling_type" text null, add "assign_all_members" boolean not null default false;
      update "event_types" set "scheduling_type" = 'ROUND_ROBIN', "assign_all_members" = true where "team_id" is not null;
      alter table "event_types" add constraint "event_types_team_check" check ((team_id is null) = (scheduling_type is null) and not (assign_all_members and team_id is null));
      create index event_types_schedule_id_idx on event_types (owner_id, schedule_id) where schedule_id is not null;

      create table "private_links" ("owner_id" text not null, "id" text not null, "event_type_id" text not null, "secret" text not null, "expires_at" timestamptz(3) null, "max_usage_count" int null, "usage_count" int not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index "private_links_event_type_id_idx" on "private_links" ("owner_id", "event_type_id", "id");

      create table "event_type_hosts" ("owner_id" text not null, "event_type_id" text not null, "user_id" text not null, "membership_id" text not null, "is_mandatory" boolean not null, "priority" int not null, "weight" int not null, primary key ("owner_id", "event_type_id", "user_id"));
      create index "event_type_hosts_membership_id_idx" on "event_type_hosts" ("membership_id");

      alter table "event_types" add constraint "event_types_owner_id_schedule_id_foreign" foreign key ("owner_id", "schedule_id") references "schedules" ("user_id", "id") on update no action on delete no action;

      alter table "private_links" add constraint "private_links_owner_id_event_type_id_foreign" foreign key ("owner_id", "event_type_id") references "event_types" ("owner_id", "id") on update cascade on delete cascade;

      alter table "event_type_hosts" add constraint "event_type_hosts_owner_id_event_type_id_foreign" foreign key ("owner_id", "event_type_id") references "event_types" ("owner_id", "id") on update cascade on delete cascade;
      alter table "event_type_hosts" add constraint "event_type_hosts_membership_id_foreign" foreign key ("membership_id") references "team_memberships" ("id") on delete cascade;
    `);
  }
}
