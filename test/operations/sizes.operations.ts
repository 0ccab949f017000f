/** An organization of 5,000 members and 300 teams, an event type of 200 hosts, a host with 100,000 bookings: nothing takes a second of work. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../src/cli/demo-browser.ts';
import { newId, newTeamId, publicId, publicOwnedId } from '../../src/core/id.ts';
import { withoutStatementLimit } from '../../src/database/deadline.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { connect } from '../../src/persistence/connect.ts';
import { DEMO_PASSWORD } from '../../src/persistence/demo-data.ts';
import { newHosts } from '../modules/bookings/support/booked-hosts.ts';
import { NEW_ID } from '../support/ids.ts';
import { PostgresCluster } from '../support/postgres-cluster.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { SHARED } from '../support/servers.ts';

const MEMBERS = 5_000;
const TEAMS = 300;
const HOSTS = 200;
const BOOKINGS = 100_000;
const MOST_SECONDS = 1;
/** The ticks of the clock that /proc counts in. */
const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK']));

interface House {
  readonly organizationId: string;
  readonly teamId: string;
  readonly eventTypeId: string;
  readonly membershipId: string;
  readonly bookingId: string;
}

let [cluster, service, folder]: [PostgresCluster?, RunningService?, string?] = [];
let house: House;
let owner: Browser;
let busy: Browser;
beforeAll(async () => {
  [cluster, folder] = await Promise.all([PostgresCluster.start(), temporaryFolder()]);
  const env = { ...SHARED, DATABASE_URL: cluster.url, DATA_DIR: folder, MAIL_LIMITS: 'off' };
  service = await startService(env);
  const database = await connect({ databaseUrl: cluster.url, dataDir: folder });
  house = await withoutStatementLimit(() => database.em.fork().transactional(fill));
  await cluster.operate((operator) => operator.query('vacuum analyze'));
  await database.close();
  owner = await Browser.signIn(service.url, 'owner@example.test', DEMO_PASSWORD);
  busy = await Browser.signIn(service.url, 'busy@example.test', DEMO_PASSWORD);
});
afterAll(async () => {
  await service?.kill('SIGKILL');
  await cluster?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const tomorrow = Temporal.Now.instant().add({ hours: 24 }).round('second');
const [from, to] = [tomorrow, tomorrow.add({ hours: 24 * 28 })].map(String);

test.each<[string, () => Browser, (house: House) => string]>([
  ['members', () => owner, (the) => ofOrganization(the, 'memberships(first: 100) { nodes { id role user { name } } }')],
  ['teams', () => owner, (the) => ofOrganization(the, 'teams(first: 100) { nodes { id name } }')],
  ['event types', () => owner, (the) => ofOrganization(the, 'eventTypes(first: 100) { nodes { id title } }')],
  ['bookings of all', () => owner, (the) => ofOrganization(the, 'bookings(first: 100) { nodes { id start status } }')],
  ['schedules of all', () => owner, (the) => ofOrganization(the, 'schedules(first: 100) { nodes { id } }')],
  ['absences of all', () => owner, (the) => ofOrganization(the, 'outOfOffice(first: 100) { nodes { id } }')],
  [
    'a member leaves',
    () => owner,
    (the) =>
      ofOrganization(the, `departure(membershipId: "${the.membershipId}") { eventTypeCount managedEventTypeCount }`),
  ],
  ['hosts', () => owner, (the) => `{ team(id: "${the.teamId}") { eventTypes { nodes { hosts { weight } } } } }`],
  [
    'slots of 200 hosts',
    () => owner,
    (the) => `{ slots(eventType: { id: "${the.eventTypeId}" }, start: "${from}", end: "${to}") { start } }`,
  ],
  ['100,000 bookings', () => busy, () => '{ me { bookings(first: 100) { nodes { id start status } } } }'],
  ['one of them', () => busy, (the) => `{ me { booking(id: "${the.bookingId}") { id } } }`],
  [
    'those of somebody',
    () => busy,
    () => '{ me { bookings(first: 100, filter: { attendeeEmail: "a7@example.test" }) { nodes { id } } } }',
  ],
  ['busy times', () => busy, () => `{ me { busyTimes(start: "${from}", end: "${to}") { start } } }`],
  [
    'a booking with 200 hosts',
    () => owner,
    (the) => `mutation { bookingCreate(input: { eventTypeId: "${the.eventTypeId}", start: "${aMonday()}",
      attendee: { name: "Grace", email: "grace@example.test", timeZone: "UTC" } }) { booking { uid } userErrors { code message } } }`,
  ],
  [
    'one of 100,000 is cancelled',
    () => busy,
    (the) =>
      `mutation { userBookingCancel(input: { bookingId: "${the.bookingId}", reason: "Ill" }) { userErrors { code message } } }`,
  ],
])(`%s: at most ${MOST_SECONDS} s of work`, async (_, browser, write) => {
  const query = write(house);
  const before = secondsOfWork();
  const data = await browser().graphql<object>(query, {});
  const seconds = secondsOfWork() - before;
  console.log(`${seconds.toFixed(2)} s`);
  expect(JSON.stringify(data)).not.toMatch(/"code":|:null\}$|"(?:slots|nodes)":\[\]/);
  expect(seconds).toBeLessThan(MOST_SECONDS);
});

test.each(['/bookings', '/settings/teams', '/settings/event-types'])(
  `the page %s: at most ${MOST_SECONDS} s of work`,
  async (path) => {
    for (const browser of [owner, busy]) {
      const before = secondsOfWork();
      const response = await browser.get(path);
      expect(response.status).toBe(200);
      await response.text();
      expect(secondsOfWork() - before).toBeLessThan(MOST_SECONDS);
    }
  },
);

function ofOrganization({ organizationId }: House, selection: string): string {
  return `{ organization(id: "${organizationId}") { ${selection} } }`;
}

function aMonday(): string {
  const today = Temporal.Now.plainDateISO('UTC');
  return today
    .add({ days: 15 - today.dayOfWeek })
    .toZonedDateTime({ timeZone: 'UTC', plainTime: '11:00' })
    .toInstant()
    .toString();
}

/** The processor time of the service and of its database, so far. */
function secondsOfWork(): number {
  const pids = [service?.child.pid, ...(cluster?.processes() ?? [])];
  return pids.reduce((sum: number, pid) => sum + ticksOf(pid) / TICKS_A_SECOND, 0);
}

/** User and system time (proc(5)); none of a process that has ended. */
function ticksOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

async function fill(em: Em): Promise<House> {
  await rows(em, sql`set local statement_timeout = 0`);
  await rows(em, sql`set local session_replication_role = replica`);
  const members = await newHosts(em, MEMBERS);
  const [ownerId = '', busyId = ''] = members;
  const teams = Array.from({ length: TEAMS }, newTeamId);
  const [teamId = ''] = teams;
  const [organizationId, eventTypeId, ownTypeId] = [newId(), newId(), newId()];
  for (const statement of [
    sql`update users u set email = case u.id when ${ownerId} then 'owner@example.test' else 'busy@example.test' end,
          password_hash = ada.password_hash from users ada where ada.username = 'ada' and u.id in (${ownerId}, ${busyId})`,
    sql`insert into organizations (id, slug, name, time_zone, week_start, is_private, metadata, created_at, updated_at)
        values (${organizationId}, 'large', 'Large', 'UTC', 'MONDAY', false, '{}', now(), now())`,
    sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
        select md5(id::text)::uuid, ${organizationId}::uuid, id, case when id = ${ownerId} then 'OWNER' else 'MEMBER' end, true, now()
        from unnest(${members}::uuid[]) id`,
    sql`insert into teams (id, organization_id, slug, name, time_zone, week_start, hides_branding, is_private, metadata, created_at, updated_at)
        select id, ${organizationId}::uuid, id::text, id::text, 'UTC', 'MONDAY', false, false, '{}', now(), now()
        from unnest(${teams}::uuid[]) id`,
    sql`insert into team_memberships (id, team_id, user_id, organization_membership_id, role, accepted, created_at)
        select md5(t.id::text || m.id::text)::uuid, t.id, m.id, md5(m.id::text)::uuid,
          case when m.id = ${ownerId} then 'OWNER' else 'MEMBER' end, true, now()
        from unnest(${teams}::uuid[]) t(id) cross join unnest(${members.slice(0, HOSTS)}::uuid[]) m(id)`,
    sql`insert into event_types (owner_id, id, team_id, organization_id, scheduling_type, slug, title, duration_in_minutes, is_hidden, metadata, created_at, updated_at)
        select id, case when id = ${teamId} then ${eventTypeId}::uuid else ${NEW_ID} end, id, ${organizationId}::uuid, 'ROUND_ROBIN',
          'talk', 'Talk', 30, false, '{}', now(), now() from unnest(${teams}::uuid[]) id`,
    sql`insert into event_type_hosts (owner_id, event_type_id, user_id, membership_id, is_mandatory, priority, weight)
        select m.team_id, e.id, m.user_id, m.id, false, 2, 100 from event_types e join team_memberships m on m.team_id = e.owner_id
        where e.owner_id = any(${teams}::uuid[])`,
    sql`insert into event_types (owner_id, id, user_id, slug, title, duration_in_minutes, is_hidden, metadata, created_at, updated_at)
        values (${busyId}, ${ownTypeId}, ${busyId}, 'own', 'Own', 5, false, '{}', now(), now())`,
    sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
        select id, id, 'Hours', 'UTC', true, '[{"days":["MONDAY","TUESDAY","WEDNESDAY","THURSDAY","FRIDAY"],"start":"09:00","end":"17:00"}]'::jsonb,
          '[]'::jsonb, now(), now() from unnest(${members}::uuid[]) id`,
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
        select id, id, now() + interval '60 days', now() + interval '61 days', '', now(), now() from unnest(${members}::uuid[]) id`,
    sql`create temporary table made on commit drop as
        select n, now() + (n - ${BOOKINGS}::int / 2) * interval '10 minutes' as starts_at, md5('made' || n)::uuid as id
        from generate_series(1, ${BOOKINGS}::int) n`,
    sql`insert into bookings (owner_id, id, user_id, event_type_id, title, status, starts_at, ends_at, host_ids, ics_id, created_at, updated_at)
        select ${busyId}::uuid, id, ${busyId}::uuid, ${ownTypeId}::uuid, 'Talk', 'ACCEPTED', starts_at, starts_at + interval '5 minutes',
          array[${busyId}::uuid], id, now(), now() from made`,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
        select ${busyId}::uuid, id, ${busyId}::uuid, ${ownTypeId}::uuid, 'ACCEPTED', starts_at, starts_at + interval '5 minutes', false, now() from made`,
    sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, time_zone, absent)
        select ${busyId}::uuid, id, id, starts_at, 'N', 'a' || n % 5000 || '@example.test', 'UTC', false from made`,
  ])
    await rows(em, statement);
  const [membership] = await rows(em, sql<{ id: string }>`select md5(${busyId}::text)::uuid as id`);
  const [booking] = await rows(em, sql<{ id: string }>`select id from made where n = ${BOOKINGS - 1}`);
  return {
    organizationId: publicId('organization', organizationId),
    teamId: publicId('team', teamId),
    eventTypeId: publicOwnedId('eventType', { ownerId: teamId, id: eventTypeId }),
    membershipId: publicId('membership', membership?.id ?? ''),
    bookingId: publicOwnedId('booking', { ownerId: busyId, id: booking?.id ?? '' }),
  };
}
