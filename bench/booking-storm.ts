import { setTimeout as pause } from 'node:timers/promises';
import { newId, publicOwnedId } from '../src/core/id.ts';
import { type Em, row, rows, sql } from '../src/database/sql.ts';
import { connect } from '../src/persistence/connect.ts';
import { newHosts, slotOn } from '../test/modules/bookings/support/booked-hosts.ts';
import { startService } from '../test/support/process.ts';
import { onServer, postgresSettings } from '../test/support/settings.ts';
import { interleaved, percentile, wallMicroseconds } from './measure.ts';

const ATTEMPTS_PER_SECOND = 500;
const SECONDS = 4;
const BURST = 500;
const MANY = 100_000;
const MOST_RATIO = 1.2;
const ROUNDS = 301;
const WARM_UP = 200;

const BOOK = `mutation($input: BookingCreateInput!) {
  bookingCreate(input: $input) { booking { uid } userErrors { code } } }`;
const OFFERED = 'query($username: String!) { publicEventTypes(username: $username) { nodes { id slug title } } }';

/** A service of its own, the host whom everybody wants, and another one. */
interface Scene {
  readonly url: string;
  readonly em: Em;
  readonly wanted: string;
  readonly other: string;
}

/** The answer to one request, and after how many milliseconds it came. */
interface Outcome {
  readonly code: string;
  readonly took: number;
}

interface Data {
  readonly bookingCreate?: { readonly userErrors: readonly { readonly code: string }[] };
  readonly publicEventTypes?: { readonly nodes: readonly unknown[] };
}

/** Attempts to book one host over HTTP, and what everybody else notices of them. */
export async function benchBookingStorm(serverUrl: string): Promise<void> {
  await inScene(serverUrl, 0, (few) =>
    inScene(serverUrl, MANY, async (many) => {
      const loads = [
        () => attempt(many.url, many.wanted, slot(0)),
        () => attempt(few.url, few.wanted, slot(0)),
      ] as const;
      for (let call = 0; call < WARM_UP; call += 1) await Promise.all(loads.map((load) => load()));
      const { first, second, ratio } = await interleaved(ROUNDS, 1, loads, wallMicroseconds);
      console.log(`One refused attempt of a host with 0 and ${MANY} old bookings, µs (ratio at most ${MOST_RATIO})`);
      console.log(`  ${second.toFixed(0)}, ${first.toFixed(0)}: ratio ${ratio.toFixed(2)}`);
      await stormIn(few, 0);
      await stormIn(many, MANY);
    }),
  );
}

async function stormIn(scene: Scene, count: number): Promise<void> {
  console.log(`A storm on one event type of a host with ${count} old bookings, ms`);
  const rate = `${ATTEMPTS_PER_SECOND} a second`;
  // A process that was started a moment ago has compiled little of what it runs.
  report(`${rate} on 80 slots, just started`, await steadily(scene, anyOf80));
  report(`${rate} on 80 slots (p99 at most 100)`, await steadily(scene, anyOf80));
  report(`${rate}, every tenth has a slot of its own`, await steadily(scene, (n) => slot(1_000 + Math.floor(n / 10))));
  report(`${rate}, each has a slot of its own`, await steadily(scene, (n) => slot(2_000 + n)));
  await during('500 at once on one slot', scene, () => slot(90));
  await during('500 at once on 500 slots', scene, (n) => slot(100 + n));
  console.log(`  overlapping bookings: ${await overlaps(scene.em)}`);
}

/** The n-th slot of the host: a week has 160. */
function slot(n: number): string {
  const day = 7 * Math.floor(n / 160) + Math.floor((n % 160) / 32);
  return slotOn(day, '09:00')
    .add({ minutes: 15 * (n % 32) })
    .toString();
}

function anyOf80(): string {
  return slot(1 + Math.floor(Math.random() * 80));
}

/** At their times, whether or not those before have been answered. */
async function steadily({ url, wanted }: Scene, start: (n: number) => string): Promise<Outcome[]> {
  const began = performance.now();
  const attempts: Promise<Outcome>[] = [];
  for (let n = 0; n < ATTEMPTS_PER_SECOND * SECONDS; n += 1) {
    const due = began + (n * 1_000) / ATTEMPTS_PER_SECOND;
    await pause(Math.max(0, due - performance.now()));
    attempts.push(attempt(url, wanted, start(n)));
  }
  const outcomes = await Promise.all(attempts);
  console.log(`  ${((outcomes.length * 1_000) / (performance.now() - began)).toFixed(0)} answered a second`);
  return outcomes;
}

/** Meanwhile somebody looks at what the other host offers, and somebody books that host. */
async function during(name: string, scene: Scene, start: (n: number) => string): Promise<void> {
  const { url, wanted, other } = scene;
  const storm = Promise.all(Array.from({ length: BURST }, (_, n) => attempt(url, wanted, start(n))));
  const over = new AbortController();
  void storm.finally(() => over.abort());
  const reading = untilOver(over.signal, () =>
    timed(url, OFFERED, { username: 'other' }, ({ publicEventTypes }) => `${publicEventTypes?.nodes.length} read`),
  );
  const booking = untilOver(over.signal, (n) => attempt(url, other, slot(n)));
  report(name, await storm);
  report('  a query about somebody else meanwhile', await reading);
  report('  a booking of somebody else meanwhile', await booking);
}

/** Asks again and again, one after the other, as long as the storm lasts. */
async function untilOver(over: AbortSignal, ask: (n: number) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let n = 0; !over.aborted; n += 1) outcomes.push(await ask(n));
  return outcomes;
}

function attempt(url: string, eventTypeId: string, start: string): Promise<Outcome> {
  const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
  return timed(url, BOOK, { input: { eventTypeId, start, attendee } }, ({ bookingCreate }) => {
    return bookingCreate?.userErrors[0]?.code ?? 'done';
  });
}

async function timed(url: string, query: string, variables: object, codeOf: (data: Data) => string): Promise<Outcome> {
  const began = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data } = (await response.json()) as { data: Data };
  const took = performance.now() - began;
  return { code: response.ok ? codeOf(data) : `HTTP ${response.status}`, took };
}

function report(name: string, outcomes: readonly Outcome[]): void {
  const times = outcomes.map(({ took }) => took);
  const counts = Object.entries(Object.groupBy(outcomes, ({ code }) => code)).map(([code, some]) => {
    return `${code} ${some?.length ?? 0}`;
  });
  const [half, most, last] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
  console.log(`  ${name.padEnd(46)} p50 ${half}, p99 ${most}, last ${last}: ${counts.join(', ')}`);
}

async function inScene(serverUrl: string, count: number, run: (scene: Scene) => Promise<void>): Promise<void> {
  const name = `gatehouse_bench_${process.pid}_storm_${count}`;
  await onServer(serverUrl, `create database ${name}`);
  const settings = postgresSettings(serverUrl, name);
  const database = await connect(settings);
  const em = database.em.fork();
  const [wantedHost = '', otherHost = ''] = await newHosts(em, 2);
  const [wanted, other] = [await newEventType(em, wantedHost), await newEventType(em, otherHost)];
  await rows(em, sql`update users set username = case id when ${otherHost} then 'other' else 'wanted' end`);
  await bookThePast(em, { hostId: wantedHost, eventTypeId: wanted, count });
  await rows(em, sql`vacuum analyze`);
  const service = await startService({
    DATABASE_URL: settings.databaseUrl ?? '',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64url'),
    DATA_DIR: 'memory:',
  });
  try {
    await run({ url: service.url, em, wanted: asNamed(wantedHost, wanted), other: asNamed(otherHost, other) });
  } finally {
    await service.kill('SIGTERM');
    await database.close();
    await onServer(serverUrl, `drop database ${name} with (force)`);
  }
}

/** How callers name an event type. */
function asNamed(ownerId: string, id: string): string {
  return publicOwnedId('eventType', { ownerId, id });
}

/** One booking every half-hour, until now. */
async function bookThePast(
  em: Em,
  { hostId, eventTypeId, count }: { hostId: string; eventTypeId: string; count: number },
): Promise<void> {
  const id = sql`lpad(to_hex(n), 32, '0')::uuid`;
  const start = sql`date_trunc('hour', now()) - n * interval '30 minutes'`;
  const end = sql`date_trunc('hour', now()) - n * interval '30 minutes' + interval '30 minutes'`;
  await rows(
    em,
    sql`insert into bookings (owner_id, id, user_id, event_type_id, title, status, starts_at, ends_at, host_ids,
          guest_emails, metadata, ics_id, created_at, updated_at)
        select ${hostId}, ${id}, ${hostId}, ${eventTypeId}, 'Talk', 'ACCEPTED', ${start}, ${end}, array[${hostId}]::uuid[],
          '{}', '{}', ${id}, ${start}, ${start}
        from generate_series(1, ${count}::int) n`,
  );
  await rows(
    em,
    sql`insert into occupied_times (host_id, holder_id, during)
        select ${hostId}::uuid, ${id}, tstzrange(${start}, ${end}) from generate_series(1, ${count}::int) n`,
  );
}

/** A quarter of an hour. */
async function newEventType(em: Em, userId: string): Promise<string> {
  const id = newId();
  await rows(
    em,
    sql`insert into event_types (owner_id, id, user_id, slug, title, duration_in_minutes, is_hidden, metadata, created_at,
          updated_at)
        values (${userId}, ${id}, ${userId}, 'talk', 'Talk', 15, false, '{}', now(), now())`,
  );
  return id;
}

async function overlaps(em: Em): Promise<number> {
  const found = await row(
    em,
    sql<{ count: number }>`select count(*)::int as count from bookings a
        join bookings b on a.owner_id = b.owner_id and a.id < b.id and a.starts_at < b.ends_at and b.starts_at < a.ends_at
        where a.status = 'ACCEPTED' and b.status = 'ACCEPTED' and a.starts_at > now() and b.starts_at > now()`,
  );
  return found?.count ?? 0;
}
