import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newTeamId, type OwnedId, publicOwnedId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import { findBooking } from '../../src/modules/bookings/booking.queries.ts';
import type { BookingRequest } from '../../src/modules/bookings/booking-request.rules.ts';
import { addAttendee, addGuests } from '../../src/modules/bookings/change/add-guests-and-attendees.ts';
import { cancelBooking, cancelSeries } from '../../src/modules/bookings/change/cancel-booking.ts';
import { confirmBooking, declineBooking } from '../../src/modules/bookings/change/confirm-booking.ts';
import { handOver, reassignBooking } from '../../src/modules/bookings/change/reassign-booking.ts';
import { requestReschedule, rescheduleBooking } from '../../src/modules/bookings/change/reschedule-booking.ts';
import { updateLocation } from '../../src/modules/bookings/change/update-location.ts';
import type { BookableEventType } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import {
  book as bookAs,
  type EventTypeChanges,
  eventTypeOf,
  newHosts,
  slotOn,
  times,
} from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { missingIn } from '../support/shown-mail.ts';
import { UIDS } from '../support/uids.ts';
import { headings, kindsWith, namedHosts, PUBLIC_URL, receiverOf } from './support/booking-mails.ts';

const GRACE = {
  name: 'Grace',
  email: 'grace@example.test',
  timeZone: 'America/New_York',
  locale: 'en-US',
  phone: null,
};
const LIN = { name: 'Lin', email: 'lin@example.test', timeZone: 'Asia/Tokyo', locale: null, phone: null };
const CONFIRMED_BY_HAND = { rules: { confirmation: { type: 'ALWAYS' } } } as const;
const PLACE = { type: 'ADDRESS', value: 'Main Street 1' } as const;

let database: TestDatabase;
let mailServer: MailServer;
let runner: JobRunner;
let em: () => Em;
/** The booker is signed in, with a verified address. */
let graceId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  [graceId = ''] = await newHosts(database.em.fork(), 1);
  mailServer = await MailServer.open();
  em = () => database.em.fork();
  const log = { warn: console.warn, error: console.error };
  runner = new JobRunner(database.em, kindsWith(mailServer), log);
});
afterEach(async () => {
  await runner.settled();
  mailServer.mails.length = 0;
});
afterAll(async () => {
  await runner.stop();
  await mailServer.close();
  await database.close();
});

const book = (within: Em, of: BookableEventType, start: Temporal.Instant, changes: Partial<BookingRequest>) =>
  bookAs(within, of, start, changes, graceId);

/** The mails of what has happened since the last time. */
async function mails(): Promise<readonly ReceivedMail[]> {
  await runner.settled();
  return mailServer.mails.splice(0);
}

function to(name: string, all: readonly ReceivedMail[]): ReceivedMail {
  const found = all.filter((mail) => receiverOf(mail) === name);
  if (found.length !== 1 || !found[0]) throw new Error(`${name} got ${found.length} mails: ${headings(all).join()}`);
  return found[0];
}

const MANAGED_BY = { id: newTeamId(), name: 'Sales', organizationName: 'Acme' };

const uidOf = (key: OwnedId & { readonly isSeat?: boolean }) => UIDS.of({ ...key, version: 0 });

const ofInvitation = ({ calendars: [first] }: ReceivedMail) => ({ method: first?.method, ...first?.events[0] });

/** A booking of Grace's with Ada, whose first mails are out. */
async function booked(changes: EventTypeChanges = {}, request: Partial<BookingRequest> = {}, ...hosts: string[]) {
  const hostIds = await namedHosts(database.em, 'Ada', ...hosts);
  const eventType = eventTypeOf(hostIds, changes);
  const start = slotOn(0, '09:00');
  const { key } = await book(em(), eventType, start, { attendee: GRACE, guests: ['guest@example.test'], ...request });
  const first = await mails();
  const [hostId = ''] = hostIds;
  const hosted = { ...key, hostId, network: 'unknown' };
  return { key, uid: uidOf(key), eventType, start, hostIds, hostId, first, hosted };
}

test('each mail says in HTML what it says as text, and the invitation stands beside them', async () => {
  const { first } = await booked({}, { notes: 'For <b>Ada</b> & Bob\u2028only.' });
  expect(first).toHaveLength(3);
  for (const mail of first) {
    expect(missingIn(mail.email.html ?? '', mail.text)).toEqual([]);
    expect(mail.email.html).not.toContain('<b>');
    expect(ofInvitation(mail).uid).toBe(ofInvitation(to('ada', first)).uid);
  }
});

test('each mail and invitation says whose words they are where a team has written them on a member’s page', async () => {
  const managed = await booked({ managedBy: MANAGED_BY });
  expect(managed.first).toHaveLength(3);
  for (const mail of managed.first) {
    expect(mail.text).toMatch(/^What: {3}.*\nBy: {5}the team Sales, Acme$/m);
    expect(ofInvitation(mail).description).toContain('Title, text, location and links are by the team Sales, Acme.');
  }
  const own = await booked();
  for (const mail of own.first) expect(mail.text).not.toContain('By: ');
});

describe('a booking', () => {
  test('is mailed to attendee, guests and hosts, each in their own time', async () => {
    const { first, uid, start } = await booked({ locations: [{ id: 'loc_1', label: null, ...PLACE }] });
    expect(headings(first)).toEqual(['ada: New booking', 'grace: Booked', 'guest: Invitation']);
    for (const mail of first) {
      expect(mail.text).toMatch(/Where: {2}Main Street 1\n/);
      expect(mail.email.from).toEqual({ name: 'Gatehouse', address: 'no-reply@gatehouse.example' });
      const { method, start: inCalendar, ...event } = ofInvitation(mail);
      expect([method, inCalendar]).toEqual(['REQUEST', start.toString().replace('Z', '.000Z')]);
      expect(event).toMatchObject({ sequence: 0, status: 'CONFIRMED', location: 'Main Street 1' });
      expect(event.attendees).toEqual([`mailto:${mail.mailbox}`]);
    }
    expect(to('grace', first).text).toMatch(/(?:4|5):00 – .* AM \(America\/New York\)/);
    expect(to('ada', first).text).toMatch(/(?:10|11):00–.* \(Europe\/Berlin\)/);
    expect(to('grace', first).text).toContain(`\n${PUBLIC_URL}/bookings/${uid}\n`);
    expect(to('ada', first).email.replyTo).toEqual([{ name: 'Grace', address: 'grace@example.test' }]);
  });

  test('gives guests nothing to cancel it with nor what is for the hosts, and the booker no address but of their own guests', async () => {
    const { first, uid } = await booked({}, { notes: 'For the hosts.' });
    expect(to('guest', first).everything).not.toContain(uid);
    expect(to('guest', first).everything).not.toContain('grace@');
    expect(to('grace', first).everything).not.toContain('acme.example');
    expect(to('grace', first).text).toContain('guest@example.test');
    expect(to('guest', first).everything).not.toContain('For the hosts.');
    for (const mailbox of ['grace', 'ada']) expect(to(mailbox, first).text).toContain('> For the hosts.');
    const said = ['ada', 'grace', 'guest'].map((one) =>
      ofInvitation(to(one, first)).description?.includes('For the hosts.'),
    );
    expect(said.map(Boolean)).toEqual([true, false, false]);
  });

  test('that a host makes with their own address is one mail to them', async () => {
    const [hostId = ''] = await namedHosts(database.em, 'Ada');
    const [host] = await rows(em(), sql<{ email: string }>`select email from users where id = ${hostId}`);
    const address = (host?.email ?? '').toUpperCase();
    await book(em(), eventTypeOf([hostId]), slotOn(0, '09:00'), { attendee: { ...GRACE, email: address } });
    expect(headings(await mails())).toEqual(['ada: New booking']);
  });

  test('with a name that tries to be more than one stays one mail to one receiver', async () => {
    const name = '"Eve" <eve@evil.test>, all; Bcc: x@evil.test';
    const { first } = await booked({}, { attendee: { ...GRACE, name } });
    expect(first).toHaveLength(3);
    expect(to('grace', first).email.to).toEqual([{ name, address: 'grace@example.test' }]);
    expect(to('ada', first).email.subject).toContain(name);
  });

  test('mails a suspended host nothing', async () => {
    const [hostId = ''] = await namedHosts(database.em, 'Ada');
    await book(em(), eventTypeOf([hostId]), slotOn(0, '09:00'), { attendee: GRACE });
    await rows(em(), sql`update users set suspended_at = now() where id = ${hostId}`);
    expect(headings(await mails())).toEqual(['grace: Booked']);
  });

  test('that was deleted meanwhile mails nobody', async () => {
    const [hostId = ''] = await namedHosts(database.em, 'Ada');
    const { key } = await book(em(), eventTypeOf([hostId]), slotOn(0, '09:00'), { attendee: GRACE });
    await rows(em(), sql`delete from bookings where id = ${key.id}`);
    expect(await mails()).toEqual([]);
  });

  test('of a series is one mail to each, with all times, addresses and calendar entries', async () => {
    const recurrence = { frequency: 'WEEKLY', interval: 1, occurrences: 3 } as const;
    const { first, uid } = await booked({ rules: { recurrence } });
    expect(headings(first)).toEqual(['ada: New booking', 'grace: Booked', 'guest: Invitation']);
    const { text, calendars } = to('grace', first);
    expect(text.match(/\(America\/New York\)/g)).toHaveLength(3);
    const links = text.match(/https:\S+/g) ?? [];
    expect(links).toHaveLength(3);
    expect(links[0]).toBe(`${PUBLIC_URL}/bookings/${uid}`);
    expect(calendars).toMatchObject([
      { method: 'PUBLISH', events: [{ sequence: 0 }, { sequence: 0 }, { sequence: 0 }] },
    ]);
    expect(new Set(calendars[0]?.events.map((event) => event.uid)).size).toBe(3);
  });
});

describe('a request', () => {
  test('tells the attendee that it waits, and asks the host; the place comes with the answer', async () => {
    const { first } = await booked({ ...CONFIRMED_BY_HAND, locations: [{ id: 'loc_1', label: null, ...PLACE }] });
    expect(headings(first)).toEqual(['ada: Please confirm', 'grace: Requested', 'guest: Requested']);
    expect(to('grace', first).text).toContain('waiting to be confirmed');
    expect(to('grace', first).text).not.toContain('Main Street 1');
    expect(ofInvitation(to('grace', first))).toMatchObject({ method: 'REQUEST', status: 'TENTATIVE', location: null });
  });

  test('that is confirmed is told to all', async () => {
    const { hosted } = await booked({ ...CONFIRMED_BY_HAND, locations: [{ id: 'loc_1', label: null, ...PLACE }] });
    await confirmBooking(em(), hosted);
    const answer = await mails();
    expect(headings(answer)).toEqual(['ada: Confirmed', 'grace: Confirmed', 'guest: Confirmed']);
    const expected = { method: 'REQUEST', status: 'CONFIRMED', sequence: 1, location: 'Main Street 1' };
    expect(ofInvitation(to('grace', answer))).toMatchObject(expected);
  });

  test('that is declined is told to all, with the reason, and leaves calendars', async () => {
    const { hosted } = await booked(CONFIRMED_BY_HAND);
    await declineBooking(em(), hosted, 'I am away.');
    const answer = await mails();
    expect(headings(answer)).toEqual(['ada: Declined', 'grace: Declined', 'guest: Declined']);
    expect(to('grace', answer).text).toContain('> I am away.');
    expect(ofInvitation(to('grace', answer))).toMatchObject({ method: 'CANCEL', status: 'CANCELLED', sequence: 1 });
  });
});

describe('a cancellation of all that remains of a series', () => {
  const WEEKLY = { rules: { recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } } } as const;

  test('is one mail to each, with all times and one address, and a file with all of them', async () => {
    const { key, uid, eventType, hostId } = await booked(WEEKLY);
    await cancelSeries(em(), eventType.rules, { key, reason: 'I am ill.', callerId: hostId });
    const all = await mails();
    expect(headings(all)).toEqual(['ada: Cancelled', 'grace: Cancelled', 'guest: Cancelled']);
    for (const { text } of all) expect(text.match(/\d{4}, .*\((?:America|Europe)\//g) ?? []).toHaveLength(3);
    const { text, calendars } = to('grace', all);
    expect(text).toContain('Ada cancelled all the bookings below.');
    expect(text).toContain('> I am ill.');
    expect(text.match(/https:\S+/g)).toEqual([`${PUBLIC_URL}/bookings/${uid}`]);
    expect(calendars).toHaveLength(1);
    expect(calendars[0]).toMatchObject({
      method: 'PUBLISH',
      events: times(3, () => ({ sequence: 1, status: 'CANCELLED' })),
    });
    expect(to('guest', all).everything).not.toContain(uid);
    expect(to('ada', all).text).toContain(`${PUBLIC_URL}/bookings/${publicOwnedId('booking', key)}/host`);
  });

  test('tells of those alone that were cancelled with it', async () => {
    const { key, eventType } = await booked(WEEKLY);
    await cancelBooking(em(), eventType.rules, { key, reason: null, callerId: null });
    expect(await mails()).toHaveLength(3);
    await cancelSeries(em(), eventType.rules, { key, reason: null, callerId: null });
    const all = await mails();
    expect(all).toHaveLength(3);
    expect(to('grace', all).text).toContain('All the bookings below were cancelled.');
    expect(to('grace', all).text.match(/\(America\/New York\)/g)).toHaveLength(2);
  });
});

describe('a cancellation', () => {
  test('by the attendee is mailed to all, its reason to the hosts', async () => {
    const { key } = await booked();
    await cancelBooking(em(), undefined, { key, reason: 'I am ill.', callerId: null });
    const told = await mails();
    expect(headings(told)).toEqual(['ada: Cancelled', 'grace: Cancelled', 'guest: Cancelled']);
    expect(to('ada', told).text).toContain('Grace’s booking was cancelled.');
    expect(to('ada', told).text).toContain('> I am ill.');
    expect(to('guest', told).text).not.toContain('I am ill');
    for (const mail of told) expect(ofInvitation(mail)).toMatchObject({ method: 'CANCEL', sequence: 1 });
  });

  test('by a host says who it was and why', async () => {
    const { key, hostId, first } = await booked();
    await cancelBooking(em(), undefined, { key, reason: 'I am away.', callerId: hostId });
    const told = await mails();
    expect(to('grace', told).text).toContain('Ada cancelled your booking.');
    expect(to('grace', told).text).toContain('> I am away.');
    expect(to('guest', told).text).toContain('> I am away.');
    expect(to('ada', told).text).toContain('You cancelled Grace’s booking.');
    expect(ofInvitation(to('grace', told)).uid).toBe(ofInvitation(to('grace', first)).uid);
  });

  test('with a request for another time gives the attendee the address to choose one', async () => {
    const { uid, hosted } = await booked();
    await requestReschedule(em(), hosted, 'Something came up.');
    const told = await mails();
    expect(headings(told)).toEqual([
      'ada: You asked Grace to reschedule',
      'grace: Please choose another time',
      'guest: Cancelled',
    ]);
    expect(to('grace', told).text).toContain(`Choose another time:\n${PUBLIC_URL}/bookings/${uid}\n`);
    expect(to('guest', told).text).not.toContain(PUBLIC_URL);
    expect(ofInvitation(to('grace', told))).toMatchObject({ method: 'CANCEL', status: 'CANCELLED' });
  });
});

describe('a reschedule', () => {
  test('tells both times, and moves the entry in calendars', async () => {
    const { key, eventType, first } = await booked();
    const start = slotOn(1, '10:00');
    const asked = { key, start, durationInMinutes: null, reason: null, reservationId: null, callerId: null };
    const moved = await rescheduleBooking(em(), eventType, asked);
    const told = await mails();
    expect(headings(told)).toEqual(['ada: New time', 'grace: New time', 'guest: New time']);
    const { text } = to('grace', told);
    expect(text).toMatch(/When: {3}Tuesday.*\nBefore: Monday/);
    expect(text).toContain(`/bookings/${uidOf(moved)}\n`);
    const before = ofInvitation(to('grace', first));
    const after = ofInvitation(to('grace', told));
    expect(after).toMatchObject({ method: 'REQUEST', uid: before.uid, start: start.toString().replace('Z', '.000Z') });
    expect(after.sequence).toBeGreaterThan(before.sequence ?? 0);
  });

  test('after a host has asked for it brings the entry back', async () => {
    const { key, eventType, hosted } = await booked();
    await requestReschedule(em(), hosted, null);
    const cancelled = ofInvitation(to('grace', await mails()));
    const asked = {
      start: slotOn(1, '10:00'),
      durationInMinutes: null,
      reason: null,
      reservationId: null,
      callerId: null,
    };
    await rescheduleBooking(em(), eventType, { key, ...asked });
    const back = ofInvitation(to('grace', await mails()));
    expect(back).toMatchObject({ method: 'REQUEST', status: 'CONFIRMED', uid: cancelled.uid });
    expect(back.sequence).toBeGreaterThan(cancelled.sequence ?? 0);
  });

  test('by the attendee asks the host again where a host confirms', async () => {
    const { key, eventType, hosted } = await booked(CONFIRMED_BY_HAND);
    await confirmBooking(em(), hosted);
    const asked = {
      start: slotOn(1, '10:00'),
      durationInMinutes: null,
      reason: null,
      reservationId: null,
      callerId: null,
    };
    await mails();
    await rescheduleBooking(em(), eventType, { key, ...asked });
    const told = await mails();
    const asks = ['ada: Please confirm the new time', 'grace: New time requested', 'guest: New time requested'];
    expect(headings(told)).toEqual(asks);
    expect(ofInvitation(to('grace', told))).toMatchObject({ status: 'TENTATIVE' });
  });
});

describe('the people concerned hear of', () => {
  test('a new place: all', async () => {
    const { hosted } = await booked();
    const choice = { type: 'LINK', url: 'https://meet.example/1' } as const;
    await updateLocation(em(), hosted, [], choice);
    const told = await mails();
    expect(headings(told)).toEqual(['ada: New location', 'grace: New location', 'guest: New location']);
    expect(to('guest', told).text).toContain('Where:  https://meet.example/1');
    await updateLocation(em(), hosted, [], choice);
    expect(await mails()).toEqual([]);
  });

  test('guests who were added: these alone', async () => {
    const { hosted } = await booked();
    await addGuests(em(), hosted, ['max@example.test'], { allowsGuests: true });
    const told = await mails();
    expect(headings(told)).toEqual(['max: Invitation']);
    expect(to('max', told).text).not.toContain(PUBLIC_URL);
  });

  test.each([
    [CONFIRMED_BY_HAND, true],
    [{}, false],
  ])('people who were added, of whether it waits for confirmation (%j: %s)', async (changes, waits) => {
    const { hosted, eventType } = await booked(changes);
    await addAttendee(em(), eventType, hosted, LIN);
    await addGuests(em(), hosted, ['max@example.test'], { allowsGuests: true });
    const told = await mails();
    for (const name of ['lin', 'max']) expect(to(name, told).text.includes('still has to be confirmed')).toBe(waits);
  });

  test('an attendee who was added: this one, who cannot cancel the booking of another', async () => {
    const { hosted, eventType } = await booked();
    await addAttendee(em(), eventType, hosted, LIN);
    const told = await mails();
    expect(headings(told)).toEqual(['lin: Invitation']);
    expect(to('lin', told).text).not.toContain(PUBLIC_URL);
    expect(to('lin', told).text).not.toContain('Grace');
  });

  test('another host: the old one, the new one, and those who come', async () => {
    const { hosted, eventType, hostIds, first } = await booked({ rules: { schedulingType: 'ROUND_ROBIN' } }, {}, 'Bob');
    const isAda = headings(first).includes('ada: New booking');
    const [from, into] = isAda ? ['ada', 'bob'] : ['bob', 'ada'];
    const fromId = hostIds[isAda ? 0 : 1] ?? '';
    await reassignBooking(em(), eventType, { ...hosted, hostId: fromId }, null);
    const told = await mails();
    expect(headings(told)).toEqual(
      [`${from}: Handed over`, `${into}: New booking`, 'grace: New host', 'guest: New host'].toSorted(),
    );
    expect(ofInvitation(to(from, told))).toMatchObject({ method: 'CANCEL' });
    expect(ofInvitation(to(into, told))).toMatchObject({ method: 'REQUEST', status: 'CONFIRMED' });
    expect(to(from, told).text).not.toContain('/bookings/');
  });

  test('another host because it has moved: the old one has their own time back', async () => {
    const { key, eventType, hostIds, first, start } = await booked(
      { rules: { schedulingType: 'ROUND_ROBIN' } },
      {},
      'Bob',
    );
    const isAda = headings(first).includes('ada: New booking');
    const [from, into] = isAda ? ['ada', 'bob'] : ['bob', 'ada'];
    const later = slotOn(0, '10:00');
    await book(em(), eventTypeOf([hostIds[isAda ? 0 : 1] ?? '']), later, { attendee: LIN });
    await mails();
    const asked = { durationInMinutes: null, reason: null, reservationId: null, callerId: null };
    await rescheduleBooking(em(), eventType, { key, start: later, ...asked });
    const told = await mails();
    expect(headings(told)).toEqual(
      [`${from}: Handed over`, `${into}: New time`, 'grace: New time', 'guest: New time'].toSorted(),
    );
    const cancelled = ofInvitation(to(from, told));
    expect(cancelled).toMatchObject({ method: 'CANCEL', uid: ofInvitation(to('grace', told)).uid });
    expect(cancelled.sequence).toBeGreaterThan(ofInvitation(to(from, first)).sequence ?? 0);
    expect(cancelled.start).toBe(start.toString().replace('Z', '.000Z'));
    expect(to(from, told).text).not.toContain('/bookings/');
  });

  test('a host less: the one who goes, the one who stays, and those who come', async () => {
    const { hosted, hostIds } = await booked({}, {}, 'Bob');
    const booking = await findBooking(em(), hosted);
    const [adaId = '', bobId = ''] = hostIds;
    if (!booking) throw new Error('The booking is missing.');
    const by = { userId: adaId, network: null };
    await em().transactional((inner) =>
      handOver(inner, [{ booking, toHostId: null, rules: undefined }], {
        fromHostId: bobId,
        reason: 'Bob has left.',
        by,
      }),
    );
    const told = await mails();
    expect(headings(told)).toEqual([
      'ada: One host fewer',
      'bob: Handed over',
      'grace: One host fewer',
      'guest: One host fewer',
    ]);
    expect(ofInvitation(to('bob', told))).toMatchObject({ method: 'CANCEL' });
    for (const name of ['ada', 'grace']) {
      expect(ofInvitation(to(name, told))).toMatchObject({ method: 'REQUEST', status: 'CONFIRMED' });
      expect(to(name, told).text).toContain('Bob has left.');
    }
    expect(to('bob', told).text).not.toContain('/bookings/');
  });
});

describe('with seats', () => {
  test('each has a mail with an address of their own, and nobody else’s', async () => {
    const { first, second, grace, lin } = await seated(false);
    expect(headings(first)).toEqual(['ada: New booking', 'grace: Booked']);
    expect(headings(second)).toEqual(['ada: New booking', 'lin: Booked']);
    expect(to('grace', first).text).toContain(`/bookings/${uidOf(grace.key)}\n`);
    expect(to('lin', second).text).toContain(`/bookings/${uidOf(lin.key)}\n`);
    expect(to('lin', second).text).not.toMatch(/Grace|grace@/);
    expect(to('ada', second).text).toContain('Grace <grace@example.test>');
  });

  test('attendees see the names of others where the event type shows them, never their addresses', async () => {
    const { second } = await seated(true);
    expect(to('lin', second).text).toContain('Grace');
    expect(to('lin', second).text).not.toContain('grace@');
  });

  test('a seat that is given back is announced to its attendee and to the host, whose meeting goes on', async () => {
    const { lin } = await seated(false);
    await cancelBooking(em(), undefined, { key: lin.key, reason: null, callerId: null });
    const told = await mails();
    expect(headings(told)).toEqual(['ada: Cancelled', 'lin: Cancelled']);
    expect(ofInvitation(to('lin', told))).toMatchObject({ method: 'CANCEL' });
    expect(ofInvitation(to('ada', told))).toMatchObject({ method: 'REQUEST', status: 'CONFIRMED' });
    expect(to('ada', told).text).toContain('Lin’s booking was cancelled.');
  });

  test('a host who cancels the meeting tells everybody, each with their own address', async () => {
    const { grace, lin, hostIds } = await seated(false);
    const [found] = await rows(
      em(),
      sql<OwnedId>`select owner_id as "ownerId", booking_id as id from booking_attendees where seat_id = ${grace.key.id}`,
    );
    if (!found) throw new Error('The seat is in no booking.');
    const [callerId = ''] = hostIds;
    await cancelBooking(em(), undefined, { key: found, reason: 'I am ill.', callerId });
    const told = await mails();
    expect(headings(told)).toEqual(['ada: Cancelled', 'grace: Cancelled', 'lin: Cancelled']);
    expect(to('lin', told).text).toContain(uidOf(lin.key));
    expect(to('lin', told).text).not.toContain(uidOf(grace.key));
  });

  test('one that moves alone leaves its old entry in calendars', async () => {
    const { eventType, lin, second } = await seated(false);
    const asked = {
      start: slotOn(1, '10:00'),
      durationInMinutes: null,
      reason: null,
      reservationId: null,
      callerId: null,
    };
    await rescheduleBooking(em(), eventType, { key: lin.key, ...asked });
    const told = await mails();
    expect(headings(told)).toEqual(['ada: New time', 'lin: New time']);
    const { calendars, text } = to('lin', told);
    expect(calendars.map(({ method }) => method)).toEqual(['REQUEST', 'CANCEL']);
    expect(calendars[1]?.events[0]?.uid).toBe(ofInvitation(to('lin', second)).uid);
    expect(text).toContain(uidOf(lin.key));
    // Grace is still there, so the host keeps both.
    expect(to('ada', told).calendars.map(({ method }) => method)).toEqual(['REQUEST']);
  });
});

/** Grace and Lin in one meeting with Ada. */
async function seated(showsAttendees: boolean) {
  const hostIds = await namedHosts(database.em, 'Ada');
  const eventType = eventTypeOf(hostIds, { rules: { seats: { perSlot: 3, showsAttendees } } });
  const start = slotOn(0, '09:00');
  const grace = await book(em(), eventType, start, { attendee: GRACE });
  const first = await mails();
  const lin = await book(em(), eventType, start, { attendee: LIN });
  return { eventType, grace, lin, first, second: await mails(), hostIds };
}
