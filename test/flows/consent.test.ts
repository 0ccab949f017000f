import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, authorizePath, type Fields, post, tokensFor } from '../support/oauth-requests.ts';
import { departed, shownPage, TestBrowser } from '../support/test-browser.ts';

let app: TestApp;
let bob: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  bob = await TestBrowser.signedIn(app.url, 'bob@acme.test');
});
afterAll(() => app.close());
beforeEach(() => changed(app.database.em.fork(), sql`delete from oauth_grants`));

const ask = (scope: string, changes: Fields = {}) => bob.open(authorizePath(APP, { scope, ...changes }));

describe('the consent page', () => {
  test('says who asks, for what, in words and by group, and where it leads', async () => {
    const page = shownPage(await ask('BOOKING_READ PROFILE_WRITE TEAM_BOOKING_READ ORG_WEBHOOK_WRITE'));
    expect(page.text).toMatch(/Allow Demo app to use your account\?/);
    expect(page.text).toMatch(/Your account .*Your teams .*Your organizations /);
    expect(page.text).toMatch(/Made by Ada Okafor .*Verified .*Takes you to app\.example\.test/);
    expect(page.text).not.toContain('New');
    // In words: the names of the scopes are for developers.
    expect(page.text).not.toMatch(/BOOKING_READ|WEBHOOK/);
  });

  test('shows the names that a developer gave as text, set apart from ours', async () => {
    const em = app.database.em.fork();
    const name = '<b>Bank</b>\u202e"&';
    await changed(
      em,
      sql`update oauth_clients set name = ${name}, website_url = ${'javascript:alert(1)'} where client_id = 'demo-app'`,
    );
    const page = shownPage(await ask('PROFILE_READ'));
    await changed(em, sql`update oauth_clients set name = 'Demo app', website_url = null where client_id = 'demo-app'`);
    expect(page.html).toContain('<bdi>&lt;b&gt;Bank&lt;/b&gt;\u202e&quot;&amp;</bdi>');
    expect(page.html).not.toMatch(/<b>|javascript:/);
  });

  test('loads nothing from elsewhere and runs no script', async () => {
    const { html } = shownPage(await ask('PROFILE_READ'));
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(loaded.filter((address) => !address?.startsWith('/') && !address?.startsWith('#'))).toEqual([]);
    expect(html).not.toMatch(/<script|\son\w+=|<style|style=/);
  });
});

describe('consent is remembered', () => {
  test('for what was granted, and less', async () => {
    await tokensFor(bob, APP, { scope: 'PROFILE_READ BOOKING_READ' });
    for (const scope of ['PROFILE_READ BOOKING_READ', 'BOOKING_READ']) {
      expect(departed(await ask(scope)).parameters.get('code')).toMatch(/^gh_code_/);
    }
  });

  test('with what an ORG scope grants of teams, and not the other way round', async () => {
    await tokensFor(bob, APP, { scope: 'ORG_BOOKING_READ' });
    expect((await ask('TEAM_BOOKING_READ')).kind).toBe('AWAY');
    expect((await ask('TEAM_BOOKING_WRITE')).kind).toBe('PAGE');
    expect((await ask('BOOKING_READ')).kind).toBe('PAGE');
    await changed(app.database.em.fork(), sql`delete from oauth_grants`);
    await tokensFor(bob, APP, { scope: 'TEAM_BOOKING_READ' });
    expect((await ask('ORG_BOOKING_READ')).kind).toBe('PAGE');
  });

  test('over several grants together', async () => {
    await tokensFor(bob, APP, { scope: 'PROFILE_READ' });
    await tokensFor(bob, APP, { scope: 'BOOKING_READ' });
    expect((await ask('PROFILE_READ BOOKING_READ')).kind).toBe('AWAY');
  });

  test('and only what is new is marked', async () => {
    await tokensFor(bob, APP, { scope: 'PROFILE_READ' });
    const page = shownPage(await ask('PROFILE_READ BOOKING_READ SCHEDULE_READ'));
    const items = [...page.html.matchAll(/<li>(.*?)<\/li>/g)].map(([, item = '']) => item);
    expect(items).toHaveLength(3);
    expect(items.filter((item) => item.includes('<mark>New</mark>'))).toHaveLength(2);
    expect(items.find((item) => item.includes('profile'))).not.toContain('New');
  });

  test.each<[string, (refreshToken: string) => Promise<unknown>]>([
    ['once the app gave it back', (token) => post(app.url, { ...APP, token }, { path: '/v2/auth/oauth2/revoke' })],
    ['once the grant has run out', () => age(400)],
    ['once nobody has used it for 90 days', () => age(91)],
  ])('no longer %s', async (_, end) => {
    const { refresh_token: refreshToken } = await tokensFor(bob, APP);
    expect((await ask('PROFILE_READ')).kind).toBe('AWAY');
    await changed(
      app.database.em.fork(),
      sql`delete from oauth_grants where id not in (select id from oauth_grants order by created_at limit 1)`,
    );
    await end(refreshToken);
    expect((await ask('PROFILE_READ')).kind).toBe('PAGE');
  });

  test('not for another user, another client, or a code that was never exchanged', async () => {
    expect((await bob.allow(authorizePath(APP))).parameters.has('code')).toBe(true);
    expect((await ask('PROFILE_READ')).kind).toBe('PAGE');
    await tokensFor(bob, APP);
    const cyd = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
    expect((await cyd.open(authorizePath(APP))).kind).toBe('PAGE');
    const narrow = { client_id: 'demo-narrow', redirect_uri: 'https://narrow.example.test/cb' };
    expect((await bob.open(authorizePath(narrow))).kind).toBe('PAGE');
  });

  test('never for a callback on this machine: another program may be listening there', async () => {
    await tokensFor(bob, APP);
    for (const redirect_uri of ['http://localhost:4000/demo/callback', 'http://127.0.0.1:9/callback']) {
      expect((await ask('PROFILE_READ', { redirect_uri })).kind).toBe('PAGE');
    }
  });
});

describe('Cancel', () => {
  test('tells the app access_denied, with state and iss, and makes no code', async () => {
    const page = await ask('PROFILE_READ');
    const answer = departed(await bob.submit(page, { decision: 'deny' }));
    expect(answer.status).toBe(303);
    expect(Object.fromEntries(answer.parameters)).toMatchObject({ error: 'access_denied', state: 'xyz', iss: app.url });
    expect(answer.parameters.has('code')).toBe(false);
    const again = departed(await bob.submit(page, { decision: 'allow' }));
    expect(again.location).toBe(answer.location);
  });

  test('is no lasting verdict: the next request asks again', async () => {
    await bob.submit(await ask('PROFILE_READ'), { decision: 'deny' });
    expect((await ask('PROFILE_READ')).kind).toBe('PAGE');
  });
});

function age(days: number): Promise<number> {
  return changed(
    app.database.em.fork(),
    sql`update oauth_grants set rotated_at = rotated_at - make_interval(days => ${days}),
          expires_at = expires_at - make_interval(days => ${days})`,
  );
}
