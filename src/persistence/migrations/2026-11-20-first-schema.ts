import { Migration } from '@mikro-orm/migrations';

/** Users, organizations, teams, event types, the authorization server and the audit log. */
export class FirstSchema extends Migration {
  override name = '2026-11-20-first-schema';

  override up(): void {
    this.addSql(`
      create table "audit_events" ("occurred_at" timestamptz(3) not null, "id" text not null, "type" text not null, "user_id" text null, "actor_id" text null, "client_id" text null, "grant_id" text null, "address" text null, "detail" jsonb not null, primary key ("occurred_at", "id"));
      create index "audit_events_user_id_idx" on "audit_events" ("user_id", "occurred_at", "id");
      create index "audit_events_client_id_idx" on "audit_events" ("client_id", "occurred_at", "id");

      create table "guess_counts" ("key" text not null, "points" int not null, "expire" bigint null, primary key ("key"));
      create index "guess_counts_expire_idx" on "guess_counts" ("expire");

      create unlogged table "request_counts" ("key" text not null, "requests" int not null, "ends_at" timestamptz(3) not null, primary key ("key"));
      create index "request_counts_ends_at_idx" on "request_counts" ("ends_at");

      create table "oauth_codes" ("interaction_id" text not null, "code_hash" text not null, "client_id" text not null, "user_id" text not null, "redirect_uri" text not null, "kind" text not null, "scopes" text[] not null, "code_challenge" text null, "failures" smallint not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "redeemed_at" timestamptz(3) null, primary key ("interaction_id"));
      create index "oauth_codes_expires_at_idx" on "oauth_codes" ("expires_at");

      create table "oauth_failed_requests" ("occurred_at" timestamptz(3) not null, "id" text not null, "client_id" text not null, "endpoint" text not null, "error" text not null, "description" text not null, primary key ("occurred_at", "id"));
      create index "oauth_failed_requests_client_id_idx" on "oauth_failed_requests" ("client_id", "occurred_at", "id");

      create table "oauth_keys" ("id" text not null, "purpose" text not null, "wrapped" text not null, "created_at" timestamptz(3) not null, "active_at" timestamptz(3) not null, "retired_at" timestamptz(3) null, primary key ("id"));

      create table "oauth_revocations" ("kind" text not null, "subject" text not null, "revoked" boolean not null, "changed_at" timestamptz(3) not null, primary key ("kind", "subject"));
      create index "oauth_revocations_changed_at_idx" on "oauth_revocations" ("changed_at");

      create table "organizations" ("id" text not null, "slug" text not null, "name" text not null, "bio" text null, "logo_url" text null, "time_zone" text not null, "week_start" text not null, "is_private" boolean not null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
      alter table "organizations" add constraint "organizations_slug_unique" unique ("slug");

      create table "teams" ("id" text not null, "organization_id" text null, "slug" text not null, "name" text not null, "bio" text null, "logo_url" text null, "time_zone" text not null, "week_start" text not null, "hide_branding" boolean not null, "is_private" boolean not null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
      create index "teams_organization_id_id_idx" on "teams" ("organization_id", "id");
      create unique index teams_organization_id_slug_key on teams (organization_id, slug) where organization_id is not null;
      create unique index teams_slug_key on teams (slug) where organization_id is null;

      create table "users" ("id" text not null, "email" text not null, "username" text not null, "name" text not null, "password_hash" text not null, "time_zone" text not null, "week_start" text not null, "time_format" int not null, "locale" text not null, "bio" text null, "avatar_url" text null, "metadata" jsonb not null, "is_administrator" boolean not null, "suspended_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"));
      alter table "users" add constraint "users_email_unique" unique ("email");
      alter table "users" add constraint "users_username_unique" unique ("username");

      create table "team_memberships" ("id" text not null, "team_id" text not null, "user_id" text not null, "organization_membership_id" text null, "role" text not null, "accepted" boolean not null, "created_at" timestamptz(3) not null, primary key ("id"));
      create index "team_memberships_organization_membership_id_idx" on "team_memberships" ("organization_membership_id");
      create index "team_memberships_team_id_id_idx" on "team_memberships" ("team_id", "id");
      create index "team_memberships_user_id_team_id_idx" on "team_memberships" ("user_id", "team_id");
      alter table "team_memberships" add constraint "team_memberships_team_id_user_id_key" unique ("team_id", "user_id");

      create table "sessions" ("id" text not null, "token_hash" text not null, "user_id" text not null, "user_agent" text not null, "address" text not null, "created_at" timestamptz(3) not null, "last_seen_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, primary key ("id"));
      alter table "sessions" add constraint "sessions_token_hash_unique" unique ("token_hash");
      create index "sessions_user_id_created_at_idx" on "sessions" ("user_id", "created_at", "id");
      create index "sessions_expires_at_idx" on "sessions" ("expires_at");

      create table "organization_memberships" ("id" text not null, "organization_id" text not null, "user_id" text not null, "role" text not null, "accepted" boolean not null, "created_at" timestamptz(3) not null, primary key ("id"));
      create index "organization_memberships_organization_id_id_idx" on "organization_memberships" ("organization_id", "id");
      create index "organization_memberships_user_id_organization_id_idx" on "organization_memberships" ("user_id", "organization_id");
      alter table "organization_memberships" add constraint "organization_memberships_organization_id_user_id_key" unique ("organization_id", "user_id");

      create table "oauth_clients" ("client_id" text not null, "owner_id" text not null, "name" text not null, "purpose" text not null, "logo_url" text null, "website_url" text null, "type" text not null, "status" text not null, "legacy" boolean not null, "require_pkce" boolean not null, "redirect_uris" text[] not null, "scopes" text[] not null, "rejection_reason" text null, "suspension_reason" text null, "pending_revision" jsonb null, "submitted_at" timestamptz(3) not null, "reviewed_at" timestamptz(3) null, "reviewed_by" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("client_id"));
      create index "oauth_clients_owner_id_created_at_idx" on "oauth_clients" ("owner_id", "created_at", "client_id");
      create index oauth_clients_review_idx on oauth_clients (submitted_at, client_id) where status = 'PENDING' or pending_revision is not null;

      create table "oauth_interactions" ("id" text not null, "client_id" text not null, "browser_hash" text not null, "user_id" text null, "request" jsonb not null, "decision" text null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "decided_at" timestamptz(3) null, primary key ("id"));
      create index "oauth_interactions_client_id_idx" on "oauth_interactions" ("client_id");
      create index "oauth_interactions_expires_at_idx" on "oauth_interactions" ("expires_at");

      create table "oauth_grants" ("id" text not null, "client_id" text not null, "user_id" text not null, "kind" text not null, "scopes" text[] not null, "seed" text not null, "generation" int not null, "rotated_at" timestamptz(3) not null, "confirmed_at" timestamptz(3) null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, "revocation_reason" text null, primary key ("id"));
      create index "oauth_grants_user_id_client_id_idx" on "oauth_grants" ("user_id", "client_id", "created_at", "id");
      create index "oauth_grants_client_id_idx" on "oauth_grants" ("client_id");
      create index "oauth_grants_expires_at_idx" on "oauth_grants" ("expires_at");
      alter table "oauth_grants" add constraint "oauth_grants_kind_check" check ((kind = 'SCOPED' and cardinality(scopes) > 0) or (kind = 'UNRESTRICTED' and cardinality(scopes) = 0));

      create table "oauth_client_secrets" ("client_id" text not null, "id" text not null, "slot" smallint not null, "name" text not null, "hint" text not null, "secret_hash" text not null, "created_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, primary key ("client_id", "id"));
      alter table "oauth_client_secrets" add constraint "oauth_client_secrets_client_id_slot_key" unique ("client_id", "slot");
      alter table "oauth_client_secrets" add constraint "oauth_client_secrets_slot_check" check (slot in (1, 2));

      create table "event_types" ("owner_id" text not null, "id" text not null, "user_id" text null, "team_id" text null, "slug" text not null, "title" text not null, "description" text null, "length_in_minutes" int not null, "hidden" boolean not null, "color" text null, "metadata" jsonb not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("owner_id", "id"));
      create index event_types_user_id_idx on event_types (user_id) where user_id is not null;
      create index event_types_team_id_idx on event_types (team_id) where team_id is not null;
      alter table "event_types" add constraint "event_types_owner_id_slug_key" unique ("owner_id", "slug");
      alter table "event_types" add constraint "event_types_owner_check" check (num_nonnulls(user_id, team_id) = 1 and owner_id = coalesce(user_id, team_id));

      alter table "teams" add constraint "teams_organization_id_foreign" foreign key ("organization_id") references "organizations" ("id") on delete cascade;

      alter table "team_memberships" add constraint "team_memberships_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
      alter table "team_memberships" add constraint "team_memberships_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "team_memberships" add constraint "team_memberships_organization_membership_id_foreign" foreign key ("organization_membership_id") references "organization_memberships" ("id") on delete cascade;

      alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "organization_memberships" add constraint "organization_memberships_organization_id_foreign" foreign key ("organization_id") references "organizations" ("id") on delete cascade;
      alter table "organization_memberships" add constraint "organization_memberships_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "oauth_clients" add constraint "oauth_clients_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;

      alter table "oauth_interactions" add constraint "oauth_interactions_client_id_foreign" foreign key ("client_id") references "oauth_clients" ("client_id") on delete cascade;
      alter table "oauth_interactions" add constraint "oauth_interactions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "oauth_grants" add constraint "oauth_grants_client_id_foreign" foreign key ("client_id") references "oauth_clients" ("client_id") on delete cascade;
      alter table "oauth_grants" add constraint "oauth_grants_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      alter table "oauth_client_secrets" add constraint "oauth_client_secrets_client_id_foreign" foreign key ("client_id") references "oauth_clients" ("client_id") on delete cascade;

      alter table "event_types" add constraint "event_types_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "event_types" add constraint "event_types_team_id_foreign" foreign key ("team_id") references "teams" ("id") on delete cascade;
    `);
  }
}
