/**
 * How time of hosts is taken. In this process, those who want it take turns by event type; in the database, a transaction locks its
 * owner or the event type, then the hosts, and a constraint decides. Whoever is too late all the same decides anew. Every booking
 * sends the statements at the end, so they are templates: the builder takes ten times as long to write one.
 */
import { isTeam, type OwnedId, userOrTeam } from '../../../core/id.ts';
import { instantText } from '../../../core/instant.ts';
import { Problem } from '../../../core/problem.ts';
import { changed, type Em, type RawBuilder, rows, sql } from '../../../database/sql.ts';
import { TableSweep } from '../../../database/sweep.ts';
import { type Asking, askingCalendars } from '../../calendars/fresh-calendars.ts';
import { eventTypeNotFound } from '../../event-types/event-type.queries.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { lockOwner } from '../../teams/lock-owner.ts';
import { OccupiedTime } from './occupied-time.entity.ts';

/** Somebody was faster between the decision and its execution. The transaction must be rolled back. */
export class SlotLost extends Error {
  override readonly name = 'SlotLost';
}

/** A slot cannot be had. The same request at the same moment would get the same answer. */
export class SlotClosed extends Problem {}

/** The purpose for which somebody wants to take time. */
export interface TimeWanted<Seen = unknown> {
  readonly eventType: OwnedId;
  /** For the message; null when it is not the caller who chooses the time. */
  readonly start: Temporal.Instant | null;
  /**
   * Whether more than free time decides, which a constraint of the database protects. Counts must not change before the
   * booking is stored, so bookings of this event type wait for each other.
   */
  readonly isCounted: boolean;
  /** All that decides whether the slot can be had, for `inTurn`; left out when no other caller can have sent the same request. */
  readonly question?: string;
  /** Looks whether it can be had, by reading alone. @throws SlotClosed, and what `asking` does */
  readonly look?: (em: Em, asking: Asking) => Promise<Seen>;
}

const ATTEMPTS = 5;

/**
 * Runs a transaction in turn, and decides anew when a slot was lost: with round robin another host may have time, with
 * seats the booking that was faster may have one, and otherwise the rules now know why not. Where nothing is counted, what
 * `look` has seen is carried out without a lock, and a caller who is too late has not even begun a transaction; otherwise `work`
 * decides under the lock of the event type. `atOnce` may first carry out what was seen by one statement, without a transaction;
 * undefined when that takes several. Whoever takes time of hosts' asks their calendars first, by `asking`: that
 * ends the turn, and another one follows. @throws Problem SLOT_TAKEN at last; NOT_FOUND when the owner is gone
 */
export function whileSlotIsLost<Result, Seen>(
  em: Em,
  { eventType, start, isCounted, question, look }: TimeWanted<Seen>,
  work: (inner: Em, seen: Seen | undefined, asking: Asking) => Promise<Result>,
  atOnce?: (seen: Seen) => Promise<Result> | undefined,
): Promise<Result> {
  const lock = (inner: Em): Promise<boolean> =>
    isCounted ? lockEventType(inner, eventType) : lockOwner(inner, eventType.ownerId);
  const attempt = (asking: Asking) => async (hasWaited: boolean) => {
    // A caller who has waited is probably too late, and finds that out without the lock.
    if (isCounted && hasWaited) await look?.(em, asking);
    for (let count = 0; count < ATTEMPTS; count += 1) {
      const seen = isCounted ? undefined : await look?.(em, asking);
      try {
        // A single statement mostly loses to a rival, which another look finds out without a transaction.
        const trying = count === 0 && seen !== undefined ? atOnce?.(seen) : undefined;
        if (trying) return await trying;
        return await em.transactional(async (inner) => {
          if (!(await lock(inner))) throw eventTypeNotFound(eventType);
          return work(inner, seen, asking);
        });
      } catch (error) {
        await afterLoss(em, error);
      }
    }
    throw start === null ? outpaced() : slotTaken(start);
  };
  const most = isCounted ? AT_ONCE.counted : AT_ONCE.free;
  return askingCalendars(em, (asking) => inTurn(eventType.id, question, most, attempt(asking)));
}

/** The same for a transaction about times of several event types, which decides anew as a whole. @throws Problem SLOT_TAKEN at last */
export async function whileTimesAreLost<Result>(em: Em, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      await afterLoss(em, error);
    }
  }
  throw outpaced();
}

/** Returns when it makes sense to try again. @throws whatever was no loss of a slot */
async function afterLoss(em: Em, error: unknown): Promise<void> {
  if (!(error instanceof SlotLost)) throw error;
  if (error instanceof HostLeaving) await removalsEnded(em, error.teamId, error.hostIds);
}

function outpaced(): Problem {
  return new Problem('SLOT_TAKEN', 'Others booked the slot first each time; try again.');
}

export function slotTaken(start: Temporal.Instant): Problem {
  return new Problem('SLOT_TAKEN', `The start ${start.toString()} is taken; choose another slot.`, ['start']);
}

/** Somebody who waits for their turn. */
interface Waiting {
  /** All that decides whether the request can succeed; undefined for callers who must be served one by one. */
  readonly question: string | undefined;
  begin(): void;
  refuse(refusal: SlotClosed): void;
}

/** The line of callers who book one event type in this process. */
interface Line {
  /** How many have the turn. */
  active: number;
  /** The callers who wait, in their order. */
  readonly waiting: Set<Waiting>;
}

/** Under a lock, one gets ready while another one has it; without, a few share the connections with everybody else. */
export const AT_ONCE = { counted: 2, free: 4 } as const;

/** The waiting calls by event type; an entry exists as long as somebody has the turn. */
const LINES = new Map<string, Line>();

/**
 * Lets those who book one event type in this process take turns, `most` of them at a time. The database would make them
 * wait for each other in any case, but there each would wait while it holds one of the few connections, and a storm on one
 * event type would leave none to anybody else.
 *
 * When a slot turns out to be closed, that is also the answer to all who were waiting with the same question when the
 * turn began, since it was found out after their requests had come.
 */
export async function inTurn<Result>(
  eventTypeId: string,
  question: string | undefined,
  most: number,
  work: (hasWaited: boolean) => Promise<Result>,
): Promise<Result> {
  const line = LINES.getOrInsertComputed(eventTypeId, () => ({ active: 0, waiting: new Set() }));
  const hasWaited = await turnIn(line, question, most);
  const alike = question === undefined ? [] : [...line.waiting].filter((other) => other.question === question);
  try {
    return await work(hasWaited);
  } catch (error) {
    if (error instanceof SlotClosed) for (const other of alike) if (line.waiting.delete(other)) other.refuse(error);
    throw error;
  } finally {
    passOn(eventTypeId, line);
  }
}

/** @returns whether others were first. @throws SlotClosed when somebody before has found out */
async function turnIn(line: Line, question: string | undefined, most: number): Promise<boolean> {
  if (line.active < most) {
    line.active += 1;
    return false;
  }
  const { promise, resolve: begin, reject: refuse } = Promise.withResolvers<void>();
  line.waiting.add({ question, begin, refuse });
  await promise;
  return true;
}

function passOn(eventTypeId: string, line: Line): void {
  const [next] = line.waiting;
  if (next) {
    line.waiting.delete(next);
    next.begin();
    return;
  }
  line.active -= 1;
  if (line.active === 0) LINES.delete(eventTypeId);
}

/**
 * Makes the transactions that book one event type wait for each other, so that they count its limits and begin its
 * seated bookings one after the other; false when the owner of the event type is gone. The first lock of every command
 * that takes time of hosts.
 */
export function lockEventType(em: Em, { ownerId, id }: OwnedId): Promise<boolean> {
  const lock = sql`pg_advisory_xact_lock(hashtextextended(${id}, 0))`;
  return lockOwner(em, ownerId, lock);
}

/** The same for several, whose owners are locked already. */
export function lockEventTypes(em: Em, ids: readonly string[]): Promise<void> {
  return lockInOrder(em, ids);
}

/**
 * Locks the times of several hosts before they are exchanged, as two bookings that take each other's place would each hold what
 * the other one wants. The locks are taken in the order of ids, so that two holders never wait for each other.
 */
export function lockHosts(em: Em, hostIds: readonly string[]): Promise<void> {
  return lockInOrder(em, hostIds);
}

async function lockInOrder(em: Em, ids: readonly string[]): Promise<void> {
  await rows(
    em,
    sql`select pg_advisory_xact_lock(hashtextextended(id::text, 0))
        from (select id from unnest(${ids}::uuid[]) as locked(id) group by id order by id) locked`,
  );
}

/**
 * SQL: those of a team's members whom nobody is removing, kept in it until the transaction ends. A command that gives a host a
 * booking of a team holds this lock: a removal, which deletes the membership first, so finds all bookings that there will
 * ever be. Members who are being removed are passed over, not waited for: a caller who holds other locks would deadlock.
 */
export function lockingMembers(
  teamId: string,
  hostIds: readonly string[],
  from: RawBuilder<unknown> = sql`(select) as always`,
): RawBuilder<unknown> {
  return sql`select m.user_id from ${from}, team_memberships m
    where m.team_id = ${teamId} and m.user_id = any(${hostIds}::uuid[]) and m.accepted
    for key share of m skip locked`;
}

/**
 * Keeps hosts what they are until the transaction ends, before they are given a booking of a team: see `lockingMembers`.
 * @throws HostLeaving
 */
export async function requireMembers(em: Em, ownerId: string, hostIds: readonly string[]): Promise<void> {
  if (!isTeam(ownerId)) return;
  const locked = await rows(em, lockingMembers(ownerId, hostIds));
  if (locked.length < hostIds.length) throw new HostLeaving(ownerId, hostIds);
}

/** Some of these hosts are being removed from the team, or were just now. Whether they stay is known once that has ended. */
class HostLeaving extends SlotLost {
  readonly teamId: string;
  readonly hostIds: readonly string[];

  constructor(teamId: string, hostIds: readonly string[]) {
    super();
    this.teamId = teamId;
    this.hostIds = hostIds;
  }
}

/** Waits until nobody is removing one of these members. It does so outside of transactions, so that nobody waits for the caller. */
async function removalsEnded(em: Em, teamId: string, hostIds: readonly string[]): Promise<void> {
  await rows(
    em,
    sql`select 1 from team_memberships m where m.team_id = ${teamId} and m.user_id = any(${hostIds}::uuid[]) for key share of m`,
  );
}

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
