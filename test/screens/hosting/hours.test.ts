/** When a user can be booked, as a form; and what a new account is ready for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atFields, formOf, saidIn, typedHours } from '../../../src/screens/hosting/hours.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { OWN_FORM, shownPage, TestBrowser } from '../../support/test-browser.ts';

const PATH = '/settings/hours';
let app: TestApp;
let dan: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  dan = await TestBrowser.signedIn(app.url, 'dan@solo.test');
});
afterAll(() => app.close());

interface Hours {
  readonly timeZone: string;
  readonly availability: readonly { days: string[]; start: string; end: string }[];
  readonly overrides: readonly { date: string; start: string | null; end: string | null }[];
}

async function stored(): Promise<Hours> {
  const document =
    '{ me { defaultSchedule { timeZone availability { days start end } overrides { date start end } } } }';
  return (await dan.ask<{ me: { defaultSchedule: Hours } }>(document)).me.defaultSchedule;
}

describe('the form of hours', () => {
  test('says what was stored, when nothing was typed', () => {
    const overrides = [
      { date: '2027-01-01', start: null, end: null },
      { date: '2027-01-02', start: '10:00', end: '24:00' },
    ];
    const hours = [
      { days: ['MONDAY', 'FRIDAY'], start: '09:00', end: '17:00' },
      { days: ['MONDAY'], start: '18:00', end: '20:00' },
    ] as const;
    const { timeZone, availability, overrides: said } = saidIn(formOf('Europe/Berlin', hours, overrides));
    expect(timeZone).toBe('Europe/Berlin');
    expect(availability).toEqual(hours);
    expect(said).toEqual(overrides);
  });

  test('says at each line what is wrong with an entry of several days', () => {
    const lines = ['MONDAY-0', 'TUESDAY-1'].map((name) => ({ name, day: name.slice(0, -2), start: '9:00', end: '' }));
    const said = saidIn({ timeZone: 'UTC', week: lines, dates: [] });
    expect(said.availability).toEqual([{ days: ['MONDAY', 'TUESDAY'], start: '09:00', end: '' }]);
    const mistake = { code: 'INVALID_TIME', message: 'No.' } as const;
    const found = atFields([{ ...mistake, path: ['availability', '0', 'end'] }], said);
    expect(found.map(({ path }) => path)).toEqual([['MONDAY-0-end'], ['TUESDAY-1-end']]);
  });

  test('reads lines in any number, and leaves out the empty ones', () => {
    const sent = new URLSearchParams({
      'MONDAY-0-start': ' 9:00 ',
      'MONDAY-0-end': '12:30',
      'MONDAY-1-start': '',
      'MONDAY-1-end': '',
    });
    expect(saidIn(typedHours(sent)).availability).toEqual([{ days: ['MONDAY'], start: '09:00', end: '12:30' }]);
  });
});

describe('/settings/hours', () => {
  test('shows the week and saves another one', async () => {
    const page = await see(dan, PATH);
    expect(page.text).toContain('When you can be booked');
    const values = {
      'MONDAY-0-start': '8:30',
      'MONDAY-0-end': '12:00',
      'MONDAY-1-start': '13:00',
      'MONDAY-1-end': '24:00',
    };
    const free = { 'SUNDAY-0-start': '', 'SUNDAY-0-end': '', 'date-0-day': '2027-12-24', timeZone: 'Europe/Berlin' };
    const after = shownPage(await dan.submit(page, { ...values, ...free }));
    expect(after.text).toContain('Saved.');
    const { timeZone, availability, overrides } = await stored();
    expect(timeZone).toBe('Europe/Berlin');
    expect(availability.slice(0, 2)).toEqual([
      { days: ['MONDAY'], start: '08:30', end: '12:00' },
      { days: ['MONDAY'], start: '13:00', end: '24:00' },
    ]);
    expect(overrides).toEqual([{ date: '2027-12-24', start: null, end: null }]);
  });

  test('says at which line something is wrong, and keeps what was typed', async () => {
    const before = await stored();
    const values = { 'TUESDAY-0-start': '17:00', 'TUESDAY-0-end': '9:00', 'date-1-day': '2027-02-30' };
    const refused = shownPage(await dan.submit(await see(dan, PATH), values));
    expect(refused.status).toBe(422);
    expect(Object.keys(mistakesOf(refused)).toSorted()).toEqual(['TUESDAY-0-end', 'date-1-day']);
    expect(refused.html).toContain('value="17:00"');
    expect(await stored()).toEqual(before);
  });

  test('does not overwrite what was changed elsewhere', async () => {
    const [one, other] = [await see(dan, PATH), await see(dan, PATH)];
    await dan.submit(one, { 'FRIDAY-0-start': '10:00', 'FRIDAY-0-end': '11:00' });
    const before = await stored();
    const refused = shownPage(await dan.submit(other, { 'FRIDAY-0-start': '12:00', 'FRIDAY-0-end': '13:00' }));
    expect(refused.status).toBe(409);
    expect(await stored()).toEqual(before);
  });

  test('says how many hours there are and may be, in German too', async () => {
    const lines = Array.from({ length: 101 }, (_, index) => [
      [`MONDAY-${index}-start`, '08:00'],
      [`MONDAY-${index}-end`, `${10 + Math.floor(index / 60)}:${String(index % 60).padStart(2, '0')}`],
    ]);
    const [form] = formsOf((await see(dan, PATH)).html).filter(({ controls }) => controls.includes('MONDAY-0-start'));
    const emptied = Object.fromEntries((form?.controls ?? []).map((control) => [control, '']));
    const sent = { ...emptied, ...form?.fields, timeZone: 'UTC', ...Object.fromEntries(lines.flat()) };
    const refused = async () =>
      (await dan.request(form?.action ?? '', OWN_FORM, new URLSearchParams(sent).toString())).text;
    expect(await refused()).toMatch(/The availability has \d+ entries; at most 100 are possible\./);
    await dan.mutate('profileUpdate', { locale: 'de' }, 'userErrors { code }');
    expect(await refused()).toMatch(/Zeiten der Woche: Das sind \d+, und höchstens 100 sind möglich\./);
    await dan.mutate('profileUpdate', { locale: 'en' }, 'userErrors { code }');
  });

  test('is for signed-in users', async () => {
    expect((await see(new TestBrowser(app.url), PATH)).address).toContain('/auth/login');
  });
});

test('a new account can be booked at once, and is shown where', async () => {
  const browser = new TestBrowser(app.url);
  const typed = { name: 'Eve', username: 'eve-new', email: 'eve-new@example.test', password: 'four words in a row' };
  const page = await see(browser, '/auth/signup');
  const welcome = shownPage(await browser.submit(page, { ...typed, timeZone: 'Asia/Tokyo' }));
  expect(welcome.address).toBe('/welcome');
  expect(welcome.text).toContain('Asia/Tokyo');
  expect(linksOf(welcome)).toEqual(expect.arrayContaining([`${app.url}/book/eve-new`, PATH, '/bookings']));
  expect(linksOf(await see(new TestBrowser(app.url), '/book/eve-new'))).toContain('/book/eve-new/meeting');
});

test('a new account speaks the language of its browser', async () => {
  const browser = new TestBrowser(app.url);
  const [form] = formsOf((await see(browser, '/auth/signup')).html);
  const typed = { name: 'Uwe', username: 'uwe-new', email: 'uwe-new@example.test', password: 'four words in a row' };
  const body = new URLSearchParams({ ...form?.fields, ...typed, timeZone: 'Europe/Berlin' }).toString();
  await browser.request('/auth/signup', { ...OWN_FORM, 'accept-language': 'de' }, body);
  expect(linksOf(await see(new TestBrowser(app.url), '/book/uwe-new'))).toContain('/book/uwe-new/termin');
  expect((await see(browser, '/settings/schedules')).text).toContain('Arbeitszeiten');
  expect((await see(browser, '/settings/schedules')).text).not.toContain('Working hours');
});
