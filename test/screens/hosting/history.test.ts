/** The history of a booking, as its host's page tells it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OwnedId, publicOwnedId } from '../../../src/core/id.ts';
import { changed, row, sql } from '../../../src/database/sql.ts';
import { lockBooking, saveBooking } from '../../../src/modules/bookings/stored-booking.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, type Host, hostOf, linksOf, type Offered, see } from '../../support/booking-visitor.ts';
import { textOf } from '../../support/html-form.ts';
import { idOfUid, ownedUuidOf, uuidOf } from '../../support/ids.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let ada: Host;
let dan: Host;
let bob: TestBrowser;
let inTurn: string;
let together: string;
let starts: readonly string[];
let taken = 0;
beforeAll(async () => {
  app = await startTestApp();
  [ada, dan, bob] = await Promise.all([
    hostOf(app, 'ada@acme.test', 'ada'),
    hostOf(app, 'dan@solo.test', 'dan'),
    TestBrowser.signedIn(app.url, 'bob@acme.test'),
  ]);
  const { teamId } = await ada.browser.mutate<{ teamId: string }>('teamCreate', { slug: 'duo', name: 'Duo' }, 'teamId');
  const [adaId, userId] = [await idOf(ada.browser), await idOf(bob)];
  const membership = { teamId, userId, role: 'MEMBER' };
  const { membershipId } = await ada.browser.mutate<{ membershipId: string }>(
    'teamMembershipCreate',
    membership,
    'membershipId',
  );
  await bob.mutate('teamMembershipUpdate', { teamId, membershipId, isAccepted: true }, 'membershipId');
  const ofTeam = async (slug: string, schedulingType: string): Promise<string> => {
    const input = {
      teamId,
      slug,
      title: slug,
      durationInMinutes: 15,
      schedulingType,
      hosts: [{ userId: adaId, priority: 4 }, { userId }],
    };
    return (await ada.browser.mutate<{ eventTypeId: string }>('teamEventTypeCreate', input, 'eventTypeId')).eventTypeId;
  };
  inTurn = await ofTeam('in-turn', 'ROUND_ROBIN');
  together = await ofTeam('together', 'COLLECTIVE');
  const from = Temporal.Now.instant().add({ hours: 24 * 8 });
  const variables = { id: together, from: from.toString(), to: from.add({ hours: 24 * 20 }).toString() };
  const document =
    'query ($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
  const { slots } = await ada.browser.ask<{ slots: { start: string }[] }>(document, variables);
  starts = slots.map(({ start }) => start);
});
afterAll(() => app.close());

const idOf = async (browser: TestBrowser) => (await browser.ask<{ me: { id: string } }>('{ me { id } }')).me.id;
const pathOf = (uid: string) => `/bookings/${idOfUid(uid)}/host`;
const nextOf = (all: readonly string[]) => all[(taken += 1)] ?? '';

async function book(
  eventTypeId: string,
  all: readonly string[],
  more: object = {},
  browser = new TestBrowser(app.url),
) {
  const input = { eventTypeId, start: nextOf(all), attendee: { ...GRACE, timeZone: 'UTC' }, ...more };
  return (await browser.mutate<{ booking: { uid: string } }>('bookingCreate', input, 'booking { uid }')).booking.uid;
}

const bookedAt = async (offered: Offered) => book(offered.eventTypeId, offered.starts);

/** The sentences, with reasons behind them. */
async function told(uid: string, browser = dan.browser): Promise<string[]> {
  const { html } = await see(browser, pathOf(uid));
  const list = /<ol class="history">[^]*?<.ol>/.exec(html)?.[0] ?? '';
  return list
    .split('<li>')
    .slice(1)
    .map((item) => textOf(`<main>${item.slice(item.indexOf('<p>'))}`).replaceAll(' .', '.'));
}

/** Without its times. */
const without = (line: string | undefined) => line?.replaceAll(/\w+, \w+ \d+, \d{4} at \d+:\d+( [AP]M)?/g, '*');

describe('the page of a booking tells its host', () => {
  test('of an answer, and why', async () => {
    const asked = await dan.offer({ confirmation: { type: 'ALWAYS' } });
    const [agreed, refused] = [await bookedAt(asked), await bookedAt(asked)];
    expect(await told(agreed)).toEqual(['Booked for Grace Hopper.']);
    await dan.browser.mutate('bookingConfirm', { bookingId: idOfUid(agreed) }, 'booking { id }');
    await dan.browser.mutate('bookingDecline', { bookingId: idOfUid(refused), reason: 'Ill & <b>' }, 'booking { id }');
    expect(await told(agreed)).toEqual(['Booked for Grace Hopper.', 'You confirmed it.']);
    expect(await told(refused)).toEqual(['Booked for Grace Hopper.', 'You declined it. Ill & <b>']);
  });

  test('the changes of hosts and booker, wherever the booking has moved, in this order', async () => {
    const talk = await dan.offer();
    const first = await bookedAt(talk);
    const visitor = new TestBrowser(app.url);
    await dan.browser.mutate(
      'bookingGuestsAdd',
      { bookingId: idOfUid(first), guests: ['a@b.test', 'c@d.test'] },
      'booking { id }',
    );
    const location = { type: 'ADDRESS', address: 'Elsewhere' };
    await dan.browser.mutate('bookingLocationUpdate', { bookingId: idOfUid(first), location }, 'booking { id }');
    await dan.browser.mutate(
      'bookingRescheduleRequest',
      { bookingId: idOfUid(first), reason: 'Busy' },
      'booking { id }',
    );
    const movedTo = async (uid: string) => {
      const document = 'query ($uid: String!) { publicBooking(uid: $uid) { rescheduledToUid } }';
      const asked = await visitor.ask<{ publicBooking: { rescheduledToUid: string } }>(document, { uid });
      return asked.publicBooking.rescheduledToUid;
    };
    const later = { uid: first, start: nextOf(talk.starts), reason: 'Later' };
    await visitor.mutate('bookingReschedule', later, 'booking { uid }');
    const second = await movedTo(first);
    const stillLater = { bookingId: idOfUid(second), start: nextOf(talk.starts), reason: 'Later still' };
    await dan.browser.mutate('userBookingReschedule', stillLater, 'booking { id }');
    const third = await movedTo(second);
    await visitor.mutate('bookingCancel', { uid: third, reason: 'Never' }, 'booking { uid }');
    const all = [
      'Booked for Grace Hopper.',
      'You added 2 guests.',
      'You changed the location.',
      'You asked to reschedule. Busy',
      'Grace Hopper rescheduled it from * to *. Later',
      'You rescheduled it from * to *. Later still',
      'Grace Hopper cancelled it. Never',
    ];
    expect((await told(third)).map(without)).toEqual(all);
    expect((await told(second)).map(without)).toEqual(all.slice(0, -1));
    expect((await told(first)).map(without)).toEqual(all.slice(0, -2));
    const linked = async (uid: string) =>
      linksOf(await see(dan.browser, pathOf(uid))).filter((link) => link.endsWith('/host'));
    expect(await linked(third)).toEqual([pathOf(first), pathOf(second), pathOf(second)]);
    expect(new Set(await linked(first))).toEqual(new Set([pathOf(second)]));
  });

  test('that it was handed over, by and to which host, and the new host the same', async () => {
    const uid = await book(inTurn, starts);
    await ada.browser.mutate('bookingReassign', { bookingId: idOfUid(uid), reason: 'Away' }, 'bookingId');
    const handed = 'handed it over to Bob Lindqvist. Away';
    expect(await told(uid, bob)).toEqual(['Booked for Grace Hopper.', `Ada Okafor ${handed}`]);
    await bob.mutate('bookingReassign', { bookingId: idOfUid(uid) }, 'bookingId');
    expect((await told(uid, ada.browser)).slice(1)).toEqual([
      `You ${handed}`,
      'Bob Lindqvist handed it over to Ada Okafor.',
    ]);
  });

  test('another host’s acts by name, an administrator’s without, and those of an account that is gone', async () => {
    const uid = await book(together, starts);
    await bob.mutate(
      'bookingLocationUpdate',
      { bookingId: idOfUid(uid), location: { type: 'ADDRESS', address: 'Here' } },
      'booking { id }',
    );
    await note(uid, await idOf(dan.browser));
    const [fromHostId, toHostId] = [uuidOf(await idOf(ada.browser)), uuidOf(await idOf(bob))];
    const handed = { kind: 'HANDED_OVER', by: uuidOf(await idOf(dan.browser)), reason: null, fromHostId } as const;
    await save(uid, { ...handed, toHostId });
    await save(uid, { ...handed, toHostId: null });
    await note(uid, 'usr_AZNLnwwqfe-AA0VniavN7w');
    expect((await told(uid, ada.browser)).slice(1)).toEqual([
      'Bob Lindqvist changed the location.',
      'An administrator confirmed it.',
      'An administrator handed it over from Ada Okafor to Bob Lindqvist.',
      'Ada Okafor no longer hosts it.',
      'Someone confirmed it.',
    ]);
  });

  test('that somebody did not come', async () => {
    const uid = await bookedAt(await dan.offer());
    await changed(
      app.database.em.fork(),
      sql`update bookings set starts_at = now() - interval '1 hour', ends_at = now() where id = ${uuidOf(uid)}`,
    );
    const attendees = [{ email: GRACE.email, isAbsent: true }];
    await dan.browser.mutate('bookingAbsenceMark', { bookingId: idOfUid(uid), attendees }, 'booking { id }');
    expect(await told(uid)).toEqual(['Booked for Grace Hopper.', 'You marked no-shows.']);
  });

  test('that all of a series was cancelled', async () => {
    const series = await dan.offer({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 2 } });
    const uid = await book(series.eventTypeId, [], { start: series.starts.at(-1) });
    await new TestBrowser(app.url).mutate('bookingSeriesCancel', { uid, reason: 'Ill' }, '__typename');
    expect(await told(uid)).toEqual(['Booked for Grace Hopper.', 'Grace Hopper cancelled it. Ill']);
  });

  test('the history of a meeting with seats as a whole, without the names of attendees who have left', async () => {
    const seats = await dan.offer({ seats: { perSlot: 3, showsAttendees: false } });
    const seat = await bookedAt(seats);
    const booking = await row(
      app.database.em.fork(),
      sql<OwnedId>`select owner_id as "ownerId", id from bookings where event_type_id = ${uuidOf(seats.eventTypeId)}`,
    );
    const uid = publicOwnedId('booking', booking ?? { ownerId: '', id: '' });
    expect(await told(uid)).toEqual(['Booked.']);
    await new TestBrowser(app.url).mutate('bookingCancel', { uid: seat }, 'booking { uid }');
    expect(await told(uid)).toEqual(['Booked.', 'Someone cancelled it.']);
  });

  test('the latest hundred changes, in German too', async () => {
    const uid = await bookedAt(await dan.offer({ title: 'Zzz' }));
    for (let n = 0; n < 101; n += 1) await note(uid, null);
    const kinds = ['CONFIRMED', 'LOCATION_CHANGED', 'ATTENDEE_ADDED', 'ABSENCE_MARKED', 'GUESTS_INVITED'] as const;
    const danId = uuidOf(await idOf(dan.browser));
    const reasoned = ['DECLINED', 'RESCHEDULE_REQUESTED', 'CANCELLED', 'MOVED'] as const;
    for (const by of [null, danId]) {
      await save(uid, { kind: 'UID_ROTATED', by });
      await save(uid, { kind: 'DISOWNED', by: null });
      for (const kind of kinds) await save(uid, { kind, by });
      for (const kind of reasoned) await save(uid, { kind, by, reason: null });
      for (const count of [1, 2]) await save(uid, { kind: 'GUESTS_ADDED', by, count });
      for (const toHostId of [null, danId])
        await save(uid, { kind: 'HANDED_OVER', by, reason: null, fromHostId: danId, toHostId });
    }
    const english = await told(uid);
    expect([english.length, english[0], english.at(-1)]).toEqual([
      101,
      'Booked for Grace Hopper.',
      'You handed it over to Dan Whitlock.',
    ]);
    await changed(app.database.em.fork(), sql`update users set locale = 'de' where username = 'dan'`);
    const german = await told(uid);
    await changed(app.database.em.fork(), sql`update users set locale = 'en' where username = 'dan'`);
    expect((await foreignTo('de'))(german.join(' '), ['Zzz', GRACE.name, 'Dan Whitlock'])).toEqual([]);
  });
});

/** As an act of somebody who can no longer be, or has not to be, made to do it here. */
async function note(uid: string, userId: string | null): Promise<void> {
  await save(uid, { kind: 'CONFIRMED', by: userId === null ? null : uuidOf(userId) });
}

async function save(uid: string, entry: Parameters<typeof saveBooking>[3]): Promise<void> {
  await app.database.em.fork().transactional(async (em) => {
    await saveBooking(em, await lockBooking(em, ownedUuidOf(uid)), {}, entry);
  });
}
