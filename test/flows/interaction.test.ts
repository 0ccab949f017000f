import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { formsOf } from '../support/html-form.ts';
import { unknownId, uuidOf } from '../support/ids.ts';
import { APP, authorizePath, exchange, type Fields, FORM, PKCE, VERIFIER } from '../support/oauth-requests.ts';
import { departed, type ShownPage, shownPage, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let bob: TestBrowser;
let cyd: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
  cyd = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
});
afterAll(() => app.close());
beforeEach(() => changed(app.database.em.fork(), sql`delete from oauth_grants`));

const consent = async (changes: Fields = {}): Promise<ShownPage> =>
  shownPage(await bob.open(authorizePath(APP, changes)));
const allow = { decision: 'allow' };

describe('the consent page survives', () => {
  test('a reload: the same form but for its token, and the first one works', async () => {
    const page = await consent();
    const reloaded = shownPage(await bob.open(page.address));
    const fields = { ...formsOf(page.html)[0]?.fields, csrf: expect.any(String) };
    expect(formsOf(reloaded.html).map((form) => form.fields)).toEqual([fields]);
    expect(departed(await bob.submit(page, allow)).parameters.get('code')).toMatch(/^gh_code_/);
  });

  test('two tabs of one request: both lead to the same code', async () => {
    const page = await consent();
    const tab = await bob.open(page.address);
    const first = departed(await bob.submit(page, allow));
    expect(departed(await bob.submit(tab, allow)).location).toBe(first.location);
    expect(departed(await bob.open(page.address)).location).toBe(first.location);
  });

  test('two tabs of two requests: each gets its own code and state, in any order', async () => {
    const [one, two] = [await consent({ state: 'one' }), await consent({ state: 'two' })];
    const second = departed(await bob.submit(two, allow)).parameters;
    const first = departed(await bob.submit(one, allow)).parameters;
    expect([first.get('state'), second.get('state')]).toEqual(['one', 'two']);
    expect(first.get('code')).not.toBe(second.get('code'));
  });

  test('a double click, and Allow and Cancel at once: the first decision stands', async () => {
    const page = await consent();
    const clicks = await Promise.all(
      [allow, allow, { decision: 'deny' }, allow].map((click) => bob.submit(page, click)),
    );
    expect(new Set(clicks.map((stop) => departed(stop).location)).size).toBe(1);
    expect(await codesOf(page)).toBe(departed(clicks[0] ?? page).parameters.has('code') ? 1 : 0);
  });

  test('signing in again in another tab', async () => {
    const page = await consent();
    await bob.signIn(await bob.open('/auth/login'), 'bob@acme.test');
    expect(departed(await bob.submit(page, allow)).parameters.get('code')).toMatch(/^gh_code_/);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['signing out in another tab', () => bob.signOut()],
    [
      'the end of the session',
      () => changed(app.database.em.fork(), sql`update sessions set expires_at = now() - interval '1 second'`),
    ],
  ])('%s: who signs in again is asked again, and goes on', async (_, end) => {
    const page = await consent();
    await end();
    const signIn = shownPage(await bob.submit(page, allow));
    expect(signIn.address).toMatch(/^\/auth\/login/);
    expect(await codesOf(page)).toBe(0);
    const again = shownPage(await bob.signIn(signIn, 'bob@acme.test'));
    expect(again.address).toBe(page.address);
    expect(departed(await bob.submit(again, allow)).parameters.get('code')).toMatch(/^gh_code_/);
    cyd = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
  });
});

describe('two tabs with two accounts: what was shown to one is not answered for the other', () => {
  test('and the user of each can go on with the same request as themselves', async () => {
    const { shared, refused } = await refusedForCyd();
    const asCyd = shownPage(await shared.open(linkOn(refused, /^Continue as Cyd Raman$/)));
    expect(asCyd.text).toContain('You’re signed in as Cyd Raman');
    const { parameters } = departed(await shared.submit(asCyd, allow));
    expect(parameters.get('state')).toBe('xyz');
    expect(await userOfCode(asCyd)).toBe('cyd');
  });

  test('or sign in as the first one, who answers', async () => {
    const { shared, page, refused } = await refusedForCyd();
    const signIn = await shared.open(linkOn(refused, /^Sign in with the other account$/));
    const asBob = shownPage(await shared.signIn(signIn, 'bob@acme.test'));
    expect([asBob.address, asBob.text]).toEqual([page.address, expect.stringContaining('signed in as Bob')]);
    expect(departed(await shared.submit(asBob, allow)).parameters.get('code')).toMatch(/^gh_code_/);
    expect(await userOfCode(page)).toBe('bob');
  });
});

describe('the address of an interaction is of no use to', () => {
  test('another browser, even of the same user', async () => {
    const page = await consent();
    const sameUser = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    for (const other of [cyd, sameUser, new TestBrowser(app.url)]) {
      expect(shownPage(await other.open(page.address)).status).toBe(403);
      expect(shownPage(await other.open(`${page.address}/restart`)).status).toBe(403);
      expect(shownPage(await press(other, page)).status).toBe(403);
    }
    expect(await codesOf(page)).toBe(0);
    expect(departed(await bob.submit(page, allow)).parameters.get('code')).toMatch(/^gh_code_/);
  });

  test('another browser after the answer, which does not learn the code', async () => {
    const page = await consent();
    const { parameters } = departed(await bob.submit(page, allow));
    for (const other of [cyd, new TestBrowser(app.url)]) {
      const refused = shownPage(await other.open(page.address));
      expect(refused.status).toBe(403);
      expect(refused.html).not.toContain(parameters.get('code'));
    }
  });

  test('another user of the same browser, before and after the answer', async () => {
    const shared = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    const [open, answered] = [await shared.open(authorizePath(APP)), await shared.open(authorizePath(APP))];
    await shared.submit(answered, allow);
    await shared.signOut();
    await shared.signIn(await shared.open('/auth/login'), 'cyd@acme.test');
    for (const page of [open, answered]) {
      expect(shownPage(await shared.open(shownPage(page).address)).status).toBe(403);
      expect(shownPage(await shared.submit(page, allow)).status).toBe(403);
    }
  });

  test('somebody who has signed out: the answer is for its user, who has to sign in first', async () => {
    const shared = await TestBrowser.signedIn(app.url, 'bob@acme.test');
    const page = shownPage(await shared.open(authorizePath(APP, PKCE)));
    const first = departed(await shared.submit(page, allow));
    await shared.signOut();
    const signIn = shownPage(await shared.open(page.address));
    expect(signIn.address).toMatch(/^\/auth\/login/);
    expect(departed(await shared.signIn(signIn, 'bob@acme.test')).location).toBe(first.location);
  });

  test('anybody, when there is none like it', async () => {
    for (const id of [unknownId('interaction'), newId(), 'x', '%00', '..%2f..', "' or 1=1", 'x'.repeat(9_000)]) {
      const answer = await bob.request(`/auth/oauth2/interactions/${encodeURIComponent(id)}`);
      expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
    }
  });
});

describe('a consent form is refused', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without its anti-forgery field', { csrf: '' }, {}],
    ['with the anti-forgery field of another page', { csrf: 'x'.repeat(43) }, {}],
    ['when another site sends it', {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['when another site sends it and hides its origin', {}, { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['when a sibling site sends it', {}, { 'sec-fetch-site': 'same-site' }],
    ['by a browser that names only the origin', {}, { 'sec-fetch-site': '', origin: 'https://evil.test' }],
    ['as JSON', {}, { 'content-type': 'application/json' }],
    ['as plain text', {}, { 'content-type': 'text/plain' }],
    ['as multipart', {}, { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('%s', async (_, fields, headers) => {
    const page = await consent();
    const answer = await send(page, { ...allow, ...fields }, headers);
    expect([403, 415]).toContain(answer.status);
    expect(answer.headers.get('location')).toBeNull();
    expect(await codesOf(page)).toBe(0);
    expect((await send(page, allow)).status).toBe(303);
  });

  test('without its anti-forgery field, on a page that leads back to the question', async () => {
    const page = await consent();
    const refused = shownPage(await bob.submit(page, { ...allow, csrf: '' }));
    expect(refused.status).toBe(403);
    const again = shownPage(await bob.open(linkOn(refused, /^See the request again$/)));
    expect(departed(await bob.submit(again, allow)).parameters.get('code')).toMatch(/^gh_code_/);
  });

  test.each(['', 'ALLOW', 'yes', '__proto__'])('with the decision "%s", and can be sent again', async (decision) => {
    const page = await consent();
    expect([(await send(page, { decision })).status, await codesOf(page)]).toEqual([400, 0]);
    expect((await send(page, allow)).status).toBe(303);
  });

  test('an hour after it was shown', async () => {
    const page = await consent();
    await changed(app.database.em.fork(), sql`update oauth_interactions set expires_at = now() - interval '1 second'`);
    const late = shownPage(await bob.submit(page, allow));
    expect([late.status, await codesOf(page)]).toEqual([410, 0]);
  });
});

test('a spent code is not given out again: the app would take it for a replay', async () => {
  const page = await consent();
  const code = departed(await bob.submit(page, allow)).parameters.get('code') ?? '';
  expect((await exchange(app.url, APP, code)).status).toBe(200);
  expect(shownPage(await bob.open(page.address)).status).toBe(410);
  expect(shownPage(await bob.submit(page, allow)).status).toBe(410);
});

test('with PKCE, a second click just after the exchange still arrives, and costs nobody a token', async () => {
  const page = await consent(PKCE);
  const first = departed(await bob.submit(page, allow));
  const code = first.parameters.get('code') ?? '';
  const { body } = await exchange(app.url, APP, code, { code_verifier: VERIFIER });
  expect(departed(await bob.submit(page, allow)).location).toBe(first.location);
  expect((await exchange(app.url, APP, code, { code_verifier: VERIFIER })).body.error).toBe('invalid_grant');
  expect((await app.graphql('{ me { id } }', { token: body.access_token })).status).toBe(200);
});

test('another account: the request begins anew for the user who signs in', async () => {
  const shared = await TestBrowser.signedIn(app.url, 'bob@acme.test');
  const page = shownPage(await shared.open(authorizePath(APP, { login_hint: 'bob@acme.test' })));
  const link = /href="(\/auth\/login\?[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const asCyd = shownPage(await shared.signIn(await shared.open(link), 'cyd@acme.test'));
  expect(asCyd.text).toContain('You’re signed in as Cyd Raman');
  expect(departed(await shared.submit(asCyd, allow)).parameters.get('state')).toBe('xyz');
  expect(shownPage(await shared.submit(page, allow)).status).toBe(403);
});

/** A page of Bob's, whose browser is Cyd's by the time that Allow is pressed. */
async function refusedForCyd() {
  const shared = await TestBrowser.signedIn(app.url, 'bob@acme.test');
  const page = shownPage(await shared.open(authorizePath(APP)));
  await shared.signIn(await shared.open('/auth/login'), 'cyd@acme.test');
  const refused = shownPage(await shared.submit(page, allow));
  expect([refused.status, await codesOf(page)]).toEqual([403, 0]);
  expect(refused.text).toContain('You’re signed in as Cyd Raman');
  expect(refused.text).not.toMatch(/Bob|bob@/);
  return { shared, page, refused };
}

/** Where a link of a page leads. */
function linkOn({ html }: ShownPage, name: RegExp): string {
  const links = [...html.matchAll(/<a[^>]* href="([^"]*)"[^>]*>(.*?)<\/a>/g)];
  const [, href = ''] = links.find(([, , inner = '']) => name.test(inner.replaceAll(/<[^>]+>/g, ''))) ?? [];
  return href.replaceAll('&amp;', '&');
}

/** The user that the code of an interaction stands for. */
async function userOfCode({ address }: ShownPage): Promise<string | undefined> {
  const id = uuidOf(address.split('/').at(-1) ?? '');
  const [found] = await rows(
    app.database.em,
    sql<{ username: string }>`
      select u.username from oauth_codes c join users u on u.id = c.user_id where c.interaction_id = ${id}`,
  );
  return found?.username;
}

/** Presses Allow in a browser that has the page's form, but not its cookies. */
function press(browser: TestBrowser, page: ShownPage) {
  return browser.submit(page, allow);
}

function send(page: ShownPage, values: Record<string, string>, headers: Record<string, string> = {}) {
  const [form] = formsOf(page.html);
  const body = new URLSearchParams({ ...form?.fields, ...values }).toString();
  const given = { 'sec-fetch-site': 'same-origin', 'content-type': FORM, ...headers };
  return bob.request(page.address, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')), body);
}

async function codesOf({ address }: ShownPage): Promise<number> {
  const id = uuidOf(address.split('/').at(-1) ?? '');
  const found = await rows(app.database.em, sql`select 1 from oauth_codes where interaction_id = ${id}`);
  return found.length;
}
