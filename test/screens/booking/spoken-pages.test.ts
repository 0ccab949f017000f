/** Pages of visitors in every language: which one a browser gets, and that nothing on them is in another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/core/language.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { formAt, GRACE, type Host, hostOf } from '../../support/booking-visitor.ts';
import { formsOf, textOf } from '../../support/html-form.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { NAVIGATION, OWN_FORM, shownPage, TestBrowser } from '../../support/test-browser.ts';

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
/** What others have said on the pages, and the name of the service. */
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
];

interface Seen {
  readonly status: number;
  readonly html: string;
  /** What a reader sees, with the names of controls and of the page. */
  readonly text: string;
}

async function seeIn(language: string, path: string): Promise<Seen> {
  const { status, text: html } = await visitor.request(path, { ...NAVIGATION, 'accept-language': language });
  const named = [...html.matchAll(/(?:placeholder|aria-label|title|alt)="([^"]*)"|<title>([^<]*)/g)];
  return {
    status,
    html,
    text: [textOf(html), ...named.map(([, name, title]) => textOf(name ?? title ?? ''))].join(' '),
  };
}

async function booked(): Promise<string> {
  const talk = await dan.offer({
    title: TITLE,
    description: 'Xxx',
    locations: [{ type: 'LINK', value: 'https://meet.example/1' }],
  });
  const form = await formAt(visitor, talk, 0, '&timeZone=Europe/Paris');
  return shownPage(await visitor.submit(form, { ...GRACE, notes: 'Xxx', guests: 'xxx@zzz.test', step: 'book' }))
    .address;
}

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (language) => {
  let foreign: Awaited<ReturnType<typeof foreignTo>>;
  let path: string;
  beforeAll(async () => {
    foreign = await foreignTo(language);
    path = await booked();
  });

  test.each([
    ['the page of a booking', '', 200],
    ['the one with a time zone that is none', '?timeZone=x', 400],
    ['the one that says what was done', '?done=moved', 200],
  ])('%s has no word of ours in another language', async (_, query, status) => {
    const page = await seeIn(language, `${path}${query}`);
    expect(page.status).toBe(status);
    expect(page.html).toContain(`<html lang="${language}">`);
    expect(foreign(page.text, SAID)).toEqual([]);
    expect(page.html).not.toContain(TITLE);
    expect(page.text).toContain(TITLE);
  });
});

test('the language of a page is the one that the browser asks for first, English where it is not spoken', async () => {
  const path = await booked();
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
])('who signs up with a browser that asks for "%s" is written to in %s', async (asked, locale) => {
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
