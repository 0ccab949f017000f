/** A host's pages: their bookings, and what they do with one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, type Host, hostOf, linksOf, mistakesOf, type Offered, see } from '../../support/booking-visitor.ts';
import { idOfUid, ownedUuidOf, unknownId } from '../../support/ids.ts';
import { OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
let ada: TestBrowser;
let offered: Offered;
let asked: Offered;
const taken = new Map<string, number>();
beforeAll(async () => {
  app = await startTestApp();
  [dan, ada] = await Promise.all([hostOf(app, 'dan@solo.test', 'dan'), TestBrowser.signedIn(app.url, 'ada@acme.test')]);
  offered = await dan.offer({ bookingFields: [{ type: 'TEXT', slug: 'topic', label: 'What about?' }] });
  asked = await dan.offer({ confirmation: { type: 'ALWAYS' } });
});
afterAll(() => app.close());

/** Somebody books the next free time. @returns the uid */
async function booked(what: Offered, input: object = {}): Promise<string> {
  const index = (taken.get('') ?? 0) + 1;
  taken.set('', index);
  const document = `mutation ($input: BookingCreateInput!) {
    bookingCreate(input: $input) { booking { uid } userErrors { code message } }
  }`;
  const attendee = { ...GRACE, timeZone: 'Europe/Berlin' };
  const { eventTypeId } = what;
  const variables = { input: { eventTypeId, start: what.starts[index], attendee, ...input } };
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
  });
  const { data } = (await answer.json()) as { data: { bookingCreate: { booking: { uid: string } | null } } };
  const uid = data.bookingCreate.booking?.uid;
  if (uid === undefined) throw new Error(`Not booked: ${JSON.stringify(data)}`);
  return uid;
}

const pathOf = (uid: string) => `/bookings/${idOfUid(uid)}/host`;
const statusOf = async (uid: string) =>
  (
    await dan.browser.ask<{ me: { booking: { status: string } } }>(
      'query ($uid: ID!) { me { booking(id: $uid) { status } } }',
      { uid: idOfUid(uid) },
    )
  ).me.booking.status;

test('all that remains of a series is cancelled at once', async () => {
  const series = await dan.offer({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } });
  const uid = await booked(series);
  const page = await see(dan.browser, pathOf(uid));
  expect(page.text).toContain('All 3 remaining bookings in the series');
  const refused = await dan.browser.submit(page, { 'cancel-reason': ' ', series: 'on' }, `${pathOf(uid)}/cancel`);
  expect(shownPage(refused).status).toBe(422);
  const done = await dan.browser.submit(page, { 'cancel-reason': 'Ill', series: 'on' }, `${pathOf(uid)}/cancel`);
  expect(shownPage(done).text).toContain('You cancelled');
  const visitor = new TestBrowser(app.url);
  const others = linksOf(await see(visitor, `/bookings/${uid}`)).filter((link) => /^\/bookings\/[\w-]+$/.test(link));
  expect(others).toHaveLength(2);
  for (const other of others) expect((await see(visitor, other)).text).toContain('Cancelled');
});

test('the rest of a series is not shown as cancelled when its form is refused and the booker has cancelled one', async () => {
  const series = await dan.offer({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } });
  const uid = await booked(series);
  const visitor = new TestBrowser(app.url);
  const [second = ''] = linksOf(await see(visitor, `/bookings/${uid}`)).filter((link) =>
    /^\/bookings\/[\w-]+$/.test(link),
  );
  const page = await see(dan.browser, pathOf(uid));
  await visitor.submit(await see(visitor, `/bookings/${uid}/cancel`), { reason: '', which: 'this' });
  const send = async (from: ShownPage, values: Record<string, string>) =>
    shownPage(await dan.browser.submit(from, values, `${pathOf(uid)}/cancel`));
  const refused = await send(page, { 'cancel-reason': '', series: 'on' });
  expect([refused.status, Object.keys(mistakesOf(refused))]).toEqual([422, ['cancel-reason']]);
  expect(refused.text).toContain('All 2 remaining bookings in the series');
  expect((await see(visitor, second)).text).toContain('Confirmed');
  const done = [await send(refused, { 'cancel-reason': 'Ill' }), await send(refused, { 'cancel-reason': 'Ill' })];
  expect(done.map(({ status, text }) => `${status} ${text.includes('You cancelled')}`)).toEqual([
    '200 true',
    '200 true',
  ]);
  expect((await see(visitor, second)).text).toMatch(/Cancelled.*Ill/);
});

describe('the lists', () => {
  test('show what is to come, what waits, what has been and what was cancelled', async () => {
    const [standing, waiting, over] = [await booked(offered), await booked(asked), await booked(offered)];
    await dan.browser.mutate('bookingCancel', { uid: over, reason: 'Ill' }, 'booking { uid }');
    const shownIn = async (query: string) => linksOf(await see(dan.browser, `/bookings${query}`));
    expect(await shownIn('')).toEqual(expect.arrayContaining([pathOf(standing), pathOf(waiting)]));
    expect(await shownIn('?show=waiting')).toContain(pathOf(waiting));
    expect(await shownIn('?show=waiting')).not.toContain(pathOf(standing));
    expect(await shownIn('?show=cancelled')).toContain(pathOf(over));
    expect(await shownIn('?show=past')).not.toContain(pathOf(standing));
    expect(await shownIn('?show=elsewhere')).toContain(pathOf(standing));
  });

  test('find an attendee by their address', async () => {
    const uid = await booked(offered, { attendee: { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC' } });
    const found = await see(dan.browser, '/bookings?attendee=LIN@example.test');
    expect(linksOf(found).filter((link) => link.endsWith('/host'))).toEqual([pathOf(uid)]);
    expect((await see(dan.browser, '/bookings?attendee=nobody@example.test')).text).toContain('No bookings with');
  });

  test('go on after a page', async () => {
    const cursor = linksOf(await see(dan.browser, '/bookings?after=bm9uZQ'));
    expect(cursor).toEqual(expect.arrayContaining(['/']));
  });

  test('are for signed-in users, each their own', async () => {
    const visitor = new TestBrowser(app.url);
    expect((await see(visitor, '/bookings?show=past')).address).toBe('/auth/login?return_to=%2Fbookings%3Fshow%3Dpast');
    expect(linksOf(await see(ada, '/bookings'))).not.toContain(pathOf(await booked(offered)));
  });
});

describe('a booking', () => {
  test('shows its host the answers, notes and guests', async () => {
    const responses = { topic: 'A <b>plan</b>' };
    const uid = await booked(offered, { responses, notes: 'By the door', guests: ['friend@example.test'] });
    const { text, headers } = await see(dan.browser, pathOf(uid));
    for (const words of ['Confirmed', 'Grace Hopper', GRACE.email, 'What about?', 'A <b>plan</b>', 'By the door']) {
      expect(text).toContain(words);
    }
    expect(text).toContain('friend@example.test');
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
  });

  test('is there for no other, whatever the address names', async () => {
    const uid = await booked(offered);
    for (const path of [pathOf(uid), pathOf(unknownId('booking')), pathOf('none')]) {
      const page = await see(ada, path);
      expect([page.status, page.text.includes('You have no booking at this address')]).toEqual([404, true]);
    }
    const mine = await see(ada, '/settings/account');
    const csrf = /name="csrf" value="([^"]+)"/.exec(mine.html)?.[1] ?? '';
    const body = `csrf=${csrf}&cancel-reason=Because`;
    expect((await ada.request(`${pathOf(uid)}/cancel`, OWN_FORM, body)).status).toBe(404);
    expect(await statusOf(uid)).toBe('ACCEPTED');
  });

  test('leads its host from the page that the booker has, which is theirs by the id and not by the uid', async () => {
    const uid = await booked(offered);
    const hosted = `/bookings/${idOfUid(uid)}`;
    expect(linksOf(await see(dan.browser, hosted))).toContain(pathOf(uid));
    expect((await see(new TestBrowser(app.url), hosted)).status).toBe(404);
    for (const browser of [dan.browser, new TestBrowser(app.url)])
      expect(linksOf(await see(browser, `/bookings/${uid}`))).not.toContain(pathOf(uid));
  });
});

describe('a host', () => {
  test('confirms', async () => {
    const uid = await booked(asked);
    const page = await see(dan.browser, pathOf(uid));
    const after = shownPage(await dan.browser.submit(page, {}));
    expect([after.address, after.text.includes('You confirmed the booking.')]).toEqual([
      `${pathOf(uid)}?done=confirm`,
      true,
    ]);
    expect(await statusOf(uid)).toBe('ACCEPTED');
  });

  test.each([
    ['confirm', true, {}, 'ACCEPTED'],
    ['decline', true, {}, 'REJECTED'],
    ['request-reschedule', false, {}, 'CANCELLED'],
    ['cancel', false, { 'cancel-reason': 'Ill' }, 'CANCELLED'],
  ])('is told that it is done where the form comes twice: %s', async (action, isAsked, values, status) => {
    const uid = await booked(isAsked ? asked : offered);
    const page = await see(dan.browser, pathOf(uid));
    const send = () => dan.browser.submit(page, values, `${pathOf(uid)}/${action}`);
    const stops = [...(await Promise.all([send(), send()])), await send()].map(shownPage);
    expect(new Set(stops.map((stop) => `${stop.status} ${stop.address}`)).size).toBe(1);
    expect([stops[0]?.status, await statusOf(uid)]).toEqual([200, status]);
  });

  test('is told what is wrong with a form even where what it wants is done', async () => {
    const uid = await booked(asked);
    const page = await see(dan.browser, pathOf(uid));
    await dan.browser.submit(page, { 'decline-reason': 'On leave' }, `${pathOf(uid)}/decline`);
    const values = { 'decline-reason': 'x'.repeat(1_001) };
    const late = shownPage(await dan.browser.submit(page, values, `${pathOf(uid)}/decline`));
    expect([late.status, late.text]).toEqual([422, expect.stringContaining('longer than 1000')]);
  });

  test('is told that it cannot be done where something else was done before', async () => {
    const uid = await booked(asked);
    const page = await see(dan.browser, pathOf(uid));
    await dan.browser.submit(page, {}, `${pathOf(uid)}/confirm`);
    const late = shownPage(await dan.browser.submit(page, { 'decline-reason': 'No' }));
    expect([late.status, late.text.includes('must be pending')]).toEqual([422, true]);
    expect(await statusOf(uid)).toBe('ACCEPTED');
  });

  test('declines with a reason that the attendee reads', async () => {
    const uid = await booked(asked);
    await dan.browser.submit(await see(dan.browser, pathOf(uid)), { 'decline-reason': 'On leave' });
    expect(await statusOf(uid)).toBe('REJECTED');
    expect((await see(new TestBrowser(app.url), `/bookings/${uid}`)).text).toContain('On leave');
  });

  test('asks to reschedule', async () => {
    const uid = await booked(offered);
    const page = await see(dan.browser, pathOf(uid));
    const after = shownPage(await dan.browser.submit(page, { 'request-reschedule-reason': 'Later, please' }));
    expect(after.text).toContain('You asked Grace Hopper to reschedule.');
    expect(await statusOf(uid)).toBe('CANCELLED');
  });

  test('cancels, but not without a reason, and loses nothing', async () => {
    const uid = await booked(offered);
    const page = await see(dan.browser, pathOf(uid));
    const refused = shownPage(await dan.browser.submit(page, { 'cancel-reason': '' }));
    expect(refused.status).toBe(422);
    expect(Object.keys(mistakesOf(refused))).toEqual(['cancel-reason']);
    expect(refused.html).toMatch(/<details open\s*><summary>Cancel/);
    expect(await statusOf(uid)).toBe('ACCEPTED');
    await dan.browser.submit(refused, { 'cancel-reason': 'Ill' });
    expect(await statusOf(uid)).toBe('CANCELLED');
  });

  test('marks who did not come, once it has begun', async () => {
    const uid = await booked(offered);
    expect((await see(dan.browser, pathOf(uid))).text).not.toContain('Mark no-shows');
    const { ownerId, id } = ownedUuidOf(uid);
    const em = app.database.em.fork();
    for (const table of ['bookings', 'booking_hosts'] as const) {
      const key = table === 'bookings' ? sql`owner_id = ${ownerId} and id = ${id}` : sql`booking_id = ${id}`;
      await changed(
        em,
        sql`update ${sql.table(table)} set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where ${key}`,
      );
    }
    const after = shownPage(await dan.browser.submit(await see(dan.browser, pathOf(uid)), { absent: GRACE.email }));
    expect(after.text).toContain('No-shows saved.');
    expect(after.html).toMatch(/Grace Hopper<\/bdi>\s*<mark class="rejected">No-show/);
  });

  test('is not taken in by a form of elsewhere', async () => {
    const uid = await booked(offered);
    const answer = await dan.browser.request(`${pathOf(uid)}/cancel`, OWN_FORM, 'cancel-reason=Because');
    expect(answer.status).toBe(403);
    expect(await statusOf(uid)).toBe('ACCEPTED');
  });
});
