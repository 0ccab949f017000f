import { randomUUID } from 'node:crypto';
import { MikroORM } from '@mikro-orm/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, newOwnedId, ownerOf } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { ormOptions } from '../../src/persistence/orm-options.ts';
import { aUser } from '../modules/schedules/support/a-user.ts';
import { embeddedSettings, onServer, postgresSettings } from '../support/settings.ts';

/** The last one that managed event types were stored under, and had no children. */
const BEFORE = '2026-11-20-reschedule-requests';

const server = process.env['DATABASE_URL'];
const name = `gatehouse_test_${randomUUID().replaceAll('-', '')}`;
let orm: MikroORM;
let em: Em;

beforeAll(async () => {
  if (server) await onServer(server, `create database ${name}`);
  orm = await MikroORM.init(ormOptions(server ? postgresSettings(server, name) : embeddedSettings()));
  await orm.migrator.up({ to: BEFORE });
  em = orm.em.fork() as unknown as Em;
});
afterAll(async () => {
  await orm.close(true);
  if (server) await onServer(server, `drop database ${name} with (force)`);
});

async function aTeam(members: readonly string[], invited: readonly string[] = []): Promise<string> {
  const id = newId('team');
  await rows(
    em,
    sql`insert into teams (id, slug, name, time_zone, week_start, hide_branding, is_private, metadata, created_at, updated_at)
        values (${id}, ${id}, 'Team', 'UTC', 'MONDAY', false, false, '{}', now(), now())`,
  );
  for (const userId of [...members, ...invited]) {
    await rows(
      em,
      sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
          values (${newId('membership')}, ${id}, ${userId}, 'MEMBER', ${members.includes(userId)}, now())`,
    );
  }
  return id;
}

async function anEventType(ownerId: string, slug: string, more: { type?: string; hosts?: readonly string[] } = {}) {
  const id = newOwnedId('eventType', ownerId);
  const { type, hosts } = more;
  await rows(
    em,
    sql`insert into event_types (owner_id, id, user_id, team_id, slug, title, length_in_minutes, hidden, color, metadata,
          buffer_after_in_minutes, seats, scheduling_type, assign_all_members, created_at, updated_at)
        values (${ownerId}, ${id}, ${type ? null : ownerId}, ${type ? ownerId : null}, ${slug}, ${`Title of ${slug}`}, 25,
          true, '#a1b2c3', '{"room": "blue"}', 10, '{"perSlot": 3, "showAttendees": false}', ${type ?? null},
          ${type !== undefined && hosts === undefined}, now(), now())`,
  );
  for (const userId of hosts ?? []) {
    await rows(
      em,
      sql`insert into event_type_hosts (owner_id, event_type_id, user_id, membership_id, is_mandatory, priority, weight)
          select ${ownerId}, ${id}, ${userId}, m.id, false, 2, 100 from team_memberships m
          where m.team_id = ${ownerId} and m.user_id = ${userId}`,
    );
  }
  return id;
}

interface Stored {
  readonly id: string;
  readonly ownerId: string;
  readonly parentId: string | null;
  readonly slug: string;
}

test('managed event types that were stored before they had children have them after the migration, with all settings', async () => {
  const [ann, ben, invited] = [await aUser(em), await aUser(em), await aUser(em)];
  const team = await aTeam([ann, ben], [invited]);
  const otherTeam = await aTeam([ann]);
  const own = await anEventType(ann, 'intro');
  const intro = await anEventType(team, 'intro', { type: 'MANAGED' });
  const sameSlug = await anEventType(otherTeam, 'intro', { type: 'MANAGED' });
  const named = await anEventType(team, 'named', { type: 'MANAGED', hosts: [ben] });
  await anEventType(team, 'turns', { type: 'ROUND_ROBIN' });

  await orm.migrator.up();

  const stored = await rows(
    em,
    sql<Stored>`select id, owner_id as "ownerId", parent_id as "parentId", slug from event_types
        where user_id is not null`,
  );
  const children = stored.filter(({ parentId }) => parentId !== null);
  const ownersOf = (id: string) => children.filter(({ parentId }) => parentId === id).map(({ ownerId }) => ownerId);
  expect(ownersOf(intro).toSorted()).toEqual([ann, ben].toSorted());
  expect(ownersOf(sameSlug)).toEqual([ann]);
  expect(ownersOf(named)).toEqual([ben]);
  expect(children).toHaveLength(4);
  expect(children.every(({ id, ownerId }) => ownerOf('eventType', id) === ownerId)).toBe(true);
  const slugsOf = (userId: string) => stored.filter(({ ownerId }) => ownerId === userId).map(({ slug }) => slug);
  expect(slugsOf(ann).toSorted()).toEqual(['intro', 'intro-2', 'intro-3']);
  expect(slugsOf(ben).toSorted()).toEqual(['intro', 'named']);
  expect(stored.find(({ id }) => id === own)).toEqual({ id: own, ownerId: ann, parentId: null, slug: 'intro' });

  const differing = await rows(
    em,
    sql`select c.id from event_types c join event_types p on p.id = c.parent_id
        where to_jsonb(c) - ${OF_EACH}::text[] <> to_jsonb(p) - ${OF_EACH}::text[]`,
  );
  expect(differing).toEqual([]);
  expect(await rows(em, sql`select 1 from event_types where parent_id is not null and color = '#a1b2c3'`)).toHaveLength(
    4,
  );
});

/** The columns in which a child and its parent differ. */
const OF_EACH = [
  'owner_id',
  'id',
  'user_id',
  'team_id',
  'slug',
  'scheduling_type',
  'assign_all_members',
  'parent_team_id',
  'parent_id',
  'membership_id',
  'created_at',
  'updated_at',
];
