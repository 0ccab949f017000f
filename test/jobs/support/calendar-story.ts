import { newId } from '../../../src/core/id.ts';
import type { Em } from '../../../src/database/sql.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import type { BookingKey } from '../../../src/modules/bookings/booking-key.rules.ts';
import type { BookingRequest } from '../../../src/modules/bookings/booking-request.rules.ts';
import { cancelBooking } from '../../../src/modules/bookings/change/cancel-booking.ts';
import { rescheduleBooking } from '../../../src/modules/bookings/change/reschedule-booking.ts';
import type { BookableEventType } from '../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import {
  book,
  type EventTypeChanges,
  eventTypeOf,
  newHosts,
  slotOn,
} from '../../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { calendarTextsIn, MailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { Radicale } from '../../support/radicale.ts';
import { kindsWith, namedHosts, receiverOf } from './booking-mails.ts';
import { KeptCalendar, type KeptEvent } from './kept-calendar.ts';

export const GRACE = {
  name: 'Grace',
  email: 'grace@example.test',
  timeZone: 'America/New_York',
  locale: 'en',
  phone: null,
};
const READERS = ['ada', 'bob', 'grace', 'guest', 'lin'] as const;
export type Reader = (typeof READERS)[number];

const PLACE = { id: 'loc_1', label: null, type: 'ADDRESS', value: 'Main Street 1' } as const;
const MONDAY = slotOn(0, '09:00');

/** Nine o'clock, so many days after a Monday. */
export function onDay(day: number): Temporal.Instant {
  return MONDAY.add({ hours: 24 * day });
}

/** A service that mails, and the calendars of those who read the mails. */
export class CalendarWorld {
  readonly database: TestDatabase;
  readonly radicale: Radicale;
  readonly #mailServer: MailServer;
  readonly #runner: JobRunner;
  /** The booker is signed in, with a verified address. */
  readonly #graceId: string;

  private constructor(database: TestDatabase, radicale: Radicale, mailServer: MailServer, graceId: string) {
    this.database = database;
    this.radicale = radicale;
    this.#mailServer = mailServer;
    this.#graceId = graceId;
    this.#runner = new JobRunner(database.em, kindsWith(mailServer), { warn: console.warn, error: console.error });
  }

  static async open(): Promise<CalendarWorld> {
    const [database, radicale, mailServer] = await Promise.all([
      openTestDatabase(),
      Radicale.start(READERS),
      MailServer.open(),
    ]);
    const [graceId = ''] = await newHosts(database.em.fork(), 1);
    return new CalendarWorld(database, radicale, mailServer, graceId);
  }

  async close(): Promise<void> {
    await this.#runner.stop();
    await Promise.all([this.radicale.close(), this.#mailServer.close(), this.database.close()]);
  }

  em(): Em {
    return this.database.em.fork();
  }

  /** The mails of what has happened since the last time. */
  async mails(): Promise<readonly ReceivedMail[]> {
    await this.#runner.settled();
    return this.#mailServer.mails.splice(0);
  }

  newCalendar(reader: Reader): Promise<KeptCalendar> {
    return KeptCalendar.make(this.radicale, reader, newId());
  }

  /** An event type of Ada and others, with a place. With round robin, she goes first. */
  async story(changes: EventTypeChanges, ...others: string[]): Promise<Story> {
    const hostIds = await namedHosts(this.database.em, 'Ada', ...others);
    const eventType = eventTypeOf(hostIds, { locations: [PLACE], ...changes });
    const hosts = eventType.hosts.map((host, index) => ({ ...host, priority: hostIds.length - index }));
    return new Story(this, { ...eventType, hosts }, hostIds, this.#graceId);
  }
}

/** Bookings of an event type, with what becomes of them and of the calendars of all who are mailed. */
export class Story {
  readonly eventType: BookableEventType;
  readonly hostIds: readonly string[];
  /** The key of each booking, as it is now. */
  readonly keys: BookingKey[] = [];
  /** The mails that were delivered last. */
  mails: readonly ReceivedMail[] = [];
  readonly #world: CalendarWorld;
  readonly #bookerId: string;
  readonly #calendars = new Map<Reader, KeptCalendar>();

  constructor(world: CalendarWorld, eventType: BookableEventType, hostIds: readonly string[], bookerId: string) {
    this.#world = world;
    this.eventType = eventType;
    this.hostIds = hostIds;
    this.#bookerId = bookerId;
  }

  /** The first booking, for Ada. */
  get hosted() {
    const [{ ownerId, id } = { ownerId: '', id: '' }] = this.keys;
    return { ownerId, id, hostId: this.hostIds[0] ?? '', network: 'unknown' };
  }

  /** By Grace with a guest, unless somebody else is said. */
  async book(changes: Partial<BookingRequest> = {}): Promise<void> {
    const request = { attendee: GRACE, guests: ['guest@example.test'], ...changes };
    const { keys } = await book(this.#world.em(), this.eventType, onDay(0), request, this.#bookerId);
    this.keys.push(...keys);
  }

  async move(which: number, start: Temporal.Instant): Promise<void> {
    const key = this.keys[which];
    if (!key) throw new Error(`There is no booking ${which}.`);
    const asked = { start, durationInMinutes: null, reason: null, reservationId: null, callerId: null };
    this.keys[which] = await rescheduleBooking(this.#world.em(), this.eventType, { key, ...asked });
  }

  /** By Ada. */
  async cancel(which: number): Promise<void> {
    const cancellation = { key: this.keys[which] ?? this.hosted, reason: 'I am ill.', callerId: this.hosted.hostId };
    await cancelBooking(this.#world.em(), this.eventType.rules, cancellation);
  }

  /** Everybody's calendar takes what came with the mails since the last time. */
  async deliver(): Promise<void> {
    this.mails = await this.#world.mails();
    const readers = new Set(this.mails.map((mail) => receiverOf(mail) as Reader));
    await Promise.all(
      [...readers].map(async (reader) => {
        const calendar = await this.calendarOf(reader);
        for (const file of this.filesFor(reader)) await calendar.take(file);
      }),
    );
  }

  /** The calendar files that came with what was delivered last. */
  filesFor(reader: Reader): string[] {
    return this.mails.filter((mail) => receiverOf(mail) === reader).flatMap(({ email }) => calendarTextsIn(email));
  }

  async calendarOf(reader: Reader): Promise<KeptCalendar> {
    const calendar = this.#calendars.get(reader) ?? (await this.#world.newCalendar(reader));
    this.#calendars.set(reader, calendar);
    return calendar;
  }

  /** The contents of everybody's calendar. */
  async shown(): Promise<Partial<Record<Reader, string[]>>> {
    const all = [...this.#calendars].map(async ([reader, calendar]) => [
      reader,
      (await calendar.events()).map(asShown),
    ]);
    return Object.fromEntries(await Promise.all(all));
  }
}

/** `0 CONFIRMED Talk, Ada, Main Street 1`: on which day, and who organizes it. */
export function asShown({ start, status, summary, organizer, location }: KeptEvent): string {
  const day = Temporal.Instant.from(start).since(MONDAY).total('hours') / 24;
  const [host = ''] = organizer.split(' <');
  return [`${day} ${status} ${summary}`, host, ...(location ? [location] : [])].join(', ');
}
