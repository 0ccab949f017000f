import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, type Host, hostOf, linksOf, mistakesOf, type Offered, see } from '../../support/booking-visitor.ts';
import { formsOf, textOf } from '../../support/html-form.ts';
import { OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

const SITES = ['https://www.example.com', 'http://localhost:3000'];
const FRAMED = /frame-ancestors https:\/\/www\.example\.com http:\/\/localhost:3000(?:;|$)/;

let app: TestApp;
let dan: Host;
let talk: Offered;
let plain: Offered;
let visitor: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
  talk = await dan.offer({ embedOrigins: SITES });
  plain = await dan.offer();
  visitor = new TestBrowser(app.url);
});
afterAll(() => app.close());

let taken = 0;

/** A time of the host's that no other test has. */
function nextStart(): string {
  taken += 1;
  return talk.starts[taken] ?? '';
}

/** The form of such a time, as it is in a frame. */
function embeddedForm({ path }: Offered, browser = visitor): Promise<ShownPage> {
  return see(browser, `${path}?start=${nextStart()}&embed=1`);
}

/** Sends it as a browser without any cookie, which is what a frame of another website has. */
async function sendForm(page: ShownPage, headers: Record<string, string> = OWN_FORM, fields: object = {}) {
  const form = formsOf(page.html).find(({ controls }) => controls.includes('email'));
  const body = new URLSearchParams({ ...form?.fields, ...GRACE, step: 'book', ...fields }).toString();
  return new TestBrowser(app.url).request(form?.action ?? '', headers, body);
}

function framing({ headers }: { readonly headers: Headers }) {
  const policy = headers.get('content-security-policy') ?? '';
  const [, ancestors = ''] = /frame-ancestors ([^;]*)/.exec(policy) ?? [];
  return [ancestors, headers.get('x-frame-options')];
}

const FOR_SITES = [SITES.join(' '), null];
const FOR_NOBODY = ["'none'", 'DENY'];

describe('frames are allowed to the websites of the event type', () => {
  test('on its calendar, its form and the page of its booking', async () => {
    const calendar = await see(visitor, `${talk.path}?embed=1`);
    const form = await embeddedForm(talk);
    const sent = await sendForm(form);
    const booked = await see(visitor, sent.headers.get('location') ?? '');
    expect(booked.address).toMatch(/^\/bookings\/uid_[\w-]+\?embed=1$/);
    for (const page of [calendar, form, booked]) {
      expect(framing(page)).toEqual(FOR_SITES);
      expect(page.headers.get('content-security-policy')).toMatch(FRAMED);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('on a form that comes back, a zone that is none, and an address that says nothing', async () => {
    const form = await embeddedForm(talk);
    const refused = await sendForm(form, OWN_FORM, { email: 'nobody' });
    expect([refused.status, ...framing(refused)]).toEqual([422, ...FOR_SITES]);
    const proven = await dan.offer({ embedOrigins: SITES, requiresBookerEmailVerification: true });
    const code = await sendForm(await embeddedForm(proven), OWN_FORM, { step: 'send-code' });
    expect([code.status, ...framing(code)]).toEqual([200, ...FOR_SITES]);
    expect(textOf(code.text)).toContain('We’ve sent a code to grace@example.test');
    const zone = await see(visitor, `${talk.path}?embed=1&timeZone=Nowhere`);
    expect([zone.status, ...framing(zone)]).toEqual([400, ...FOR_SITES]);
    const wrong = await see(visitor, `${talk.path}?embed=1&month=13`);
    expect([wrong.status, ...framing(wrong)]).toEqual([400, ...FOR_SITES]);
    expect([wrong.html.includes('<header>'), linksOf(wrong)]).toEqual([false, []]);
  });

  test('on the refusal of a form that is not even read', async () => {
    const form = await embeddedForm(talk);
    const refused = await sendForm(form, OWN_FORM, { notes: 'x'.repeat(1_100_000) });
    expect([refused.status, ...framing(refused)]).toEqual([413, ...FOR_SITES]);
    const foreign = await sendForm(form, { ...OWN_FORM, 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, ...framing(foreign)]).toEqual([403, ...FOR_SITES]);
    const closed = await sendForm(await embeddedForm(plain), OWN_FORM, { notes: 'x'.repeat(1_100_000) });
    expect([closed.status, ...framing(closed)]).toEqual([413, ...FOR_NOBODY]);
  });

  test('of a team, which its administrators name', async () => {
    const team = { slug: 'studio-two', name: 'Studio' };
    const { teamId } = await dan.browser.mutate<{ teamId: string }>('teamCreate', team, 'teamId');
    const input = { teamId, slug: 'demo', title: 'Demo', durationInMinutes: 30, schedulingType: 'COLLECTIVE' };
    const fields = { ...input, embedOrigins: SITES, assignsAllMembers: true };
    await dan.browser.mutate('teamEventTypeCreate', fields, 'eventTypeId');
    expect(framing(await see(visitor, '/book/team/studio-two/demo?embed=1'))).toEqual(FOR_SITES);
    expect(framing(await see(visitor, '/book/team/studio-two?embed=1'))).toEqual(FOR_NOBODY);
  });

  test('on no page that is not asked for as embedded', async () => {
    const paths = [talk.path, `${talk.path}?embed=0`, `${talk.path}?embed=`, `${talk.path}?start=${talk.starts[0]}`];
    for (const path of paths) expect(framing(await see(visitor, path))).toEqual(FOR_NOBODY);
  });

  test('by no event type that names none', async () => {
    for (const query of ['', `&start=${plain.starts[0]}`]) {
      const page = await see(visitor, `${plain.path}?embed=1${query}`);
      expect(framing(page)).toEqual(FOR_NOBODY);
      expect(page.html).not.toContain('embedded.js');
    }
  });

  test('on no page around it', async () => {
    const sent = await sendForm(await embeddedForm(talk));
    const [booking = ''] = (sent.headers.get('location') ?? '').split('?');
    const link = await dan.browser.mutate<{ privateLink: { url: string } }>(
      'privateLinkCreate',
      { eventTypeId: talk.eventTypeId },
      'privateLink { url }',
    );
    const paths = [
      '/book/dan',
      `${talk.path}-not-there`,
      booking,
      `${booking}/cancel`,
      `${booking}/reschedule`,
      new URL(link.privateLink.url).pathname,
      '/auth/login',
      '/auth/signup',
      '/',
    ];
    for (const path of paths) {
      const page = await see(visitor, path.includes('?') ? path : `${path}${path === booking ? '' : '?embed=1'}`);
      expect([path, ...framing(page)]).toEqual([path, ...FOR_NOBODY]);
    }
    for (const path of ['/settings/event-types?embed=1', '/settings/account?embed=1', '/bookings?embed=1']) {
      expect([path, ...framing(await see(dan.browser, path))]).toEqual([path, ...FOR_NOBODY]);
    }
  });
});

describe('in a frame', () => {
  test('links stay in it as long as they lead to what may be framed; all others open a tab', async () => {
    const calendar = await see(visitor, `${talk.path}?embed=1`);
    const date = (talk.starts[0] ?? '').slice(0, 10);
    const times = await see(visitor, `${talk.path}?embed=1&date=${date}`);
    const sent = await sendForm(await embeddedForm(talk));
    const booked = await see(visitor, sent.headers.get('location') ?? '');
    for (const page of [calendar, times, await embeddedForm(talk), booked]) {
      const links = [...page.html.matchAll(/<a\b[^>]*>/g)].map(([tag]) => tag);
      const staying = links.filter((tag) => !tag.includes('target="_blank" rel="noopener noreferrer"'));
      for (const tag of staying) expect(tag).toMatch(/href="(?:#|[^"]*[?;]embed=1)/);
      expect(page.html).not.toMatch(/<header>|\/auth\/|class="brand"/);
    }
    expect(linksOf(booked).filter((link) => /\/(?:cancel|reschedule)$|\.ics$/.test(link))).toHaveLength(3);
    expect(booked.html).toContain('<input type="hidden" name="embed" value="1">');
  });

  test('nobody is signed in, even where a browser sends its cookies', async () => {
    const page = await embeddedForm(talk, dan.browser);
    expect(page.html).not.toMatch(/dan@solo\.test|\/auth\/logout/);
    expect((await see(dan.browser, `${talk.path}?start=${nextStart()}`)).html).toContain('dan@solo.test');
    const forCookies = await new TestBrowser(app.url).request(`${talk.path}?start=${nextStart()}&embed=1`);
    expect(forCookies.headers.getSetCookie()).toEqual([]);
  });

  test('an event type for signed-in users alone is booked in a tab', async () => {
    const closed = await dan.offer({ embedOrigins: SITES, requiresAuthentication: true });
    const page = await embeddedForm(closed);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Sign in and book in a new tab')]);
    const [alone = ''] = linksOf(page).filter((link) => link.includes('start=') && !link.includes('embed'));
    expect((await see(visitor, alone)).address).toMatch(/^\/auth\/login\?return_to=/);
    expect(formsOf(page.html)).toEqual([]);
    // A visitor who sends the form all the same is not booked, with whatever cookies.
    const body = new URLSearchParams({ ...GRACE, start: nextStart(), step: 'book' }).toString();
    const sent = await dan.browser.request(`${closed.path}?embed=1`, OWN_FORM, body);
    expect([sent.status, textOf(sent.text)]).toEqual([422, expect.stringContaining('You need to be signed in')]);
  });

  test('the way to the site where the host wants bookers to go on is a link', async () => {
    const onward = await dan.offer({ embedOrigins: SITES, successRedirectUrl: 'https://thanks.example/höre' });
    const sent = await sendForm(await embeddedForm(onward));
    expect(sent.headers.get('location')).toMatch(/^\/bookings\/uid_[\w-]+\?embed=1$/);
    const booked = await see(visitor, sent.headers.get('location') ?? '');
    expect(booked.html).toContain('href="https://thanks.example/h%C3%B6re" target="_top" rel="noreferrer"');
    expect((await see(visitor, booked.address.replace('?embed=1', ''))).html).not.toContain('thanks.example');
  });
});

describe('a form in a frame', () => {
  const { 'content-type': type } = OWN_FORM;

  test.each<[string, Record<string, string>]>([
    ['says that a page of ours sent it', OWN_FORM],
    ['names our origin, where it knows no Sec-Fetch-Site', { 'content-type': type, origin: 'OURS' }],
  ])('is taken of a browser that %s', async (_, headers) => {
    const fresh = await dan.offer({ embedOrigins: SITES });
    const origin = headers['origin'] === 'OURS' ? { origin: app.url } : {};
    const sent = await sendForm(await embeddedForm(fresh), { ...headers, ...origin });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/bookings\//)]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['that another site sent it', { ...OWN_FORM, 'sec-fetch-site': 'cross-site' }, 403],
    ['that a site next to ours sent it', { ...OWN_FORM, 'sec-fetch-site': 'same-site' }, 403],
    ['the origin of a website that may embed', { 'content-type': type, origin: 'https://www.example.com' }, 403],
    ['an origin that is hidden', { 'content-type': type, origin: 'null' }, 403],
    ['nothing', { 'content-type': type }, 403],
  ])('is refused of a browser that says %s', async (_, headers, status) => {
    const page = await embeddedForm(talk);
    const sent = await sendForm(page, headers);
    expect(sent.status).toBe(status);
    expect(sent.headers.get('location')).toBeNull();
  });

  test('that is refused for what the browser keeps silent about comes back with what was typed, and a way on', async () => {
    const sent = await sendForm(await embeddedForm(talk), { 'content-type': type, origin: 'null' }, { notes: 'Kept' });
    expect(textOf(sent.text)).toContain('Use the link below to open this page in a new tab, and book there.');
    expect(sent.text).toContain('Kept');
    expect(mistakesOf({ html: sent.text })).toEqual({});
    expect(framing(sent)).toEqual(FOR_SITES);
  });

  test('has nothing to do with the form of a page that is not in one, which needs its token', async () => {
    const page = await embeddedForm(talk);
    const form = formsOf(page.html).find(({ controls }) => controls.includes('email'));
    const body = new URLSearchParams({ ...form?.fields, ...GRACE, step: 'book' }).toString();
    const action = form?.action.replace(/&?embed=1/, '') ?? '';
    const sent = await new TestBrowser(app.url).request(action, OWN_FORM, body);
    expect([sent.status, sent.headers.get('location')]).toEqual([403, null]);
    const other = shownPage(await visitor.submit(await see(visitor, action), { ...GRACE, step: 'book' }));
    expect(other.address).toMatch(/^\/bookings\/uid_[\w-]+$/);
  });
});
