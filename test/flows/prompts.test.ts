import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, authorizePath, codeFor, exchange, type Fields, NARROW, tokensIn } from '../support/oauth-requests.ts';
import { departed, shownPage, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const signedIn = (email = 'bob@acme.test'): Promise<TestBrowser> => TestBrowser.signedIn(app.url, email);

describe('a user who is not signed in', () => {
  test('signs in and comes to the consent page, and then to the app', async () => {
    const browser = new TestBrowser(app.url);
    const signIn = shownPage(await browser.open(authorizePath(APP)));
    expect(signIn.address).toMatch(/^\/auth\/login\?return_to=/);
    const consent = shownPage(await browser.signIn(signIn, 'cyd@acme.test'));
    expect(consent.text).toContain('You’re signed in as Cyd Raman');
    expect(departed(await browser.submit(consent, { decision: 'allow' })).parameters.get('state')).toBe('xyz');
  });

  test('finds the way also after a wrong password', async () => {
    const browser = new TestBrowser(app.url);
    const signIn = await browser.open(authorizePath(APP, { prompt: 'consent' }));
    const again = shownPage(await browser.signIn(signIn, 'cyd@acme.test', 'wrong'));
    expect(again.status).toBe(401);
    expect(shownPage(await browser.signIn(again, 'cyd@acme.test')).text).toContain('Allow Demo app');
  });

  test('may sign up instead, and comes back to the same request', async () => {
    const browser = new TestBrowser(app.url);
    const signIn = shownPage(await browser.open(authorizePath(APP)));
    const link = /href="(\/auth\/signup[^"]*)"/.exec(signIn.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const signUp = await browser.open(link);
    const person = { name: 'Eve', username: 'eve', email: 'eve@new.test', password: 'correct horse battery' };
    const consent = shownPage(await browser.submit(signUp, person));
    expect(consent.text).toContain('You’re signed in as Eve');
    expect(departed(await browser.submit(consent, { decision: 'allow' })).parameters.get('code')).toMatch(/^gh_code_/);
  });

  test('finds login_hint in the form, as text', async () => {
    const hints: [Fields, string][] = [
      [{ login_hint: 'cyd@acme.test' }, 'value="cyd@acme.test"'],
      [{ login_hint: '"><script>' }, 'value="&quot;&gt;&lt;script&gt;"'],
      [{ login_hint: 'a&prompt=none' }, 'value="a&amp;prompt=none"'],
    ];
    for (const [changes, markup] of hints) {
      expect(shownPage(await new TestBrowser(app.url).open(authorizePath(APP, changes))).html).toContain(markup);
    }
  });
});

describe('prompt=none', () => {
  test('answers login_required to a user who is not signed in, with state and iss', async () => {
    const { parameters } = departed(await new TestBrowser(app.url).open(none()));
    expect(Object.fromEntries(parameters)).toMatchObject({ error: 'login_required', state: 'xyz', iss: app.url });
  });

  test('answers consent_required until the user has granted it, then a code', async () => {
    const bob = await signedIn();
    expect(departed(await bob.open(none())).parameters.get('error')).toBe('consent_required');
    await grant(bob, 'PROFILE_READ');
    expect(departed(await bob.open(none())).parameters.get('code')).toMatch(/^gh_code_/);
    const more = departed(await bob.open(none({ scope: 'PROFILE_READ BOOKING_READ' })));
    expect(more.parameters.get('error')).toBe('consent_required');
  });

  test('tells about a mistake in the request first', async () => {
    const { parameters } = departed(await new TestBrowser(app.url).open(none({ scope: 'NOPE' })));
    expect(parameters.get('error')).toBe('invalid_scope');
  });
});

describe('prompt=login', () => {
  test('asks for the password again, and does not offer to go on without', async () => {
    const bob = await signedIn();
    const signIn = shownPage(await bob.open(authorizePath(NARROW, { prompt: 'login' })));
    expect(signIn.address).toMatch(/^\/auth\/login/);
    expect(signIn.text).not.toContain('Continue as');
    const wrong = shownPage(await bob.signIn(signIn, 'bob@acme.test', 'wrong'));
    expect(wrong.text).not.toContain('Continue as');
    const after = await bob.signIn(wrong, 'bob@acme.test');
    expect(after.kind === 'PAGE' ? after.text : 'remembered').toMatch(/Allow Demo with few scopes|remembered/);
  });

  test('is not satisfied by opening the page of the request', async () => {
    const bob = await signedIn();
    const signIn = shownPage(await bob.open(authorizePath(NARROW, { prompt: 'login' })));
    const interaction = new URL(signIn.address, app.url).searchParams.get('return_to') ?? '';
    expect(interaction).toMatch(/^\/auth\/oauth2\/interactions\//);
    expect(shownPage(await bob.open(interaction)).address).toMatch(/^\/auth\/login/);
  });

  test('together with consent asks for both', async () => {
    const bob = await signedIn();
    await grant(bob, 'PROFILE_READ');
    const signIn = shownPage(await bob.open(authorizePath(NARROW, { prompt: 'login consent' })));
    expect(signIn.address).toMatch(/^\/auth\/login/);
    expect(shownPage(await bob.signIn(signIn, 'bob@acme.test')).text).toContain('Allow Demo with few scopes');
  });
});

test('prompt=consent asks although everything was granted before', async () => {
  const bob = await signedIn();
  await grant(bob, 'PROFILE_READ');
  expect((await bob.open(authorizePath(NARROW))).kind).toBe('AWAY');
  expect((await bob.open(authorizePath(NARROW, { prompt: 'consent' }))).kind).toBe('PAGE');
});

const none = (changes: Fields = {}): string => authorizePath(NARROW, { prompt: 'none', ...changes });

/** Authorizes and exchanges: what counts as granted is a grant, not an unused code. */
async function grant(browser: TestBrowser, scope: string): Promise<void> {
  tokensIn(await exchange(app.url, NARROW, await codeFor(browser, NARROW, { scope })));
}
