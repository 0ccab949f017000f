/** A uid that was ended opens nothing any more, wherever it is shown; the attendee goes on with the next one, which they are mailed. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicOwnedId } from '../../src/core/id.ts';
import { row, sql } from '../../src/database/sql.ts';
import type { Uids } from '../../src/modules/bookings/booking-key.rules.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Host, hostOf, type Offered, see } from '../support/booking-visitor.ts';
import { idOfUid } from '../support/ids.ts';
import { MailServer } from '../support/mail-server.ts';
import { mailsSettled } from '../support/mails-settled.ts';
import { KNOWN_KEY, uidsOf } from '../support/minted-tokens.ts';
import { NAVIGATION, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let mailServer: MailServer;
let host: Host;
let uids: Uids;

beforeAll(async () => {
  mailServer = await MailServer.open();
  app = await startTestApp({ ...KNOWN_KEY, SMTP_URL: mailServer.url }, { runsJobs: true });
  uids = await uidsOf(app);
  host = await hostOf(app, 'ada@acme.test', 'ada');
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

async function change(name: string, input: object, selection: string) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code } } }`;
  const { body } = await app.graphql(query, { variables: { input } });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data[name];
}

async function book({ eventTypeId }: Offered, start: string | undefined, name: string): Promise<string> {
  const attendee = { name, email: `${name}@office.test`, timeZone: 'UTC' };
  const input = { eventTypeId, start, attendee, idempotencyKey: `the-booking-of-${name}` };
  const { booking, userErrors } = await change('bookingCreate', input, 'booking { uid }');
  expect([name, userErrors]).toEqual([name, []]);
  return booking.uid;
}

/** The uids in the mails to somebody since the last look, the latest one last. */
async function mailed(name: string): Promise<readonly string[]> {
  const mails = (await mailsSettled(app, mailServer)).filter(({ mailbox }) => mailbox === `${name}@office.test`);
  return mails.flatMap(({ text }) => [...text.matchAll(/\/bookings\/(ui[ds]_[\w-]+)/g)].map(([, uid = '']) => uid));
}

const isPage = async (path: string): Promise<boolean> =>
  (await new TestBrowser(app.url).request(path, NAVIGATION)).status === 200;

/** The doors that open to a uid, and to the code of the calendar file that goes with it. */
async function opened(uid: string): Promise<readonly string[]> {
  const key = uids.read(uid);
  if (!key) throw new Error(`${uid} was not written by the service.`);
  const query = 'query ($uid: String!) { publicBooking(uid: $uid) { status } }';
  const shown = await app.graphql(query, { variables: { uid } });
  const doors = {
    publicBooking: shown.body.data.publicBooking !== null,
    'GET /v2/public-bookings': (await fetch(`${app.url}/v2/public-bookings/${uid}`)).ok,
    page: await isPage(`/bookings/${uid}`),
    'page that moves': await isPage(`/bookings/${uid}/reschedule`),
    'page that cancels': await isPage(`/bookings/${uid}/cancel`),
    file: await isPage(`/bookings/${uids.ofFile(key)}.ics`),
  };
  return Object.entries(doors).flatMap(([name, isOpen]) => (isOpen ? [name] : []));
}

/** The codes with which the mutations of attendees refuse a uid. */
async function refused(uid: string, start: string | undefined): Promise<readonly string[]> {
  const answers = [
    await change('bookingReschedule', { uid, start }, '__typename'),
    await change('bookingSeriesCancel', { uid }, '__typename'),
    await change('bookingCancel', { uid }, '__typename'),
  ];
  const byRest = await fetch(`${app.url}/v2/bookings/${uid}/cancel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return [...answers.map(({ userErrors }) => userErrors[0]?.code ?? 'done'), String(byRest.status)];
}

const UNKNOWN = ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', '404'];
const ALL = ['publicBooking', 'GET /v2/public-bookings', 'page', 'page that moves', 'page that cancels', 'file'];

describe('a host ends', () => {
  test('the uids of a booking by its id, and the attendee is mailed the next one', async () => {
    const offered = await host.offer();
    const [start, later] = [offered.starts[0], offered.starts[3]];
    const uid = await book(offered, start, 'leaked');
    expect(await mailed('leaked')).toEqual([uid]);
    expect(await opened(uid)).toEqual(ALL);
    await host.browser.mutate('bookingUidRotate', { bookingId: idOfUid(uid) }, 'bookingId booking { status }');
    expect(await opened(uid)).toEqual([]);
    expect(await refused(uid, later)).toEqual(UNKNOWN);
    // Somebody who repeats the request that made the booking is not given the next one.
    const attendee = { name: 'leaked', email: 'leaked@office.test', timeZone: 'UTC' };
    const again = { eventTypeId: offered.eventTypeId, start, attendee, idempotencyKey: 'the-booking-of-leaked' };
    expect((await change('bookingCreate', again, 'booking { uid }')).booking?.uid ?? uid).toBe(uid);
    const [next = '', ...others] = await mailed('leaked');
    expect([next === uid, others, idOfUid(next)]).toEqual([false, [], idOfUid(uid)]);
    expect(await opened(next)).toEqual(ALL);
    const { booking } = await change('bookingReschedule', { uid: next, start: later }, 'booking { uid }');
    expect(await opened(booking.uid)).toEqual(ALL);
  });

  test('those of all that it has moved from and to, on the page of the booking', async () => {
    const offered = await host.offer();
    const first = await book(offered, offered.starts[6], 'moved');
    const { booking } = await change('bookingReschedule', { uid: first, start: offered.starts[9] }, 'booking { uid }');
    await mailed('moved');
    const path = `/bookings/${idOfUid(booking.uid)}/host`;
    const done = await host.browser.submit(await see(host.browser, path), {}, `${path}/replace-link`);
    expect(done).toMatchObject({ kind: 'PAGE', text: expect.stringContaining('The old link no longer works.') });
    expect(done).toMatchObject({ text: expect.stringContaining('replaced the attendee’s link') });
    for (const uid of [first, booking.uid]) expect([uid, await opened(uid)]).toEqual([uid, []]);
    const [next = ''] = await mailed('moved');
    expect(await opened(next)).toEqual(ALL);
  });

  test('those of a whole series, as the first one leads to all', async () => {
    const offered = await host.offer({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } });
    await book(offered, offered.starts[12], 'weekly');
    const given = await mailed('weekly');
    expect(given).toHaveLength(3);
    await host.browser.mutate('bookingUidRotate', { bookingId: idOfUid(given[1] ?? '') }, 'bookingId');
    for (const uid of given) expect([uid, await opened(uid)]).toEqual([uid, []]);
    const next = await mailed('weekly');
    expect(next.map(idOfUid)).toEqual(given.map(idOfUid));
    expect(await opened(next[2] ?? '')).toEqual(ALL);
  });

  test('that of one seat, and the others keep theirs; then those of all', async () => {
    const offered = await host.offer({ seats: { perSlot: 3, showsAttendees: true } });
    const [one, other] = [
      await book(offered, offered.starts[20], 'one'),
      await book(offered, offered.starts[20], 'two'),
    ];
    await mailed('one');
    const seat = uids.read(one);
    const { bookingId } = (await row<{ bookingId: string }>(
      app.database.em.fork(),
      sql`select booking_id as "bookingId" from booking_attendees where seat_id = ${seat?.id ?? ''}`,
    )) ?? { bookingId: '' };
    const ids = {
      bookingId: publicOwnedId('booking', { ownerId: seat?.ownerId ?? '', id: bookingId }),
      seatId: publicOwnedId('seat', seat ?? { ownerId: '', id: '' }),
    };
    await host.browser.mutate('bookingUidRotate', ids, 'bookingId');
    expect([await opened(one), await opened(other)]).toEqual([[], ALL]);
    const [next = ''] = await mailed('one');
    expect(await opened(next)).toEqual(ALL);
    await host.browser.mutate('bookingUidRotate', { bookingId: ids.bookingId }, 'bookingId');
    expect([await opened(next), await opened(other)]).toEqual([[], []]);
    const none = { ...ids, seatId: ids.bookingId };
    await expect(host.browser.mutate('bookingUidRotate', none, 'bookingId')).rejects.toThrow(/NOT_FOUND|seat/);
  });

  test('that of a booking that is off, which shows it still, and nobody is mailed', async () => {
    const offered = await host.offer();
    const uid = await book(offered, offered.starts[15], 'off');
    await change('bookingCancel', { uid }, '__typename');
    await mailed('off');
    expect(await opened(uid)).toContain('publicBooking');
    await host.browser.mutate('bookingUidRotate', { bookingId: idOfUid(uid) }, 'bookingId');
    expect([await opened(uid), await mailed('off')]).toEqual([[], []]);
  });
});

test('whoever is mailed about a booking that they have not made ends its uids, and no others', async () => {
  const offered = await host.offer();
  const uid = await book(offered, offered.starts[25], 'victim');
  const elsewhere = await book(offered, offered.starts[28], 'somebody');
  const mails = await mailsSettled(app, mailServer);
  const [, path = ''] =
    /(\/mails\/[\w./-]+)/.exec(mails.find(({ mailbox }) => mailbox.startsWith('victim'))?.text ?? '') ?? [];
  expect(path).toContain(idOfUid(uid));
  const browser = new TestBrowser(app.url);
  const page = await see(browser, path);
  expect(await opened(uid)).toEqual(ALL);
  await browser.submit(page, { answer: 'stop' });
  expect(await opened(uid)).toEqual([]);
  // The link of one mailbox is good for no booking of another.
  const foreign = path.replace(idOfUid(uid), idOfUid(elsewhere));
  await browser.submit(await see(browser, foreign), { answer: 'stop' });
  expect(await opened(elsewhere)).toEqual(ALL);
  const told = await see(host.browser, `/bookings/${idOfUid(uid)}/host`);
  expect(told.text).toContain('said they didn’t book this');
  expect(told.text).not.toContain(uid);
});

test('a mail program that unsubscribes ends none', async () => {
  const offered = await host.offer();
  const uid = await book(offered, offered.starts[31], 'reader');
  const mails = await mailsSettled(app, mailServer);
  const [, path = ''] =
    /(\/mails\/[\w./-]+)/.exec(mails.find(({ mailbox }) => mailbox.startsWith('reader'))?.text ?? '') ?? [];
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(app.url + path, { method: 'POST', body })).ok).toBe(true);
  expect(await opened(uid)).toEqual(ALL);
});

test('of fifty who cancel by a uid while it is ended, one has cancelled before, or none gets in', async () => {
  const offered = await host.offer();
  for (const [round, start] of offered.starts.slice(34, 38).entries()) {
    const uid = await book(offered, start, `race-${round}`);
    const cancels = Array.from({ length: 50 }, () => change('bookingCancel', { uid }, '__typename'));
    const rotate = host.browser.mutate('bookingUidRotate', { bookingId: idOfUid(uid) }, 'booking { status }');
    const answers = (await Promise.all(cancels)).map(({ userErrors }) => userErrors[0]?.code ?? 'done');
    await rotate;
    const { booking } = await host.browser
      .ask<{ me: { booking: { status: string } } }>('query ($id: ID!) { me { booking(id: $id) { status } } }', {
        id: idOfUid(uid),
      })
      .then(({ me }) => me);
    const done = answers.filter((one) => one === 'done').length;
    expect([booking.status, done]).toEqual(done === 1 ? ['CANCELLED', 1] : ['ACCEPTED', 0]);
    expect(answers.filter((one) => !['done', 'NOT_FOUND', 'NOT_POSSIBLE'].includes(one))).toEqual([]);
    expect((await change('bookingCancel', { uid }, '__typename')).userErrors).toEqual([{ code: 'NOT_FOUND' }]);
    expect(await opened(uid)).toEqual([]);
  }
});
