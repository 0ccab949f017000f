import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, type Host, hostOf, linksOf, type Offered, see } from '../../support/booking-visitor.ts';
import { textOf } from '../../support/html-form.ts';
import { send } from '../../support/raw-http.ts';
import { NAVIGATION, type ShownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
let visitor: TestBrowser;
let talk: Offered;

beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
  visitor = new TestBrowser(app.url);
  talk = await dan.offer({
    slug: 'talk',
    title: 'Talk <b>& more</b>',
    description: 'Line one\n<script>alert(1)</script>',
    durationInMinutesOptions: [30, 60],
    locations: [
      { type: 'LINK', url: 'https://meet.example/secret', label: 'Zoom' },
      { type: 'PHONE', phone: '+4930123456' },
      { type: 'ADDRESS', address: 'Main Street 1' },
    ],
  });
});
afterAll(() => app.close());

describe('somebody’s booking page', () => {
  test('lists what a user offers, and leads there', async () => {
    const page = await see(visitor, '/book/ada');
    expect(page.text).toMatch(/^Ada Okafor What would you like to book\? Intro 30 minutes Deep dive 1 hour$/);
    expect(linksOf(page)).toEqual(expect.arrayContaining(['/book/ada/intro', '/book/ada/deep-dive']));
    expect((await see(visitor, '/book/ada/intro')).status).toBe(200);
  });

  test('lists what a team offers, under the name of its organization', async () => {
    const page = await see(visitor, '/book/organization/acme/sales');
    expect(page.text).toContain('Sales Acme');
    expect(linksOf(page)).toContain('/book/organization/acme/sales/demo');
    const demo = await see(visitor, '/book/organization/acme/sales/demo');
    expect(demo.text).toContain('Sales, Acme Product demo');
  });

  test('for an organization’s team is nobody else’s, whatever the others are called', async () => {
    const { teamId } = await dan.browser.mutate<{ teamId: string }>(
      'teamCreate',
      { slug: 'acme', name: 'A' },
      'teamId',
    );
    const own = { teamId, slug: 'sales', title: 'Not of Acme', durationInMinutes: 30, schedulingType: 'COLLECTIVE' };
    await dan.browser.mutate('teamEventTypeCreate', own, 'eventTypeId');
    expect((await see(visitor, '/book/organization/acme/sales')).text).toContain('Sales Acme');
    expect((await see(visitor, '/book/team/acme/sales')).text).toContain('Not of Acme');
    expect((await see(visitor, '/book/team/sales/demo')).status).toBe(404);
  });

  test('for a team is not that of a user who had the team’s address as a username before', async () => {
    const rename = 'update users set username = ? where username = ?';
    await app.database.em.getConnection().execute(rename, ['team', 'bob']);
    expect((await see(visitor, '/book/team/intro')).status).toBe(404);
    await app.database.em.getConnection().execute(rename, ['bob', 'team']);
    expect((await see(visitor, '/book/bob/intro')).status).toBe(200);
  });

  test('goes on where it is longer than a page', async () => {
    for (let index = 0; index < 25; index += 1) await dan.offer();
    const first = await see(visitor, '/book/dan');
    const next = linksOf(first).find((link) => link.startsWith('/book/dan?after='));
    const second = await see(visitor, next ?? '');
    const slugsOf = (page: typeof first) => linksOf(page).filter((link) => /^\/book\/dan\/[a-z]/.test(link));
    expect(slugsOf(first)).toHaveLength(25);
    expect(slugsOf(second).length).toBeGreaterThan(0);
    expect(slugsOf(first)).not.toEqual(expect.arrayContaining(slugsOf(second)));
  });

  test.each([
    '/book/nobody',
    '/book/admin/x',
    '/book/ada/nothing',
    '/book/ada/hidden-review',
    '/book/team/studio',
    '/book/organization/acme/nobody',
    '/book/team/sales/demo',
    '/book/a%00b',
    '/book/%ff',
    `/book/${'a'.repeat(5_000)}`,
    '/book/__proto__/constructor',
  ])('is the same 404 for whatever is not there or hidden: %s', async (path) => {
    const [page, nothing] = [await see(visitor, path), await see(visitor, '/nothing')];
    expect([page.status, page.text]).toEqual([404, nothing.text]);
  });

  test.each([
    ['/book/ada/', '/book/ada'],
    ['/book/ADA/Intro?timeZone=Asia/Tokyo', '/book/ada/intro?timeZone=Asia/Tokyo'],
    ['/book/Organization/Acme/SALES/', '/book/organization/acme/sales'],
    ['/book/NOBODY', '/book/nobody'],
  ])('is led to from what people make of its address: %s', async (path, canonical) => {
    const { status, headers } = await visitor.request(path);
    expect([status, headers.get('location')]).toEqual([308, canonical]);
    // A link may fill in somebody's name.
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    expect((await visitor.request(canonical)).status).toBe(canonical === '/book/nobody' ? 404 : 200);
  });

  test.each(['/book/ada//', '/book//evil.example/', '/book/%2f/evil.example', '/book/%5cEvil', '/book/\u212aim'])(
    'is not there for what is no address: %s',
    async (path) => {
      expect((await visitor.request(encodeURI(path).replaceAll('%25', '%'))).status).toBe(404);
    },
  );

  test('is not there for a user who is suspended or offers nothing', async () => {
    const administrator = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
    expect((await see(visitor, '/book/cyd')).status).toBe(200);
    const { userId } = await (await TestBrowser.signedIn(app.url, 'cyd@acme.test'))
      .ask<{ me: { id: string } }>('{ me { id } }')
      .then(({ me }) => ({ userId: me.id }));
    await administrator.mutate('userSuspend', { userId }, 'userErrors { code }');
    for (const path of ['/book/cyd', '/book/cyd/intro']) expect((await see(visitor, path)).status).toBe(404);
    await administrator.mutate('userReinstate', { userId }, 'userErrors { code }');
    expect((await see(visitor, '/book/cyd')).status).toBe(200);
  });
});

/** The zone in which a page shows times. */
async function zoneOf(browser: TestBrowser, query = ''): Promise<string | undefined> {
  const { html } = await see(browser, talk.path + query);
  return /<dd>([^<]+) <a href="#timeZone">/.exec(html)?.[1];
}

/** Where the previous and the next month are. */
function monthsOf({ html }: ShownPage): (string | undefined)[] {
  return [...html.matchAll(/class="turn" href="[^"]*month=(\d{4}-\d\d)/g)].map(([, month]) => month);
}

describe('the page of an event type', () => {
  test('shows everything as text, and no link or number of a place', async () => {
    const page = await see(visitor, talk.path);
    expect(page.text).toContain('Talk <b>& more</b>');
    expect(page.html).not.toMatch(/<b>|<script>alert|secret|4930123456/);
    expect(page.text).toContain('Zoom By phone: you get the number when you book Main Street 1');
  });

  test('is kept by nobody, framed by nobody, and runs scripts of its own alone', async () => {
    const { headers } = await see(visitor, talk.path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('x-robots-tag')).toBeNull();
  });

  test('links the days that have free times, and each time to its form', async () => {
    const [start = ''] = talk.starts;
    const date = start.slice(0, 10);
    const month = await see(visitor, `${talk.path}?month=${date.slice(0, 7)}&timeZone=UTC`);
    const day = linksOf(month).find((link) => link.includes(`date=${date}`));
    expect(day).toMatch(/#times$/);
    const times = await see(visitor, day ?? '');
    const form = linksOf(times).find((link) => link.includes(`start=${encodeURIComponent(start)}`));
    expect((await see(visitor, form ?? '')).text).toContain('Your name');
  });

  test('keeps what is filled in beforehand, all the way to the form', async () => {
    const [start = ''] = talk.starts;
    const query = `timeZone=UTC&name=Eve+%22%3E&email=eve%40example.test`;
    const day = await see(visitor, `${talk.path}?date=${start.slice(0, 10)}&${query}`);
    const form = await see(visitor, linksOf(day).find((link) => link.includes('start=')) ?? '');
    expect(form.html).toContain('value="Eve &quot;&gt;"');
    expect(form.html).toContain('value="eve@example.test"');
  });

  test('shows times in the requested zone, else in that of the user who is signed in, else in the host’s', async () => {
    expect(await zoneOf(visitor)).toBe('Australia/Sydney');
    expect(await zoneOf(await TestBrowser.signedIn(app.url, 'bob@acme.test'))).toBe('America/New York');
    expect(await zoneOf(visitor, '?timeZone=europe/berlin')).toBe('Europe/Berlin');
  });

  test('takes a city for its zone, and asks again about one that it does not know', async () => {
    expect(await zoneOf(visitor, '?timeZone=berlin')).toBe('Europe/Berlin');
    const { status, text, html } = await see(visitor, `${talk.path}?timeZone=Atlantis&name=Eve`);
    expect([status, text]).toEqual([400, expect.stringContaining('Please check the following')]);
    expect(html).toMatch(/name="timeZone"[^>]*value="Atlantis"[^>]*aria-invalid="true"/);
    expect(html).toContain('<input type="hidden" name="name" value="Eve">');
  });

  test.each([
    ['en-US,en;q=0.8', /Sun Mon .* \w+, \w+ \d+, \d{4} .*9:00 AM/, 'Sunday'],
    ['de-AT', /Mo Di .* \w+, \d+\. \w+ \d{4} .*09:00/, 'Montag'],
    [undefined, /Mon Tue .* \w+, \d+ \w+ \d{4} .*09:00/, 'Monday'],
  ])('writes dates and times as the browser’s language does: %s', async (language, words, first) => {
    const date = Temporal.Instant.from(talk.starts[0] ?? '')
      .toZonedDateTimeISO('Australia/Sydney')
      .toPlainDate();
    const headers = { ...NAVIGATION, ...(language && { 'accept-language': language }) };
    const { text: html } = await visitor.request(`${talk.path}?date=${date.toString()}`, headers);
    expect(textOf(html)).toMatch(words);
    expect(/abbr="([^"]+)"/.exec(html)?.[1]).toBe(first);
  });

  test('offers the lengths to choose from, and their times', async () => {
    const page = await see(visitor, talk.path);
    const hour = linksOf(page).find((link) => link.includes('durationInMinutes=60')) ?? '';
    expect((await see(visitor, hour)).text).toContain('Length 1 hour');
  });

  test('goes month by month, and never before the current one', async () => {
    const now = Temporal.Now.zonedDateTimeISO('Australia/Sydney').toPlainDate().toPlainYearMonth();
    const current = await see(visitor, `${talk.path}?month=${now.toString()}`);
    expect(monthsOf(current)).toEqual([now.add({ months: 1 }).toString()]);
    const third = await see(visitor, `${talk.path}?month=${now.add({ months: 2 }).toString()}`);
    expect(monthsOf(third)).toEqual([now.add({ months: 1 }).toString(), now.add({ months: 3 }).toString()]);
    const over = await see(visitor, `${talk.path}?month=2020-01`);
    expect(monthsOf(over)).toEqual(monthsOf(current));
    expect((await see(visitor, `${talk.path}?date=2020-01-01`)).text).toContain('No free times on this day');
  });

  test('says so when a month is empty, and begins with the first month in which something is free', async () => {
    const far = Temporal.Now.plainDateISO().add({ months: 2 });
    const dates = { firstDate: far.with({ day: 1 }).toString(), lastDate: far.with({ day: 28 }).toString() };
    const later = await dan.offer({ bookingWindow: { type: 'DATE_RANGE', ...dates } });
    expect(linksOf(await see(visitor, later.path)).join(' ')).toContain(`date=${far.toPlainYearMonth().toString()}`);
    const empty = await see(
      visitor,
      `${later.path}?month=${far.subtract({ months: 1 }).toPlainYearMonth().toString()}`,
    );
    expect(empty.text).toContain('No free times in');
    const booked = await dan.offer({
      bookingWindow: { type: 'DATE_RANGE', firstDate: '2020-01-01', lastDate: '2020-01-02' },
    });
    expect((await see(visitor, booked.path)).text).toContain('No free times in');
  });

  test('leads back to the day of a time that is gone', async () => {
    const [start = ''] = talk.starts;
    const gone = start.replace(/T\d\d:\d\d/, 'T13:01');
    const page = await see(visitor, `${talk.path}?start=${gone}&timeZone=UTC&name=Eve`);
    expect(page.text).toContain('That time is no longer free');
    expect(linksOf(page).join(' ')).toContain('name=Eve');
    expect(page.text).not.toContain('Your name');
  });
});

describe('an address that cannot be is told so, and breaks nothing:', () => {
  test.each([
    ['timeZone=Mars/Olympus', 400],
    ['timeZone=%00', 400],
    ['timeZone=%2B01:00', 400],
    ['month=2026-13', 400],
    ['month=9999-12', 422],
    ['month=-271821-04', 400],
    ['month=99999999-01', 400],
    ['date=2026-02-30', 400],
    ['date=9999-12-31', 422],
    ['date=today', 400],
    ['start=2026-11-23', 400],
    ['start=9999-12-31T23:59:59Z', 422],
    ['start=2026-99-99T00:00:00Z', 400],
    ['start=1969-01-01T00:00:00Z', 200],
    ['start=__proto__', 400],
    ['durationInMinutes=17', 400],
    ['durationInMinutes=1e9', 400],
    ['durationInMinutes=-30', 400],
    ['month=2026-11&month=2026-12', 200],
    ['month[]=x', 200],
    [`name=${'x'.repeat(8_000)}`, 200],
    ['name=%ed%a0%80&email=%00', 200],
    ['after=x', 200],
  ])('%s', async (query, status) => {
    const page = await see(visitor, `${talk.path}?${query}`);
    expect(page.status).toBe(status);
    expect(page.headers.get('content-type')).toContain('text/html');
  });

  test('a cursor of no list', async () => {
    expect((await see(visitor, '/book/ada?after=x')).status).toBe(422);
  });
});

test.each([
  '/book/ada/intro',
  '/private-links/x',
  '/bookings/bkg_x',
  '/bookings/bkg_x/cancel',
  '/bookings/bkg_x/reschedule',
])('other methods are refused: %s', async (path) => {
  for (const method of ['PUT', 'DELETE']) {
    const { status, headers } = await send(app.url, { method, path });
    expect([status, headers.get('allow')]).toEqual([405, path === '/bookings/bkg_x' ? 'GET, HEAD' : 'GET, POST, HEAD']);
  }
  expect((await send(app.url, { method: 'HEAD', path })).status).toBeLessThan(500);
});

test('the pages count as requests to the API do', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'anonymous=3,grant=500,session=5' });
  try {
    const anybody = new TestBrowser(limited.url);
    const statuses = [];
    for (const path of ['/book/ada', '/book/ada/intro', '/bookings/bkg_x', '/private-links/x', '/book/ada'])
      statuses.push((await anybody.request(path)).status);
    expect(statuses).toEqual([200, 200, 404, 429, 429]);
    const refused = await anybody.request('/book/ada/intro');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.text).toContain('Too many requests');
    const page = await limited.graphql('{ publicEventTypes(username: "ada") { nodes { slug } } }');
    expect(page.status).toBe(429);
    const signedIn = await TestBrowser.signedIn(limited.url, 'bob@acme.test');
    expect((await signedIn.request('/book/ada')).status).toBe(200);
  } finally {
    await limited.close();
  }
});

test('a form that names no time, or comes from elsewhere, does nothing', async () => {
  const elsewhere = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' };
  const body = new URLSearchParams({ ...GRACE, start: talk.starts[0] ?? '' }).toString();
  expect((await visitor.request(talk.path, elsewhere, body)).status).toBe(403);
  const own = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const forged = await visitor.request(talk.path, own, body);
  expect([forged.status, forged.text.includes('Grace Hopper')]).toEqual([403, true]);
  expect((await visitor.request(talk.path, own, 'name=x')).status).toBe(400);
  expect((await visitor.request(talk.path, { ...own, 'content-type': 'application/json' }, '{}')).status).toBe(415);
});
