import { randomBytes, randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { NETWORK_RULES, type NetworkLimits } from '../../../src/limits/guess-limit.ts';
import type { UserProfile } from '../../../src/modules/accounts/user.queries.ts';
import { createFirstSchedule } from '../../../src/modules/schedules/schedule.commands.ts';
import type { OpenAuthorizationServer } from '../../../src/oauth/open-authorization-server.ts';
import { type AccountSettings, accountRoutes } from '../../../src/screens/account/account.routes.ts';
import { askToSignIn } from '../../../src/screens/account/sign-in.ts';
import { PAGE_HEADERS, SCRIPTED_HEADERS } from '../../../src/screens/kit/page-response.ts';
import { Visitors } from '../../../src/screens/kit/visitors.ts';
import { anAccount, PASSWORD, passwordGuesses } from '../../modules/accounts/an-account.ts';
import { openOn } from '../../oauth/support/test-server.ts';
import { testAccountMails } from '../../support/account-mails.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { ownGuessLimit } from '../../support/own-guess-limit.ts';
import { Browser, hiddenFieldsOf } from '../a-browser.ts';

const HERE = 'http://localhost:4000';
const OTHER_ADDRESS = '198.51.100.1';

let database: TestDatabase;
let authorizationServer: OpenAuthorizationServer;
let user: UserProfile;
let browser: Browser;
beforeAll(async () => {
  database = await openTestDatabase();
  authorizationServer = await openOn(database);
  user = await anAccount(database.em.fork(), { name: 'Ada <Lovelace>' });
});
afterAll(async () => {
  await authorizationServer.close();
  await database.close();
});
beforeEach(() => {
  browser = aBrowser();
});

describe('signing in by the form', () => {
  test('leads back to where one came from, with a session', async () => {
    const response = await signIn(browser, {}, '/auth/login?return_to=%2Fsettings%2Fapps%3Fa%3Db%26c');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/settings/apps?a=b&c');
    expect(await (await browser.get('/')).text()).toContain('Ada &lt;Lovelace&gt;');
  });

  test.each(['//evil.test', '/\\evil.test', 'https://evil.test', '/.//evil.test'])(
    'leads to the start page, not to %s',
    async (target) => {
      const response = await signIn(browser, {}, `/auth/login?return_to=${encodeURIComponent(target)}`);
      expect(response.headers.get('location')).toBe('/');
      const tampered = await signIn(aBrowser(), { return_to: target });
      expect(tampered.headers.get('location')).toBe('/');
    },
  );

  test('sets a cookie that scripts cannot read and other sites’ forms do not carry', async () => {
    const response = await signIn(browser);
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith('gatehouse_session='));
    expect(cookie).toMatch(/^gatehouse_session=[0-9A-Za-z]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('on https sets a __Host- cookie that goes by https alone', async () => {
    const secure = aBrowser({ publicUrl: 'https://gatehouse.test' });
    const response = await signIn(secure);
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^__Host-gatehouse_session=[0-9A-Za-z]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect([...secure.cookies.keys()]).toEqual(['__Host-gatehouse_browser', '__Host-gatehouse_session']);
  });

  test('ends the session that the browser had, and gives it a new token', async () => {
    await signIn(browser);
    const [before, others] = [browser.cookies.get('gatehouse_session') ?? '', aBrowser()];
    others.cookies.set('gatehouse_session', before);
    await signIn(browser);
    expect(browser.cookies.get('gatehouse_session')).not.toBe(before);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(others)).toBe(false);
  });

  test('does not take over a session token that somebody planted', async () => {
    const planted = 'A'.repeat(43);
    browser.cookies.set('gatehouse_session', planted);
    await signIn(browser);
    expect(browser.cookies.get('gatehouse_session')).not.toBe(planted);
  });

  test('with a wrong password shows the form again, with the address and never the password', async () => {
    const response = await signIn(browser, { password: 'wrong "horse"' }, '/auth/login?return_to=/settings');
    const page = await response.text();
    expect(response.status).toBe(401);
    expect(page).toContain(`value="${user.email}"`);
    expect(page).not.toContain('horse');
    expect(page).toContain('The e-mail address or password is wrong');
    expect(page).toContain('<title>Error: Sign in – Gatehouse</title>');
    expect(hiddenFieldsOf(page)['return_to']).toBe('/settings');
    expect(browser.cookies.has('gatehouse_session')).toBe(false);
  });

  test('shows what was typed as text, whatever it is', async () => {
    const typed = `"><script>alert(1)</script>'\0\u202e`;
    const page = await (await signIn(browser, { email: typed })).text();
    expect(page).not.toContain('<script');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('after ten wrong passwords answers 429 and says when to come back', async () => {
    for (let i = 0; i < 10; i += 1) expect((await signIn(browser, { password: `wrong ${i}` })).status).toBe(401);
    const response = await signIn(browser);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await response.text()).toContain('Too many tries; wait 15 minutes');
    const elsewhere = await browser.submit('/auth/login', credentials(), { 'x-address': OTHER_ADDRESS });
    expect(elsewhere.status).toBe(303);
  });
});

describe('a form is refused when', () => {
  test.each<[string, (fields: Record<string, string>) => Record<string, string | undefined>]>([
    ['its token is missing', (fields) => ({ ...fields, csrf: undefined })],
    ['its token is wrong', (fields) => ({ ...fields, csrf: 'A'.repeat(65) })],
    ['its token is empty', (fields) => ({ ...fields, csrf: '' })],
    ['its token is cut short', ({ csrf = '', ...fields }) => ({ ...fields, csrf: csrf.slice(0, -1) })],
    ['its token goes on', ({ csrf = '', ...fields }) => ({ ...fields, csrf: `${csrf}A` })],
    ['what is random in its token is left out', ({ csrf = '', ...fields }) => ({ ...fields, csrf: csrf.slice(22) })],
    [
      'that is of another one',
      ({ csrf = '', ...fields }) => ({ ...fields, csrf: `${'A'.repeat(22)}${csrf.slice(22)}` }),
    ],
  ])('%s', async (_, change) => {
    const fields = hiddenFieldsOf(await (await browser.get('/auth/login')).text());
    const response = await browser.post('/auth/login', change({ ...fields, ...credentials() }));
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('send it again');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('its token was given to another browser', async () => {
    const stolen = hiddenFieldsOf(await (await aBrowser().get('/auth/login')).text());
    await browser.get('/auth/login');
    expect((await browser.post('/auth/login', { ...stolen, ...credentials() })).status).toBe(403);
  });

  test('its token is that of another form', async () => {
    const { csrf } = hiddenFieldsOf(await (await browser.get('/auth/signup')).text());
    expect((await browser.post('/auth/login', { csrf, ...credentials() })).status).toBe(403);
  });

  test.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.test' }])(
    'another site sent it, even with the right token: %j',
    async (headers) => {
      const response = await browser.submit('/auth/login', credentials(), headers);
      expect(response.status).toBe(403);
      expect(await isSignedIn(browser)).toBe(false);
    },
  );

  test('and is accepted from our own page, in browsers that say so and in those that cannot', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, { origin: 'null' }, { origin: HERE }]) {
      expect((await browser.submit('/auth/login', credentials(), headers as Record<string, string>)).status).toBe(303);
    }
  });

  test('a form opened before signing in elsewhere in the same browser still works', async () => {
    const fields = hiddenFieldsOf(await (await browser.get('/auth/login')).text());
    await signIn(browser);
    expect((await browser.post('/auth/login', { ...fields, ...credentials() })).status).toBe(303);
  });

  test.each<[string, RequestInit, number]>([
    ['has no type', { body: new Uint8Array([1]) }, 415],
    ['is multipart', { body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 415],
    ['is too large', { body: new URLSearchParams({ a: 'x'.repeat(70_000) }) }, 413],
    ['has too many fields', { body: new URLSearchParams(Array.from({ length: 101 }, () => ['a', ''])) }, 400],
  ])('it %s', async (_, init, status) => {
    const response = await someRoutes().request('/auth/login', { method: 'POST', ...init });
    expect(response.status).toBe(status);
    expectPageHeaders(response);
  });
});

describe('signing in by JSON', () => {
  test('answers the user and sets the session', async () => {
    const response = await browser.postJson('/auth/login', credentials());
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      user: { id: publicId('user', user.id), name: user.name, username: user.username, email: user.email },
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('with a wrong password answers 401 and why', async () => {
    const response = await browser.postJson('/auth/login', { ...credentials(), password: 'wrong' });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: {
        code: 'WRONG_CREDENTIALS',
        message: 'The e-mail address or password is wrong; check both and try again.',
      },
    });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test.each(['', '{', 'null', '[]', '{"email":1,"password":"x"}', '{"email":{"$ne":1},"password":[]}'])(
    'answers 400 to %j',
    async (body) => {
      const response = await browser.postJson('/auth/login', body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'BAD_REQUEST' } });
    },
  );

  test('is refused to another site', async () => {
    const response = await browser.postJson('/auth/login', credentials(), { 'sec-fetch-site': 'cross-site' });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'FOREIGN_REQUEST' } });
  });
});

describe('signing up', () => {
  test('makes an account, signs in and goes on', async () => {
    const response = await browser.submit('/auth/signup?return_to=%2Fsettings', filledIn());
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/settings');
    expect(await (await browser.get('/')).text()).toContain('Grace');
  });

  test('with mistakes shows them all, each beside its field, and what was typed but the password', async () => {
    const typed = { name: '', username: 'Not A Slug', email: 'nobody', password: 'short' };
    const response = await browser.submit('/auth/signup', typed);
    const page = await response.text();
    expect(response.status).toBe(422);
    for (const name of ['name', 'username', 'email', 'password']) {
      expect(page).toContain(`<li><a href="#${name}">`);
      expect(page).toMatch(
        new RegExp(`<input id="${name}"[^>]*aria-describedby="[^"]*${name}-mistake"[^>]*aria-invalid="true"`),
      );
    }
    expect(page).toContain('value="Not A Slug"');
    expect(page).not.toContain('value="short"');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('with an address that has an account answers as for any other', async () => {
    const [taken, free] = [{ ...filledIn(), email: user.email }, filledIn()];
    const [one, other] = [aBrowser(), aBrowser()];
    const [first, second] = [await one.submit('/auth/signup', taken), await other.submit('/auth/signup', free)];
    expect([first.status, first.headers.get('location')]).toEqual([second.status, second.headers.get('location')]);
    expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([true, true]);
  });

  test('is possible thirty times an hour for one network', async () => {
    for (let i = 0; i < 30; i += 1) {
      expect((await browser.submit('/auth/signup', { ...filledIn(), email: 'none' })).status).toBe(422);
    }
    const refused = await browser.submit('/auth/signup', filledIn());
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3_000]).toEqual([429, true]);
    const elsewhere = await browser.submit('/auth/signup', filledIn(), { 'x-address': OTHER_ADDRESS });
    expect(elsewhere.status).toBe(303);
  });

  test('needs the form’s token', async () => {
    expect((await browser.post('/auth/signup', filledIn())).status).toBe(403);
  });
});

describe('signing out', () => {
  test('asks first, and then ends the session and drops its cookie', async () => {
    await signIn(browser);
    const others = aBrowser();
    others.cookies.set('gatehouse_session', browser.cookies.get('gatehouse_session') ?? '');
    expect(await (await browser.get('/auth/logout')).text()).toContain('Sign out?');
    expect(await isSignedIn(browser)).toBe(true);
    const response = await browser.submit('/auth/logout', {});
    expect(response.status).toBe(303);
    expect(browser.cookies.has('gatehouse_session')).toBe(false);
    expect(await isSignedIn(others)).toBe(false);
    expect(await (await browser.get(response.headers.get('location') ?? '')).text()).toContain('You’re signed out');
  });

  test('without the form’s token asks again', async () => {
    await signIn(browser);
    const response = await browser.post('/auth/logout', {});
    expect(response.status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('by JSON needs no form, and is refused to another site', async () => {
    await signIn(browser);
    expect((await browser.postJson('/auth/logout', {}, { origin: 'https://evil.test' })).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await browser.postJson('/auth/logout', {})).status).toBe(204);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe('the sign-in page', () => {
  test('is filled in with what an app says its user is called', async () => {
    const page = await (await browser.get('/auth/login?login_hint=ada%40acme.test')).text();
    expect(page).toContain('value="ada@acme.test"');
  });

  test('lets who is signed in go on, unless signing in is asked for', async () => {
    await signIn(browser);
    expect(await (await browser.get('/auth/login?return_to=/settings')).text()).toContain(
      '<a href="/settings">Continue as',
    );
    expect(await (await browser.get('/auth/login?prompt=login')).text()).not.toContain('Continue as');
  });

  test('gives each tab of a browser a token of its own, and all are good', async () => {
    const first = hiddenFieldsOf(await (await browser.get('/auth/login')).text());
    const second = hiddenFieldsOf(await (await browser.get('/auth/login')).text());
    const [one = '', other = ''] = [first['csrf'], second['csrf']];
    expect([one, other]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9A-Za-z]{22}[\w-]{43}$/)));
    // No part is in both: what a guesser learns of the length of one page is of no use with the next.
    expect(one.match(/.{8}/g)?.filter((part) => other.includes(part))).toEqual([]);
    for (const fields of [second, first, first]) {
      expect((await browser.post('/auth/login', { ...fields, ...credentials() })).status).toBe(303);
    }
  });

  test('tells the demo users only where there are any', async () => {
    expect(await (await browser.get('/auth/login')).text()).not.toContain('gatehouse-demo');
    expect(await (await aBrowser({ showsDemo: () => true }).get('/auth/login')).text()).toContain('gatehouse-demo');
  });
});

test('the start page leads to the query console only where it is on', async () => {
  expect(await (await browser.get('/')).text()).not.toContain('Query console');
  expect(await (await aBrowser({ consolePath: '/graphql', showsDemo: () => true }).get('/')).text()).toContain(
    '<a href="/graphql">Query',
  );
});

test.each(['/', '/auth/login', '/auth/signup', '/auth/logout'])('%s has the headers of every page', async (path) => {
  const response = await browser.get(path);
  expect(response.status).toBe(200);
  // On one page a script fills a hidden field in.
  expectPageHeaders(response, path === '/auth/signup' ? SCRIPTED_HEADERS : {});
  expect(response.headers.get('content-security-policy')).not.toContain('form-action');
});

test.each([{ gatehouse_session: 'x' }, { gatehouse_session: '\u00e9' }, { gatehouse_browser: '__proto__' }])(
  'a cookie that is none of ours is as good as none: %j',
  async (cookies) => {
    for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value);
    expect((await browser.get('/auth/login')).status).toBe(200);
    expect(browser.cookies.get('gatehouse_browser')).toMatch(/^[0-9A-Za-z]{43}$/);
  },
);

function expectPageHeaders(response: Response, changes: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries({ ...PAGE_HEADERS, ...changes }))
    expect(response.headers.get(name)).toBe(value);
}

/** Routes whose limits are their own, so that one test's guesses do not count in another. */
function someRoutes(changes: Partial<AccountSettings> = {}): Hono {
  const base = {
    em: database.em,
    publicUrl: HERE,
    formKey: randomBytes(32),
    addressOf: (c: { req: { header: (name: string) => string | undefined } }) =>
      c.req.header('x-address') ?? '192.0.2.1',
    ...changes,
  };
  return accountRoutes({
    ...base,
    visitors: new Visitors({ ...base, askToSignIn }),
    webhooksKey: new Uint8Array(32),
    allowPrivateNetwork: false,
    passwordGuesses: passwordGuesses(database),
    networkLimits: networkLimits(),
    authorizationServer,
    accountMails: testAccountMails(database).accountMails,
    mailFolder: undefined,
    furnish: async (em, userId) => createFirstSchedule(em, userId),
    consolePath: undefined,
    report: (error) => expect.fail(`a fault of ours: ${String(error)}`),
    showsDemo: () => false,
    demoPassword: undefined,
    ...changes,
  });
}

function networkLimits(): NetworkLimits {
  const { signIns, signUps, forgottenPasswords, formSubmissions } = NETWORK_RULES;
  return {
    signIns: ownGuessLimit(signIns, database),
    signUps: ownGuessLimit(signUps, database),
    forgottenPasswords: ownGuessLimit(forgottenPasswords, database),
    formSubmissions: ownGuessLimit(formSubmissions, database),
  };
}

function aBrowser(changes: Partial<AccountSettings> = {}): Browser {
  return new Browser(someRoutes(changes), changes.publicUrl ?? HERE);
}

function credentials(): { email: string; password: string } {
  return { email: user.email, password: PASSWORD };
}

function filledIn() {
  const username = `u${randomUUID()}`;
  return { name: 'Grace', username, email: `${username}@acme.test`, password: PASSWORD };
}

function signIn(who: Browser, fields: Record<string, string> = {}, page = '/auth/login'): Promise<Response> {
  return who.submit(page, { ...credentials(), ...fields });
}

async function isSignedIn(who: Browser): Promise<boolean> {
  return (await (await who.get('/')).text()).includes('You’re signed in as');
}
