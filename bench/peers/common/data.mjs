// Data access in plain pg with named (prepared) statements: the best case for the peers.

import DataLoader from 'dataloader';
import pg from 'pg';
import { databaseUrl, poolSize } from './config.mjs';

export const sql = {
  user: 'SELECT id, name, username, email, time_zone FROM bench.users WHERE id = $1',
  eventTypes: `SELECT id, title, slug, description, length, hidden, position, created_at
    FROM bench.event_types WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  bookings: `SELECT id, uid, title, status, start_at, end_at, event_type_id
    FROM bench.bookings WHERE user_id = $1 ORDER BY start_at, id LIMIT $2`,
  bookingsAfter: `SELECT id, uid, title, status, start_at, end_at, event_type_id
    FROM bench.bookings WHERE user_id = $1 AND (start_at, id) > ($3, $4) ORDER BY start_at, id LIMIT $2`,
  attendees: `SELECT booking_id, name, email, time_zone FROM bench.attendees
    WHERE booking_id = ANY($1::int[]) ORDER BY booking_id, id`,
  eventTypesById: `SELECT id, title, slug, description, length, hidden, position, created_at
    FROM bench.event_types WHERE id = ANY($1::int[])`,
  ownEventTypesById: `SELECT id, title, slug, description, length, hidden, position, created_at
    FROM bench.event_types WHERE user_id = $2 AND id = ANY($1::int[])`,
  updateEventType: `UPDATE bench.event_types SET title = $3 WHERE user_id = $1 AND id = $2
    RETURNING id, title, slug, description, length, hidden, position, created_at`,
};

const encode = (v) => Buffer.from(JSON.stringify(v)).toString('base64url');
const decode = (c) => JSON.parse(Buffer.from(c, 'base64url').toString());

export function createData() {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, idleTimeoutMillis: 0 });
  const run = async (name, values) => (await pool.query({ name, text: sql[name], values })).rows;
  const userCache = new Map();

  const page = (rows, first, key) => {
    const more = rows.length > first;
    const nodes = more ? rows.slice(0, first) : rows;
    return { nodes, pageInfo: { hasNextPage: more, endCursor: nodes.length ? encode(key(nodes.at(-1))) : null } };
  };

  return {
    pool,
    /** One row per user, kept in memory: Q1 touches no database once warm. */
    async user(id) {
      let u = userCache.get(id);
      if (u === undefined) {
        [u = null] = await run('user', [id]);
        userCache.set(id, u);
      }
      return u;
    },
    async eventTypes(userId, first, after) {
      const rows = await run('eventTypes', [userId, after ? decode(after)[0] : 0, first + 1]);
      return page(rows, first, (r) => [r.id]);
    },
    async bookings(userId, first, after) {
      const rows = after
        ? await run('bookingsAfter', [userId, first + 1, ...decode(after)])
        : await run('bookings', [userId, first + 1]);
      return page(rows, first, (r) => [r.start_at, r.id]);
    },
    async updateEventType(userId, id, title) {
      return (await run('updateEventType', [userId, id, title]))[0] ?? null;
    },
    /** Per-request loaders against N+1. */
    loaders() {
      return {
        // All of a request are the same user's.
        ownEventType: new DataLoader(
          async (keys) => {
            const by = new Map();
            const ids = keys.map(({ id }) => id);
            for (const r of await run('ownEventTypesById', [ids, keys[0].userId])) by.set(r.id, r);
            return ids.map((id) => by.get(id) ?? null);
          },
          { cacheKeyFn: ({ id }) => id },
        ),
        attendees: new DataLoader(async (ids) => {
          const by = new Map(ids.map((id) => [id, []]));
          for (const r of await run('attendees', [ids])) by.get(r.booking_id).push(r);
          return ids.map((id) => by.get(id));
        }),
        eventType: new DataLoader(async (ids) => {
          const by = new Map();
          for (const r of await run('eventTypesById', [ids])) by.set(r.id, r);
          return ids.map((id) => by.get(id));
        }),
      };
    },
  };
}
