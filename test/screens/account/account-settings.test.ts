import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/id.ts';
import { encodeCursor } from '../../../src/core/page.ts';
import { DEMO_PASSWORD, startTestApp, type TestApp } from '../../support/app.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

const ACCOUNT = '/settings/account';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('sessions', () => {
  test('are listed, this browser marked, and can be ended one by one', async () => {
    const here = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    const there = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    const page = shownPage(await here.open(ACCOUNT));
    expect(page.text.match(/This browser/g)).toHaveLength(1);
    const [other = ''] = [...page.html.matchAll(/name="end" value="(ses_[^"]+)"/g)].map(([, id = '']) => id);
    const after = shownPage(await here.submit(page, { end: other }));
    expect(after.text).toContain('Signed out.');
    expect(shownPage(await there.open(ACCOUNT)).address).toContain('/auth/login');
    expect(shownPage(await here.open(ACCOUNT)).status).toBe(200);
  });

  test('can all be ended but this one', async () => {
    const here = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
    const [second, third] = [
      await TestBrowser.signedIn(app.url, 'cyd@acme.test'),
      await TestBrowser.signedIn(app.url, 'cyd@acme.test'),
    ];
    const after = shownPage(await here.submit(await here.open(ACCOUNT), { end: 'others' }));
    expect(after.text).not.toContain('Sign out everywhere else');
    for (const browser of [second, third])
      expect(shownPage(await browser.open(ACCOUNT)).address).toContain('/auth/login');
  });

  test('of somebody else stay, and so do all of them at a form that is not ours', async () => {
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const dan = await TestBrowser.signedIn(app.url, 'dan@solo.test');
    await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const [adas] = [...shownPage(await ada.open(ACCOUNT)).html.matchAll(/name="end" value="(ses_[^"]+)"/g)];
    await TestBrowser.signedIn(app.url, 'dan@solo.test');
    await dan.submit(await dan.open(ACCOUNT), { end: adas?.[1] ?? '' });
    const page = shownPage(await ada.open(ACCOUNT));
    expect(page.html).toContain(adas?.[1]);
    const forged = shownPage(await ada.submit(page, { end: 'others', csrf: 'forged' }));
    expect([forged.status, forged.html]).toEqual([403, expect.stringContaining(adas?.[1] ?? '')]);
  });
});

describe('a page of a list', () => {
  const LISTS = [ACCOUNT, '/settings/developer/oauth', '/admin/oauth'];
  let administrator: TestBrowser;
  beforeAll(async () => {
    administrator = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
  });

  test.each(LISTS)('starts at a cursor, and never at one that the list cannot have given out: %s', async (path) => {
    const statusFrom = async (time: string): Promise<number> =>
      shownPage(await administrator.open(`${path}?after=${encodeCursor([time, newId()])}`)).status;
    for (const time of ['2026-01-01 00:00:00+00', '2026-01-01T00:00:00.123456+23:59', '1970-01-01T00:00:00Z']) {
      expect([time, await statusFrom(time)]).toEqual([time, 200]);
    }
    for (const time of ['yesterday', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00', '2026-02-30T00:00:00Z']) {
      expect([time, await statusFrom(time)]).toEqual([time, 422]);
    }
  });

  test.each(['x', '', 'ses_0', '{01a202cd-a4ff-7d66-92d0-3c84bcb1fcd0}', '01a202cda4ff7d6692d03c84bcb1fcd0'])(
    'never starts at %j, which is no UUID',
    async (id) => {
      const after = encodeCursor(['2026-01-01T00:00:00Z', id]);
      expect(shownPage(await administrator.open(`${ACCOUNT}?after=${after}`)).status).toBe(422);
    },
  );
});

describe('changing the password', () => {
  test('needs the current one, keeps this browser and signs out the others', async () => {
    const here = await TestBrowser.signedIn(app.url, 'dan@solo.test');
    const there = await TestBrowser.signedIn(app.url, 'dan@solo.test');
    const page = await here.open(ACCOUNT);
    const wrong = shownPage(await here.submit(page, { currentPassword: 'wrong', newPassword: 'a new long one' }));
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('id="currentPassword-mistake"');
    expect(wrong.html).not.toContain('a new long one');
    const short = shownPage(await here.submit(page, { currentPassword: DEMO_PASSWORD, newPassword: 'short' }));
    expect([short.status, short.html]).toEqual([422, expect.stringContaining('id="newPassword-mistake"')]);
    const done = shownPage(await here.submit(page, { currentPassword: DEMO_PASSWORD, newPassword: 'a new long one' }));
    expect(done.text).toContain('Your password was changed');
    expect(shownPage(await there.open(ACCOUNT)).address).toContain('/auth/login');
    const again = new TestBrowser(app.url);
    const signedIn = await again.signIn(await again.open('/auth/login'), 'dan@solo.test', 'a new long one');
    expect(shownPage(signedIn).text).toContain('You’re signed in as Dan Whitlock');
  });

  test('does nothing for a form that is not ours', async () => {
    const browser = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const values = { currentPassword: DEMO_PASSWORD, newPassword: 'a forged password', csrf: 'forged' };
    expect(shownPage(await browser.submit(await browser.open(ACCOUNT), values)).status).toBe(403);
    await TestBrowser.signedIn(app.url, 'ada@acme.test');
  });

  test('is counted together with sign-in', async () => {
    const browser = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
    const page = await browser.open(ACCOUNT);
    const values = { currentPassword: 'wrong', newPassword: 'another password' };
    for (let guess = 0; guess < 10; guess += 1) expect(shownPage(await browser.submit(page, values)).status).toBe(422);
    const refused = shownPage(await browser.submit(page, values));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const elsewhere = new TestBrowser(app.url);
    const signIn = shownPage(await elsewhere.signIn(await elsewhere.open('/auth/login'), 'admin@gatehouse.test'));
    expect(signIn.status).toBe(429);
  });
});

const opened = async (email: string) => {
  const browser = await TestBrowser.signedIn(app.url, email);
  return { browser, page: shownPage(await browser.open('/settings')) };
};

describe('the profile', () => {
  test('is saved, and read by those who book', async () => {
    const { browser, page } = await opened('cyd@acme.test');
    expect(page.address).toBe(ACCOUNT);
    const values = {
      name: 'Cyd R.',
      username: 'cyd-r',
      bio: 'Two\nlines',
      avatarUrl: 'https://pictures.example/c.png',
    };
    const after = shownPage(await browser.submit(page, values));
    expect(after.text).toContain('Your profile was saved');
    for (const shown of ['value="cyd-r"', 'Two\nlines</textarea>', 'value="https://pictures.example/c.png"'])
      expect(after.html).toContain(shown);
    expect(shownPage(await browser.open('/book/cyd-r')).text).toContain('Cyd R.');
    const emptied = shownPage(await browser.submit(after, { bio: '', avatarUrl: '' }));
    expect(emptied.html).not.toContain('pictures.example');
  });

  test('with a mistake comes back as it was typed, and nothing is changed', async () => {
    const { browser, page } = await opened('bob@acme.test');
    for (const [field, value] of [
      ['username', 'ada'],
      ['avatarUrl', 'http:'],
      ['name', ''],
    ] as const) {
      const typed = { name: 'Robert', bio: 'Hello', [field]: value };
      const refused = shownPage(await browser.submit(page, typed));
      expect([refused.status, refused.html]).toEqual([422, expect.stringContaining(`id="${field}-mistake"`)]);
      for (const shown of [`value="${value}"`, 'Hello</textarea>']) expect(refused.html).toContain(shown);
    }
    expect(shownPage(await browser.open('/book/bob')).text).toContain('Bob Lindqvist');
  });

  test('overwrites nothing that was changed elsewhere meanwhile', async () => {
    const { browser, page } = await opened('bob@acme.test');
    await browser.submit(page, { name: 'Bob L.' });
    const refused = shownPage(await browser.submit(page, { name: 'Robert' }));
    expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('value="Robert"')]);
    expect(shownPage(await browser.open('/')).text).toContain('You’re signed in as Bob L.');
  });

  test('has a time zone, a clock, a first day of the week and a language, and takes no others', async () => {
    const { browser, page } = await opened('ada@acme.test');
    const values = { timeZone: 'Asia/Tokyo', timeFormat: '12', weekStart: 'SUNDAY', locale: 'de' };
    const after = shownPage(await browser.submit(page, values));
    for (const value of Object.values(values)) expect(after.html).toMatch(new RegExp(`value="${value}" selected`));
    expect(shownPage(await browser.open('/bookings')).text).toMatch(/\d (?:am|pm)[\s\S]*Asia\/Tokyo/i);
    for (const [name, value] of [
      ['timeZone', 'Mars/Base'],
      ['timeFormat', '13'],
      ['weekStart', 'SOMEDAY'],
      ['locale', 'no language'],
    ] as const) {
      const refused = shownPage(await browser.submit(after, { [name]: value }));
      expect([refused.status, refused.html]).toEqual([422, expect.stringContaining(`id="${name}-mistake"`)]);
    }
  });
});

describe('the way back to the account', () => {
  test.each(['profile', 'password', 'sessions'])(
    'after signing in leads from where the form of %s went to the page',
    async (part) => {
      const browser = await TestBrowser.signedIn(app.url, 'ada@acme.test');
      expect(shownPage(await browser.open(`${ACCOUNT}/${part}`)).address).toBe(ACCOUNT);
    },
  );
});
