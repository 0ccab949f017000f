/** Every booking sends these statements, so they are templates: the builder takes ten times as long to write one. */
import { userOrTeam } from '../../../core/id.ts';
import { instantText } from '../../../core/instant.ts';
import { changed, type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import { TableSweep } from '../../../database/sweep.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { OccupiedTime } from './occupied-time.entity.ts';

/**
 * The hosts whose time is taken, the booking or reservation that takes it, and the time: buffers included, in epoch
 * milliseconds.
 */
export interface Occupation extends Interval {
  readonly hostIds: readonly string[];
  /** The id of the booking, or of the reservation. */
  readonly holderId: string;
  /** The owner of the booking, whose rows they stand with. */
  readonly ownerId: string;
  /** For a reservation; a booking holds its time until it is released. */
  readonly expiresInSeconds?: number | null;
}

/**
 * The one way in which time of hosts is taken; commands that take several times lock the hosts first (`lockHosts`). False when
 * some of it is taken already: the exclusion constraint has decided, and the caller's transaction must be rolled back,
 * since other hosts' rows may have been written.
 */
export async function occupy(em: Em, occupation: Occupation): Promise<boolean> {
  const { hostIds } = occupation;
  const taken = await take(em, occupation);
  if (taken === hostIds.length) return true;
  return (await removeExpired(em, occupation)) > 0 && taken + (await take(em, occupation)) === hostIds.length;
}

/** A time of one host. */
interface OneOccupation extends Interval, Pick<Occupation, 'holderId' | 'ownerId'> {
  readonly hostId: string;
}

/** Occupies many times, each for one host, by one statement. No two of them may overlap for one host. */
export async function occupyEach(em: Em, times: readonly OneOccupation[]): Promise<boolean> {
  if (times.length === 0) return true;
  const taken = await takeEach(em, times);
  if (taken === times.length) return true;
  return (await removeExpiredOf(em, times)) > 0 && taken + (await takeEach(em, times)) === times.length;
}

/** A reservation that is over stands in the way until it is removed; the same clock decided that it is over. */
export function removeExpired(em: Em, { hostIds, ...time }: Occupation): Promise<number> {
  return changed(
    em,
    // Passing over what somebody else removes just now, so that no two of them wait for each other.
    sql`delete from occupied_times where (host_id, holder_id) in (
          select host_id, holder_id from occupied_times
          where host_id = any(${hostIds}::uuid[]) and during && ${rangeOf(time)} and expires_at <= now()
          for update skip locked)`,
  );
}

function removeExpiredOf(em: Em, times: readonly OneOccupation[]): Promise<number> {
  return changed(
    em,
    sql`delete from occupied_times where (host_id, holder_id) in (
          select t.host_id, t.holder_id from ${timesOf(times)}
          join occupied_times t on t.host_id = wanted.host_id and t.during && wanted.during
          where t.expires_at <= now() for update of t skip locked)`,
  );
}

function takeEach(em: Em, times: readonly OneOccupation[]): Promise<number> {
  return changed(
    em,
    sql`insert into occupied_times (host_id, holder_id, during, team_id)
        select host_id, holder_id, during, team_id from ${timesOf(times)}
        on conflict do nothing`,
  );
}

/** SQL, for `from`. */
function timesOf(times: readonly OneOccupation[]): RawBuilder<unknown> {
  return sql`(
    select host_id, holder_id, team_id, tstzrange(starts_at, ends_at) as during
    from unnest(${times.map(({ hostId }) => hostId)}::uuid[], ${times.map(({ holderId }) => holderId)}::uuid[],
      ${times.map(({ ownerId }) => userOrTeam(ownerId).teamId)}::uuid[],
      ${times.map(({ start }) => instantText(start))}::timestamptz[],
      ${times.map(({ end }) => instantText(end))}::timestamptz[]) as one (host_id, holder_id, team_id, starts_at, ends_at)
  ) wanted`;
}

/** Takes the time of those hosts who are free and whose time this does not hold yet. @returns how many */
function take(em: Em, occupation: Occupation): Promise<number> {
  const { hostIds } = occupation;
  return changed(em, taking(occupation, sql`unnest(${hostIds}::uuid[]) as host(host_id)`));
}

/**
 * SQL: takes the time of those of `hosts`, a row `host_id` each, who are free. "do nothing" and not an error: PostgreSQL then waits for
 * a rival without the two of them waiting for each other.
 */
export function taking(
  { holderId, ownerId, expiresInSeconds = null, ...time }: Occupation,
  hosts: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into occupied_times (host_id, holder_id, during, team_id, expires_at)
    select host_id, ${holderId}::uuid, ${rangeOf(time)}, ${userOrTeam(ownerId).teamId}::uuid,
      now() + make_interval(secs => ${expiresInSeconds}::int)
    from ${hosts}
    on conflict do nothing`;
}

function rangeOf({ start, end }: Interval): RawBuilder<unknown> {
  return sql`tstzrange(${instantText(start)}::timestamptz, ${instantText(end)}::timestamptz)`;
}

/** Gives back whatever a booking or a reservation holds of these hosts' time. */
export async function release(em: Em, hostIds: readonly string[], holderId: string): Promise<void> {
  await changed(
    em,
    sql`delete from occupied_times where host_id = any(${hostIds}::uuid[]) and holder_id = ${holderId}`,
  );
}

/** Deletes what bookings have taken of their hosts' time once that is over for a day: nobody books the past. */
export class PastTimeSweep extends TableSweep {
  constructor() {
    super(OccupiedTime, sql<boolean>`upper(during) < now() - interval '1 day'`);
  }
}
