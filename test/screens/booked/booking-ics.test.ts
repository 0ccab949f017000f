import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, publicOwnedId } from '../../../src/core/id.ts';
import type { BookingKey, Uids } from '../../../src/modules/bookings/booking-key.rules.ts';
import { cancelBooking } from '../../../src/modules/bookings/change/cancel-booking.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../../modules/bookings/support/booked-hosts.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { unknownId } from '../../support/ids.ts';
import { uidsOf } from '../../support/minted-tokens.ts';

let app: TestApp;
let uids: Uids;
let booking: BookingKey;
beforeAll(async () => {
  app = await startTestApp();
  uids = await uidsOf(app);
  const em = app.database.em.fork();
  booking = (await book(em, eventTypeOf(await newHosts(em, 1)), slotOn(0, '09:00'))).key;
});
afterAll(() => app.close());

const pathOf = (key: BookingKey) => `/bookings/${uids.of({ ...key, version: 0 })}`;
const fileOf = (key: BookingKey, codes = uids) => `/bookings/${codes.ofFile({ ...key, version: 0 })}.ics`;

describe('GET /bookings/<code>.ics', () => {
  test('is a calendar object for anybody with the code', async () => {
    const answer = await fetch(app.url + fileOf(booking));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const text = await answer.text();
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*METHOD:REQUEST\r\n[^]*STATUS:CONFIRMED\r\n[^]*END:VCALENDAR\r\n$/);
    expect(text).toContain('mailto:no-reply@gatehouse.test');
    expect(text).not.toMatch(/\bu[ic][a-z]_/);
  });

  test.each([
    ['a code of another booking', () => uids.ofFile({ ...booking, id: newId(), version: 0 })],
    ['a code that was ended', () => uids.ofFile({ ...booking, version: 1 })],
    ['the uid', () => uids.of({ ...booking, version: 0 })],
    ['the id', () => publicOwnedId('booking', booking)],
    ['another id', () => unknownId('booking')],
    ['NUL', () => '%00'],
    ['what is too long', () => 'x'.repeat(10_000)],
    ['what cannot be decoded', () => '%ff'],
    ['nothing', () => ''],
  ])('is not there for %s', async (_, name) => {
    expect((await fetch(`${app.url}/bookings/${name()}.ics`)).status).toBe(404);
  });

  test('counts as requests to the API do', async () => {
    const limited = await startTestApp({ RATE_LIMITS: 'anonymous=2,grant=500,session=5' });
    try {
      const own = limited.database.em.fork();
      const booked = await book(own, eventTypeOf(await newHosts(own, 1)), slotOn(0, '09:00'));
      const file = fileOf(booked.key, await uidsOf(limited));
      const ask = () => fetch(limited.url + file);
      const answers = [await ask(), await ask(), await ask()];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['1', '0', '0']);
      expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
    } finally {
      await limited.close();
    }
  });

  test('with seats, shows each their own', async () => {
    const em = app.database.em.fork();
    const eventType = eventTypeOf(await newHosts(em, 1), { rules: { seats: { perSlot: 2, showsAttendees: false } } });
    const lin = { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC', locale: null, phone: null };
    const first = await book(em, eventType, slotOn(0, '09:00'), { notes: 'Secret' });
    const second = await book(em, eventType, slotOn(0, '09:00'), { attendee: lin });
    const texts = await Promise.all(
      [first, second].map(async (one) => (await fetch(app.url + fileOf(one.key))).text()),
    );
    expect(texts.map((text) => text.match(/[a-z]+@example\.test/g))).toEqual([
      ['grace@example.test'],
      ['lin@example.test'],
    ]);
    expect(texts.join()).not.toContain('Secret');
  });

  test('with ?series has all bookings of a series that take place, for the holder of the first one’s code', async () => {
    const em = app.database.em.fork();
    const recurrence = { frequency: 'WEEKLY', interval: 1, occurrences: 4 } as const;
    const eventType = eventTypeOf(await newHosts(em, 1), { rules: { recurrence } });
    const [first, second, third] = (await book(em, eventType, slotOn(0, '09:00'))).keys;
    if (!first || !second || !third) throw new Error('No series was booked.');
    await cancelBooking(app.database.em.fork(), undefined, { key: second, reason: null, callerId: null });
    const ask = (key: typeof first) => fetch(`${app.url}${fileOf(key)}?series`);
    const answer = await ask(first);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="bookings.ics"');
    const text = await answer.text();
    expect(text).toContain('METHOD:PUBLISH');
    expect(new Set(text.match(/^UID:.*/gm)).size).toBe(3);
    expect(text).not.toMatch(/CANCELLED|ATTENDEE/);
    expect([(await ask(third)).status, (await fetch(`${app.url}${fileOf(booking)}?series`)).status]).toEqual([
      404, 404,
    ]);
    const linked = linksOn(await (await fetch(app.url + pathOf(first))).text());
    expect(linked).toContain(`${app.config.publicUrl}${fileOf(first)}?series`);
    expect(linksOn(await (await fetch(app.url + pathOf(booking))).text()).join()).not.toContain('?series');
  });

  test('says so once it is cancelled, with a greater number', async () => {
    const own = await book(
      app.database.em.fork(),
      eventTypeOf(await newHosts(app.database.em.fork(), 1)),
      slotOn(0, '09:00'),
    );
    const sequence = async () => {
      const text = await (await fetch(app.url + fileOf(own.key))).text();
      return { number: Number(/SEQUENCE:(\d+)/.exec(text)?.[1]), isCancelled: text.includes('METHOD:CANCEL\r\n') };
    };
    const before = await sequence();
    expect(before).toEqual({ number: 0, isCancelled: false });
    await cancelBooking(app.database.em.fork(), undefined, { key: own.key, reason: null, callerId: null });
    const after = await sequence();
    expect(after.isCancelled).toBe(true);
    expect(after.number).toBeGreaterThan(0);
  });
});

function linksOn(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
}
