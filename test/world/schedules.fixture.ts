import { sql } from '../../src/database/sql.ts';
import { uuidNumbered } from '../support/ids.ts';
import { type Fixture, groupAt, HOURS, numbered, type Operation, tried } from './fixture.ts';

const REDIRECT: Operation = {
  name: 'send the guests of somebody else to them',
  beyond: 'NOT_A_COLLEAGUE',
  prepare: async (world, level, { userId }) => {
    const { prefix, of } = groupAt(world, level);
    const absence = { ...of, userId: world.member.userId, ...HOURS, redirectToUserId: userId };
    return tried(`${prefix}OutOfOfficeCreate`, absence);
  },
};

export const fixture: Fixture = {
  things: {
    schedule: {
      make: { name: 'Hours', overrides: [{ date: '2031-01-06', start: '09:00', end: '10:00' }] },
      change: { name: 'Other' },
      longest: { 'schedule-name': 'name' },
      stays: 'one’s own hours',
      isForUnverified: true,
      many: ({ userId, teamId }, count) => [
        sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        select ${userId}::uuid, ${uuidNumbered('0')}, '', 'UTC', false, '[]'::jsonb, '[]'::jsonb, now(), now() from ${numbered(count)}
        union all
        select m.user_id, ${uuidNumbered('0', sql`0`)}, '', 'UTC', true, '[]', '[]', now(), now()
        from team_memberships m where m.team_id = ${teamId} and m.user_id <> ${userId}`,
      ],
    },
    outOfOffice: {
      make: HOURS,
      change: { notes: 'Away' },
      longest: { 'absence-reason': 'reason', 'absence-notes': 'notes' },
      isForUnverified: true,
      full: (redirectToUserId) => ({ ...HOURS, reason: 'Ill', notes: 'At home', redirectToUserId }),
      many: { endsAt: sql`now() + interval '1 day'` },
    },
  },
  fields: {
    Viewer: { AS_ABOVE: 'defaultSchedule' },
    Schedule: { AS_ABOVE: 'user availability overrides' },
    OutOfOffice: { AS_ABOVE: 'user', UP_TO_OWN_STANDING: 'reason notes redirectTo' },
  },
  operations: { group: [REDIRECT] },
};
