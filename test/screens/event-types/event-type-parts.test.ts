/** The parts of an event type's page that are opened: what each of them saves, refuses and leaves alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fieldOf, type Host, hostOf, linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { OWN_FORM, type ShownPage, shownPage } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
});
afterAll(() => app.close());

const ALL = `id bookingUrl title slug description isHidden color durationInMinutes durationInMinutesOptions slotIntervalInMinutes
  minimumBookingNoticeInMinutes bufferBeforeInMinutes bufferAfterInMinutes metadata schedule { id }
  bookingWindow { type days firstDate lastDate } bookingLimits { day { maxBookings } } confirmation { type noticeInMinutes } recurrence { interval }
  seats { perSlot showsAttendees } locations { id type address url phone app label }
  bookingFields { slug type label isRequired options placeholder } allowsGuests successRedirectUrl embedOrigins`;

interface Typed {
  readonly page: ShownPage;
  readonly path: string;
  readonly id: string;
}

/** The page of a new event type of Dan's. */
async function opened(fields: Record<string, unknown> = {}): Promise<Typed> {
  const { eventTypeId: id } = await dan.offer(fields);
  const path = `/settings/event-types/${id}`;
  return { page: await see(dan.browser, path), path, id };
}

async function send(page: ShownPage, values: Readonly<Record<string, string>>): Promise<ShownPage> {
  return shownPage(await dan.browser.submit(page, values));
}

async function stored(id: string): Promise<Record<string, unknown>> {
  const document = `{ me { eventTypes(first: 100) { nodes { ${ALL} } } } }`;
  const { me } = await dan.browser.ask<{ me: { eventTypes: { nodes: Record<string, unknown>[] } } }>(document);
  return me.eventTypes.nodes.find((one) => one['id'] === id) ?? {};
}

/** Whether the part with this id is open. */
function isOpen({ html }: ShownPage, id: string): boolean {
  return new RegExp(`<details class="part" open>\\s*<summary>.*?</summary>\\s*<div id="${id}">`).test(html);
}

/** Much of what only the API says. */
const FULL = {
  color: '#ff8800',
  durationInMinutesOptions: [30, 60],
  metadata: { crm: '7' },
  bookingLimits: { day: { maxBookings: 3 } },
  confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 90 },
  allowsGuests: false,
  successRedirectUrl: 'https://example.test/thanks',
  embedOrigins: ['https://example.test', 'http://localhost:3000'],
  bookingWindow: { type: 'BUSINESS_DAYS', days: 10 },
  slotIntervalInMinutes: 15,
  seats: { perSlot: 4, showsAttendees: true },
  description: 'Two\nlines.',
  locations: [
    { type: 'ADDRESS', address: 'Main Street 1\nBerlin', label: 'Office' },
    { type: 'CONFERENCING', app: 'zoom' },
  ],
  bookingFields: [
    { slug: 'size', type: 'SELECT', label: 'Size', isRequired: true, options: ['S', 'M'] },
    { slug: 'why', type: 'TEXT', label: 'Why', placeholder: 'Because' },
  ],
};

describe('a setting that the form does not change', () => {
  test.each([
    ['nothing', {}, {}],
    ['the title', { title: 'Another' }, { title: 'Another' }],
    ['the notice', { minimumBookingNoticeInMinutes: '5' }, { minimumBookingNoticeInMinutes: 5 }],
    ['the seats', { seats: '9' }, { seats: { perSlot: 9, showsAttendees: true } }],
  ])('stays as the API has it where %s changes', async (_what, values, changes) => {
    const { page, id } = await opened(FULL);
    const before = await stored(id);
    expect((await send(page, values)).text).toContain('Saved.');
    expect(await stored(id)).toEqual({ ...before, ...changes });
  });

  test('has no field where a team manages it, but for hours, and whether it is hidden', async () => {
    const { me } = await dan.browser.ask<{ me: { id: string } }>('{ me { id } }');
    const team = { slug: 'parts', name: 'Parts' };
    const { teamId } = await dan.browser.mutate<{ teamId: string }>('teamCreate', team, 'teamId');
    const managed = {
      teamId,
      schedulingType: 'MANAGED',
      hosts: [{ userId: me.id }],
      title: 'Managed',
      slug: 'managed',
      durationInMinutes: 30,
      ...FULL,
    };
    await dan.browser.mutate('teamEventTypeCreate', managed, 'eventTypeId');
    const document = '{ me { eventTypes(first: 100) { nodes { id title } } } }';
    const own = await dan.browser.ask<{ me: { eventTypes: { nodes: { id: string; title: string }[] } } }>(document);
    const id = own.me.eventTypes.nodes.find(({ title }) => title === 'Managed')?.id ?? '';
    const path = `/settings/event-types/${id}`;
    const page = await see(dan.browser, path);
    const form = formsOf(page.html).find(({ controls }) => controls.includes('isHidden'));
    expect(form?.controls.filter((name) => name !== '').toSorted()).toEqual([
      'csrf',
      'isHidden',
      'scheduleId',
      'updatedAt',
    ]);
    expect([linksOf(page).includes(`${path}/delete`), page.text.includes('https://example.test')]).toEqual([
      false,
      true,
    ]);
    const before = await stored(id);
    const body = new URLSearchParams({ ...form?.fields, title: 'Mine' }).toString();
    const { status, text } = await dan.browser.request(path, OWN_FORM, body);
    expect([status, text.includes('Your team manages this event type.')]).toEqual([422, true]);
    expect(await stored(id)).toEqual(before);
    expect((await send(page, { isHidden: 'on' })).text).toContain('Saved.');
    expect(await stored(id)).toEqual({ ...before, isHidden: true });
  });
});

describe('when it can be booked', () => {
  test('is saved, with hours of its own', async () => {
    const hours = { name: 'Mornings', timeZone: 'Europe/Berlin' };
    const { scheduleId } = await dan.browser.mutate<{ scheduleId: string }>('scheduleCreate', hours, 'scheduleId');
    const { page, path, id } = await opened();
    const values = {
      scheduleId,
      slotIntervalInMinutes: '15',
      minimumBookingNoticeInMinutes: '0',
      bufferBeforeInMinutes: '5',
      bufferAfterInMinutes: '10',
      bookingWindow: 'ROLLING_DAYS',
      windowDays: '14',
    };
    const after = await send(page, values);
    expect(after.text).toContain('Saved.');
    expect(after.text).toContain('Its own schedule, no minimum notice');
    expect(await stored(id)).toMatchObject({
      schedule: { id: scheduleId },
      slotIntervalInMinutes: 15,
      minimumBookingNoticeInMinutes: 0,
      bufferBeforeInMinutes: 5,
      bufferAfterInMinutes: 10,
      bookingWindow: { type: 'ROLLING_DAYS', days: 14 },
    });
    const emptied = { scheduleId: '', slotIntervalInMinutes: '', bookingWindow: '' };
    expect((await send(await see(dan.browser, path), emptied)).text).toContain('Saved.');
    expect(await stored(id)).toMatchObject({
      slotIntervalInMinutes: null,
      bookingWindow: null,
      bufferAfterInMinutes: 10,
    });
    expect((await stored(id))['schedule']).not.toEqual({ id: scheduleId });
  });

  test('can be from one date to another', async () => {
    const { page, id } = await opened();
    const dates = { bookingWindow: 'DATE_RANGE', windowFrom: '2031-03-01', windowTo: '2031-03-31' };
    expect((await send(page, dates)).text).toContain('Saved.');
    expect((await stored(id))['bookingWindow']).toEqual({
      type: 'DATE_RANGE',
      days: null,
      firstDate: '2031-03-01',
      lastDate: '2031-03-31',
    });
  });

  test.each([
    ['no number of days', { bookingWindow: 'ROLLING_DAYS', windowDays: 'many' }, 'windowDays'],
    ['too many days', { bookingWindow: 'BUSINESS_DAYS', windowDays: '9999' }, 'windowDays'],
    [
      'a last date before the first',
      { bookingWindow: 'DATE_RANGE', windowFrom: '2031-03-02', windowTo: '2031-03-01' },
      'windowTo',
    ],
    ['no first date', { bookingWindow: 'DATE_RANGE', windowTo: '2031-03-01' }, 'windowFrom'],
    ['an interval of nothing', { slotIntervalInMinutes: '0' }, 'slotIntervalInMinutes'],
    ['a schedule that is not there', { scheduleId: 'sch_nothing' }, 'scheduleId'],
  ])('refuses %s at its field, which it opens, and keeps what was typed', async (_what, values, field) => {
    const { page, id } = await opened();
    const before = await stored(id);
    expect(isOpen(page, 'times')).toBe(false);
    const refused = await send(page, { ...values, bufferAfterInMinutes: '7' });
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, [field]]);
    expect([isOpen(refused, 'times'), isOpen(refused, 'places')]).toEqual([true, false]);
    expect(fieldOf(refused, 'bufferAfterInMinutes')).toBe('7');
    expect(await stored(id)).toEqual(before);
  });
});

describe('seats', () => {
  test('are given and taken away', async () => {
    const { page, path, id } = await opened();
    expect((await send(page, { seats: '12', showsAttendees: 'on' })).text).toContain('12 seats');
    expect((await stored(id))['seats']).toEqual({ perSlot: 12, showsAttendees: true });
    await send(await see(dan.browser, path), { seats: '' });
    expect((await stored(id))['seats']).toBeNull();
  });

  test.each([
    ['more than are possible', {}, { seats: '100000' }],
    ['no number', {}, { seats: 'some' }],
    ['them beside a series', { recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } }, { seats: '3' }],
    ['them where attendees say the place', { locations: [{ type: 'ATTENDEE_PHONE' }] }, { seats: '3' }],
  ])('refuses %s at the field', async (_what, fields, values) => {
    const { page, id } = await opened(fields);
    const refused = await send(page, values);
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, ['seats']]);
    expect([isOpen(refused, 'places'), fieldOf(refused, 'seats')]).toEqual([true, values.seats]);
    expect((await stored(id))['seats']).toBeNull();
  });
});

/** A question with so many options of so many characters. */
function question(options: number, length: number): Record<string, string> {
  const lines = Array.from({ length: options }, (_, index) => `${index}`.padEnd(length, '-'));
  return { 'question-0-label': 'Was?', 'question-0-type': 'SELECT', 'question-0-options': lines.join('\n') };
}

describe('a reader of German', () => {
  beforeAll(() => dan.browser.mutate('profileUpdate', { locale: 'de' }, 'userErrors { code }'));
  afterAll(() => dan.browser.mutate('profileUpdate', { locale: 'en' }, 'userErrors { code }'));

  const sites = Array.from({ length: 21 }, (_, index) => `https://${index}.example`).join('\n');
  test.each<[string, Record<string, string>, string]>([
    ['a number', { seats: '1001' }, 'Plätze pro Termin: Bitte geben Sie eine ganze Zahl von 1 bis 1000 ein.'],
    ['no number', { seats: 'x' }, 'Plätze pro Termin: Bitte geben Sie eine ganze Zahl ein, zum Beispiel 30.'],
    ['a length', { durationInMinutes: '1441' }, 'Dauer in Minuten: Möglich sind 1 bis 1440 Minuten.'],
    ['a text', { title: 'x'.repeat(201) }, 'Titel: Dieser Text ist länger als 200 Zeichen. Bitte kürzen Sie ihn.'],
    ['a list', { embedOrigins: sites }, 'Ihre Websites: Das sind 21, und höchstens 20 sind möglich.'],
    [
      'a list in a row',
      question(101, 9),
      'Neue Frage, Antworten zur Auswahl: Das sind 101, und höchstens 100 sind möglich.',
    ],
    [
      'all rows together',
      question(100, 200),
      'Fragen: Dieser Text ist länger als 20000 Zeichen. Bitte kürzen Sie ihn.',
    ],
    [
      'a row',
      { 'question-0-label': 'x'.repeat(201), 'question-0-type': 'TEXT' },
      'Neue Frage, Frage: Dieser Text ist länger als 200 Zeichen. Bitte kürzen Sie ihn.',
    ],
    [
      'a line of a list',
      { embedOrigins: 'https://a.example/b' },
      '&quot;https://a.example/b&quot;: Bitte geben Sie die Website ohne Pfad an, und mit https, zum Beispiel https://www.example.com.',
    ],
  ])('hears which limit is wrong, and at which field: %s', async (_what, values, message) => {
    const { page } = await opened();
    expect(Object.values(mistakesOf(await send(page, values)))).toEqual([message]);
  });
});

describe('websites of the host', () => {
  test('are named and taken away', async () => {
    const { page, path, id } = await opened();
    const after = await send(page, { embedOrigins: ' https://www.Example.com/ \r\nhttp://localhost:3000\r\n' });
    expect(after.text).toContain('Saved.');
    expect(after.text).toContain('On 2 websites');
    expect((await stored(id))['embedOrigins']).toEqual(['https://www.example.com', 'http://localhost:3000']);
    await send(await see(dan.browser, path), { embedOrigins: '' });
    expect((await stored(id))['embedOrigins']).toEqual([]);
  });

  test.each([
    ['a wildcard', '*'],
    ['a second directive', "https://a.example;script-src 'unsafe-inline'"],
    ['a path', 'https://a.example/contact'],
    ['more than are possible', Array.from({ length: 21 }, (_, index) => `https://${index}.example`).join('\n')],
  ])('refuses %s at the field, with what was typed', async (_what, embedOrigins) => {
    const { page, id } = await opened();
    const refused = await send(page, { embedOrigins });
    expect([refused.status, Object.keys(mistakesOf(refused))]).toEqual([422, ['embedOrigins']]);
    // No other part is in the way.
    expect(isOpen(refused, 'times')).toBe(false);
    expect([isOpen(refused, 'websites'), fieldOf(refused, 'embedOrigins')]).toEqual([
      true,
      embedOrigins.replaceAll("'", '&#39;'),
    ]);
    expect((await stored(id))['embedOrigins']).toEqual([]);
  });

  test('get a link and a frame to put there, unless nobody can show it', async () => {
    const { page, id } = await opened();
    const { bookingUrl } = (await stored(id)) as { bookingUrl: string };
    expect(page.text).toContain(`<a href="${bookingUrl}" data-gatehouse-embed>Book a time</a>`);
    expect(page.text).toContain(`<script defer src="${new URL('/embed.js', bookingUrl)}"></script>`);
    expect(page.text).toContain(`<iframe src="${bookingUrl}?embed=1"`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const hidden = await opened({ isHidden: true });
    expect(hidden.page.text).toContain('While it’s hidden, no website can show it.');
    expect(hidden.page.text).not.toContain('<iframe');
  });
});
