import { Migration } from '@mikro-orm/migrations';

/** The whole schema. Written by `npm run migration` from the entities and the table of jobs: change those. */
export class InitialSchema extends Migration {
  override up(): void {
    this.addSql(SQL);
  }
}

export const SQL = `
      create extension if not exists btree_gist;

      create table "audit_events" ("occurred_at" timestamptz(3) not null, "id" uuid not null, "type" text not null, "user_id" uuid null, "actor_id" uuid null, "client_id" text null, "grant_id" uuid null, "address" text null, "detail" jsonb not null, primary key ("occurred_at", "id"));
      create index "audit_events_user_id_idx" on "audit_events" ("user_id", "occurred_at", "id");
      create index "audit_events_client_id_idx" on "audit_events" ("client_id", "occurred_at", "id");
      create index audit_events_client_history_idx on audit_events (client_id, occurred_at, id) where left(type, 7) = 'CLIENT_' and left(type, 14) <> 'CLIENT_SECRET_';

      create table "counters" ("key" text not null, "counted" int not null, "refused" int not null, "ends_at" timestamptz(3) not null, primary key ("key"));
      create index "counters_ends_at_idx" on "counters" ("ends_at");

      create table "domain_events" ("owner_id" uuid not null, "id" uuid not null, "type" text not null, "data" jsonb not null, "occurred_at" timestamptz(6) not null, primary key ("owner_id", "id"));
      create index "domain_events_occurred_at_idx" on "domain_events" ("occurred_at", "id");

      create table "failed_sign_ins" ("key" text not null, "event_at" timestamptz(3) not null, "event_id" uuid not null, "ends_at" timestamptz(3) not null, primary key ("key"));
      create index "failed_sign_ins_ends_at_idx" on "failed_sign_ins" ("ends_at");

      create table "held_notices" ("receiver" text not null, "topic" text not null, "digest" text not null, "id" uuid not null, "subject" text not null, "mail" jsonb null, "counted" jsonb not null, "user_id" uuid null, "times" int not null, "outcome" text not null, "due_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("receiver", "topic", "digest"));
      create index held_notices_due_at_idx on held_notices (due_at) where due_at is not null;
      create index held_notices_user_id_idx on held_notices (user_id) where user_id is not null;
      create index "held_notices_created_at_idx" on "held_notices" ("created_at");

      create table "idempotency_keys" ("owner_id" uuid not null, "key_hash" text not null, "request_hash" text not null, "result_id" uuid null, "result" jsonb null, "created_at" timestamptz(3) not null, primary key ("owner_id", "key_hash"));
      create index idempotency_keys_created_at_idx on idempotency_keys (created_at) where result_id is null;
      create index idempotency_keys_result_id_idx on idempotency_keys (owner_id, result_id) where result_id is not null;

      create table "mail_receivers" ("key" text not null, "mailed_at" timestamptz(3) not null, "answered_at" timestamptz(3) null, "silent_until" timestamptz(3) null, primary key ("key"));
      create index "mail_receivers_mailed_at_idx" on "mail_receivers" ("mailed_at");

      create table "oauth_codes" ("interaction_id" uuid not null, "code_hash" text not null, "client_id" text not null, "user_id" uuid not null, "redirect_uri" text not null, "kind" text not null, "scopes" text[] not null, "code_challenge" text null, "failures" smallint not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "redeemed_at" timestamptz(3) null, primary key ("interaction_id"));
      create index "oauth_codes_expires_at_idx" on "oauth_codes" ("expires_at");
      create index "oauth_codes_user_id_client_id_idx" on "oauth_codes" ("user_id", "client_id");

      create table "oauth_failed_requests" ("occurred_at" timestamptz(3) not null, "id" uuid not null, "client_id" text not null, "endpoint" text not null, "error" text not null, "description" text not null, primary key ("occurred_at", "id"));
      create index "oauth_failed_requests_client_id_idx" on "oauth_failed_requests" ("client_id", "occurred_at", "id");

      create table "oauth_keys" ("id" text not null, "purpose" text not null, "wrapped" text not null, "created_at" timestamptz(3) not null, "active_at" timestamptz(3) not null, "retired_at" timestamptz(3) null, primary key ("id"));

      create table "oauth_revocations" ("kind" text not null, "subject" text not null, "revoked" boolean not null, "changed_at" timestamptz(3) not null, primary key ("kind", "subject"));
      create index "oauth_revocations_changed_at_idx" on "oauth_revocations" ("changed_at");

      create table "organizations" ("id" uuid not null, "slug" text not null, "name" text not null, "bio" text null, "logo_url" text null, "brand_color" text null, "time_zone" text not null, "week_start" text not null, "hides_branding" boolean not null default false, "is_private" boolean not null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
      alter table "organizations" add constraint "organizations_slug_unique" unique ("slug");
      alter table "organizations" add constraint "organizations_metadata_check" check (jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= 50);

      create table "teams" ("id" uuid not null, "organization_id" uuid null, "slug" text not null, "name" text not null, "bio" text null, "logo_url" text null, "brand_color" text null, "time_zone" text null, "week_start" text null, "hides_branding" boolean null, "is_private" boolean not null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
      create index "teams_organization_id_id_idx" on "teams" ("organization_id", "id");
      create unique index teams_organization_id_slug_key on teams (organization_id, slug) where organization_id is not null;
      create unique index teams_slug_key on teams (slug) where organization_id is null;
      alter table "teams" add constraint "teams_id_check" check (get_byte(uuid_send(id), 15) % 2 = 1);
      alter table "teams" add constraint "teams_metadata_check" check (jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= 50);

      create table "routing_forms" ("owner_id" uuid not null, "id" uuid not null, "team_id" uuid null, "organization_id" uuid null, "name" text not null, "description" text null, "is_active" boolean not null, "version" int not null, "fields" jsonb not null, "routes" jsonb not null, "fallback" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index routing_forms_team_id_idx on routing_forms (team_id) where team_id is not null;
      create index routing_forms_organization_id_idx on routing_forms (organization_id) where organization_id is not null;
      alter table "routing_forms" add constraint "routing_forms_owner_check" check (num_nonnulls(team_id, organization_id) = 1 and owner_id = coalesce(team_id, organization_id));

      create table "routing_form_responses" ("owner_id" uuid not null, "id" uuid not null, "form_id" uuid not null, "form_version" int not null, "fields" jsonb not null, "answers" jsonb not null, "route_id" uuid null, "target" jsonb not null, "unsent_mails" int not null default 0, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index "routing_form_responses_created_at_idx" on "routing_form_responses" ("owner_id", "form_id", "created_at", "id");

      create table "users" ("id" uuid not null, "email" text not null, "email_verified_at" timestamptz(3) null, "origin" text not null default 'SIGN_UP', "made_by_id" uuid null, "username" text not null, "name" text not null, "password_hash" text not null, "time_zone" text not null, "week_start" text not null, "time_format" int not null, "locale" text not null, "bio" text null, "avatar_url" text null, "metadata" jsonb not null, "is_administrator" boolean not null, "suspended_at" timestamptz(3) null, "denormalized_in_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
      alter table "users" add constraint "users_username_unique" unique ("username");
      create unique index users_verified_email_key on users (email) where email_verified_at is not null;
      create index users_unverified_email_idx on users (email, created_at, id) where email_verified_at is null;
      alter table "users" add constraint "users_id_check" check (get_byte(uuid_send(id), 15) % 2 = 0);
      alter table "users" add constraint "users_metadata_check" check (jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= 50);
      alter table "users" add constraint "users_made_by_id_check" check ((made_by_id is null) = (origin <> 'ORGANIZATION'));
      create or replace function "users_users_changes_fn"() returns trigger as $$ begin perform pg_notify('user_changes', ''); return null; end; $$ language plpgsql;
      create trigger "users_changes" AFTER UPDATE OR DELETE on "users" for each STATEMENT execute function "users_users_changes_fn"();

      create table "stopped_things" ("user_id" uuid not null, "id" uuid not null, "kind" text not null, "title" text not null, "address" text null, "content" jsonb not null, "stopped_at" timestamptz(3) not null, primary key ("user_id", "id"));
      create index "stopped_things_stopped_at_idx" on "stopped_things" ("stopped_at");

      create table "slot_reservations" ("owner_id" uuid not null, "id" uuid not null, "user_id" uuid null, "team_id" uuid null, "event_type_id" uuid not null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "host_ids" uuid[] not null, "seat_of_id" uuid null, "callers" text[] not null, "held_since" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index "slot_reservations_expires_at_idx" on "slot_reservations" ("expires_at");
      create index "slot_reservations_event_type_idx" on "slot_reservations" ("owner_id", "event_type_id", "starts_at", "id");
      create index slot_reservations_callers_idx on slot_reservations using gin (callers);
      create index slot_reservations_host_ids_idx on slot_reservations using gin (host_ids);
      create index slot_reservations_user_id_idx on slot_reservations (user_id) where user_id is not null;
      create index slot_reservations_team_id_idx on slot_reservations (team_id, starts_at, id) where team_id is not null;

      create table "sessions" ("id" uuid not null, "token_hash" text not null, "user_id" uuid not null, "user_agent" text not null, "address" text not null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));
      alter table "sessions" add constraint "sessions_token_hash_unique" unique ("token_hash");
      create index "sessions_user_id_created_at_idx" on "sessions" ("user_id", "created_at", "id");
      create index "sessions_expires_at_idx" on "sessions" ("expires_at");

      create table "schedules" ("user_id" uuid not null, "id" uuid not null, "name" text not null, "time_zone" text not null, "is_default" boolean not null, "availability" jsonb not null, "overrides" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("user_id", "id"));
      create unique index schedules_default_key on schedules (user_id) where is_default;

      create table "out_of_office" ("user_id" uuid not null, "id" uuid not null, "organization_id" uuid null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "reason" text null, "notes" text null, "redirect_to_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("user_id", "id"));
      create index out_of_office_organization_id_idx on out_of_office (organization_id, (case when organization_id is not null then user_id end), id) where organization_id is not null;
      create index "out_of_office_period_idx" on "out_of_office" ("user_id", "starts_at", "ends_at");
      create index out_of_office_redirect_to_id_idx on out_of_office (redirect_to_id) where redirect_to_id is not null;
      alter table "out_of_office" add constraint "out_of_office_range_check" check (starts_at < ends_at);
      alter table "out_of_office" add constraint "out_of_office_instants_check" check (starts_at >= '0001-01-01 00:00:00+00' and starts_at <= '9999-12-31 23:59:59.999+00' and ends_at >= '0001-01-01 00:00:00+00' and ends_at <= '9999-12-31 23:59:59.999+00');
      create or replace function "out_of_office_out_of_office_denormalized_fn"() returns trigger as $$ begin select denormalized_in_id into new.organization_id from users where id = new.user_id for key share; return new; end; $$ language plpgsql;
      create trigger "out_of_office_denormalized" BEFORE INSERT on "out_of_office" for each ROW execute function "out_of_office_out_of_office_denormalized_fn"();

      create table "organization_memberships" ("id" uuid not null, "organization_id" uuid not null, "user_id" uuid not null, "role" text not null, "accepted" boolean not null, "invited_by_id" uuid null, "denormalized" boolean not null default false, "joined_at" timestamptz(3) not null default now(), "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null default now(), primary key ("id"));
      create index organization_memberships_invited_by_id_idx on organization_memberships (invited_by_id) where invited_by_id is not null;
      create index "organization_memberships_organization_id_id_idx" on "organization_memberships" ("organization_id", "id");
      create index "organization_memberships_role_idx" on "organization_memberships" ("role", "organization_id", "id");
      create index organization_memberships_joined_idx on organization_memberships (organization_id, id) where accepted;
      create index organization_memberships_invited_idx on organization_memberships (organization_id, id) where not accepted;
      create index "organization_memberships_user_id_organization_id_idx" on "organization_memberships" ("user_id", "accepted", "organization_id");
      create index organization_memberships_accepted_idx on organization_memberships (organization_id, user_id) where accepted;
      create index organization_memberships_role_of_user_idx on organization_memberships (organization_id, (case when accepted then role end), user_id) where accepted;
      create index organization_memberships_scattered_idx on organization_memberships ((case when accepted and not denormalized then organization_id end), user_id) where accepted and not denormalized;
      alter table "organization_memberships" add constraint "organization_memberships_organization_id_user_id_key" unique ("organization_id", "user_id");

      create table "team_memberships" ("id" uuid not null, "team_id" uuid not null, "user_id" uuid not null, "organization_membership_id" uuid null, "role" text not null, "accepted" boolean not null, "invited_by_id" uuid null, "joined_at" timestamptz(3) not null default now(), "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null default now(), primary key ("id"));
      create index "team_memberships_organization_membership_id_idx" on "team_memberships" ("organization_membership_id");
      create index team_memberships_invited_by_id_idx on team_memberships (invited_by_id) where invited_by_id is not null;
      create index "team_memberships_team_id_id_idx" on "team_memberships" ("team_id", "id");
      create index "team_memberships_role_idx" on "team_memberships" ("role", "team_id", "id");
      create index team_memberships_joined_idx on team_memberships (team_id, id) where accepted;
      create index team_memberships_invited_idx on team_memberships (team_id, id) where not accepted;
      create index "team_memberships_user_id_team_id_idx" on "team_memberships" ("user_id", "accepted", "team_id");
      create index team_memberships_accepted_idx on team_memberships (team_id, user_id) where accepted;
      alter table "team_memberships" add constraint "team_memberships_team_id_user_id_key" unique ("team_id", "user_id");

      create table "occupied_times" ("host_id" uuid not null, "holder_id" uuid not null, "during" tstzrange not null, "team_id" uuid null, "expires_at" timestamptz(3) null, primary key ("host_id", "holder_id"));
      create index occupied_times_expires_at_idx on occupied_times (expires_at) where expires_at is not null;
      create index occupied_times_team_id_idx on occupied_times (team_id) where team_id is not null;
      alter table "occupied_times" add constraint "occupied_times_no_overlap" exclude using gist (host_id with =, during with &&);

      create table "oauth_clients" ("client_id" text not null, "owner_id" uuid not null, "name" text not null, "developer_name" text null, "purpose" text not null, "logo_url" text null, "website_url" text null, "type" text not null, "status" text not null, "legacy" boolean not null, "requires_pkce" boolean not null, "redirect_uris" text[] not null, "scopes" text[] not null, "rejection_reason" text null, "suspension_reason" text null, "pending_revision" jsonb null, "version" int not null default 1, "submitted_at" timestamptz(3) not null, "reviewed_at" timestamptz(3) null, "reviewed_by" uuid null, "reinstated_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("client_id"));
      create index "oauth_clients_owner_id_created_at_idx" on "oauth_clients" ("owner_id", "created_at", "client_id");
      create index oauth_clients_review_idx on oauth_clients (submitted_at, client_id) where status = 'PENDING' or pending_revision is not null;

      create table "oauth_interactions" ("id" uuid not null, "client_id" text not null, "browser_hash" text not null, "user_id" uuid null, "request" jsonb not null, "decision" text null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "decided_at" timestamptz(3) null, primary key ("id"));
      create index "oauth_interactions_client_id_idx" on "oauth_interactions" ("client_id");
      create index "oauth_interactions_expires_at_idx" on "oauth_interactions" ("expires_at");
      create index "oauth_interactions_user_id_client_id_idx" on "oauth_interactions" ("user_id", "client_id");

      create table "oauth_grants" ("id" uuid not null, "client_id" text not null, "user_id" uuid not null, "kind" text not null, "scopes" text[] not null, "seed" text not null, "generation" int not null, "rotated_at" timestamptz(3) not null, "confirmed_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, "revocation_reason" text null, primary key ("id"));
      create index oauth_grants_not_revoked_idx on oauth_grants (user_id, client_id, created_at, id) where revoked_at is null;
      create index oauth_grants_unrestricted_idx on oauth_grants (client_id, user_id) where kind = 'UNRESTRICTED' and revoked_at is null;
      create index "oauth_grants_user_id_idx" on "oauth_grants" ("user_id");
      create index "oauth_grants_client_id_idx" on "oauth_grants" ("client_id");
      alter table "oauth_grants" add constraint "oauth_grants_kind_check" check ((kind = 'SCOPED' and cardinality(scopes) > 0) or (kind = 'UNRESTRICTED' and cardinality(scopes) = 0));

      create table "oauth_client_secrets" ("client_id" text not null, "id" uuid not null, "slot" smallint not null, "name" text not null, "hint" text not null, "secret_hash" text not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("client_id", "id"));
      alter table "oauth_client_secrets" add constraint "oauth_client_secrets_client_id_slot_key" unique ("client_id", "slot");
      alter table "oauth_client_secrets" add constraint "oauth_client_secrets_slot_check" check (slot in (1, 2));

      create table "invitations" ("id" uuid not null, "team_id" uuid null, "organization_id" uuid null, "email" text not null, "role" text not null, "token_hash" text not null, "invited_by_id" uuid not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));
      alter table "invitations" add constraint "invitations_token_hash_unique" unique ("token_hash");
      create index "invitations_team_id_id_idx" on "invitations" ("team_id", "id");
      create index "invitations_organization_id_id_idx" on "invitations" ("organization_id", "id");
      create index "invitations_role_team_id_id_idx" on "invitations" ("role", "team_id", "id");
      create index "invitations_role_organization_id_id_idx" on "invitations" ("role", "organization_id", "id");
      create index "invitations_email_idx" on "invitations" ("email");
      create index "invitations_invited_by_id_idx" on "invitations" ("invited_by_id");
      create index "invitations_expires_at_idx" on "invitations" ("expires_at");
      alter table "invitations" add constraint "invitations_team_id_email_key" unique ("team_id", "email");
      alter table "invitations" add constraint "invitations_organization_id_email_key" unique ("organization_id", "email");
      alter table "invitations" add constraint "invitations_group_check" check (num_nonnulls(team_id, organization_id) = 1);

      create table "ics_feeds" ("user_id" uuid not null, "id" uuid not null, "sealed_url" text not null, "host" text not null, "ending" text not null, "etag" text null, "last_modified" text null, "digest" text null, "expanded_at" timestamptz(3) not null, "read_at" timestamptz(3) not null, "error" text null, "failures" int not null default 0, "next_read_at" timestamptz(3) not null, "asked_at" timestamptz(3) null, "answered_at" timestamptz(3) null, "asked_during" tstzrange null, "resting_until" timestamptz(3) null, "silence_notified_at" timestamptz(3) null, "event_count" int not null, "unreadable_event_count" int not null, "sealed_unreadable" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("user_id", "id"));

      create table "event_types" ("owner_id" uuid not null, "id" uuid not null, "user_id" uuid null, "team_id" uuid null, "organization_id" uuid null, "slug" text not null, "title" text not null, "description" text null, "duration_in_minutes" int not null, "duration_in_minutes_options" jsonb not null default '[]', "is_hidden" boolean not null, "color" text null, "metadata" jsonb not null, "locations" jsonb not null default '[]', "booking_fields" jsonb not null default '[]', "schedule_id" uuid null, "slot_interval_in_minutes" int null, "minimum_booking_notice_in_minutes" int not null default 120, "buffer_before_in_minutes" int not null default 0, "buffer_after_in_minutes" int not null default 0, "booking_window" jsonb null, "booking_limits" jsonb not null default '{}', "confirmation" jsonb not null default '{"type": "NEVER"}', "recurrence" jsonb null, "seats" jsonb null, "requires_booker_email_verification" boolean not null default false, "requires_authentication" boolean not null default false, "allows_guests" boolean not null default true, "cancellation_policy" jsonb not null default '{"type": "ALWAYS"}', "rescheduling_policy" jsonb not null default '{"type": "ALWAYS"}', "success_redirect_url" text null, "embed_origins" jsonb not null default '[]', "scheduling_type" text null, "assigns_all_members" boolean not null default false, "parent_team_id" uuid null, "parent_id" uuid null, "membership_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index "event_types_is_hidden_idx" on "event_types" ("owner_id", "is_hidden", "id");
      create index event_types_organization_id_idx on event_types (organization_id, (case when organization_id is not null then owner_id end), id) where organization_id is not null;
      create index event_types_organization_id_slug_idx on event_types (organization_id, slug, (case when organization_id is not null then owner_id end), id) where organization_id is not null;
      create index event_types_organization_id_is_hidden_idx on event_types (organization_id, is_hidden, (case when organization_id is not null then owner_id end), id) where organization_id is not null;
      create index event_types_user_id_idx on event_types (user_id) where user_id is not null;
      create index event_types_team_id_idx on event_types (team_id) where team_id is not null;
      create index event_types_schedule_id_idx on event_types (owner_id, schedule_id) where schedule_id is not null;
      create index event_types_children_idx on event_types (parent_team_id, parent_id, owner_id) where parent_team_id is not null;
      create index event_types_membership_id_idx on event_types (membership_id) where membership_id is not null;
      alter table "event_types" add constraint "event_types_owner_id_slug_key" unique ("owner_id", "slug");
      create unique index event_types_owner_id_parent_id_key on event_types (owner_id, parent_id) where parent_id is not null;
      alter table "event_types" add constraint "event_types_metadata_check" check (jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()')) <= 50);
      alter table "event_types" add constraint "event_types_owner_check" check (num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id));
      alter table "event_types" add constraint "event_types_team_check" check ((team_id is null) = (scheduling_type is null) and not (assigns_all_members and team_id is null));
      alter table "event_types" add constraint "event_types_parent_check" check (num_nonnulls(parent_team_id, parent_id, membership_id) in (0, 3) and (parent_id is null or user_id is not null));
      create or replace function "event_types_event_types_denormalized_fn"() returns trigger as $$ begin if new.user_id is null then select organization_id into new.organization_id from teams where id = new.team_id; else select denormalized_in_id into new.organization_id from users where id = new.user_id for key share; end if; return new; end; $$ language plpgsql;
      create trigger "event_types_denormalized" BEFORE INSERT on "event_types" for each ROW execute function "event_types_event_types_denormalized_fn"();

      create table "private_links" ("owner_id" uuid not null, "id" uuid not null, "event_type_id" uuid not null, "secret" text not null, "expires_at" timestamptz(3) null, "max_usage_count" int null, "usage_count" int not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index "private_links_event_type_id_idx" on "private_links" ("owner_id", "event_type_id", "id");
      alter table "private_links" add constraint "private_links_instants_check" check (expires_at >= '0001-01-01 00:00:00+00' and expires_at <= '9999-12-31 23:59:59.999+00');

      create table "event_type_hosts" ("owner_id" uuid not null, "event_type_id" uuid not null, "user_id" uuid not null, "membership_id" uuid not null, "is_mandatory" boolean not null, "priority" int not null, "weight" int not null, "turns_since" timestamptz(3) not null default now(), primary key ("owner_id", "event_type_id", "user_id"));
      create index "event_type_hosts_membership_id_idx" on "event_type_hosts" ("membership_id");

      create table "connection_requests" ("user_id" uuid not null, "owner_id" uuid not null, "provider" text not null, "link_hash" text not null, "state_hash" text null, "browser_hash" text null, "code_verifier" text null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("user_id", "owner_id", "provider"));
      alter table "connection_requests" add constraint "connection_requests_link_hash_unique" unique ("link_hash");
      alter table "connection_requests" add constraint "connection_requests_state_hash_unique" unique ("state_hash");
      create index "connection_requests_expires_at_idx" on "connection_requests" ("expires_at");

      create table "connections" ("owner_id" uuid not null, "id" uuid not null, "user_id" uuid null, "team_id" uuid null, "provider" text not null, "credentials" text not null, "access_expires_at" timestamptz(3) null, "renewing_until" timestamptz(3) null, "broken_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index connections_user_id_idx on connections (user_id) where user_id is not null;
      create index connections_team_id_idx on connections (team_id) where team_id is not null;
      alter table "connections" add constraint "connections_owner_check" check (num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id));
      create or replace function "connections_connections_handed_over_fn"() returns trigger as $$ begin if not exists (select from users where id = old.user_id) and not exists (select from teams where id = old.team_id) then
          insert into domain_events (owner_id, id, type, data, occurred_at)
          values (old.owner_id, old.id, 'CONNECTION_ENDED',
            jsonb_build_object('connectionId', old.id, 'provider', old.provider, 'credentials', old.credentials), clock_timestamp());     perform pg_notify('jobs', '');   end if;   return null; end; $$ language plpgsql;
      create trigger "connections_handed_over" AFTER DELETE on "connections" for each ROW execute function "connections_connections_handed_over_fn"();

      create table "conferencing_apps" ("owner_id" uuid not null, "id" uuid not null, "user_id" uuid null, "team_id" uuid null, "app" text not null, "is_default" boolean not null, "connection_id" uuid null, "notified_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index conferencing_apps_user_id_idx on conferencing_apps (user_id) where user_id is not null;
      create index conferencing_apps_team_id_idx on conferencing_apps (team_id) where team_id is not null;
      alter table "conferencing_apps" add constraint "conferencing_apps_owner_id_app_key" unique ("owner_id", "app");
      create unique index conferencing_apps_default_key on conferencing_apps (owner_id) where is_default;
      alter table "conferencing_apps" add constraint "conferencing_apps_owner_check" check (num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id));

      create table "conferencing_meetings" ("owner_id" uuid not null, "ics_id" uuid not null, "app_id" uuid not null, "holder_id" uuid not null, "external_id" text null, "url" text null, "content" text null, "asked_at" timestamptz(3) null, "claim" uuid null, "claimed_until" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("owner_id", "ics_id", "app_id"));
      create index "conferencing_meetings_app_idx" on "conferencing_meetings" ("holder_id", "app_id");

      create table "calendar_connections" ("user_id" uuid not null, "id" uuid not null, "provider" text not null, "server" text null, "account" text not null, "credentials" text null, "access_id" uuid null, "refused_at" timestamptz(3) null, "asked_at" timestamptz(3) null, "answered_at" timestamptz(3) null, "failing_since" timestamptz(3) null, "notified_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("user_id", "id"));
      create unique index calendar_connections_account_key on calendar_connections (user_id, provider, coalesce(server, ''), account);
      create unique index calendar_connections_access_key on calendar_connections (user_id, access_id) where access_id is not null;
      alter table "calendar_connections" add constraint "calendar_connections_opened_check" check (num_nonnulls(credentials, access_id) = 1);

      create table "connected_calendars" ("user_id" uuid not null, "id" uuid not null, "connection_id" uuid not null, "external_id" text not null, "name" text not null, "is_primary" boolean not null, "is_read_only" boolean not null, "selected" boolean not null, "is_destination" boolean not null, "reading_id" uuid null, "expanded_at" timestamptz(3) null, "read_state" text null, "kept_objects" text null, "unreadable_event_count" int not null default 0, "sealed_unreadable" text null, "read_at" timestamptz(3) null, "next_read_at" timestamptz(3) not null, "asked_at" timestamptz(3) null, "answered_at" timestamptz(3) null, "asked_during" tstzrange null, "resting_until" timestamptz(3) null, "silence_notified_at" timestamptz(3) null, "failures" int not null default 0, "error" text null, "notified_at" timestamptz(3) null, "write_failed_at" timestamptz(3) null, "missing_since" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("user_id", "id"));
      create unique index connected_calendars_destination_key on connected_calendars (user_id) where is_destination;
      alter table "connected_calendars" add constraint "connected_calendars_external_key" unique ("user_id", "connection_id", "external_id");

      create table "calendar_entries" ("user_id" uuid not null, "ics_id" uuid not null, "calendar_id" uuid not null, "external_id" text null, "etag" text null, "booking_changed_at" timestamptz(3) null, "missed_at" timestamptz(3) null, "booking_owner" uuid null, "booking_id" uuid null, primary key ("user_id", "ics_id", "calendar_id"));
      create index "calendar_entries_calendar_idx" on "calendar_entries" ("user_id", "calendar_id");

      create table "busy_periods" ("user_id" uuid not null, "source_id" uuid not null, "during" tstzrange not null, "ics_id" uuid null, primary key ("user_id", "source_id", "during"));
      create index busy_periods_during_idx on busy_periods using gist (user_id, during);
      alter table "busy_periods" add constraint "busy_periods_during_check" check (not isempty(during) and not lower_inf(during) and not upper_inf(during));

      create table "booking_hosts" ("user_id" uuid not null, "booking_id" uuid not null, "owner_id" uuid not null, "event_type_id" uuid not null, "team_id" uuid null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "absent" boolean not null, "status" text not null, primary key ("user_id", "booking_id"));
      create index booking_hosts_start_idx on booking_hosts (user_id, status, starts_at, booking_id) include (owner_id, ends_at, updated_at, event_type_id);
      create index booking_hosts_updated_idx on booking_hosts (user_id, status, updated_at, booking_id);
      create index booking_hosts_team_event_type_idx on booking_hosts (user_id, team_id, event_type_id, status, booking_id) where team_id is not null;
      create index booking_hosts_team_id_idx on booking_hosts (team_id) where team_id is not null;

      create table "bookings" ("owner_id" uuid not null, "id" uuid not null, "user_id" uuid null, "team_id" uuid null, "uid_version" smallint not null default 0, "organization_id" uuid null, "event_type_id" uuid not null, "title" text not null, "description" text null, "managed_by" jsonb null, "status" text not null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "location" jsonb null, "host_ids" uuid[] null, "guest_emails" text[] null, "held_guest_emails" text[] null, "seats" jsonb null, "metadata" jsonb null, "cancellation_reason" text null, "rejection_reason" text null, "rescheduling_reason" text null, "reassignment_reason" text null, "reschedule_requested" boolean not null default false, "moves" smallint not null default 0, "rescheduled_from_id" uuid null, "rescheduled_to_id" uuid null, "recurring_id" uuid null, "ics_id" uuid not null, "ics_sequence" int not null default 0, "history" jsonb null, "unsent_mails" int not null default 0, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index bookings_user_id_idx on bookings (user_id) where user_id is not null;
      create index bookings_team_start_idx on bookings (team_id, status, starts_at, id) include (ends_at, updated_at, event_type_id) where team_id is not null;
      create index bookings_team_updated_idx on bookings (team_id, status, updated_at, id) where team_id is not null;
      create index bookings_organization_start_idx on bookings (organization_id, status, starts_at, id) include (owner_id, ends_at) where organization_id is not null;
      create index bookings_organization_updated_idx on bookings (organization_id, status, updated_at, id) where organization_id is not null;
      create index bookings_organization_id_idx on bookings (organization_id, id) where organization_id is not null;
      alter table "bookings" add constraint "bookings_owner_check" check (num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id));
      alter table "bookings" add constraint "bookings_time_check" check (starts_at < ends_at);
      alter table "bookings" add constraint "bookings_length_check" check ((ends_at - starts_at) <= '24:00:00'::interval);
      alter table "bookings" add constraint "bookings_instants_check" check (starts_at >= '0001-01-01 00:00:00+00' and starts_at <= '9999-12-31 23:59:59.999+00' and ends_at >= '0001-01-01 00:00:00+00' and ends_at <= '9999-12-31 23:59:59.999+00');

      create table "conferencing_sessions" ("owner_id" uuid not null, "booking_id" uuid not null, "id" text not null, "started_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_id", "id"));
      alter table "conferencing_sessions" add constraint "conferencing_sessions_instants_check" check (started_at >= '0001-01-01 00:00:00+00' and started_at <= '9999-12-31 23:59:59.999+00' and ended_at >= '0001-01-01 00:00:00+00' and ended_at <= '9999-12-31 23:59:59.999+00');

      create table "booking_transcripts" ("owner_id" uuid not null, "booking_id" uuid not null, "id" text not null, "url" text not null, "language" text null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_id", "id"));

      create table "booking_references" ("owner_id" uuid not null, "booking_id" uuid not null, "id" text not null, "app" text not null, "url" text null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_id", "id"));

      create table "booking_recordings" ("owner_id" uuid not null, "booking_id" uuid not null, "id" text not null, "url" text not null, "duration_in_seconds" int null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_id", "id"));

      create table "booking_mails" ("owner_id" uuid not null, "booking_id" uuid not null, "act" uuid not null, "mailbox" text not null, "role" text not null, "lane" text not null, "line" text not null, "outcome" text not null, "due_at" timestamptz(3) null, "event" jsonb null, "created_at" timestamptz(3) not null, primary key ("owner_id", "booking_id", "act", "mailbox"));
      create index booking_mails_due_at_idx on booking_mails (due_at) where due_at is not null;
      create index booking_mails_line_idx on booking_mails (line) where outcome = 'WAITING';
      create index booking_mails_summary_idx on booking_mails (mailbox, lane) where outcome = 'SUMMARY';
      create index booking_mails_unsent_idx on booking_mails (created_at) where outcome = 'NONE';
      create index "booking_mails_created_at_idx" on "booking_mails" ("created_at");

      create table "booking_attendees" ("owner_id" uuid not null, "booking_id" uuid not null, "id" uuid not null, "starts_at" timestamptz(3) not null, "name" text not null, "email" text not null, "verified" boolean not null default false, "booked_from" text null, "time_zone" text not null, "locale" text null, "phone" text null, "notes" text null, "responses" jsonb null, "absent" boolean not null, "seat_id" uuid null, "uid_version" smallint not null default 0, primary key ("owner_id", "booking_id", "id"));
      create index booking_attendees_start_idx on booking_attendees (hashtextextended(lower(email), 0), owner_id, starts_at, booking_id);
      create index booking_attendees_booked_from_idx on booking_attendees (starts_at) where booked_from is not null;
      create unique index booking_attendees_seat_key on booking_attendees (owner_id, seat_id) where seat_id is not null;

      create table "account_links" ("user_id" uuid not null, "kind" text not null, "token_hash" text not null, "email" text not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("user_id", "kind"));
      alter table "account_links" add constraint "account_links_token_hash_unique" unique ("token_hash");
      create index "account_links_expires_at_idx" on "account_links" ("expires_at");

      create table "usernames" ("username" text not null, "user_id" uuid not null, "free_at" timestamptz(3) null, primary key ("username"));
      create index "usernames_user_id_idx" on "usernames" ("user_id");
      create index usernames_free_at_idx on usernames (free_at) where free_at is not null;

      create table "verification_codes" ("owner_id" uuid not null, "subject" text not null, "receiver" text not null, "salt" uuid not null, "tries" int not null, "expires_at" timestamptz(3) not null, primary key ("owner_id", "subject", "receiver"));
      create index "verification_codes_expires_at_idx" on "verification_codes" ("expires_at");

      create table "verified_emails" ("owner_id" uuid not null, "id" uuid not null, "user_id" uuid null, "team_id" uuid null, "receiver" text not null, "verified_by_id" uuid null, "verified_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index verified_emails_user_id_idx on verified_emails (user_id) where user_id is not null;
      create index verified_emails_team_id_idx on verified_emails (team_id) where team_id is not null;
      alter table "verified_emails" add constraint "verified_emails_owner_id_receiver_key" unique ("owner_id", "receiver");
      alter table "verified_emails" add constraint "verified_emails_owner_check" check (num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id));

      create table "verified_phones" ("owner_id" uuid not null, "id" uuid not null, "user_id" uuid null, "team_id" uuid null, "receiver" text not null, "verified_by_id" uuid null, "verified_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index verified_phones_user_id_idx on verified_phones (user_id) where user_id is not null;
      create index verified_phones_team_id_idx on verified_phones (team_id) where team_id is not null;
      alter table "verified_phones" add constraint "verified_phones_owner_id_receiver_key" unique ("owner_id", "receiver");
      alter table "verified_phones" add constraint "verified_phones_owner_check" check (num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id));

      create table "webhooks" ("owner_id" uuid not null, "id" uuid not null, "user_id" uuid null, "team_id" uuid null, "organization_id" uuid null, "event_type_id" uuid null, "url" text not null, "triggers" text[] not null, "is_active" boolean not null, "set_by_id" uuid null, "client_id" text null, "readable" text[] not null, "secret_salt" uuid not null, "previous_salt" uuid null, "previous_until" timestamptz(3) null, "failing_since" timestamptz(3) null, "failed_attempts" int not null default 0, "slow" boolean not null default false, "disabled_at" timestamptz(3) null, "disabled_reason" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index "webhooks_event_type_id_idx" on "webhooks" ("owner_id", "event_type_id", "id");
      create index webhooks_own_idx on webhooks (owner_id, id) where event_type_id is null;
      create index "webhooks_set_by_id_idx" on "webhooks" ("set_by_id");
      create index webhooks_user_id_idx on webhooks (user_id) where user_id is not null;
      create index webhooks_team_id_idx on webhooks (team_id) where team_id is not null;
      create index webhooks_organization_id_idx on webhooks (organization_id) where organization_id is not null;
      create unique index webhooks_url_key on webhooks (owner_id, coalesce(event_type_id, owner_id), url);
      alter table "webhooks" add constraint "webhooks_owner_check" check (num_nonnulls(user_id, team_id, organization_id) = 1 and owner_id = coalesce(user_id, team_id, organization_id));
      alter table "webhooks" add constraint "webhooks_event_type_check" check (user_id is not null or (event_type_id is null) = (team_id is null));

      create table "webhook_deliveries" ("owner_id" uuid not null, "id" uuid not null, "webhook_id" uuid not null, "event_id" uuid not null, "about_owner_id" uuid null, "about_id" uuid null, "trigger" text not null, "payload" text not null, "status" text not null, "attempts" jsonb not null, "failures" int not null default 0, "next_attempt_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index "webhook_deliveries_list_idx" on "webhook_deliveries" ("owner_id", "webhook_id", "created_at", "id");
      create index "webhook_deliveries_status_idx" on "webhook_deliveries" ("owner_id", "webhook_id", "status", "created_at", "id");
      create index "webhook_deliveries_trigger_idx" on "webhook_deliveries" ("owner_id", "webhook_id", "trigger", "created_at", "id");
      create index "webhook_deliveries_created_at_idx" on "webhook_deliveries" ("created_at");
      create index webhook_deliveries_paused_idx on webhook_deliveries (owner_id, webhook_id, id) where status = 'PAUSED';
      create index webhook_deliveries_failed_idx on webhook_deliveries (created_at, id) where status = 'FAILED';
      alter table "webhook_deliveries" add constraint "webhook_deliveries_event_key" unique ("owner_id", "webhook_id", "event_id");

      create table "workflows" ("team_id" uuid not null, "id" uuid not null, "name" text not null, "trigger" text not null, "event_offset" jsonb null, "event_type_ids" uuid[] null, "routing_form_ids" uuid[] null, "is_active" boolean not null, "steps" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("team_id", "id"));
      alter table "workflows" add constraint "workflows_offset_check" check ((event_offset is null) = (trigger <> all (array['BEFORE_BOOKING_START'::text, 'AFTER_BOOKING_END'::text])));
      alter table "workflows" add constraint "workflows_subject_check" check (case when trigger = 'ROUTING_FORM_SUBMITTED' then event_type_ids is null else routing_form_ids is null end);

      create table "workflow_reminders" ("team_id" uuid not null, "workflow_id" uuid not null, "booking_id" uuid not null, "owner_id" uuid not null, "due_at" timestamptz(3) not null, primary key ("team_id", "workflow_id", "booking_id"));
      create index "workflow_reminders_due_at_idx" on "workflow_reminders" ("due_at");
      create index "workflow_reminders_booking_id_idx" on "workflow_reminders" ("owner_id", "booking_id");

      create table "workflow_sendings" ("team_id" uuid not null, "id" uuid not null, "workflow_id" uuid not null, "step_id" uuid not null, "about_id" uuid not null, "receiver" text not null, "occurrence" text not null, "status" text not null, "line" text null, "event" jsonb null, "due_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("team_id", "id"));
      create index "workflow_sendings_workflow_id_idx" on "workflow_sendings" ("team_id", "workflow_id");
      create index "workflow_sendings_created_at_idx" on "workflow_sendings" ("created_at");
      create index workflow_sendings_due_at_idx on workflow_sendings (due_at) where due_at is not null;
      create index workflow_sendings_line_idx on workflow_sendings (team_id, line) where status = 'WAITING';
      create index workflow_sendings_receiver_idx on workflow_sendings (receiver) where status = 'WAITING';
      create index workflow_sendings_waiting_about_idx on workflow_sendings (about_id) where status = 'WAITING';
      create index workflow_sendings_unsent_idx on workflow_sendings (created_at) where status in ('NONE', 'EXPIRED');
      alter table "workflow_sendings" add constraint "workflow_sendings_once_key" unique ("team_id", "about_id", "workflow_id", "step_id", "receiver", "occurrence");

      alter table "teams" add constraint "teams_organization_id_foreign" foreign key ("organization_id") references "organizations" ("id") on delete cascade;

      alter table "routing_forms" add constraint "routing_forms_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "routing_forms" add constraint "routing_forms_organization_id_foreign" foreign key ("organization_id") references "organizations" ("id") on delete cascade;

      alter table "routing_form_responses" add constraint "routing_form_responses_owner_id_form_id_foreign" foreign key ("owner_id", "form_id") references "routing_forms" ("owner_id", "id") on update cascade on delete cascade;

      alter table "stopped_things" add constraint "stopped_things_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "slot_reservations" add constraint "slot_reservations_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "slot_reservations" add constraint "slot_reservations_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "schedules" add constraint "schedules_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "out_of_office" add constraint "out_of_office_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "out_of_office" add constraint "out_of_office_redirect_to_id_foreign" foreign key ("redirect_to_id") references "users" ("id") on delete set null;

      alter table "organization_memberships" add constraint "organization_memberships_organization_id_foreign" foreign key ("organization_id") references "organizations" ("id") on delete cascade;
      alter table "organization_memberships" add constraint "organization_memberships_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "organization_memberships" add constraint "organization_memberships_invited_by_id_foreign" foreign key ("invited_by_id") references "users" ("id") on delete cascade;

      alter table "team_memberships" add constraint "team_memberships_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "team_memberships" add constraint "team_memberships_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "team_memberships" add constraint "team_memberships_organization_membership_id_foreign" foreign key ("organization_membership_id") references "organization_memberships" ("id") on delete cascade;
      alter table "team_memberships" add constraint "team_memberships_invited_by_id_foreign" foreign key ("invited_by_id") references "users" ("id") on delete cascade;

      alter table "occupied_times" add constraint "occupied_times_host_id_foreign" foreign key ("host_id") references "users" ("id") on delete cascade;
      alter table "occupied_times" add constraint "occupied_times_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "oauth_clients" add constraint "oauth_clients_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;

      alter table "oauth_interactions" add constraint "oauth_interactions_client_id_foreign" foreign key ("client_id") references "oauth_clients" ("client_id") on delete cascade;
      alter table "oauth_interactions" add constraint "oauth_interactions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "oauth_grants" add constraint "oauth_grants_client_id_foreign" foreign key ("client_id") references "oauth_clients" ("client_id") on delete cascade;
      alter table "oauth_grants" add constraint "oauth_grants_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "oauth_client_secrets" add constraint "oauth_client_secrets_client_id_foreign" foreign key ("client_id") references "oauth_clients" ("client_id") on delete cascade;

      alter table "invitations" add constraint "invitations_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "invitations" add constraint "invitations_organization_id_foreign" foreign key ("organization_id") references "organizations" ("id") on delete cascade;
      alter table "invitations" add constraint "invitations_invited_by_id_foreign" foreign key ("invited_by_id") references "users" ("id") on delete cascade;

      alter table "ics_feeds" add constraint "ics_feeds_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "event_types" add constraint "event_types_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "event_types" add constraint "event_types_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "event_types" add constraint "event_types_owner_id_schedule_id_foreign" foreign key ("owner_id", "schedule_id") references "schedules" ("user_id", "id") on update no action on delete no action;
      alter table "event_types" add constraint "event_types_parent_team_id_foreign" foreign key ("parent_team_id") references "teams" ("id") on delete cascade;
      alter table "event_types" add constraint "event_types_membership_id_foreign" foreign key ("membership_id") references "team_memberships" ("id") on delete cascade;

      alter table "private_links" add constraint "private_links_owner_id_event_type_id_foreign" foreign key ("owner_id", "event_type_id") references "event_types" ("owner_id", "id") on update cascade on delete cascade;

      alter table "event_type_hosts" add constraint "event_type_hosts_owner_id_event_type_id_foreign" foreign key ("owner_id", "event_type_id") references "event_types" ("owner_id", "id") on update cascade on delete cascade;
      alter table "event_type_hosts" add constraint "event_type_hosts_membership_id_foreign" foreign key ("membership_id") references "team_memberships" ("id") on delete cascade;

      alter table "connection_requests" add constraint "connection_requests_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "connections" add constraint "connections_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "connections" add constraint "connections_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "conferencing_apps" add constraint "conferencing_apps_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "conferencing_apps" add constraint "conferencing_apps_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "conferencing_apps" add constraint "conferencing_apps_owner_id_connection_id_foreign" foreign key ("owner_id", "connection_id") references "connections" ("owner_id", "id") on update cascade on delete cascade;

      alter table "conferencing_meetings" add constraint "conferencing_meetings_holder_id_app_id_foreign" foreign key ("holder_id", "app_id") references "conferencing_apps" ("owner_id", "id") on update cascade on delete cascade;

      alter table "calendar_connections" add constraint "calendar_connections_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "calendar_connections" add constraint "calendar_connections_user_id_access_id_foreign" foreign key ("user_id", "access_id") references "connections" ("owner_id", "id") on update cascade on delete cascade;

      alter table "connected_calendars" add constraint "connected_calendars_user_id_connection_id_foreign" foreign key ("user_id", "connection_id") references "calendar_connections" ("user_id", "id") on update cascade on delete cascade;

      alter table "calendar_entries" add constraint "calendar_entries_user_id_calendar_id_foreign" foreign key ("user_id", "calendar_id") references "connected_calendars" ("user_id", "id") on update cascade on delete cascade;

      alter table "busy_periods" add constraint "busy_periods_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "booking_hosts" add constraint "booking_hosts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "booking_hosts" add constraint "booking_hosts_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "bookings" add constraint "bookings_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "bookings" add constraint "bookings_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "conferencing_sessions" add constraint "conferencing_sessions_owner_id_booking_id_foreign" foreign key ("owner_id", "booking_id") references "bookings" ("owner_id", "id") on update cascade on delete cascade;

      alter table "booking_transcripts" add constraint "booking_transcripts_owner_id_booking_id_foreign" foreign key ("owner_id", "booking_id") references "bookings" ("owner_id", "id") on update cascade on delete cascade;

      alter table "booking_references" add constraint "booking_references_owner_id_booking_id_foreign" foreign key ("owner_id", "booking_id") references "bookings" ("owner_id", "id") on update cascade on delete cascade;

      alter table "booking_recordings" add constraint "booking_recordings_owner_id_booking_id_foreign" foreign key ("owner_id", "booking_id") references "bookings" ("owner_id", "id") on update cascade on delete cascade;

      alter table "booking_mails" add constraint "booking_mails_owner_id_booking_id_foreign" foreign key ("owner_id", "booking_id") references "bookings" ("owner_id", "id") on update cascade on delete cascade;

      alter table "booking_attendees" add constraint "booking_attendees_owner_id_booking_id_foreign" foreign key ("owner_id", "booking_id") references "bookings" ("owner_id", "id") on update cascade on delete cascade;

      alter table "account_links" add constraint "account_links_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "verified_emails" add constraint "verified_emails_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "verified_emails" add constraint "verified_emails_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "verified_phones" add constraint "verified_phones_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "verified_phones" add constraint "verified_phones_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "webhooks" add constraint "webhooks_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "webhooks" add constraint "webhooks_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "webhooks" add constraint "webhooks_organization_id_foreign" foreign key ("organization_id") references "organizations" ("id") on delete cascade;
      alter table "webhooks" add constraint "webhooks_owner_id_event_type_id_foreign" foreign key ("owner_id", "event_type_id") references "event_types" ("owner_id", "id") on update no action on delete cascade;

      alter table "webhook_deliveries" add constraint "webhook_deliveries_owner_id_webhook_id_foreign" foreign key ("owner_id", "webhook_id") references "webhooks" ("owner_id", "id") on update cascade on delete cascade;

      alter table "workflows" add constraint "workflows_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;

      alter table "workflow_reminders" add constraint "workflow_reminders_team_id_workflow_id_foreign" foreign key ("team_id", "workflow_id") references "workflows" ("team_id", "id") on update cascade on delete cascade;
      alter table "workflow_reminders" add constraint "workflow_reminders_owner_id_booking_id_foreign" foreign key ("owner_id", "booking_id") references "bookings" ("owner_id", "id") on update cascade on delete cascade;

      alter table "workflow_sendings" add constraint "workflow_sendings_team_id_workflow_id_foreign" foreign key ("team_id", "workflow_id") references "workflows" ("team_id", "id") on update cascade on delete cascade;
      alter table "counters" set (fillfactor = 50);
      alter table "oauth_codes" set (fillfactor = 80);
      alter table "oauth_grants" set (fillfactor = 80);

      create schema jobs;
      create sequence jobs.job_number;
      create type jobs.job_state as enum ('created', 'retry', 'active', 'given-up');
      create table jobs.queue (queue text primary key);
      create table jobs.job (
        id uuid not null, queue text not null, owner text not null default '', line text not null default '', order_key text,
        data jsonb not null, state jobs.job_state not null default 'created', priority int not null default 0,
        blocked boolean not null default false, start_after timestamptz not null default now(), due_on timestamptz,
        retry_count int not null default 0, started_on timestamptz, heartbeat_on timestamptz, output jsonb, given_up_on timestamptz,
        primary key (queue, id)
      );
      create index job_turn_idx on jobs.job (queue, owner, line, priority desc, start_after, id) where state < 'active' and not blocked;
      create index job_ripe_idx on jobs.job (start_after) where state < 'active' and blocked;
      -- Without the queue, which stands first in the primary key: for an empty table both would look as good (job-queue.ts).
      create index job_order_idx on jobs.job (order_key, id) where order_key is not null and state <= 'active';
      create index job_active_idx on jobs.job (queue) where state = 'active';
      create index job_given_up_idx on jobs.job (given_up_on, id) where state = 'given-up';
      alter table jobs.job set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
      -- Of one key there are few, and when there are thousands the rest must not be looked for among them, either.
      alter table jobs.job alter column order_key set (n_distinct = -0.5);
    `;
