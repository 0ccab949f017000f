import { Migration } from '@mikro-orm/migrations';

/**
 * Managed event types of teams have children, one for each host. Those that are there already get theirs now; a slug that
 * the host uses otherwise gets a number behind it, and whoever wanted the same one goes again.
 */
export class ManagedEventTypes extends Migration {
  override name = '2026-11-20-managed-event-types';

  override up(): void {
    this.addSql(`
      alter table "event_types" add column "parent_team_id" text null, add column "parent_id" text null, add column "membership_id" text null;
      alter table "event_types" add constraint "event_types_parent_team_id_foreign" foreign key ("parent_team_id") references "teams" ("id") on delete cascade;
      alter table "event_types" add constraint "event_types_membership_id_foreign" foreign key ("membership_id") references "team_memberships" ("id") on delete cascade;
      alter table "event_types" add constraint "event_types_parent_check" check (num_nonnulls(parent_team_id, parent_id, membership_id) in (0, 3) and (parent_id is null or user_id is not null));
      create unique index event_types_owner_id_parent_id_key on event_types (owner_id, parent_id) where parent_id is not null;
      create index event_types_children_idx on event_types (parent_team_id, parent_id, owner_id) where parent_team_id is not null;
      create index event_types_membership_id_idx on event_types (membership_id) where membership_id is not null;

      do $$ begin loop
        insert into event_types (owner_id, id, user_id, parent_team_id, parent_id, membership_id, slug, title, description,
          length_in_minutes, length_in_minutes_options, hidden, color, metadata, locations, booking_fields,
          slot_interval_in_minutes, minimum_booking_notice_in_minutes, buffer_before_in_minutes, buffer_after_in_minutes,
          booking_window, booking_limits, confirmation, recurrence, seats, requires_booker_email_verification,
          requires_authentication, disable_guests, disable_cancelling, disable_rescheduling, success_redirect_url,
          created_at, updated_at)
        select m.user_id, 'evt_u' || substr(m.user_id, 5) || right(p.id, 20), m.user_id, p.owner_id, p.id, m.id, (
            select numbered.slug
            from generate_series(1, 2 + (select count(*) from event_types o where o.owner_id = m.user_id)) n
            cross join lateral (
              select case n when 1 then p.slug else rtrim(left(p.slug, 63 - length(n::text)), '-') || '-' || n end
            ) numbered(slug)
            where not exists (select 1 from event_types o where o.owner_id = m.user_id and o.slug = numbered.slug)
            order by n limit 1
          ), p.title, p.description,
          p.length_in_minutes, p.length_in_minutes_options, p.hidden, p.color, p.metadata, p.locations, p.booking_fields,
          p.slot_interval_in_minutes, p.minimum_booking_notice_in_minutes, p.buffer_before_in_minutes, p.buffer_after_in_minutes,
          p.booking_window, p.booking_limits, p.confirmation, p.recurrence, p.seats, p.requires_booker_email_verification,
          p.requires_authentication, p.disable_guests, p.disable_cancelling, p.disable_rescheduling, p.success_redirect_url,
          now(), now()
        from event_types p join team_memberships m on m.team_id = p.owner_id and m.accepted
        where p.scheduling_type = 'MANAGED'
          and (p.assign_all_members or exists (
            select 1 from event_type_hosts h where h.owner_id = p.owner_id and h.event_type_id = p.id and h.user_id = m.user_id))
          and not exists (select 1 from event_types c where c.owner_id = m.user_id and c.parent_id = p.id)
        on conflict do nothing;
        exit when not found;
      end loop; end $$;
    `);
  }
}
