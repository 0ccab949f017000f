/**
 * Before somebody's time is taken, their calendars are asked, wherever they are kept, so that what decides is fresh. Each act goes
 * the same way: booking, a series, confirming, moving, reassigning.
 *
 * 1. What decides about the hosts names their calendars, and how old the answers are (`CALENDARS_OF_USER`), in the same statement.
 * 2. Once the act could be carried out, it says whose time it takes (`Asking.requireFresh`). Where an answer is older than two
 *    seconds, that ends the act, with all that it holds: its turn, its transaction, its locks.
 * 3. The calendars are asked side by side (`FreshCalendars.ask`), and what they say is stored as whenever they are read.
 * 4. The act is decided anew: what was taken is found as all else that closes a slot, and a round robin chooses somebody else.
 *
 * What does not answer in time is decided by what it said last, and its user is told. A question ends with the wait of the last one who
 * waits for it, and the background goes on with it. Visitors can have nobody asked more often than every two seconds, since the
 * database gives one of all processes the turn, and no more than eight calendars by an attempt.
 *
 * While somebody only looks at slots, what is older than thirty seconds is read again by a job (`lookedAt`).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Background } from '../../core/background.ts';
import type { OwnedId } from '../../core/id.ts';
import { inTime } from '../../core/in-time.ts';
import { apartFromCaller } from '../../database/deadline.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { announcing, recordEvents, recording } from '../../events/record-event.ts';
import type { Turns } from '../../limits/owner-turns.ts';
import type { Interval } from '../schedules/interval.rules.ts';
import { type BusyCalendar, type CpuLeft, FRESH_SECONDS, timeAskedFor, timeToKnowOf } from './busy-calendar.rules.ts';
import type { CalendarAccounts } from './connections/calendar-accounts.ts';
import { askCalendar } from './connections/read-calendar.ts';
import type { FeedSettings } from './feeds/feed-reader.ts';
import { askFeed } from './feeds/reread-feed.ts';
import { ageOfAnswer, isToBeAsked, type Reason, rangeOf } from './next-reading.ts';

const TIMEOUT_IN_MS = 2_000;
const MOST_QUESTIONS = 8;
/** For all that an attempt asks: what each question takes by itself, and what is left for reading answers. */
const CPU_MS = 20;
const CPU_MS_A_QUESTION = 1.5;
const LOOK_EVERY_MS = 100;
/** For somebody who has their own calendars read, and waits for a page. */
const WANTED_TIMEOUT_IN_MS = 6_000;
const MOST_WANTED = 50;

const LOOKED_AT = {
  CALENDAR: (calendarId: string) => ({ type: 'CALENDAR_LOOKED_AT', calendarId }) as const,
  FEED: (feedId: string) => ({ type: 'ICS_FEED_LOOKED_AT', feedId }) as const,
};

/** Somebody whose time is to be taken. */
interface HostToAsk {
  readonly userId: string;
  /** Null or left out where the host has none. */
  readonly calendars?: readonly BusyCalendar[] | null;
}

interface Source extends OwnedId {
  readonly kind: BusyCalendar['kind'];
}

const milliseconds = (instant: RawBuilder<unknown>) => sql`round(date_part('epoch', ${instant}) * 1000)`;

/** SQL: the calendars of the user `u`, as JSON; null where there are none. */
export const CALENDARS_OF_USER: RawBuilder<readonly BusyCalendar[] | null> = sql`(
  select json_agg(json_build_object('kind', s.kind, 'id', s.id, 'age', s.age,
    'from', ${milliseconds(sql`lower(s.asked_during)`)}, 'to', ${milliseconds(sql`upper(s.asked_during)`)})) from (
    select 'CALENDAR' as kind, c.id, ${ageOfAnswer('c')} as age, c.asked_during
    from connected_calendars c where c.user_id = u.id and c.selected
    union all select 'FEED', f.id, ${ageOfAnswer('f')}, f.asked_during from ics_feeds f where f.user_id = u.id
  ) s)`;

/** Calendars are to be asked before the act can be decided. All that it has done is to be rolled back. */
class CalendarsToAsk extends Error {
  override readonly name = 'CalendarsToAsk';
  readonly sources: readonly Source[];
  readonly need: Interval;

  constructor(sources: readonly Source[], need: Interval) {
    super();
    this.sources = sources;
    this.need = need;
  }
}

/** One attempt to take time of hosts', with the calendars that it has asked. */
export class Asking {
  readonly #canAsk: boolean;
  readonly #asked = new Set<string>();
  readonly #cpuLeft: CpuLeft = { milliseconds: CPU_MS };
  #leftInMs = TIMEOUT_IN_MS;

  constructor(canAsk: boolean) {
    this.#canAsk = canAsk;
  }

  /** Before this time of theirs is taken. @throws CalendarsToAsk where one of their calendars has said nothing new about it */
  requireFresh(hosts: readonly HostToAsk[], time: Interval): void {
    if (!this.#canAsk || this.#leftInMs <= 0) return;
    const need = timeToKnowOf(time);
    const old = hosts.flatMap(({ userId: ownerId, calendars }) =>
      (calendars ?? []).flatMap(({ kind, id, age, from, to }) =>
        this.#asked.has(id) || (age !== null && age < FRESH_SECONDS.BOOKED * 1_000 && isWithin(need, { from, to }))
          ? []
          : [{ kind, ownerId, id, age: age ?? Number.POSITIVE_INFINITY }],
      ),
    );
    // If there are too many, those are asked that have said nothing for longest.
    const next = old.toSorted((a, b) => (a.age < b.age ? 1 : -1)).slice(0, MOST_QUESTIONS - this.#asked.size);
    if (next.length > 0) throw new CalendarsToAsk(next, need);
  }

  async ask(fresh: FreshCalendars, { sources, need }: CalendarsToAsk): Promise<void> {
    const beganAt = performance.now();
    for (const { id } of sources) this.#asked.add(id);
    this.#cpuLeft.milliseconds -= sources.length * CPU_MS_A_QUESTION;
    await fresh.ask(sources, { trigger: 'BOOKED', need, cpuLeft: this.#cpuLeft }, this.#leftInMs);
    this.#leftInMs -= performance.now() - beganAt;
  }
}

/** Tries an act, and decides it anew once the calendars have answered that it says are to be asked. Nothing is held meanwhile. */
export async function askingCalendars<Result>(em: Em, attempt: (asking: Asking) => Promise<Result>): Promise<Result> {
  const fresh = FreshCalendars.of(em);
  const asking = new Asking(fresh !== undefined);
  for (;;) {
    try {
      return await attempt(asking);
    } catch (error) {
      if (!(error instanceof CalendarsToAsk) || !fresh) throw error;
      await asking.ask(fresh, error);
    }
  }
}

interface FreshCalendarsSettings {
  /** The global EntityManager. */
  readonly em: Em;
  readonly feeds: FeedSettings;
  readonly calendarAccounts: CalendarAccounts;
  /** Turns of the servers that are asked. */
  readonly hosts: Turns;
  /** Runs what nobody waits for. */
  readonly background: Pick<Background, 'run'>;
  readonly onError: (error: unknown) => void;
}

type Connection = ReturnType<Em['getConnection']> & { freshCalendars?: FreshCalendars };

/** Asks calendars while somebody waits. */
export class FreshCalendars {
  readonly #settings: FreshCalendarsSettings;
  /** By calendar, the question that is on its way: whoever wants the same waits for it. */
  readonly #questions = new Map<string, Question>();
  /** Those that this process has had read again a moment ago. */
  readonly #lookedAt = new LRUCache<string, true>({ max: 10_000, ttl: FRESH_SECONDS.LOOKED_AT * 1_000 });

  constructor(settings: FreshCalendarsSettings) {
    this.#settings = settings;
  }

  /** That of a database: whatever takes time there asks by it, so that no act can forget it. Undefined: nobody is asked. */
  static of(em: Em): FreshCalendars | undefined {
    return (em.getConnection() as Connection).freshCalendars;
  }

  /** From now on, acts on the database ask. */
  serve(): this {
    (this.#settings.em.getConnection() as Connection).freshCalendars = this;
    return this;
  }

  /** Asks them side by side. Returns when all have answered, or the time is over; the users of those that did not are told. */
  async ask(sources: readonly Source[], reason: Reason, milliseconds: number): Promise<void> {
    await Promise.all(sources.map((source) => this.#askOne(source, reason, milliseconds)));
  }

  /** Somebody looks when these have time: what is old of their calendars is read again in the background. */
  lookedAt(hosts: readonly HostToAsk[]): void {
    const old = hosts.flatMap(({ userId: ownerId, calendars }) =>
      (calendars ?? []).flatMap(({ kind, id, age }) => {
        if (this.#lookedAt.has(id) || (age !== null && age < FRESH_SECONDS.LOOKED_AT * 1_000)) return [];
        return [{ ownerId, kind, id }];
      }),
    );
    if (old.length > 0) this.#readSoon(old);
  }

  /** Asks the calendars of somebody who wants that, and waits for their answers a while. */
  async readNow(userId: string): Promise<void> {
    const found = await row(
      this.#settings.em.fork(),
      sql<{ calendars: readonly BusyCalendar[] | null }>`
        select ${CALENDARS_OF_USER} as calendars from users u where u.id = ${userId}`,
    );
    const all = (found?.calendars ?? []).toSorted((a, b) => (b.age ?? 0) - (a.age ?? 0)).slice(0, MOST_WANTED);
    const sources = all.map(({ kind, id }) => ({ kind, ownerId: userId, id }));
    await Promise.all(sources.map((source) => this.#isHeard(source, { trigger: 'WANTED' }, WANTED_TIMEOUT_IN_MS)));
  }

  /** Reads whole calendars in the background. */
  #readSoon(sources: readonly Source[]): void {
    for (const { id } of sources) this.#lookedAt.set(id, true);
    const events = sources.map(({ ownerId, kind, id }) => ({ ownerId, event: LOOKED_AT[kind](id) }));
    this.#settings.background.run(() => recordEvents(this.#settings.em.fork(), events));
  }

  async #askOne(source: Source, reason: Reason, milliseconds: number): Promise<void> {
    if (await this.#isHeard(source, reason, milliseconds)) return;
    await apartFromCaller(() => notifyOfSilence(this.#settings.em.fork(), source));
  }

  /** Whether it has answered in time; the question goes on for those who wait longer. */
  #isHeard(source: Source, reason: Reason, milliseconds: number): Promise<boolean> {
    const until = performance.now() + milliseconds;
    return inTime(this.#heard(source, reason, until), milliseconds, () => new Error()).catch(() => false);
  }

  async #heard(source: Source, reason: Reason, until: number): Promise<boolean> {
    const need = reason.trigger === 'BOOKED' ? reason.need : undefined;
    for (;;) {
      const known = this.#questions.get(source.id);
      if (!known) break;
      if (isPartOf(need, known.during) && known.waiting.waitsUntil(until)) return known.answer;
      // oxlint-disable-next-line no-await-in-loop -- one question at a time; what it was about tells whether another one is needed
      await known.answer;
    }
    // One that nobody waits for any more has not begun.
    if (performance.now() >= until) return false;
    const waiting = new Waiting(until);
    const asked = { ...reason, signal: waiting.signal };
    const answer = apartFromCaller(() => this.#question(source, asked, waiting));
    this.#questions.set(source.id, { during: need && timeAskedFor(need), waiting, answer });
    return answer;
  }

  async #question(source: Source, reason: Reason, waiting: Waiting): Promise<boolean> {
    try {
      do {
        // oxlint-disable no-await-in-loop -- the same question again, where another process has asked about another time
        const answered = await this.#isAnswered(source, reason);
        const isAnswered = answered ?? (await this.#isAnsweredElsewhere(source, reason, waiting));
        // oxlint-enable no-await-in-loop
        if (isAnswered !== undefined) return isAnswered;
      } while (!waiting.isOver);
      return false;
    } catch (error) {
      this.#settings.onError(error);
      return false;
    } finally {
      waiting.end();
      this.#questions.delete(source.id);
    }
  }

  /** Undefined where it is not its turn: it has just been asked, or its server wants to be left alone. */
  async #isAnswered(source: Source, reason: Reason): Promise<boolean | undefined> {
    const { em, feeds, calendarAccounts, hosts } = this.#settings;
    const asked =
      source.kind === 'FEED'
        ? await askFeed(em.fork(), source, feeds, hosts, reason)
        : await askCalendar(em.fork(), source, calendarAccounts, hosts, reason);
    if (asked?.hasMore === true && !this.#lookedAt.has(source.id)) this.#readSoon([source]);
    return asked?.isAnswered;
  }

  /**
   * Another process has asked: its answer is waited for. Undefined where that is about another time, or nobody waits for it there any
   * more.
   */
  async #isAnsweredElsewhere(source: Source, reason: Reason, waiting: Waiting): Promise<boolean | undefined> {
    do {
      const found = await row(this.#settings.em.fork(), answerOf(source, reason));
      // One that is gone says nothing any more.
      if (!found) return true;
      if (found.isAnswered === true && !found.isAboutIt) return undefined;
      if (found.isAnswered !== null && !found.isLeft) return found.isAnswered;
      await pause(LOOK_EVERY_MS);
      if (found.isLeft) return undefined;
    } while (!waiting.isOver);
    return false;
  }
}

interface Question {
  /** The time that is asked about; undefined for all of it. */
  readonly during: Interval | undefined;
  readonly waiting: Waiting;
  readonly answer: Promise<boolean>;
}

/** Those who wait for an answer: the question ends when the last of them has stopped. */
class Waiting {
  readonly #ending = new AbortController();
  #until: number;
  #timer: NodeJS.Timeout | undefined;

  /** `until`: in the time of `performance.now()`. */
  constructor(until: number) {
    this.#until = until;
    this.#timer = setTimeout(() => this.#ring(), Math.max(0, until - performance.now()));
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Somebody waits too. @returns false where the question is over */
  waitsUntil(until: number): boolean {
    this.#until = Math.max(this.#until, until);
    return !this.isOver;
  }

  /** Ends the wait, as the question is answered. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #ring(): void {
    const left = this.#until - performance.now();
    if (left > 0) this.#timer = setTimeout(() => this.#ring(), left);
    else this.#ending.abort();
  }
}

/** Whether a range is part of another; undefined stands for all time. */
function isPartOf(part: Interval | undefined, whole: Interval | undefined): boolean {
  return whole === undefined || (part !== undefined && whole.start <= part.start && part.end <= whole.end);
}

function isWithin({ start, end }: Interval, { from, to }: Pick<BusyCalendar, 'from' | 'to'>): boolean {
  return (from === null || from <= start) && (to === null || end <= to);
}

/**
 * SQL: whether it has answered, and anything that counts as new; null while that is waited for. `isLeft`: whoever asked has stopped
 * waiting, and it can be asked by somebody else.
 */
function answerOf({ kind, ownerId, id }: Source, reason: Reason) {
  const table = sql.table(kind === 'FEED' ? 'ics_feeds' : 'connected_calendars');
  const age = ageOfAnswer('s');
  const isAboutIt =
    reason.trigger === 'BOOKED'
      ? sql`coalesce(s.asked_during @> ${rangeOf(reason.need)}, true)`
      : sql`s.asked_during is null`;
  return sql<{ isAnswered: boolean | null; isAboutIt: boolean; isLeft: boolean }>`
    select ${isAboutIt} as "isAboutIt", s.asked_at is null and ${isToBeAsked('s', reason)} as "isLeft", case when ${age} is not null or s.asked_at is null
      then s.error is null and coalesce(${age} < ${FRESH_SECONDS.BOOKED * 2_000}, false) end as "isAnswered"
    from ${table} s where s.user_id = ${ownerId} and s.id = ${id} and ${kind === 'FEED' ? sql`true` : sql`s.selected`}`;
}

/**
 * Notifies a user that a calendar of theirs did not answer while somebody was about to take their time; what the calendar had said last
 * decided instead. However many callers find that out, there is one event a day.
 */
async function notifyOfSilence(em: Em, { kind, ownerId, id }: Source): Promise<void> {
  const table = sql.table(kind === 'FEED' ? 'ics_feeds' : 'connected_calendars');
  const event =
    kind === 'FEED'
      ? ({ type: 'ICS_FEED_SILENT', feedId: id } as const)
      : ({ type: 'CALENDAR_SILENT', calendarId: id } as const);
  await rows(
    em,
    sql`with notified as (
          update ${table} s set silence_notified_at = now()
          where s.user_id = ${ownerId} and s.id = ${id} and coalesce(s.silence_notified_at < now() - interval '1 day', true)
          returning s.id
        ), recorded as (${recording(ownerId, event, sql`notified`)}) ${announcing(sql`notified`)}`,
  );
}
