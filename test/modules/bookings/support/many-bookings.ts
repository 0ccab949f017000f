import { newId, newTeamId, type OwnedId } from '../../../../src/core/id.ts';
import { changed, type Em, type RawBuilder, row, rows, sql } from '../../../../src/database/sql.ts';
import { newHosts } from './booked-hosts.ts';

/** Somebody with six of ten bookings, and what of them lies where. Rare is what only the oldest bookings have. */
export interface BusyHost {
  readonly hostId: string;
  /** Shares some bookings of the team, all over the years. */
  readonly colleagueId: string;
  /** Shares the oldest four. */
  readonly rareColleagueId: string;
  /** Has a tenth of all bookings, through the same event type, and none together with the host. */
  readonly strangerId: string;
  readonly teamId: string;
  readonly rareTeamId: string;
  readonly eventType: OwnedId;
  /** The event type of the oldest tenth. */
  readonly oldEventType: OwnedId;
  readonly teamEventType: OwnedId;
  readonly rareEventType: OwnedId;
  readonly newest: Temporal.Instant;
  readonly oldest: Temporal.Instant;
}

/** The attendees of every seventh booking, of the oldest sixth, and of the oldest three. */
export const ATTENDEES = { even: 'even@example.test', old: 'old@example.test', rare: 'rare@example.test' };

/**
 * As many bookings, one every half-hour into the past from three weeks ahead. Of the busy host's, eight of ten are
 * accepted; what is pending is the oldest twentieth. Others have ten each.
 */
export async function fillBookings(em: Em, count: number): Promise<BusyHost & { readonly booking: OwnedId }> {
  const [hostId = '', colleagueId = '', rareColleagueId = '', strangerId = ''] = await newHosts(em, 4);
  const [teamId, rareTeamId] = [await newTeam(em), await newTeam(em)];
  const newest = Temporal.Now.instant()
    .round({ smallestUnit: 'hour', roundingMode: 'floor' })
    .add({ hours: 21 * 24 });
  const own = Math.floor(count * 0.6);
  const host: BusyHost = {
    hostId,
    colleagueId,
    rareColleagueId,
    strangerId,
    teamId,
    rareTeamId,
    eventType: { ownerId: hostId, id: newId() },
    oldEventType: { ownerId: hostId, id: newId() },
    teamEventType: { ownerId: teamId, id: newId() },
    rareEventType: { ownerId: rareTeamId, id: newId() },
    newest,
    oldest: newest.subtract({ minutes: 30 * own }),
  };
  await rows(em, sql`create temporary table filled as ${ofBusyHost(host, own)}`);
  await rows(em, sql`insert into filled ${ofStranger(host, Math.floor(count / 10))}`);
  const others = await newHosts(em, Math.floor((count * 0.3) / 10));
  await rows(em, sql`insert into filled ${ofOthers(host, others)}`);
  await store(em);
  const middle = await row(
    em,
    sql<OwnedId>`select owner_id as "ownerId", ${BOOKING_ID} as id from filled where n = ${Math.floor(own / 2) + 1}`,
  );
  if (!middle) throw new Error('No bookings were made.');
  await rows(em, sql`drop table filled`);
  return { ...host, booking: middle };
}

async function newTeam(em: Em): Promise<string> {
  const id = newTeamId();
  await changed(
    em,
    sql`insert into teams (id, slug, name, time_zone, week_start, hides_branding, is_private, metadata, created_at, updated_at)
        values (${id}, ${id}::text, ${id}::text, 'UTC', 'MONDAY', false, false, '{}', now(), now())`,
  );
  return id;
}

function ofBusyHost(host: BusyHost, own: number): RawBuilder<unknown> {
  const { hostId, colleagueId, rareColleagueId, teamId, rareTeamId, eventType, oldEventType } = host;
  return sql`
    select n, case when n > ${own - 5}::int then ${rareTeamId}::uuid when n % 10 = 0 then ${teamId}::uuid else ${hostId}::uuid end as owner_id,
      case when n > ${own - 5}::int then ${host.rareEventType.id}::uuid when n % 10 = 0 then ${host.teamEventType.id}::uuid
        when n > ${own}::int * 0.9 then ${oldEventType.id}::uuid else ${eventType.id}::uuid end as event_type_id,
      case when n > ${own}::int * 0.95 then 'PENDING' when n % 20 = 1 then 'REJECTED' when n % 10 = 5 then 'CANCELLED'
        else 'ACCEPTED' end as status,
      case when n > ${own - 4}::int then array[${hostId}::uuid, ${rareColleagueId}]
        when n % 50 = 0 then array[${hostId}::uuid, ${colleagueId}] else array[${hostId}::uuid] end as host_ids,
      case when n > ${own - 3}::int then ${ATTENDEES.rare}::text when n > ${own}::int * 5 / 6 then ${ATTENDEES.old}::text
        when n % 7 = 0 then ${ATTENDEES.even}::text else 'n' || n || '@example.test' end as email,
      ${host.newest.toString()}::timestamptz - n * interval '30 minutes' as starts_at
    from generate_series(1, ${own}::int) n`;
}

function ofStranger({ strangerId, teamId, teamEventType, newest }: BusyHost, count: number): RawBuilder<unknown> {
  return sql`
    select n + 1000000, ${teamId}::uuid, ${teamEventType.id}::uuid, 'ACCEPTED', array[${strangerId}::uuid], 's' || n || '@example.test',
      ${newest.toString()}::timestamptz - n * interval '30 minutes'
    from generate_series(1, ${count}::int) n`;
}

/** Each through an event type that has the id of its owner. */
function ofOthers({ newest }: BusyHost, ids: readonly string[]): RawBuilder<unknown> {
  return sql`
    select n + 2000000, id, id, 'ACCEPTED', array[id], ${ATTENDEES.even}::text,
      ${newest.toString()}::timestamptz - n * interval '1 day'
    from unnest(${ids}::uuid[]) id cross join generate_series(1, 10) n`;
}

// It was made up to a month before its start, and changed up to two months later.
const CREATED = sql`starts_at - (n::bigint * 7919 % 43200) * interval '1 minute'`;
const UPDATED = sql`${CREATED} + (n::bigint * 104729 % 86400) * interval '1 minute'`;

/** SQL: a UUID of version 7 of the time at which the booking was made, as the code makes them. */
const BOOKING_ID = sql`(lpad(to_hex(floor(extract(epoch from ${CREATED}) * 1000)::bigint), 12, '0') || '7000b000'
  || right(md5(owner_id::text), 5) || lpad(to_hex(n), 7, '0'))::uuid`;

/** Each booking in all its tables. */
async function store(em: Em): Promise<void> {
  const end = sql`starts_at + interval '30 minutes'`;
  const isTeams = sql`get_byte(uuid_send(owner_id), 15) % 2 = 1`;
  const teamId = sql`case when ${isTeams} then owner_id end`;
  await rows(
    em,
    sql`insert into bookings (owner_id, id, user_id, team_id, event_type_id, title, status, starts_at, ends_at, host_ids,
          guest_emails, metadata, ics_id, created_at, updated_at)
        select owner_id, ${BOOKING_ID}, case when not ${isTeams} then owner_id end, ${teamId}, event_type_id, 'Talk', status,
          starts_at, ${end}, host_ids, '{}', '{}', ${BOOKING_ID}, ${CREATED}, ${UPDATED} from filled`,
  );
  await rows(
    em,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
        select unnest(host_ids), ${BOOKING_ID}, owner_id, ${teamId}, event_type_id, status, starts_at, ${end}, false, ${UPDATED} from filled`,
  );
  await rows(
    em,
    sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, time_zone,
          responses, absent)
        select owner_id, ${BOOKING_ID}, ${BOOKING_ID}, starts_at, 'N', email, 'UTC', '{}', false from filled`,
  );
  await rows(
    em,
    sql`insert into occupied_times (host_id, holder_id, team_id, during)
        select unnest(host_ids), ${BOOKING_ID}, ${teamId}, tstzrange(starts_at, ${end}) from filled
        where status in ('PENDING', 'ACCEPTED')`,
  );
}
