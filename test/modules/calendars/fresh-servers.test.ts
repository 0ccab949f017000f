/** A real CalDAV server is asked before a booking: what is entered there a moment before is in the way. */
import process from 'node:process';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Background } from '../../../src/core/background.ts';
import { newId } from '../../../src/core/id.ts';
import { apartFromCaller } from '../../../src/database/deadline.ts';
import { type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { calendarReadingsKind } from '../../../src/jobs/kinds/calendar-readings.job.ts';
import { ServerTurns } from '../../../src/limits/server-turns.ts';
import { listSlots } from '../../../src/modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import type { CalendarAccounts } from '../../../src/modules/calendars/connections/calendar-accounts.ts';
import { connectCalendars } from '../../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { CALDAV_LIMITS, CalDav } from '../../../src/modules/calendars/connections/servers/caldav.ts';
import { FreshCalendars } from '../../../src/modules/calendars/fresh-calendars.ts';
import { icsUid } from '../../../src/modules/calendars/ics-uid.rules.ts';
import { connect, type Database } from '../../../src/persistence/connect.ts';
import { aRunner } from '../../jobs/support/jobs.ts';
import { testDoor } from '../../jobs/support/webhooks.ts';
import { testCalendarAccounts } from '../../support/calendar-accounts.ts';
import { compact } from '../../support/calendar-services.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { TEST_FEEDS } from '../../support/feeds.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { paced } from '../../support/pace.ts';
import { hasRadicale, PASSWORD, Radicale } from '../../support/radicale.ts';
import { randomFrom } from '../../support/random-documents.ts';
import { postgresSettings } from '../../support/settings.ts';
import { hasXandikos, Xandikos } from '../../support/xandikos.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../bookings/support/booked-hosts.ts';

const ACCOUNT = 'ada@icloud.test';
const [NINE, HALF_PAST, TEN] = [slotOn(0, '09:00'), slotOn(0, '09:30'), slotOn(0, '10:00')];

const HISTORIES = Number(process.env['FRESH_HISTORIES'] ?? 6);
const FIRST_SEED = Number(process.env['FRESH_SEED'] ?? 1);

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

function onError(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}

/** A server of somebody else's, as its user sees it. */
interface RealServer {
  readonly url: string;
  makeCalendar(name: string): Promise<string>;
  putEvent(calendar: string, uid: string, lines: readonly string[]): Promise<void>;
  remove(url: string): Promise<unknown>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

async function startRadicale(): Promise<RealServer> {
  const radicale = await Radicale.start([ACCOUNT]);
  return {
    url: radicale.url,
    makeCalendar: (name) => radicale.makeCalendar(ACCOUNT, name),
    putEvent: (calendar, uid, lines) => radicale.putEvent(ACCOUNT, calendar, uid, lines),
    remove: (url) => radicale.request('DELETE', ACCOUNT, url),
    stop: () => radicale.stop(),
    close: () => radicale.close(),
  };
}

async function startXandikos(): Promise<RealServer> {
  const xandikos = await Xandikos.start();
  return {
    url: xandikos.url,
    makeCalendar: (name) => xandikos.makeCalendar(name),
    putEvent: (calendar, uid, lines) => xandikos.putEvent(calendar, uid, lines),
    remove: (url) => xandikos.request('DELETE', url),
    stop: () => xandikos.close(),
    close: async () => undefined,
  };
}

async function look(by: Database, talk: BookableEventType): Promise<readonly Temporal.Instant[]> {
  const range = {
    start: NINE,
    end: NINE.add({ hours: 4 }),
    timeZone: 'UTC',
    durationInMinutes: null,
    rescheduled: null,
  };
  const slots = await listSlots(by.em.fork(), talk, range);
  return slots.map((slot) => Temporal.Instant.fromEpochMilliseconds(slot.start));
}

describe.each([
  ['Radicale', hasRadicale, startRadicale],
  ['Xandikos', hasXandikos, startXandikos],
] as const)('%s (skipped where it is not installed)', (_, isThere, start) => {
  describe.runIf(isThere)('asked before a booking', () => {
    const door = testDoor(8_000);
    let server: RealServer;
    let database: TestDatabase;
    let processes: readonly Database[];
    let accounts: CalendarAccounts;
    let em: () => Em;
    let calendar: string;
    let hostId: string;
    beforeAll(async () => {
      [database, server] = await Promise.all([openTestDatabase(), start()]);
      em = () => database.em.fork();
      accounts = testCalendarAccounts(new CalDav(server.url, door.fetchOf('CALDAV', CALDAV_LIMITS)));
      const another =
        database.url === undefined ? undefined : await connect(postgresSettings(database.url, nameIn(database.url)));
      processes = another ? [database, another] : [database];
      for (const one of processes) serve(one);
    });
    const background = new Background(onError, apartFromCaller);
    /** As a process that knows nothing yet. */
    function serve(on: Database): void {
      const hosts = new ServerTurns().ofVisitors;
      new FreshCalendars({
        em: on.em,
        feeds: TEST_FEEDS,
        calendarAccounts: accounts,
        hosts,
        background,
        onError,
      }).serve();
    }
    afterAll(async () => {
      await Promise.all([processes[1]?.close(), server.close(), door.close()]);
      await database.close();
    });
    beforeEach(connectNew);

    /** A host, and a calendar of theirs with nothing in it. */
    async function connectNew(): Promise<void> {
      calendar = await server.makeCalendar(`Work-${newId()}`);
      [hostId = ''] = await newHosts(em(), 1);
      const opened = async (id: string) => ({
        credentials: await accounts.seal({ username: ACCOUNT, appPassword: PASSWORD }, { userId: hostId, id }),
        accessId: null,
      });
      const listed = [{ externalId: calendar, name: 'Work', isPrimary: true, isReadOnly: false }];
      await connectCalendars(em(), { userId: hostId, provider: 'APPLE', account: ACCOUNT, listed, opened });
    }

    const enters = (uid: string, start: Temporal.Instant) =>
      server.putEvent(calendar, uid, [`DTSTART:${compact(start.toString())}`, 'DURATION:PT30M']);
    const removes = (uid: string) => server.remove(`${calendar}${uid}.ics`);
    const letAge = (seconds = 3) =>
      row(
        em(),
        sql`update connected_calendars set asked_at = asked_at - make_interval(secs => ${seconds}),
              answered_at = answered_at - make_interval(secs => ${seconds}), read_at = read_at - make_interval(secs => ${seconds}) where user_id = ${hostId} returning id`,
      );
    const booking = (start: Temporal.Instant) => outcomeOf(book(em(), eventTypeOf([hostId]), start));

    test('has a meeting that was entered, moved and removed just before', async () => {
      await enters('x', NINE);
      expect(await booking(NINE)).toBe('SLOT_TAKEN');
      await enters('x', TEN);
      await letAge();
      // A calendar is not asked about a time that is known to be taken; the booking beside it finds out.
      expect(await booking(HALF_PAST)).toBe('done');
      expect(await booking(TEN)).toBe('SLOT_TAKEN');
      expect(await booking(NINE)).toBe('done');
      await removes('x');
      await letAge();
      expect(await booking(slotOn(0, '11:00'))).toBe('done');
      expect(await booking(TEN)).toBe('done');
    });

    test('has the entry of a booking, which is not in its own way', async () => {
      const { key } = await book(em(), eventTypeOf([hostId]), NINE);
      const found = await row(
        em(),
        sql<{ icsId: string }>`select ics_id as "icsId" from bookings where id = ${key.id}`,
      );
      await enters(icsUid(found?.icsId ?? ''), NINE);
      await letAge();
      expect(await booking(HALF_PAST)).toBe('done');
      expect(await row(em(), sql`select 1 from busy_periods where user_id = ${hostId}`)).toBeDefined();
    });

    /**
     * A calendar changes as its user likes: meetings are entered, moved and removed, and somebody books five seconds later, or looks at
     * the slots within a minute.
     */
    async function playHistory(seed: number, settled: () => Promise<void>): Promise<readonly string[]> {
      const random = randomFrom(seed);
      const talk = eventTypeOf([hostId]);
      const all = Array.from({ length: 8 }, (_unused, n) => NINE.add({ minutes: 30 * n }));
      const starts = [...all];
      const meetings = new Map<string, Temporal.Instant>();
      const outcomes: string[] = [];
      const booked = new Set<string>();
      const everTaken = new Set<string>();
      const said: string[] = [];
      const fail = (why: string): never => {
        throw new Error(`Seed ${seed}: ${why}\n${said.join('\n')}`);
      };
      const isMeeting = (at: Temporal.Instant) => [...meetings.values()].some((one) => one.equals(at));
      for (let step = 0; step < 6; step += 1) {
        const [start = NINE] = starts.splice(Math.floor(random() * starts.length), 1);
        const uid = `meeting-${Math.floor(random() * 3)}`;
        const isRemoved = random() < 0.25 && meetings.has(uid);
        const at = random() < 0.6 ? start : NINE.add({ minutes: 30 * Math.floor(random() * 8) });
        if (isRemoved) await removes(uid);
        else await enters(uid, at);
        if (isRemoved) meetings.delete(uid);
        else meetings.set(uid, at);
        if (!isRemoved) everTaken.add(at.toString());
        const change = `${isRemoved ? 'remove' : 'enter'} ${uid} ${at.toString()}`;
        const by = processes[Math.floor(random() * processes.length)] ?? database;
        if (random() < 0.3) {
          // As half a minute later: who looks has it read, and sees it at the next look.
          await letAge(31);
          serve(by);
          await look(by, talk);
          await background.settled();
          await settled();
          const shown = await look(by, talk);
          said.push(`${change}; look: ${shown.map((one) => one.toString()).join(' ')}`);
          const free = all.filter((one) => !isMeeting(one) && !booked.has(one.toString()));
          if (shown.join() !== free.join()) fail(`the slots are not those that are free: ${free.join(' ')}`);
          outcomes.push('looked');
          continue;
        }
        // As five seconds later, in which nobody has asked.
        await letAge(5);
        const outcome = await outcomeOf(book(by.em.fork(), talk, start));
        said.push(`${change}; book ${start.toString()}: ${outcome}`);
        if (isMeeting(start) && outcome === 'done') fail('booked over a meeting.');
        const isExpected = outcome === 'done' || (outcome === 'SLOT_TAKEN' && everTaken.has(start.toString()));
        if (!isExpected) fail('a free time is refused.');
        if (outcome === 'done') booked.add(start.toString());
        outcomes.push(outcome);
      }
      return outcomes;
    }

    test(
      `changes at random before somebody books or looks: no booking is over a meeting, and who looks again sees it (${HISTORIES} histories)`,
      async () => {
        const { runner } = aRunner(database.em, calendarReadingsKind({ calendarAccounts: accounts }));
        const outcomes = new Set<string>();
        for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
          await connectNew();
          for (const outcome of await playHistory(seed, () => runner.settled())) outcomes.add(outcome);
          await rows(em(), sql`delete from jobs.job`);
        }
        expect(outcomes).toEqual(new Set(['done', 'SLOT_TAKEN', 'looked']));
      },
      paced(HISTORIES * 5_000),
    );

    test.runIf(isOnPostgres)('is asked once for fifty who book at two processes at the same moment', async () => {
      await enters('x', TEN);
      const asked = vi.spyOn(CalDav.prototype, 'read');
      const talk = eventTypeOf([hostId]);
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          outcomeOf(book((processes[n % 2] ?? database).em.fork(), talk, n % 4 < 2 ? TEN : HALF_PAST)),
        ),
      );
      expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
      expect(asked).toHaveBeenCalledTimes(1);
      vi.restoreAllMocks();
    });

    test.runIf(isOnPostgres)('is asked once for fifty who have their calendars read at the same moment', async () => {
      await enters('x', TEN);
      const asked = vi.spyOn(CalDav.prototype, 'read');
      const readNow = async (n: number) => FreshCalendars.of((processes[n % 2] ?? database).em)?.readNow(hostId);
      await Promise.all(Array.from({ length: 50 }, (_, n) => readNow(n)));
      expect(asked).toHaveBeenCalledTimes(1);
      const read = sql<{
        isRead: boolean;
      }>`select read_at is not null as "isRead" from connected_calendars where user_id = ${hostId}`;
      expect(await row(em(), read)).toEqual({ isRead: true });
      expect(await row(em(), sql`select 1 from busy_periods where user_id = ${hostId}`)).toBeDefined();
      // Its answer counts as new for some seconds, and then it is asked again.
      await readNow(0);
      expect(asked).toHaveBeenCalledTimes(1);
      await letAge(6);
      await readNow(0);
      expect(asked).toHaveBeenCalledTimes(2);
      vi.restoreAllMocks();
    });

    test('is gone, which holds a booking up for two seconds at most, and its user is told', async () => {
      await server.stop();
      const beganAt = performance.now();
      expect(await booking(NINE)).toBe('done');
      expect(performance.now() - beganAt).toBeLessThan(paced(3_000));
      const told = sql<{
        type: string;
      }>`select type from domain_events where owner_id = ${hostId} and type like '%SILENT'`;
      expect(await row(em(), told)).toEqual({ type: 'CALENDAR_SILENT' });
    });
  });
});
