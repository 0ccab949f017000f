import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawBuilder, rows, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { formAt, GRACE, type Host, hostOf, linksOf, type Offered, see } from '../../support/booking-visitor.ts';
import { idOfUid, uuidOf } from '../../support/ids.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
let visitor: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
  visitor = new TestBrowser(app.url);
});
afterAll(() => app.close());

/** A booking of a new event type, and the path of its page. */
async function booked(fields: Record<string, unknown> = {}, index = 0): Promise<{ path: string; talk: Offered }> {
  const talk = await dan.offer(fields);
  return { path: await bookedAt(talk, index), talk };
}

async function bookedAt(talk: Offered, index: number, person: Record<string, string> = GRACE): Promise<string> {
  const form = await formAt(visitor, talk, index, '&timeZone=Europe/Paris');
  return shownPage(await visitor.submit(form, { ...person, step: 'book' })).address;
}

/** Three of a series, once a week: the paths of the first two. */
async function bookedSeries(fields: Record<string, unknown> = {}): Promise<{ path: string; second: string }> {
  const { path } = await booked({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 }, ...fields });
  const [second = ''] = linksOf(await see(visitor, path)).filter((link) => /^\/bookings\/[\w-]+$/.test(link));
  return { path, second };
}

/** As if it had been booked for so many hours from now. */
async function starts(path: string, inHours: number): Promise<void> {
  const start = sql`date_trunc('second', now()) + ${`${inHours} hours`}::interval`;
  await rows(
    app.database.em.fork(),
    sql`update bookings set starts_at = ${start}, ends_at = ${start} + interval '1 hour' where id = ${uuidOf(uidOf(path))} returning id`,
  );
}

function uidOf(path: string): string {
  return path.split('/')[2] ?? '';
}

/** The same page for a signed-in host, by the id of the booking. */
function asHosted(path: string): string {
  return `/bookings/${idOfUid(uidOf(path))}`;
}

function hoursBetween(start: string, end = start): number {
  return Temporal.Instant.from(end).since(start).total('hours');
}

/** Moves it to another slot, by the links and forms of the pages. */
async function moveTo(path: string, start: string, fields: Record<string, string> = {}): Promise<ShownPage> {
  const question = await see(visitor, `${path}/reschedule?start=${start}`);
  return shownPage(await visitor.submit(question, { reason: '', ...fields }));
}

const SIZE = { slug: 'size', type: 'NUMBER', label: 'How many are you?' };
const ANSWERED = { ...GRACE, 'response-size': '3', notes: 'We come\nby train.' };

describe('the page of a booking', () => {
  test('shows whose it is what they have sent: answers, notes and guests', async () => {
    const talk = await dan.offer({ bookingFields: [SIZE] });
    const path = await bookedAt(talk, 0, { ...ANSWERED, guests: 'ida@example.test' });
    const { text, html } = await see(new TestBrowser(app.url), path);
    expect(text).toContain('Guests ida@example.test (not invited yet) How many are you? 3 Notes We come by train.');
    expect(html).toContain('We come\nby train.');
  });

  test('says where its link is: in a mail, unless its host has not confirmed their own address', async () => {
    const { path } = await booked();
    const { path: asked } = await booked({ confirmation: { type: 'ALWAYS' } });
    const said = async () => [(await see(visitor, path)).text, (await see(visitor, asked)).text];
    expect(await said()).toEqual([
      expect.stringContaining('We’ve e-mailed you the details'),
      expect.stringContaining('We’ll e-mail you their answer'),
    ]);
    const { em } = app.database;
    const confirmed = (at: RawBuilder<unknown>) =>
      rows(em.fork(), sql`update users set email_verified_at = ${at} where username = 'dan'`);
    await confirmed(sql`null`);
    try {
      expect(await said()).toEqual([
        expect.stringContaining('Bookmark this page to come back'),
        expect.stringContaining('Bookmark this page to see their answer'),
      ]);
    } finally {
      await confirmed(sql`now()`);
    }
  });

  test('shows what is sent with a seat to its attendee alone', async () => {
    const talk = await dan.offer({ bookingFields: [SIZE], seats: { perSlot: 3, showsAttendees: true } });
    const [seat, other] = [
      await bookedAt(talk, 0, ANSWERED),
      await bookedAt(talk, 0, { ...GRACE, email: 'ida@example.test' }),
    ];
    expect((await see(visitor, seat)).text).toContain('We come by train.');
    expect((await see(visitor, other)).text).not.toContain('by train');
  });

  test('shows it in the zone of the booker, to anybody with its address', async () => {
    const { path, talk } = await booked({ locations: [{ type: 'LINK', url: 'https://meet.example/1' }] });
    const page = await see(new TestBrowser(app.url), path);
    const start = Temporal.Instant.from(talk.starts[0] ?? '').toZonedDateTimeISO('Europe/Paris');
    expect(page.text).toContain(`${start.toPlainTime().toString({ smallestUnit: 'minute' })}–`);
    expect(page.text).toContain('Europe/Paris');
    expect(page.text).toContain('Booked by Grace Hopper grace@example.test');
    expect(page.text).toContain('Host Dan Whitlock');
    expect(linksOf(page)).toEqual(
      expect.arrayContaining([
        'https://meet.example/1',
        expect.stringMatching(new RegExp(`^${app.url}/bookings/ucb_[\\w-]+\\.ics$`)),
        `${path}/cancel`,
        `${path}/reschedule`,
      ]),
    );
    expect((await see(visitor, `${path}?timeZone=Asia/Tokyo`)).text).toContain('Asia/Tokyo');
    expect((await see(dan.browser, path)).text).toContain('Australia/Sydney');
    expect((await see(visitor, `${path}?timeZone=x`)).status).toBe(400);
  });

  test('is kept by nobody, told to no other site, and found by no search', async () => {
    const { path } = await booked();
    for (const address of [path, `${path}/cancel`, `${path}/reschedule`]) {
      const { headers } = await see(visitor, address);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toContain('noindex');
    }
  });

  test.each(['x', 'bkg_x', 'a'.repeat(3_000), '__proto__'])('is a 404 for whatever is no uid: %s', async (uid) => {
    const nothing = await see(visitor, `/bookings/bkg_nobodys`);
    for (const path of [`/bookings/${uid}`, `/bookings/${uid}/cancel`, `/bookings/${uid}/reschedule`]) {
      const page = await see(visitor, path);
      expect([page.status, page.text]).toEqual([404, nothing.text]);
    }
  });

  test.each(['a%00', '%ff', 'a.b', '%2e%2e'])('is a 404 for what cannot be one: %s', async (uid) => {
    expect((await see(visitor, `/bookings/${uid}`)).status).toBe(404);
  });

  test('says that it waits for its host, and what they then say', async () => {
    const { path } = await booked({ confirmation: { type: 'ALWAYS' } });
    expect((await see(visitor, path)).text).toContain('Not confirmed yet');
    const uid = uidOf(path);
    await dan.browser.mutate(
      'bookingDecline',
      { bookingId: idOfUid(uid), reason: 'Too <busy>' },
      'userErrors { code }',
    );
    const declined = await see(visitor, path);
    expect(declined.text).toContain('Declined');
    expect(declined.text).toContain('Too <busy>');
    expect(linksOf(declined)).not.toContain(`${path}/cancel`);
  });

  test('with seats, shows each their own, and their uid alone opens it', async () => {
    const talk = await dan.offer({ seats: { perSlot: 3, showsAttendees: false } });
    const [grace, lin] = [await bookedAt(talk, 0), await bookedAt(talk, 0, { name: 'Lin', email: 'lin@example.test' })];
    expect(grace).not.toBe(lin);
    expect(uidOf(lin)).toMatch(/^uis_/);
    const page = await see(visitor, lin);
    expect(page.text).toContain('1 seat left');
    expect(page.text).not.toContain('Grace');
    const cancelled = await cancel(lin);
    expect([cancelled.status, cancelled.text]).toEqual([200, expect.stringContaining('You gave up your seat')]);
    expect((await see(visitor, grace)).text).toContain('Confirmed');
  });
});

async function cancel(
  path: string,
  fields: Record<string, string> = { reason: '' },
  browser = visitor,
): Promise<ShownPage> {
  return shownPage(await browser.submit(await see(browser, `${path}/cancel`), fields));
}

test.each([
  ['cancelled', 'The booking was cancelled.'],
  ['moved', 'The booking was rescheduled.'],
])('that a booking was %s is said only while it stands like that', async (done, sentence) => {
  const [{ path: live }, { path: off }] = [await booked(), await booked()];
  await cancel(off);
  const isOff = done === 'cancelled';
  expect(shownPage(await visitor.openAfterForm(`${isOff ? off : live}?done=${done}`)).text).toContain(sentence);
  const page = shownPage(await visitor.openAfterForm(`${isOff ? live : off}?done=${done}`));
  expect([page.status, page.text.includes(sentence)]).toEqual([200, false]);
});

describe('cancelling', () => {
  test('takes a reason if there is one, and is told on the page', async () => {
    const { path } = await booked();
    const page = await cancel(path, { reason: 'Something <came> up' });
    expect(page.address).toBe(`${path}?done=cancelled`);
    expect(page.text).toContain('The booking was cancelled.');
    expect(page.text).toContain('Cancelled');
    expect(page.text).toContain('Something <came> up');
    expect(linksOf(page).join(' ')).not.toMatch(/cancel|reschedule|google/);
    expect((await cancel((await booked()).path)).text).toContain('The booking was cancelled.');
  });

  test('is done once, however often the form is sent', async () => {
    const { path } = await booked();
    const form = await see(visitor, `${path}/cancel`);
    const pages = [await visitor.submit(form, { reason: '' }), await visitor.submit(form, { reason: '' })].map(
      shownPage,
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages[1]?.address).toBe(path);
    const another = (await booked()).path;
    const sent = await see(visitor, `${another}/cancel`);
    const both = await Promise.all([visitor.submit(sent, { reason: '' }), visitor.submit(sent, { reason: '' })]);
    expect(both.map((page) => page.status)).toEqual([200, 200]);
    expect((await see(visitor, `${path}/cancel`)).address).toBe(path);
  });

  test('hears of a reason that cannot be', async () => {
    const { path } = await booked();
    const page = await cancel(path, { reason: 'x'.repeat(1_001) });
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('longer than 1000 characters')]);
    expect((await see(visitor, path)).text).toContain('Confirmed');
  });

  test('is not offered, and refused, where the event type does not allow it', async () => {
    const { path } = await booked({ cancellationPolicy: { type: 'NEVER' }, reschedulingPolicy: { type: 'NEVER' } });
    const page = await see(visitor, path);
    expect(linksOf(page).join(' ')).not.toMatch(/\/(cancel|reschedule)/);
    for (const what of ['cancel', 'reschedule']) expect((await see(visitor, `${path}/${what}`)).address).toBe(path);
    // The form of another booking sends the same token, so that the rule is what refuses.
    const other = await booked();
    const { html } = await see(visitor, `${other.path}/cancel`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const refused = await visitor.request(`${path}/cancel`, headers, new URLSearchParams({ csrf }).toString());
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('ask a host to do it')]);
    expect((await see(dan.browser, `${asHosted(path)}/cancel`)).text).toContain('Why?');
  });

  test('is of one booking of a series, or of all that remain', async () => {
    const { path, second } = await bookedSeries();
    expect((await see(visitor, `${second}/cancel`)).text).not.toContain('part of a series');
    expect((await see(visitor, `${path}/cancel`)).text).toMatch(/Only this one: .*All 3 remaining bookings:/);
    await cancel(path, { reason: '', which: 'this' });
    expect((await see(visitor, second)).text).toContain('Confirmed');
    const last = await see(visitor, `${path}/cancel`);
    expect(last.text).toMatch(/All 2 remaining bookings:/);
    await visitor.submit(last, { reason: 'Moved away' });
    const gone = await see(visitor, second);
    expect(gone.text).toMatch(/Cancelled.*Moved away/);
    expect((await see(visitor, `${path}/cancel`)).address).toBe(path);
  });

  test.each([
    ['a host’s without a reason', () => dan.browser, asHosted, '', 'reason'],
    [
      'a booker’s with one that is too long',
      () => visitor,
      (path: string) => path,
      'x'.repeat(1_001),
      'longer than 1000',
    ],
  ])(
    'the rest of a series whose first was cancelled shows its mistake: %s',
    async (_, browserOf, seenBy, reason, why) => {
      const browser = browserOf();
      const { path: own, second } = await bookedSeries();
      await cancel(own, { reason: '', which: 'this' });
      const path = seenBy(own);
      const refused = await cancel(path, { reason }, browser);
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(why)]);
      expect((await see(visitor, second)).text).toContain('Confirmed');
      const form = await see(browser, `${path}/cancel`);
      const sent = [await browser.submit(form, { reason: 'Ill' }), await browser.submit(form, { reason: 'Ill' })];
      expect(sent.map((page) => page.status)).toEqual([200, 200]);
      expect((await see(visitor, second)).text).toMatch(/Cancelled.*Ill/);
    },
  );

  test('the rest of a series whose first is over says what was cancelled, and says it again', async () => {
    const { path, second } = await bookedSeries();
    await starts(path, -2);
    const form = await see(visitor, `${path}/cancel`);
    const sent = [await visitor.submit(form, { reason: '' }), await visitor.submit(form, { reason: '' })].map(
      shownPage,
    );
    const said = 'All remaining bookings in the series were cancelled. Over';
    expect(sent.map(({ status, text }) => [status, text.slice(0, said.length)])).toEqual([
      [200, said],
      [200, said],
    ]);
    expect((await see(visitor, second)).text).toContain('Cancelled');
    // A series that is over, and of which nothing was cancelled, is not said to be cancelled.
    const untouched = await bookedSeries({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 2 } });
    const late = await see(visitor, `${untouched.path}/cancel`);
    await starts(untouched.path, -2);
    await starts(untouched.second, -2);
    const refused = shownPage(await visitor.submit(late, { reason: '', which: 'all' }));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Nothing of the series remains')]);
  });

  test('the rest of a series says how many it is too late for, and says it again', async () => {
    const { path, second } = await bookedSeries({ cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 60 } });
    const form = await see(visitor, `${path}/cancel`);
    await starts(path, 0.5);
    const values = { reason: '', which: 'all' };
    const sent = [await visitor.submit(form, values), await visitor.submit(form, values)].map(shownPage);
    const said = 'The series was cancelled, except for 1 booking that it’s too late to cancel';
    expect(sent.map(({ status, text }) => [status, text.slice(0, said.length)])).toEqual([
      [200, said],
      [200, said],
    ]);
    expect([(await see(visitor, path)).text, (await see(visitor, second)).text]).toEqual([
      expect.stringContaining('Confirmed'),
      expect.stringContaining('Cancelled'),
    ]);
  });

  test('takes a reason of a host', async () => {
    const { path } = await booked();
    const refused = await cancel(asHosted(path), { reason: ' ' }, dan.browser);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('reason')]);
    expect((await cancel(asHosted(path), { reason: 'I am ill' }, dan.browser)).text).toContain(
      'The booking was cancelled.',
    );
  });

  test('takes no form of another site, and none without its token', async () => {
    const { path } = await booked();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const [foreign, forged] = [
      await visitor.request(`${path}/cancel`, { ...type, origin: 'https://evil.example' }, 'reason='),
      await visitor.request(`${path}/cancel`, { ...type, 'sec-fetch-site': 'same-origin' }, 'reason=kept'),
    ];
    expect([foreign.status, forged.status, forged.text.includes('kept')]).toEqual([403, 403, true]);
    expect((await see(visitor, path)).text).toContain('Confirmed');
  });
});

describe('rescheduling', () => {
  test('goes through the calendar, and leads to the new booking', async () => {
    const { path, talk } = await booked();
    const calendar = await see(visitor, `${path}/reschedule?date=${dateOf(talk.starts[0])}`);
    expect(calendar.text).toContain('It’s booked for');
    // Its own time is free for it.
    expect(linksOf(calendar).join(' ')).toContain(encodeURIComponent(talk.starts[0] ?? ''));
    const page = await moveTo(path, talk.starts[3] ?? '', { reason: 'Later is better' });
    expect(page.text).toMatch(/^The booking was rescheduled\. Confirmed/);
    const newPath = page.address.split('?')[0] ?? '';
    expect(newPath).not.toBe(path);
    const old = await see(visitor, path);
    expect(old.text).toContain('Rescheduled');
    expect(linksOf(old)).toContain(newPath);
  });

  test('is done once, however often the form is sent', async () => {
    const { path, talk } = await booked();
    const question = await see(visitor, `${path}/reschedule?start=${talk.starts[2]}`);
    const [first, second] = [
      shownPage(await visitor.submit(question, { reason: '' })),
      shownPage(await visitor.submit(question, { reason: '' })),
    ];
    expect(second.address).toBe(first.address.split('?')[0]);
    const other = await booked();
    const sent = await see(visitor, `${other.path}/reschedule?start=${other.talk.starts[2]}`);
    const both = await Promise.all([visitor.submit(sent, { reason: '' }), visitor.submit(sent, { reason: '' })]);
    expect(new Set(both.map((page) => shownPage(page).address.split('?')[0])).size).toBe(1);
  });

  test('in two tabs asks the second once more, with the time that the first has chosen', async () => {
    const { path, talk } = await booked();
    const [third = '', fourth = ''] = talk.starts.slice(2);
    const tab = await see(visitor, `${path}/reschedule?start=${fourth}`);
    const first = (await moveTo(path, third)).address.split('?')[0] ?? '';
    const asked = shownPage(await visitor.submit(tab, { reason: 'Later' }));
    expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('rescheduled in the meantime')]);
    expect(asked.html).toContain('Later</textarea>');
    expect((await see(visitor, first)).text).toContain('Confirmed');
    const second = shownPage(await visitor.submit(asked, { reason: 'Later' }));
    expect(second.text).toMatch(/^The booking was rescheduled\. Confirmed/);
    expect(linksOf(await see(visitor, first))).toContain(second.address.split('?')[0]);
    // The tab that was asked is sent once more: the booking is where it wants it.
    const again = shownPage(await visitor.submit(tab, { reason: 'Later' }));
    expect([again.status, again.address]).toEqual([200, second.address.split('?')[0]]);
  });

  test('to a time that was taken shows the others of that day, and keeps the reason', async () => {
    const { path, talk } = await booked();
    const question = await see(visitor, `${path}/reschedule?start=${talk.starts[1]}`);
    await bookedAt(talk, 1);
    const page = shownPage(await visitor.submit(question, { reason: 'Later' }));
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('has just been taken')]);
    expect(page.html).toContain('Later</textarea>');
    const moved = shownPage(await visitor.submit(page, { start: talk.starts[2] ?? '', reason: 'Later' }));
    expect(moved.text).toContain('The booking was rescheduled.');
  });

  test('in a length that its host has changed meanwhile goes on with the new one, and keeps the reason', async () => {
    const talk = await dan.offer();
    // Two hours without a break: what takes longer then still fits into the same day, whatever hour it is now.
    const index = talk.starts.findIndex((start, at) => hoursBetween(start, talk.starts[at + 3]) === 1.5);
    const path = await bookedAt(talk, index);
    const question = await see(visitor, `${path}/reschedule?start=${talk.starts[index + 1]}`);
    const change = { eventTypeId: talk.eventTypeId, durationInMinutes: 45 };
    await dan.browser.mutate('eventTypeUpdate', change, 'eventType { id }');
    const page = shownPage(await visitor.submit(question, { reason: 'Later' }));
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('has changed how long this takes')]);
    expect(page.html).toContain('Later</textarea>');
    const start = /name="start" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const moved = shownPage(await visitor.submit(page, { start, reason: 'Later' }));
    expect(moved.text).toContain('The booking was rescheduled.');
    expect(moved.text).toContain('45 minutes');
  });

  test('moves a seat, which keeps its uid', async () => {
    const talk = await dan.offer({ seats: { perSlot: 2, showsAttendees: false } });
    const path = await bookedAt(talk, 0);
    const page = await moveTo(path, talk.starts[4] ?? '');
    expect(page.address).toBe(`${path}?done=moved`);
  });

  test('is requested by a host, and done by the booker', async () => {
    const { path, talk } = await booked({ isHidden: false });
    await dan.browser.mutate(
      'bookingRescheduleRequest',
      { bookingId: idOfUid(uidOf(path)), reason: 'I am ill' },
      'userErrors { code }',
    );
    const asked = await see(visitor, path);
    expect(asked.text).toContain('The host can’t make this time. Please choose another one.');
    expect(asked.text).toContain('I am ill');
    expect((await moveTo(path, talk.starts[5] ?? '')).text).toContain('Confirmed');
  });

  test('is asked for by a host, who has to be asked where the event type is gone', async () => {
    const { path, talk } = await booked();
    await dan.browser.mutate(
      'bookingRescheduleRequest',
      { bookingId: idOfUid(uidOf(path)), reason: 'Ill' },
      'userErrors { code }',
    );
    await dan.browser.mutate('eventTypeDelete', { eventTypeId: talk.eventTypeId }, 'userErrors { code }');
    const page = await see(visitor, path);
    expect(page.text).toContain('Please ask the host for another time');
    expect(page.text).not.toContain('The host can’t make this time. Please choose another one.');
    expect(linksOf(page)).not.toContain(`${path}/reschedule`);
  });

  test('takes no form without its token, and no address that cannot be', async () => {
    const { path, talk } = await booked();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams({ start: talk.starts[1] ?? '' }).toString();
    expect((await visitor.request(`${path}/reschedule`, headers, body)).status).toBe(403);
    for (const query of ['start=x', 'month=x', 'timeZone=x', 'durationInMinutes=7'])
      expect((await see(visitor, `${path}/reschedule?${query}`)).status).toBe(400);
    expect((await see(visitor, `${path}/reschedule?month=9999-12`)).status).toBe(422);
  });

  test('ends where the event type is gone; the booking stays', async () => {
    const { path, talk } = await booked();
    await dan.browser.mutate('eventTypeDelete', { eventTypeId: talk.eventTypeId }, 'userErrors { code }');
    const page = await see(visitor, path);
    expect(page.text).toContain('Confirmed');
    expect(linksOf(page)).not.toContain(`${path}/reschedule`);
    expect((await see(visitor, `${path}/reschedule`)).address).toBe(path);
    expect((await cancel(path)).text).toContain('The booking was cancelled.');
  });
});

function dateOf(start: string | undefined): string {
  return Temporal.Instant.from(start ?? '')
    .toZonedDateTimeISO('Europe/Paris')
    .toPlainDate()
    .toString();
}
