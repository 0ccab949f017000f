/** Pages of visitors in every language: which one a browser gets, and that nothing on them is in another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/core/language.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { formAt, GRACE, type Host, hostOf, mistakesOf, type Offered } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { seeIn as open, type Seen, sendIn as send } from '../../support/spoken-pages.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { OWN_FORM, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
let visitor: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
  visitor = new TestBrowser(app.url);
});
afterAll(() => app.close());

const TITLE = 'Zzz <b>Qqq</b>';
/** The words of others on the pages, and the name of the service. */
const SAID = [
  TITLE,
  GRACE,
  'Dan Whitlock',
  'Gatehouse',
  'Europe/Paris',
  'Xxx',
  'https://meet.example/1',
  'xxx@zzz.test',
  'Google Outlook.com Office ics',
  'https://xxx.example/',
  'Australia/Sydney UTC Intro Deep dive Acme Sales',
];
/** Nothing that the form asks for is right. */
const WRONG = {
  name: '',
  email: 'xxx',
  phone: 'xxx',
  guests: 'xxx',
  step: 'book',
  ...Object.fromEntries(['q0', 'q1', 'q2', 'q3', 'q4', 'q9', 'q12'].map((slug) => [`response-${slug}`, 'zzz'])),
};

const seeIn = (language: string, path: string): Promise<Seen> => open(visitor, language, path);

/** Sends the form of a page that has all of these controls. */
async function sendIn(language: string, page: Seen, values: Readonly<Record<string, string>>): Promise<Seen> {
  const names = Object.keys(values);
  const form = formsOf(page.html).find(({ controls }) => names.every((name) => controls.includes(name)));
  if (!form) throw new Error(`No form has ${names.join(', ')} on this page (${page.status}): ${page.text}`);
  return send(visitor, language, form.action, { ...form.fields, ...values });
}

/** The path of a booking, and when it could be instead. */
async function booked(): Promise<{ readonly path: string; readonly other: string }> {
  const talk = await dan.offer({
    title: TITLE,
    description: 'Xxx',
    locations: [{ type: 'LINK', url: 'https://meet.example/1' }],
  });
  const form = await formAt(visitor, talk, 0, '&timeZone=Europe/Paris');
  const filledIn = { ...GRACE, notes: 'Xxx', guests: 'xxx@zzz.test', step: 'book' };
  const { address: path } = shownPage(await visitor.submit(form, filledIn));
  return { path, other: talk.starts[1] ?? '' };
}

/** Each kind of question, none of them answered rightly by "x". */
const QUESTIONS = [
  ...['NUMBER', 'PHONE', 'EMAIL', 'MULTI_EMAIL', 'URL'].map((type) => ({ type, isRequired: true })),
  ...['TEXT', 'TEXTAREA', 'ADDRESS', 'BOOLEAN'].map((type) => ({ type })),
  ...['SELECT', 'MULTI_SELECT', 'CHECKBOX', 'RADIO'].map((type) => ({ type, options: ['Xxx'] })),
].map((field, index) => ({ ...field, slug: `q${index}`, label: 'Qqq' }));

const OPTIONS = [30, 90];
/** Event types that between them show all that the pages on the way to a booking can say. */
const OFFERS = {
  asking: {
    bookingFields: QUESTIONS,
    locations: [
      ...['ATTENDEE_ADDRESS', 'ATTENDEE_PHONE', 'ATTENDEE_CHOICE'].map((type) => ({ type })),
      { type: 'LINK', url: 'https://meet.example/1' },
      { type: 'PHONE', phone: '+4930123456' },
    ],
    durationInMinutesOptions: OPTIONS,
  },
  series: {
    recurrence: { frequency: 'WEEKLY', interval: 2, occurrences: 4 },
    confirmation: { type: 'ALWAYS' },
    successRedirectUrl: 'https://xxx.example/',
  },
  seats: {
    seats: { perSlot: 3, showsAttendees: false },
    locations: ['1', '2'].map((name) => ({ type: 'LINK', url: `https://meet.example/${name}` })),
  },
  coded: { requiresBookerEmailVerification: true },
  personal: { requiresAuthentication: true },
} as const;

/** The address of the first day that is free. */
function dayOf({ path, starts: [start = ''] }: Offered): string {
  return `${path}?timeZone=UTC&date=${start.slice(0, 10)}`;
}

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (language) => {
  let foreign: Awaited<ReturnType<typeof foreignTo>>;
  let path: string;
  let other: string;
  let offered: Record<keyof typeof OFFERS, Offered>;
  beforeAll(async () => {
    foreign = await foreignTo(language);
    ({ path, other } = await booked());
    const made: [string, Offered][] = [];
    for (const [name, fields] of Object.entries(OFFERS)) {
      made.push([name, await dan.offer({ title: TITLE, description: 'Xxx', ...fields })]);
    }
    offered = Object.fromEntries(made) as typeof offered;
  });

  const see = (there: string): Promise<Seen> => seeIn(language, there);
  const send = (page: Seen, values: Readonly<Record<string, string>>): Promise<Seen> => sendIn(language, page, values);
  const form = ({ path: there, starts }: Offered, index = 0): Promise<Seen> => see(`${there}?start=${starts[index]}`);
  const [BOOK, CODE] = [{ step: 'book' }, { step: 'send-code' }];

  test('too many guests are answered with their number, and the number that is allowed', async () => {
    const guests = Array.from({ length: 11 }, (_, index) => `xxx${index}@zzz.test`).join('\n');
    const back = await send(await form(offered.asking), { ...GRACE, ...BOOK, guests });
    expect(mistakesOf(back)['guests']).toMatch(/\b11\b.*\b10\b/);
  });

  test.each<[string, () => Promise<Seen>, number]>([
    ['a host’s page', () => see('/book/dan'), 200],
    ['a calendar', () => see(offered.asking.path), 200],
    ['a day', () => see(`${dayOf(offered.asking)}&durationInMinutes=90`), 200],
    ['a day on which seats are left', () => see(dayOf(offered.seats)), 200],
    ['a day on which nothing is free', () => see(`${offered.series.path}?date=2026-01-05`), 200],
    ['a calendar with a time zone that is none', () => see(`${offered.coded.path}?timeZone=x`), 400],
    ['a time that is not free', () => see(`${offered.coded.path}?start=2026-01-05T09:00:00Z`), 200],
    ['a form that asks everything', () => form(offered.asking), 200],
    ['a form that comes back', async () => send(await form(offered.asking), WRONG), 422],
    ['a form of seats', () => form(offered.seats), 200],
    ['a form of a series', () => form(offered.series), 200],
    ['a series that is too long', async () => send(await form(offered.series), { ...BOOK, occurrences: '5' }), 422],
    ['a form that has grown old', async () => send(await form(offered.series), { ...BOOK, csrf: 'x' }), 403],
    ['a form before a code', () => form(offered.coded), 200],
    [
      'a code that was not asked for',
      async () => send(await form(offered.coded), { ...GRACE, ...CODE, name: '' }),
      422,
    ],
    ['a form with a code', async () => send(await form(offered.coded), { ...GRACE, ...CODE }), 200],
    [
      'a wrong code',
      async () => send(await send(await form(offered.coded), { ...GRACE, ...CODE }), { ...GRACE, ...BOOK, code: '1' }),
      422,
    ],
    ['a calendar in a frame', () => see(`${offered.coded.path}?embed=1`), 200],
    [
      'a time in a frame that is only for who is signed in',
      () => see(`${offered.personal.path}?start=${offered.personal.starts[0]}&embed=1`),
      200,
    ],
    ['the page of a booking in a frame', () => see(`${path}?embed=1`), 200],
    ['the page of a booking', () => see(path), 200],
    ['the one with a time zone that is none', () => see(`${path}?timeZone=x`), 400],
    ['the one that says what was done', () => see(`${path}?done=moved`), 200],
    ['the question whether to cancel', () => see(`${path}/cancel`), 200],
    ['a reason that is too long', async () => send(await see(`${path}/cancel`), { reason: 'xxx '.repeat(500) }), 422],
    ['the calendar of a booking to move', () => see(`${path}/reschedule`), 200],
    ['the question whether to move', () => see(`${path}/reschedule?start=${other}`), 200],
    [
      'a reason to move that cannot be',
      async () => send(await see(`${path}/reschedule?start=${other}`), { reason: '\u0000' }),
      422,
    ],
  ])('%s has no word of ours in another language', async (_, seen, status) => {
    const page = await seen();
    expect(page.status).toBe(status);
    expect(page.html).toContain(`<html lang="${language}">`);
    expect(foreign(page.text, SAID)).toEqual([]);
    expect(page.html).not.toContain(TITLE);
    expect(page.text).toContain(TITLE);
  });

  test.each([
    ['the page of an organization', '/book/organization/acme', 200],
    ['nothing', '/book/nobody-there', 404],
    ['no booking', '/bookings/bkg_x', 404],
    ['a private link that is over', '/private-links/x', 404],
  ])('%s has no word of ours in another language', async (_, there, status) => {
    const page = await see(there);
    expect([page.status, foreign(page.text, SAID)]).toEqual([status, []]);
    expect(page.html).toContain(`<html lang="${language}">`);
  });

  test('a time that was taken, and what is free instead', async () => {
    const talk = await dan.offer({ title: TITLE });
    const [mine, theirs] = [await form(talk), await form(talk)];
    expect((await send(theirs, { ...GRACE, ...BOOK })).status).toBe(303);
    const page = await send(mine, { ...GRACE, ...BOOK });
    expect([page.status, foreign(page.text, SAID)]).toEqual([409, []]);
  });

  test('a series of which a date is taken', async () => {
    // The first one may be taken by now.
    const [, start = ''] = offered.series.starts;
    const taken = Temporal.Instant.from(start).add({ hours: 14 * 24 });
    const single = await see(`${(await dan.offer({ title: TITLE })).path}?start=${taken.toString()}`);
    expect((await send(single, { ...GRACE, ...BOOK })).status).toBe(303);
    const page = await form(offered.series, 1);
    expect([page.status, foreign(page.text, SAID)]).toEqual([200, []]);
    expect(page.html).toContain('<mark class="pending">');
  });

  test('a seat that was given back', async () => {
    const seat = await formAt(visitor, offered.seats, 5);
    const { address } = shownPage(await visitor.submit(seat, { ...GRACE, step: 'book' }));
    expect((await send(await see(`${address}/cancel`), { reason: '' })).status).toBe(303);
    const page = await see(`${address}?done=cancelled`);
    expect([page.status, foreign(page.text, SAID)]).toEqual([200, []]);
  });
});

test('mistakes in a form are shown in German, with the field or the line that they are about', async () => {
  const talk = await dan.offer({ bookingFields: [{ slug: 'firm', type: 'TEXT', label: 'Firma', isRequired: true }] });
  const form = await seeIn('de', `${talk.path}?start=${talk.starts[0]}`);
  const guests = 'xxx@zzz.test\nxxx\nyyy';
  const page = await sendIn('de', form, { name: '', email: GRACE.email, guests, step: 'book' });
  expect(mistakesOf(page)).toEqual({
    name: 'Ihr Name: Diese Angabe fehlt.',
    guests: ['xxx', 'yyy'].map((line) => `&quot;${line}&quot;: Das ist keine gültige E-Mail-Adresse.`).join(' '),
    'response-firm': 'Firma: Diese Angabe fehlt.',
  });
});

test('the language of a page is the one that the browser asks for first, English where it is not spoken', async () => {
  const { path } = await booked();
  for (const [asked, language] of [
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fr-FR', 'en'],
    ['', 'en'],
  ] as const) {
    expect((await seeIn(asked, path)).html).toContain(`<html lang="${language}">`);
  }
});

test.each([
  ['de-AT,de;q=0.9', 'de-AT'],
  ['', 'en'],
])('a person who signs up with a browser that asks for "%s" is written to in %s', async (asked, locale) => {
  const browser = new TestBrowser(app.url);
  const form = formsOf(shownPage(await browser.open('/auth/signup')).html).find(({ controls }) =>
    controls.includes('username'),
  );
  const person = {
    name: 'Ann',
    username: `ann-${locale.toLowerCase()}`,
    email: `ann-${locale}@mail.test`,
    password: 'a long password',
  };
  const body = new URLSearchParams({ ...form?.fields, ...person }).toString();
  await browser.request('/auth/signup', { ...OWN_FORM, 'accept-language': asked }, body);
  expect(await browser.ask('{ me { locale } }')).toEqual({ me: { locale } });
});
