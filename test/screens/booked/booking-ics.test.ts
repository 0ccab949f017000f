import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uidOf } from '../../../src/modules/bookings/booking-key.rules.ts';
import { cancelBooking } from '../../../src/modules/bookings/change/cancel-booking.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../../modules/bookings/support/booked-hosts.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { unknownId } from '../../support/ids.ts';

let app: TestApp;
let uid: string;
beforeAll(async () => {
  app = await startTestApp();
  const em = app.database.em.fork();
  uid = uidOf((await book(em, eventTypeOf(await newHosts(em, 1)), slotOn(0, '09:00'))).key);
});
afterAll(() => app.close());

describe('GET /bookings/<uid>.ics', () => {
  test('is a calendar object for anybody with the uid', async () => {
    const answer = await fetch(`${app.url}/bookings/${uid}.ics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const text = await answer.text();
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*METHOD:REQUEST\r\n[^]*STATUS:CONFIRMED\r\n[^]*END:VCALENDAR\r\n$/);
    expect(text).toContain('mailto:no-reply@gatehouse.test');
    expect(text).not.toContain(uid);
  });

  test.each([
    ['another uid', () => unknownId('booking')],
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
      const ask = () => fetch(`${limited.url}/bookings/${uidOf(booked.key)}.ics`);
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
    const eventType = eventTypeOf(await newHosts(em, 1), { rules: { seats: { perSlot: 2, showAttendees: false } } });
    const lin = { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC', locale: null, phone: null };
    const first = await book(em, eventType, slotOn(0, '09:00'), { notes: 'Secret' });
    const second = await book(em, eventType, slotOn(0, '09:00'), { attendee: lin });
    const texts = await Promise.all(
      [first, second].map(async (one) => (await fetch(`${app.url}/bookings/${uidOf(one.key)}.ics`)).text()),
    );
    expect(texts.map((text) => text.match(/[a-z]+@example\.test/g))).toEqual([
      ['grace@example.test'],
      ['lin@example.test'],
    ]);
    expect(texts.join()).not.toContain('Secret');
  });

  test('with ?series has all bookings of a series that take place, for the holder of the first one’s uid', async () => {
    const em = app.database.em.fork();
    const recurrence = { frequency: 'WEEKLY', interval: 1, occurrences: 4 } as const;
    const eventType = eventTypeOf(await newHosts(em, 1), { rules: { recurrence } });
    const [first, second, third] = (await book(em, eventType, slotOn(0, '09:00'))).keys;
    if (!first || !second || !third) throw new Error('No series was booked.');
    await cancelBooking(app.database.em.fork(), undefined, { key: second, reason: null, callerId: null });
    const ask = (key: typeof first) => fetch(`${app.url}/bookings/${uidOf(key)}.ics?series`);
    const answer = await ask(first);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="bookings.ics"');
    const text = await answer.text();
    expect(text).toContain('METHOD:PUBLISH');
    expect(new Set(text.match(/^UID:.*/gm)).size).toBe(3);
    expect(text).not.toMatch(/CANCELLED|ATTENDEE/);
    expect([(await ask(third)).status, (await fetch(`${app.url}/bookings/${uid}.ics?series`)).status]).toEqual([
      404, 404,
    ]);
    const path = `/bookings/${uidOf(first)}`;
    expect(linksOn(await (await fetch(`${app.url}${path}`)).text())).toContain(`${path}.ics?series`);
    expect(linksOn(await (await fetch(`${app.url}/bookings/${uid}`)).text()).join()).not.toContain('?series');
  });

  test('says so once it is cancelled, with a greater number', async () => {
    const own = await book(
      app.database.em.fork(),
      eventTypeOf(await newHosts(app.database.em.fork(), 1)),
      slotOn(0, '09:00'),
    );
    const sequence = async () => {
      const text = await (await fetch(`${app.url}/bookings/${uidOf(own.key)}.ics`)).text();
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
