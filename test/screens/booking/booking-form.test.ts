import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import {
  fieldOf,
  formAt,
  GRACE,
  type Host,
  hostOf,
  linksOf,
  mistakesOf,
  type Offered,
  see,
} from '../../support/booking-visitor.ts';
import { idOfUid } from '../../support/ids.ts';
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

/** Books by the form, and answers the page that follows. */
async function book(page: ShownPage, fields: Record<string, string> = {}): Promise<ShownPage> {
  return shownPage(await visitor.submit(page, { ...GRACE, ...fields, step: 'book' }));
}

function uidOf({ address }: ShownPage): string {
  return /^\/bookings\/([\w-]+)/.exec(address)?.[1] ?? '';
}

/** A booking, as the host sees it. */
async function bookingOf(page: ShownPage) {
  const document = `query ($id: ID!) { me { booking(id: $id) { id location { text } guests { email } responses
    attendees { name email phone timeZone notes } recurringId start } } }`;
  const { me } = await dan.browser.ask<{ me: { booking: Record<string, unknown> } }>(document, {
    id: idOfUid(uidOf(page)),
  });
  return me.booking;
}

/** The dates of a series that a form shows. */
function datesOf({ html }: ShownPage) {
  const list = /<details class="more series-dates"[^]*?<.details>/.exec(html)?.[0] ?? '';
  return [...list.matchAll(/<li><time datetime="([^"]+)"><bdi[^>]*>([^<]+)<.bdi><.time>(.*?)<.li>/g)].map(
    ([, start = '', text = '', mark]) => ({ start, text, isFree: mark === '' }),
  );
}

/** The other bookings of a series that the page of the first one leads to. */
function seriesOf({ html }: ShownPage) {
  return [...html.matchAll(/<li><a href="(.bookings.[^"]+)"><bdi[^>]*>([^<]+)</g)].map(([, path = '', text = '']) => ({
    path,
    text,
  }));
}

async function countOf({ eventTypeId }: Offered): Promise<number> {
  const document = `query ($id: ID!) { me { bookings(first: 100, filter: { eventTypeIds: [$id] }) { nodes { id } } } }`;
  const { me } = await dan.browser.ask<{ me: { bookings: { nodes: unknown[] } } }>(document, { id: eventTypeId });
  return me.bookings.nodes.length;
}

describe('a booker who fills in the form', () => {
  test('books, and is led to the booking', async () => {
    const talk = await dan.offer();
    const form = await formAt(visitor, talk, 0, '&timeZone=Europe/Paris');
    expect(form.headers.get('cache-control')).toBe('no-store');
    const booked = await book(form, {
      notes: 'See you\r\nthen',
      phone: '+49 30 123456',
      guests: 'a@example.test\r\nb@example.test',
    });
    expect([booked.status, booked.address]).toEqual([200, expect.stringMatching(/^\/bookings\/uid_[\w-]+$/)]);
    expect(booked.text).toMatch(/^Confirmed Talk/);
    expect(await bookingOf(booked)).toMatchObject({
      start: talk.starts[0],
      guests: [{ email: 'a@example.test' }, { email: 'b@example.test' }],
      attendees: [{ ...GRACE, phone: '+4930123456', timeZone: 'Europe/Paris', notes: 'See you\nthen' }],
    });
  });

  test('books once, however often the form is sent', async () => {
    const talk = await dan.offer();
    const form = await formAt(visitor, talk);
    const all = await Promise.all(Array.from({ length: 5 }, () => book(form)));
    expect(new Set(all.map(uidOf)).size).toBe(1);
    expect(uidOf(await book(form))).toBe(uidOf(all[0] as ShownPage));
    expect(await countOf(talk)).toBe(1);
    expect((await book(await formAt(visitor, talk, 1))).address).toContain('/bookings/');
    expect(await countOf(talk)).toBe(2);
  });

  test('gets another key in place of one that cannot be', async () => {
    const form = await formAt(visitor, await dan.offer());
    const own = fieldOf(form, 'idempotencyKey') ?? '';
    expect(fieldOf(await book(form, { name: '' }), 'idempotencyKey')).toBe(own);
    for (const idempotencyKey of ['', 'short', 'x'.repeat(200)])
      expect(fieldOf(await book(form, { name: '', idempotencyKey }), 'idempotencyKey')).toMatch(/^\w{22}$/);
    expect((await book(form, { idempotencyKey: '' })).address).toContain('/bookings/');
  });

  test.each(['0x10', '1e3', '0b1', 'Infinity', '1 000', '--1', '.', '९'])('writes no number as %s', async (text) => {
    const talk = await dan.offer({ bookingFields: [{ slug: 'size', type: 'NUMBER', label: 'Size' }] });
    const page = await book(await formAt(visitor, talk), { 'response-size': text });
    expect(Object.keys(mistakesOf(page))).toEqual(['response-size']);
    expect((await book(page, { 'response-size': '+16,5' })).address).toContain('/bookings/');
  });

  test('may tick every box of every question', async () => {
    const options = Array.from({ length: 100 }, (_, index) => `Option ${index}`);
    const slugs = Array.from({ length: 15 }, (_, index) => `q${index}`);
    const bookingFields = slugs.map((slug) => ({ slug, type: 'CHECKBOX', label: slug, options }));
    const talk = await dan.offer({ bookingFields });
    const form = await formAt(visitor, talk);
    const hidden = ['csrf', 'idempotencyKey', 'start'].map((name) => [name, fieldOf(form, name) ?? '']);
    const ticked = slugs.flatMap((slug) => options.map((option) => [`response-${slug}`, option]));
    const body = new URLSearchParams([...hidden, ...Object.entries(GRACE), ...ticked]).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    expect((await visitor.request(talk.path, headers, body)).status).toBe(303);
  });

  test('hears of every mistake at its field, and keeps what was typed', async () => {
    const talk = await dan.offer({
      bookingFields: [{ slug: 'size', type: 'NUMBER', label: 'Size', isRequired: true }],
      locations: [{ type: 'ATTENDEE_PHONE' }],
    });
    const form = await formAt(visitor, talk);
    const said = /name="(said-[^"]+)"/.exec(form.html)?.[1] ?? '';
    const typed = {
      email: 'no address',
      notes: 'Kept </textarea>',
      guests: 'x',
      'response-size': 'many',
      [said]: '030',
    };
    const page = shownPage(await visitor.submit(form, { ...typed, step: 'book' }));
    expect(page.status).toBe(422);
    expect(mistakesOf(page)).toEqual({
      name: expect.stringContaining('fill it in'),
      email: expect.stringContaining('no address'),
      guests: expect.stringContaining('x'),
      [said]: expect.stringContaining('the code of a country'),
      'response-size': expect.stringContaining('must be a number'),
    });
    expect(page.html).toContain('Kept &lt;/textarea&gt;');
    for (const name of ['email', 'guests', 'response-size', said] as const)
      expect(fieldOf(page, name)).toBe(typed[name]);
    const mended = { ...GRACE, guests: '', 'response-size': '3,5', [said]: '+49 30 123456', step: 'book' };
    const booked = shownPage(await visitor.submit(page, mended));
    expect(await bookingOf(booked)).toMatchObject({
      responses: { size: 3.5 },
      location: { text: '+4930123456' },
      attendees: [{ notes: 'Kept </textarea>' }],
    });
  });

  test('and finds the time taken chooses another one of that day, and keeps everything that was typed', async () => {
    const talk = await dan.offer();
    const [mine, theirs] = [await formAt(visitor, talk), await formAt(visitor, talk)];
    await book(theirs);
    const page = await book(mine, { notes: 'Mine' });
    expect(page.status).toBe(409);
    expect(page.text).toContain('That time has just been taken. Please choose another one.');
    expect(fieldOf(page, 'notes')).toBe('Mine');
    expect(page.html).not.toContain(`value="${talk.starts[0]}"`);
    expect(linksOf(page).join(' ')).toContain(`name=Grace`);
    const booked = await book(page, { start: talk.starts[1] ?? '' });
    expect(await bookingOf(booked)).toMatchObject({ start: talk.starts[1], attendees: [{ notes: 'Mine' }] });
  });

  test('and finds the length changed chooses a time of the new length, and keeps everything that was typed', async () => {
    const talk = await dan.offer({ durationInMinutesOptions: [30, 60] });
    const form = await formAt(visitor, talk, 0, '&durationInMinutes=60');
    const change = { eventTypeId: talk.eventTypeId, durationInMinutes: 45, durationInMinutesOptions: [] };
    await dan.browser.mutate('eventTypeUpdate', change, 'eventType { id }');
    const wrong = await book(form, { name: '', notes: 'Kept' });
    expect([wrong.status, fieldOf(wrong, 'durationInMinutes')]).toEqual([422, '60']);
    const page = await book(wrong);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('has changed how long this takes')]);
    expect([fieldOf(page, 'notes'), fieldOf(page, 'durationInMinutes')]).toEqual(['Kept', '45']);
    for (const link of linksOf(page).filter((href) => href.startsWith('/book/')))
      expect((await see(visitor, link)).status).toBe(200);
    const start = /name="start" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const booked = await book(page, { start });
    expect([booked.text, await bookingOf(booked)]).toEqual([
      expect.stringContaining('45 minutes'),
      expect.objectContaining({ start }),
    ]);
  });

  test('is told of nothing but another day where the day is full', async () => {
    const { starts } = await dan.offer();
    const middle = Temporal.Instant.from(starts[Math.floor(starts.length / 2)] ?? '');
    const date = middle.toZonedDateTimeISO('Australia/Sydney').toPlainDate().toString();
    const talk = await dan.offer({
      durationInMinutes: 480,
      bookingWindow: { type: 'DATE_RANGE', firstDate: date, lastDate: date },
    });
    expect(talk.starts).toHaveLength(1);
    const [mine, theirs] = [await formAt(visitor, talk), await formAt(visitor, talk)];
    await book(theirs);
    const page = await book(mine);
    expect([page.status, page.text]).toEqual([
      409,
      expect.stringContaining('There are no other free times on that day'),
    ]);
  });
});

describe('the form asks', () => {
  test('for every kind of answer, and takes it', async () => {
    const choices = { options: ['A "b"', 'C & d'] };
    const talk = await dan.offer({
      bookingFields: [
        { slug: 'text', type: 'TEXT', label: 'Text', placeholder: 'Like this' },
        { slug: 'area', type: 'TEXTAREA', label: 'Area' },
        { slug: 'number', type: 'NUMBER', label: 'Number' },
        { slug: 'phone', type: 'PHONE', label: 'Phone' },
        { slug: 'email', type: 'EMAIL', label: 'Email' },
        { slug: 'emails', type: 'MULTI_EMAIL', label: 'Emails' },
        { slug: 'select', type: 'SELECT', label: 'Select', ...choices },
        { slug: 'multi', type: 'MULTI_SELECT', label: 'Multi', ...choices },
        { slug: 'boxes', type: 'CHECKBOX', label: 'Boxes', ...choices },
        { slug: 'radio', type: 'RADIO', label: 'Radio', ...choices },
        { slug: 'yes', type: 'BOOLEAN', label: 'Yes', isRequired: true },
        { slug: 'url', type: 'URL', label: 'Address of a site' },
        { slug: 'address', type: 'ADDRESS', label: 'Address' },
      ],
    });
    const form = await formAt(visitor, talk);
    expect(form.html).toContain('placeholder="Like this"');
    expect(form.text).toContain('Text (optional)');
    const booked = await book(form, {
      'response-text': 'T',
      'response-area': 'One\r\nTwo',
      'response-number': '-2.5',
      'response-phone': '+4930123456',
      'response-email': 'x@example.test',
      'response-emails': 'x@example.test\r\ny@example.test\r\n',
      'response-select': 'A "b"',
      'response-multi': 'C & d',
      'response-boxes': 'A "b"',
      'response-radio': 'C & d',
      'response-yes': 'on',
      'response-url': 'https://example.test/',
      'response-address': 'Street 1\r\nTown',
    });
    expect((await bookingOf(booked))['responses']).toEqual({
      text: 'T',
      area: 'One\nTwo',
      number: -2.5,
      phone: '+4930123456',
      email: 'x@example.test',
      emails: ['x@example.test', 'y@example.test'],
      select: 'A "b"',
      multi: ['C & d'],
      boxes: ['A "b"'],
      radio: 'C & d',
      yes: true,
      url: 'https://example.test/',
      address: 'Street 1\nTown',
    });
    const empty = await book(await formAt(visitor, talk, 1));
    expect(mistakesOf(empty)).toEqual({ 'response-yes': '&quot;Yes&quot; must be answered.' });
    expect((await book(empty, { 'response-yes': 'on' })).address).toContain('/bookings/');
    const stray = await book(await formAt(visitor, talk, 2), { 'response-yes': 'on', 'response-radio': 'E' });
    expect(Object.keys(mistakesOf(stray))).toEqual(['response-radio']);
  });

  test('where, and books the second of two links', async () => {
    const talk = await dan.offer({
      locations: [
        { type: 'LINK', url: 'https://meet.example/one', label: 'One' },
        { type: 'LINK', url: 'https://meet.example/two', label: 'Two' },
        { type: 'ATTENDEE_CHOICE' },
      ],
    });
    const form = await formAt(visitor, talk);
    const ids = [...form.html.matchAll(/type="radio" id="location-[^"]+" name="location" value="([^"]+)"/g)];
    expect(ids).toHaveLength(3);
    expect(form.html).not.toContain('meet.example');
    const booked = await book(form, { location: ids[1]?.[1] ?? '' });
    expect(await bookingOf(booked)).toMatchObject({ location: { text: 'https://meet.example/two' } });
    expect(linksOf(booked)).toContain('https://meet.example/two');
    const third = await formAt(visitor, talk, 1);
    const unsaid = await book(third, { location: ids[2]?.[1] ?? '' });
    expect(Object.keys(mistakesOf(unsaid))).toEqual([`said-${ids[2]?.[1]}`]);
    const strange = await book(third, { location: 'loc_00000000000000000000' });
    expect(mistakesOf(strange)['location']).toContain('none of those');
  });

  test('with seats, for the place only of a booker who minds; the others come where the first ones meet', async () => {
    const links = ['one', 'two'].map((name) => ({ type: 'LINK', url: `https://meet.example/${name}`, label: name }));
    const talk = await dan.offer({ seats: { perSlot: 3, showsAttendees: false }, locations: links });
    const [form, joining] = [await formAt(visitor, talk), await formAt(visitor, talk)];
    const ids = [...form.html.matchAll(/name="location" value="(loc_[^"]+)"/g)].map(([, id = '']) => id);
    expect(linksOf(await book(form, { location: ids[1] ?? '' }))).toContain('https://meet.example/two');
    expect(Object.keys(mistakesOf(await book(joining, { location: ids[0] ?? '' })))).toEqual(['location']);
    expect(linksOf(await book(joining))).toContain('https://meet.example/two');
    const single = await dan.offer({ seats: { perSlot: 3, showsAttendees: false }, locations: links.slice(0, 1) });
    const only = await formAt(visitor, single);
    expect(only.html).not.toContain('name="location"');
    expect(linksOf(await book(only))).toContain('https://meet.example/one');
  });

  test('how often, and books a series whose other bookings the first one leads to', async () => {
    const talk = await dan.offer({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 4 } });
    const form = await formAt(visitor, talk);
    expect(fieldOf(form, 'occurrences')).toBe('4');
    expect((await book(form, { occurrences: '5' })).text).toContain('ask for 1 to 4');
    expect((await book(form, { occurrences: 'x' })).status).toBe(422);
    const booked = await book(form, { occurrences: '3' });
    const others = linksOf(booked).filter((link) => /^\/bookings\/[\w-]+$/.test(link));
    expect(others).toHaveLength(2);
    expect(await countOf(talk)).toBe(3);
    const second = await see(visitor, others[0] ?? '');
    expect(second.status).toBe(200);
    expect(linksOf(second).filter((link) => /^\/bookings\/[\w-]+$/.test(link))).toEqual([]);
    const taken = await book(await formAt(visitor, talk, 1), { occurrences: '4' });
    expect(taken.status).toBe(200);
  });

  test('how often, with the dates of all, which are those that are then booked, in the zone of the booker', async () => {
    // Within a year the clocks of both change, each on days of its own.
    const talk = await dan.offer({ recurrence: { frequency: 'WEEKLY', interval: 2, occurrences: 26 } });
    const form = await see(visitor, `${talk.path}?start=${talk.starts.at(-1)}&timeZone=Europe/Berlin`);
    const dates = datesOf(form);
    expect([dates.length, form.text.includes('All of these dates are free.')]).toEqual([26, true]);
    const booked = await book(form);
    const others = seriesOf(booked);
    expect(others.map(({ text }) => text)).toEqual(dates.slice(1).map(({ text }) => text));
    const shown = await Promise.all(others.map(({ path }) => see(visitor, path)));
    const starts = [booked, ...shown].map(({ html }) => /<dd><time datetime="([^"]+)"/.exec(html)?.[1] ?? '');
    expect(starts).toEqual(dates.map(({ start }) => start));
    const hoursIn = (zone: string) =>
      new Set(starts.map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).hour)).size;
    expect([hoursIn('Australia/Sydney'), hoursIn('Europe/Berlin') > 1]).toEqual([1, true]);
  });

  test('how often, and says first which of the dates is taken: those before it are booked, and no more', async () => {
    const talk = await dan.offer({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 4 } });
    const start = talk.starts.at(-2) ?? '';
    const taken = Temporal.Instant.from(start)
      .add({ hours: 14 * 24 })
      .toString();
    await book(await see(visitor, `${(await dan.offer()).path}?start=${taken}`));
    const form = await see(visitor, `${talk.path}?start=${start}`);
    expect(datesOf(form).map(({ isFree }) => isFree)).toEqual([true, true, false, true]);
    expect(form.text).toContain('Only the first 2 of these dates can be booked');
    expect(fieldOf(form, 'occurrences')).toBe('2');

    const refused = await book(form, { occurrences: '3', notes: 'Kept' });
    expect([refused.status, fieldOf(refused, 'occurrences'), fieldOf(refused, 'notes')]).toEqual([409, '3', 'Kept']);
    expect(refused.text).toContain('Not all times in this series are free');
    expect(refused.html).toContain(`value="${start}" checked`);
    expect(datesOf(refused)).toEqual(datesOf(form));
    expect(seriesOf(await book(refused, { start, occurrences: '2' }))).toHaveLength(1);
    expect(await countOf(talk)).toBe(2);
  });

  test('for no guests where the event type takes none', async () => {
    const form = await formAt(visitor, await dan.offer({ allowsGuests: false }));
    expect(form.html).not.toContain('name="guests"');
    expect((await formAt(visitor, await dan.offer())).html).toContain('name="guests"');
  });
});

describe('an event type for those who are signed in', () => {
  test('asks to sign in first, and comes back to the form, in which name and address stand', async () => {
    const talk = await dan.offer({ requiresAuthentication: true });
    expect((await see(visitor, talk.path)).status).toBe(200);
    const stranger = new TestBrowser(app.url);
    const signIn = await see(stranger, `${talk.path}?start=${talk.starts[0]}`);
    expect(signIn.address).toMatch(/^\/auth\/login\?return_to=/);
    const form = shownPage(await stranger.signIn(signIn, 'bob@acme.test'));
    expect([fieldOf(form, 'name'), fieldOf(form, 'email')]).toEqual(['Bob Lindqvist', 'bob@acme.test']);
    const booked = shownPage(await stranger.submit(form, { step: 'book' }));
    expect(booked.address).toContain('/bookings/');
  });

  test('keeps what was typed when the session is over at the end', async () => {
    const talk = await dan.offer({ requiresAuthentication: true });
    const bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    const form = await formAt(bob, talk);
    await bob.signOut();
    const page = shownPage(await bob.submit(form, { notes: 'Kept', step: 'book' }));
    expect([page.status, fieldOf(page, 'notes')]).toEqual([422, 'Kept']);
    expect(linksOf(page)).toContain('/auth/login');
    expect(await countOf(talk)).toBe(0);
  });
});

test('after booking, the booker is led where the host wants them', async () => {
  const talk = await dan.offer({ successRedirectUrl: 'https://dan.example/thänks?a=1' });
  const form = await formAt(visitor, talk);
  // Her first mail: who has none yet sees the page of the booking first, with the link to keep.
  const away = await visitor.submit(form, { ...GRACE, email: 'grace.first@example.test', step: 'book' });
  expect(away).toMatchObject({ kind: 'AWAY', status: 303, location: 'https://dan.example/th%C3%A4nks?a=1' });
});

describe('hostile forms break nothing:', () => {
  const huge = 'x'.repeat(300_000);
  test.each<[string, Record<string, string>]>([
    [
      'NUL',
      { name: 'a\0b', notes: '\0', email: '\0', guests: '\0', phone: '\0', location: '\0', idempotencyKey: '\0' },
    ],
    ['huge values', { name: huge, notes: huge }],
    ['no key', { idempotencyKey: '' }],
    ['half a surrogate pair', { name: '\ud800' }],
    ['names that every object has', { __proto__: 'x', constructor: 'x', toString: 'x' }],
    ['a bad time', { start: 'x' }],
    ['a bad length', { durationInMinutes: '31' }],
    ['a bad zone', { timeZone: 'x' }],
    ['the year 9999', { start: '9999-12-31T00:00:00Z' }],
    ['the past', { start: '2001-01-01T00:00:00Z' }],
    ['no step', { step: '' }],
  ])('%s', async (_, fields) => {
    const talk = await dan.offer();
    const form = await formAt(visitor, talk);
    const usual = { csrf: fieldOf(form, 'csrf') ?? '', idempotencyKey: 'x'.repeat(20), start: talk.starts[0] ?? '' };
    const body = new URLSearchParams({ ...GRACE, ...usual, step: 'book', ...fields }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const { status, headers: answered } = await visitor.request(talk.path, headers, body);
    expect([303, 400, 409, 422]).toContain(status);
    expect(status === 303 ? '' : answered.get('content-type')).toContain(status === 303 ? '' : 'text/html');
  });

  test('too large a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const talk = await dan.offer();
    expect((await visitor.request(talk.path, headers, `name=${'x'.repeat(2_000_000)}`)).status).toBe(413);
    expect((await visitor.request(talk.path, headers, 'a&'.repeat(6_000))).status).toBe(400);
  });
});

describe('a form for bookers with verified addresses', () => {
  let folder: string;
  let own: TestApp;
  let host: Host;
  let talk: Offered;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-mails-'));
    own = await startTestApp({ DATA_DIR: folder });
    host = await hostOf(own, 'dan@solo.test', 'dan');
    talk = await host.offer({ requiresBookerEmailVerification: true });
  });
  afterAll(async () => {
    await own.close();
    await rm(folder, { recursive: true });
  });

  /** The one code that was mailed, or nothing yet. */
  async function mailedCode(): Promise<string> {
    const mails = join(folder, 'mail');
    const files = await readdir(mails).catch(() => []);
    const texts = await Promise.all(files.map((file) => readFile(join(mails, file), 'utf8')));
    return texts.flatMap((text) => /booking: (\d{6})/.exec(text)?.[1] ?? [])[0] ?? '';
  }

  test('a code is mailed, entered, and books', async () => {
    const browser = new TestBrowser(own.url);
    const form = await formAt(browser, talk);
    expect(form.html).not.toContain('name="code"');
    const wrong = shownPage(await browser.submit(form, { name: '', email: GRACE.email, step: 'send-code' }));
    expect([wrong.status, Object.keys(mistakesOf(wrong))]).toEqual([422, ['name']]);
    const sent = shownPage(await browser.submit(wrong, { ...GRACE, notes: 'Kept', step: 'send-code' }));
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('We’ve sent a code to grace@example.test')]);
    expect(fieldOf(sent, 'notes')).toBe('Kept');
    const refused = shownPage(await browser.submit(sent, { code: '000000', step: 'book' }));
    expect([refused.status, Object.keys(mistakesOf(refused))]).toEqual([422, ['code']]);
    await expect.poll(mailedCode).toMatch(/^\d{6}$/);
    const booked = shownPage(await browser.submit(refused, { code: await mailedCode(), step: 'book' }));
    expect(booked.text).toContain('Confirmed');
  });

  test('no code is mailed to somebody who has to sign in first', async () => {
    const both = await host.offer({ requiresBookerEmailVerification: true, requiresAuthentication: true });
    const bob = await TestBrowser.signedIn(own.url, 'bob@acme.test');
    const form = await formAt(bob, both);
    const sent = shownPage(await bob.submit(form, { step: 'send-code' }));
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('We’ve sent a code to bob@acme.test')]);
    await bob.signOut();
    const refused = shownPage(await bob.submit(form, { step: 'send-code' }));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('You need to be signed in to book')]);
    expect(refused.text).not.toContain('We’ve sent a code');
  });

  test('a form that skips the code is asked for it', async () => {
    const browser = new TestBrowser(own.url);
    const form = await formAt(browser, talk, 1);
    const page = shownPage(await browser.submit(form, { ...GRACE, step: 'book' }));
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Enter the code we e-mailed you')]);
    expect(page.html).toContain('value="send-code"');
  });

  test('codes are limited as those of the API are', async () => {
    const browser = new TestBrowser(own.url);
    const form = await formAt(browser, talk, 2);
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const page = shownPage(await browser.submit(form, { name: 'Eve', email: 'eve@example.test', step: 'send-code' }));
      statuses.push([page.status, page.headers.has('retry-after')]);
    }
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => [200, false]), [429, true]]);
  });
});
