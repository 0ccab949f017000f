/**
 * Measures what bookings take of the disk, table by table, and how many entries of indexes each has: a million of a
 * thousand hosts, one and a half attendees each, in the order in which they are made, as a database has grown; then
 * with indexes as `reindex` leaves them.
 */
import { withoutStatementLimit } from '../src/database/deadline.ts';
import { type Em, type RawBuilder, rows, sql } from '../src/database/sql.ts';
import { newHosts } from '../test/modules/bookings/support/booked-hosts.ts';
import { onServer } from '../test/support/settings.ts';
import { openFilled } from './filled.ts';

const BOOKINGS = 1_000_000;
const BOOKINGS_A_HOST = 1_000;
const AT_ONCE = 5_000;
const SWEPT_EVERY = 10_000;
const TABLES = ['bookings', 'booking_hosts', 'booking_attendees', 'occupied_times'] as const;

/** Half of the bookings have a second attendee; of twenty, one was cancelled and one declined. */
async function fill(em: Em): Promise<void> {
  const hosts = await newHosts(em, BOOKINGS / BOOKINGS_A_HOST);
  await rows(
    em,
    sql`create temporary table host as
    select id, place - 1 as place from unnest(${hosts}::uuid[]) with ordinality as given(id, place)`,
  );
  await rows(em, sql`create index on host (place)`);
  for (let from = 0; from < BOOKINGS; from += AT_ONCE) {
    // Autovacuum would come by every few days, which are seconds here.
    if (from % SWEPT_EVERY === 0) await rows(em, sql`vacuum occupied_times`);
    await rows(em, sql`create temporary table made as ${made(from, AT_ONCE, hosts.length)}`);
    for (const statement of STATEMENTS) await rows(em, statement);
    await rows(em, sql`drop table made`);
  }
}

/** SQL: every half a minute one, of whichever host, for some time in the next month. */
function made(from: number, length: number, hosts: number): RawBuilder<unknown> {
  return sql`
    select n, host.id as host_id, created_at, starts_at,
      (lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7' || left(md5(n::text), 3) || '800'
        || substr(md5(n::text), 4, 13))::uuid as id,
      case n % 20 when 7 then 'CANCELLED' when 13 then 'REJECTED' else 'ACCEPTED' end as status
    from generate_series(${from}::int, ${from + length - 1}::int) n
    join host on host.place = (n::bigint * 7919 + n / ${hosts}::int) % ${hosts}::int
    cross join lateral (select timestamptz '2025-01-01 00:00Z' + n * interval '30 seconds' as created_at) a
    cross join lateral (
      select timestamptz '2025-02-01 00:00Z' + (n / ${hosts}::int / 64 * 64 + n / ${hosts}::int * 37 % 64) * interval '8 hours'
        as starts_at) b
    order by n`;
}

const END = sql`starts_at + interval '30 minutes'`;
const PEOPLE = sql`'Grace Brewster Hopper', 'grace.hopper.' || n || '@example.com', true, 'Europe/Berlin', 'en'`;

const STATEMENTS: readonly RawBuilder<unknown>[] = [
  sql`insert into bookings (owner_id, id, user_id, event_type_id, title, status, starts_at, ends_at, location,
        ics_id, created_at, updated_at)
      select host_id, id, host_id, host_id, '30 minutes with me', status, starts_at, ${END},
        '{"type": "LINK", "value": "https://meet.example.com/abc-defg-hij"}', md5(id::text)::uuid,
        created_at, created_at
      from made order by n`,
  sql`insert into booking_hosts (user_id, booking_id, owner_id, event_type_id, status, starts_at, ends_at, updated_at, absent)
      select host_id, id, host_id, host_id, status, starts_at, ${END}, created_at, false from made order by n`,
  sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, verified, time_zone, locale, absent)
      select host_id, id, id, starts_at, ${PEOPLE}, false from made order by n`,
  sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, verified, time_zone, locale, absent)
      select host_id, id, host_id, starts_at, ${PEOPLE}, false from made where n % 2 = 0 order by n`,
  sql`insert into occupied_times (host_id, holder_id, during)
      select host_id, id, tstzrange(starts_at, ${END}) from made where status = 'ACCEPTED' order by n`,
  // As it is swept away (reserve-slot.ts).
  sql`delete from occupied_times where upper(during) < (select max(created_at) - interval '1 day' from made)`,
];

export async function benchStorage(serverUrl: string): Promise<void> {
  const { em, url, close } = await openFilled(serverUrl, 'storage', async () => undefined);
  // Each step is committed, as when a database grows.
  await withoutStatementLimit(() => fill(em));
  await onServer(url, 'vacuum analyze');
  await report(em, 'as it has grown');
  await withoutStatementLimit(async () => {
    for (const table of TABLES) await rows(em, sql`reindex table ${sql.table(table)}`);
  });
  await report(em, 'after reindex');
  await close();
}

interface Part {
  readonly table: string;
  readonly part: string;
  readonly bytes: number;
  readonly entries: number;
}

async function report(em: Em, state: string): Promise<void> {
  const parts = await rows(
    em,
    sql<Part>`
      select t.relname as table, t.relname as part, pg_table_size(t.oid)::float8 as bytes, 0 as entries
      from pg_class t where t.relname = any(${[...TABLES]}::text[]) and t.relkind = 'r'
      union all
      select t.relname, i.relname, pg_relation_size(i.oid)::float8, i.reltuples from pg_class t
      join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
      where t.relname = any(${[...TABLES]}::text[]) and t.relkind = 'r' order by 1, 4, 2`,
  );
  console.log(`\n${BOOKINGS} bookings, ${state}: bytes and index entries for each`);
  for (const { part, bytes, entries } of parts) line(part, bytes, entries);
  line('all', sum(parts, 'bytes'), sum(parts, 'entries'));
}

function line(part: string, bytes: number, entries: number): void {
  console.log(
    `  ${part.padEnd(44)} ${(bytes / BOOKINGS).toFixed(0).padStart(6)} ${(entries / BOOKINGS).toFixed(2).padStart(6)}`,
  );
}

function sum(parts: readonly Part[], key: 'bytes' | 'entries'): number {
  return parts.reduce((total, part) => total + part[key], 0);
}
