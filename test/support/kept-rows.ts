/** Owners who have as many rows of a kind as is wanted: they are stored, and one more is made from outside. */
import { newId, newTeamId, newUserId, publicId, publicOwnedId } from '../../src/core/id.ts';
import { type Em, type RawBuilder, rows, sql } from '../../src/database/sql.ts';
import { anAccount } from '../modules/accounts/an-account.ts';

interface Kept {
  /** The mutation that makes one more. */
  readonly mutation: string;
  /** Stores so many for a user. @returns the input by which the n-th of them makes one more */
  readonly fill: (em: Em, userId: string, count: number) => Promise<(n: number) => object>;
}

/** SQL: so many new ids, as `id`. */
const ids = (count: number, make: () => string = newId): RawBuilder<unknown> =>
  sql`unnest(${Array.from({ length: count }, make)}::uuid[]) id`;

async function storeEventTypes(em: Em, userId: string, count: number): Promise<void> {
  await rows(
    em,
    sql`insert into event_types (owner_id, id, user_id, slug, title, duration_in_minutes, is_hidden, metadata, created_at, updated_at)
        select ${userId}::uuid, id, ${userId}::uuid, id::text, 'Talk', 30, false, '{}', now(), now() from ${ids(count)}`,
  );
}

/** Stores an organization that somebody owns. */
async function anOrganization(em: Em, userId: string): Promise<string> {
  const id = newId();
  await rows(
    em,
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        values (${id}, ${id}, 'Org', 'UTC', 'MONDAY', false, '{}', now(), now())`,
  );
  await rows(
    em,
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        values (${newId()}, ${id}, ${userId}, 'OWNER', true, now())`,
  );
  return id;
}

/** By the limit of docs/limits.md: what one more is made by, once the others are stored. */
export const KEPT: Readonly<Record<string, Kept>> = {
  'event-types': {
    mutation: 'eventTypeCreate',
    fill: async (em, userId, count) => {
      await storeEventTypes(em, userId, count);
      return (n) => ({ slug: `last-${n}`, title: 'Talk', durationInMinutes: 30 });
    },
  },
  schedules: {
    mutation: 'scheduleCreate',
    fill: async (em, userId, count) => {
      await rows(
        em,
        sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
          select ${userId}::uuid, id, 'Hours', 'UTC', false, '[]', '[]', now(), now() from ${ids(count)}`,
      );
      return () => ({ name: 'Last' });
    },
  },
  absences: {
    mutation: 'outOfOfficeCreate',
    fill: async (em, userId, count) => {
      await rows(
        em,
        sql`insert into out_of_office (user_id, id, starts_at, ends_at, created_at, updated_at)
          select ${userId}::uuid, id, '2031-01-06T09:00Z', '2031-01-06T10:00Z', now(), now() from ${ids(count)}`,
      );
      return () => ({ start: '2031-01-07T09:00:00Z', end: '2031-01-07T10:00:00Z' });
    },
  },
  'private-links': {
    mutation: 'privateLinkCreate',
    fill: async (em, userId, count) => {
      await storeEventTypes(em, userId, 1);
      const [eventType] = await rows(em, sql<{ id: string }>`select id from event_types where owner_id = ${userId}`);
      const id = eventType?.id ?? '';
      await rows(
        em,
        sql`insert into private_links (owner_id, id, event_type_id, secret, expires_at, usage_count, created_at, updated_at)
          select ${userId}::uuid, id, ${id}::uuid, 'x', now(), 0, now(), now() from ${ids(count)}`,
      );
      const eventTypeId = publicOwnedId('eventType', { ownerId: userId, id });
      return () => ({ eventTypeId });
    },
  },
  teams: {
    mutation: 'organizationTeamCreate',
    fill: async (em, userId, count) => {
      const organizationId = await anOrganization(em, userId);
      await rows(
        em,
        sql`insert into teams (id, organization_id, slug, name, is_private, metadata, created_at, updated_at)
          select id, ${organizationId}::uuid, id::text, 'Team', false, '{}', now(), now() from ${ids(count, newTeamId)}`,
      );
      const named = publicId('organization', organizationId);
      return (n) => ({ organizationId: named, slug: `last-${n}`, name: 'Team' });
    },
  },
  members: {
    mutation: 'organizationMembershipCreate',
    fill: async (em, userId, count) => {
      const organizationId = await anOrganization(em, userId);
      // Its owner is one of them.
      await rows(
        em,
        sql`with added as (
            insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale, metadata,
              is_administrator, created_at, updated_at)
            select id, id || '@example.org', id::text, 'Member', '', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now()
            from ${ids(count - 1, newUserId)} returning id)
          insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
          select gen_random_uuid(), ${organizationId}::uuid, id, 'MEMBER', false, now() from added`,
      );
      const others: string[] = [];
      for (let n = 0; n < 50; n += 1) others.push(publicId('user', (await anAccount(em)).id));
      const named = publicId('organization', organizationId);
      return (n) => ({ organizationId: named, userId: others[n], role: 'MEMBER' });
    },
  },
  invitations: {
    mutation: 'organizationInvitationCreate',
    fill: async (em, userId, count) => {
      const organizationId = await anOrganization(em, userId);
      await rows(
        em,
        sql`insert into invitations
            (id, organization_id, email, role, token_hash, invited_by_id, created_at, updated_at, expires_at)
          select id, ${organizationId}::uuid, id || '@example.org', 'MEMBER', id::text, ${userId}::uuid, now(), now(),
            now() + interval '1 day'
          from ${ids(count)}`,
      );
      const named = publicId('organization', organizationId);
      return (n) => ({ organizationId: named, email: `last-${n}@example.org`, role: 'MEMBER' });
    },
  },
};
