/** The calendar files of mails and downloads, kept as calendar programs keep them, by a real CalDAV server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { changed } from '../../src/database/sql.ts';
import { updateTable } from '../../src/database/statements.ts';
import { DomainEvent } from '../../src/events/domain-event.entity.ts';
import { cancelSeries } from '../../src/modules/bookings/change/cancel-booking.ts';
import { confirmBooking, declineBooking } from '../../src/modules/bookings/change/confirm-booking.ts';
import { reassignBooking } from '../../src/modules/bookings/change/reassign-booking.ts';
import { requestReschedule } from '../../src/modules/bookings/change/reschedule-booking.ts';
import { updateLocation } from '../../src/modules/bookings/change/update-location.ts';
import { bookingIcsRoutes } from '../../src/screens/booked/booking-ics.ts';
import type { EventTypeChanges } from '../modules/bookings/support/booked-hosts.ts';
import { hasRadicale } from '../support/radicale.ts';
import { UIDS } from '../support/uids.ts';
import { receiverOf } from './support/booking-mails.ts';
import { asShown, CalendarWorld, GRACE, onDay, type Reader, type Story } from './support/calendar-story.ts';
import { eventsIn } from './support/kept-calendar.ts';

const LIN = { ...GRACE, name: 'Lin', email: 'lin@example.test' };
const BY_HAND = { rules: { confirmation: { type: 'ALWAYS' } } } as const;
const WEEKLY = { rules: { recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } } } as const;

type Status = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
/** The calendars of all who take part. A host sees the place also before it is agreed on, and after it is off. */
const everybody = (...events: readonly (readonly [day: number, status: Status])[]) => {
  const others = events.map(([day, status]) => {
    return `${day} ${status} Talk, Ada${status === 'CONFIRMED' ? ', Main Street 1' : ''}`;
  });
  const ada = events.map(([day, status]) => `${day} ${status} Talk with Grace, Ada, Main Street 1`);
  return { ada, grace: others, guest: others };
};

/** A change, and what everybody's calendar shows then. */
type Step = readonly [act: (story: Story) => Promise<unknown>, shows: Partial<Record<Reader, readonly string[]>>];
const booked = (story: Story) => story.book();
const toDay =
  (day: number, which = 0) =>
  (story: Story) =>
    story.move(which, onDay(day));

describe.runIf(hasRadicale)('calendars that take the files of mails (skipped where Radicale is not installed)', () => {
  let world: CalendarWorld;
  beforeAll(async () => {
    world = await CalendarWorld.open();
  });
  afterAll(() => world.close());

  test.each<[string, EventTypeChanges, readonly Step[]]>([
    [
      'is moved there and back, and cancelled',
      {},
      [
        [booked, everybody([0, 'CONFIRMED'])],
        [toDay(1), everybody([1, 'CONFIRMED'])],
        [toDay(0), everybody([0, 'CONFIRMED'])],
        [(story) => story.cancel(0), everybody([0, 'CANCELLED'])],
      ],
    ],
    [
      'is confirmed, wanted at another time, and gets it',
      BY_HAND,
      [
        [booked, everybody([0, 'TENTATIVE'])],
        [(story) => confirmBooking(world.em(), story.hosted), everybody([0, 'CONFIRMED'])],
        [(story) => requestReschedule(world.em(), story.hosted, null), everybody([0, 'CANCELLED'])],
        [toDay(1), everybody([1, 'TENTATIVE'])],
      ],
    ],
    [
      'is declined',
      BY_HAND,
      [
        [booked, everybody([0, 'TENTATIVE'])],
        [(story) => declineBooking(world.em(), story.hosted, null), everybody([0, 'CANCELLED'])],
      ],
    ],
    [
      'is one of a series, of which one is moved, one cancelled, and then all that remain',
      WEEKLY,
      [
        [booked, everybody([0, 'CONFIRMED'], [7, 'CONFIRMED'], [14, 'CONFIRMED'])],
        [toDay(8, 1), everybody([0, 'CONFIRMED'], [8, 'CONFIRMED'], [14, 'CONFIRMED'])],
        [(story) => story.cancel(2), everybody([0, 'CONFIRMED'], [8, 'CONFIRMED'], [14, 'CANCELLED'])],
        [
          (story) =>
            cancelSeries(world.em(), story.eventType.rules, { key: story.hosted, reason: null, callerId: null }),
          everybody([0, 'CANCELLED'], [8, 'CANCELLED'], [14, 'CANCELLED']),
        ],
      ],
    ],
  ])('show a booking that %s', async (_, changes, steps) => {
    const story = await world.story(changes);
    for (const [act, shows] of steps) {
      await act(story);
      await story.deliver();
      expect(await story.shown()).toEqual(shows);
    }
  });

  test('show a booking that gets another place, and another host', async () => {
    const story = await world.story({ rules: { schedulingType: 'ROUND_ROBIN' } }, 'Bob');
    await story.book({ guests: [] });
    await updateLocation(world.em(), story.hosted, [], { type: 'ADDRESS', address: 'Side Street 2' });
    await story.deliver();
    const [before, after] = ['Ada, Side Street 2', 'Bob, Side Street 2'];
    expect(await story.shown()).toEqual({
      ada: [`0 CONFIRMED Talk with Grace, ${before}`],
      grace: [`0 CONFIRMED Talk, ${before}`],
    });
    await reassignBooking(world.em(), story.eventType, story.hosted, null);
    await story.deliver();
    expect(await story.shown()).toEqual({
      ada: [`0 CANCELLED Talk with Grace, ${after}`],
      bob: [`0 CONFIRMED Talk with Grace, ${after}`],
      grace: [`0 CONFIRMED Talk, ${after}`],
    });
  });

  test('show each seat to its attendee, also where one moves alone', async () => {
    const story = await world.story({ rules: { seats: { perSlot: 3, showsAttendees: false } } });
    await story.book({ guests: [] });
    await story.book({ guests: [], attendee: LIN });
    // All events are of one second, to which calendars look (DTSTAMP): the later of several mails would take the place
    // of the first.
    const occurredAt = Temporal.Now.instant().toString({ smallestUnit: 'second' });
    await changed(world.em(), updateTable(DomainEvent).set({ occurredAt }));
    await story.deliver();
    await story.move(1, onDay(1));
    await story.deliver();
    expect(await story.shown()).toEqual({
      ada: ['0 CONFIRMED Talk with Grace, Ada, Main Street 1', '1 CONFIRMED Talk with Lin, Ada, Main Street 1'],
      grace: ['0 CONFIRMED Talk, Ada, Main Street 1'],
      lin: ['0 CANCELLED Talk, Ada', '1 CONFIRMED Talk, Ada, Main Street 1'],
    });
  });

  const WORDS = 'Ärger, "Fun"; C:\\new\nline 2: 🎉 ' + 'long'.repeat(40);

  test('have the words, people and answers where their owners look for them, and only what is theirs to know', async () => {
    const question = {
      slug: 'topic',
      type: 'TEXTAREA',
      label: 'topic',
      isRequired: false,
      options: [],
      placeholder: null,
    };
    const story = await world.story({
      title: 'Talk, "50%"; more',
      description: WORDS,
      bookingFields: [question] as never,
    });
    await story.book({ responses: { topic: WORDS }, notes: 'For the hosts.' });
    await story.deliver();
    for (const { email } of story.mails) {
      // A program reads the method from the part's header or from the object: both must say the same (RFC 6047 §2.4).
      const parts = email.attachments.filter(({ mimeType }) => mimeType === 'text/calendar');
      expect(parts.map(({ method }) => method)).toEqual(['REQUEST']);
    }
    const of = async (reader: Reader) => (await (await story.calendarOf(reader)).events())[0];
    const common = {
      organizer: 'Ada <mailto:no-reply@gatehouse.example>',
      location: 'Main Street 1',
      status: 'CONFIRMED',
      start: new Date(onDay(0).epochMilliseconds).toISOString(),
      end: new Date(onDay(0).epochMilliseconds + 1_800_000).toISOString(),
      comment: null,
    };
    const title = 'Talk, "50%"; more';
    const [grace, guest] = [GRACE.email, 'guest@example.test'];
    expect([await of('grace'), await of('guest')]).toMatchObject([
      { ...common, summary: title, description: WORDS, attendees: [`Grace <mailto:${grace}> ACCEPTED`] },
      { ...common, summary: title, description: WORDS, attendees: [`${guest} <mailto:${guest}> ACCEPTED`] },
    ]);
    const ada = await of('ada');
    expect(ada).toMatchObject({ ...common, summary: `${title} with Grace` });
    expect(ada?.attendees).toEqual([expect.stringMatching(/^Ada <mailto:ada\.[^>]+@acme\.example> ACCEPTED$/)]);
    const parts = [WORDS, 'Ada (host)', `Grace <${grace}>`, guest, `topic: ${WORDS}`, 'For the hosts.'];
    for (const part of parts) expect(ada?.description).toContain(part);
    const replyTo = (reader: Reader) => story.mails.find((mail) => receiverOf(mail) === reader)?.email.replyTo;
    expect([replyTo('ada'), replyTo('grace')]).toEqual([[{ name: 'Grace', address: grace }], undefined]);
  });

  test('take no older file after a newer one, and none of a cancellation of what was never there', async () => {
    const story = await world.story({});
    await story.book();
    const files: string[] = [];
    for (const act of [toDay(1), toDay(2), (one: Story) => one.cancel(0)]) {
      await story.deliver();
      files.push(...story.filesFor('grace'));
      await act(story);
    }
    await story.deliver();
    files.push(...story.filesFor('grace'));
    expect(files).toHaveLength(4);
    const late = await world.newCalendar('grace');
    expect(await late.take(files[3] ?? '')).toEqual(['IGNORED']);
    const outcomes = [];
    for (const index of [2, 0, 1, 3, 2, 3]) outcomes.push(...(await late.take(files[index] ?? '')));
    expect(outcomes).toEqual(['ADDED', 'IGNORED', 'IGNORED', 'REPLACED', 'IGNORED', 'IGNORED']);
    expect((await late.events()).map(asShown)).toEqual(['2 CANCELLED Talk, Ada']);
  });

  test('know the downloaded file of a booking as the event of the mails, by each of its addresses', async () => {
    const routes = bookingIcsRoutes({ uids: UIDS, em: world.database.em, mailFrom: 'no-reply@gatehouse.example' });
    const story = await world.story({});
    await story.book({ guests: [] });
    await story.deliver();
    const [first] = story.keys;
    const download = async (key = story.keys[0]) => {
      const answer = await routes.request(`/bookings/${UIDS.ofFile({ ...(key ?? story.hosted), version: 0 })}.ics`);
      return (await story.calendarOf('grace')).take(await answer.text());
    };
    const shown = async () => (await story.shown()).grace;
    expect([await download(), await shown()]).toEqual([['IGNORED'], ['0 CONFIRMED Talk, Ada, Main Street 1']]);
    await story.move(0, onDay(1));
    expect(await download(first)).toEqual(['REPLACED']);
    expect(await shown()).toEqual(['1 CONFIRMED Talk, Ada, Main Street 1']);
    expect(await download()).toEqual(['IGNORED']);
    await story.cancel(0);
    expect([await download(first), await shown()]).toEqual([['REPLACED'], ['1 CANCELLED Talk, Ada']]);
    await story.deliver();
    expect(await shown()).toEqual(['1 CANCELLED Talk, Ada']);
  });

  test('are made of the file of a series by a program that imports it', async () => {
    const story = await world.story(WEEKLY);
    await story.book();
    await story.deliver();
    const [file = ''] = story.filesFor('grace');
    const path = `grace/${newId()}/`;
    const put = await world.radicale.request('PUT', 'grace', path, file);
    expect(put.status).toBe(201);
    const kept = eventsIn(await world.radicale.contentOf('grace', path));
    expect(kept.map(({ sequence, attendees }) => [sequence, attendees])).toEqual([
      [0, []],
      [0, []],
      [0, []],
    ]);
  });
});
