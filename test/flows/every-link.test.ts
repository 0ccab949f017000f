/** Follows every link of every page, without a session and as each of several users: none of them may be dead. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Host, hostOf, linksOf, type Offered } from '../support/booking-visitor.ts';
import { unknownId } from '../support/ids.ts';
import { NAVIGATION, OWN_FORM, type ShownPage, type Stop, TestBrowser } from '../support/test-browser.ts';

const USERS = ['ada@acme.test', 'bob@acme.test', 'dan@solo.test', 'admin@gatehouse.test'];

let app: TestApp;
const browsers = new Map<string, TestBrowser>();
beforeAll(async () => {
  app = await startTestApp();
  for (const email of USERS) browsers.set(email, await TestBrowser.signedIn(app.url, email));
  browsers.set('nobody', new TestBrowser(app.url));
});
afterAll(() => app.close());

interface Dead {
  readonly on: string;
  readonly link: string;
  readonly status: number;
}

/** One address is followed among those that differ only in the values of their queries, or in days and times. */
function kindOf(address: string): string {
  const url = new URL(address, app.url);
  return `${url.pathname.replace(/\d{4}-\d\d(-\d\d)?/, 'date')}?${[...url.searchParams.keys()].toSorted().join()}`;
}

/** As browsers do, which ask for a page: the console is one to those alone. */
async function follow(browser: TestBrowser, path: string): Promise<Stop> {
  if (path !== '/graphql') return browser.open(path);
  const { status, headers, text } = await browser.request(path, { ...NAVIGATION, accept: 'text/html' });
  return { kind: 'PAGE', status, address: path, headers, html: text, text };
}

/** Follows all links from some pages on. */
async function deadLinksFrom(
  browser: TestBrowser,
  starts: readonly ShownPage[],
): Promise<{ dead: Dead[]; pages: number }> {
  const seen = new Set(starts.map(({ address }) => kindOf(address)));
  const waiting = [...starts];
  const dead: Dead[] = [];
  let pages = 0;
  for (let page = waiting.shift(); page; page = waiting.shift()) {
    pages += 1;
    const here = new URL(page.address, app.url);
    for (const link of linksOf(page)) {
      const there = new URL(link, here);
      if (there.origin !== here.origin && there.origin !== new URL(app.config.publicUrl).origin) continue;
      if (there.hash !== '' && there.pathname + there.search === here.pathname + here.search) {
        if (!page.html.includes(`id="${there.hash.slice(1)}"`)) dead.push({ on: page.address, link, status: 0 });
        continue;
      }
      const kind = kindOf(there.href);
      if (seen.has(kind)) continue;
      seen.add(kind);
      const stop = await follow(browser, there.pathname + there.search);
      if (stop.kind !== 'PAGE') continue;
      if (stop.status >= 400) dead.push({ on: page.address, link, status: stop.status });
      else if (stop.headers.get('content-type')?.startsWith('text/html')) waiting.push(stop);
    }
  }
  return { dead, pages };
}

async function opened(browser: TestBrowser, paths: readonly string[]): Promise<ShownPage[]> {
  const found: ShownPage[] = [];
  for (const path of paths) {
    const stop = await browser.open(path);
    if (stop.kind === 'PAGE') found.push(stop);
  }
  return found;
}

function browserOf(name: string): TestBrowser {
  return browsers.get(name) ?? new TestBrowser(app.url);
}

/** Nothing leads to these. */
const STARTS = ['/', '/welcome', '/bookings', '/settings', '/book/ada', '/book/organization/acme'];

test.each([...USERS, 'nobody'])('no link is dead for %s', async (name) => {
  const browser = browserOf(name);
  const { dead, pages } = await deadLinksFrom(browser, await opened(browser, STARTS));
  expect(dead).toEqual([]);
  expect(pages).toBeGreaterThan(name === 'nobody' ? 10 : 40);
});

describe('no link is dead', () => {
  let host: Host;
  let hidden: Offered;
  beforeAll(async () => {
    host = await hostOf(app, 'dan@solo.test', 'dan');
    hidden = await host.offer({ isHidden: true });
  });

  test('for a user who has just made a team', async () => {
    const { teamId } = await host.browser.mutate<{ teamId: string }>(
      'teamCreate',
      { slug: 'brand-new', name: 'Brand new' },
      'teamId',
    );
    const starts = await opened(host.browser, [`/settings/teams/${teamId}`, `/settings/teams/${teamId}/event-types`]);
    expect(starts.map(({ status }) => status)).toEqual([200, 200]);
    expect((await deadLinksFrom(host.browser, starts)).dead).toEqual([]);
    const type = { teamId, slug: 'hidden', title: 'Hidden', durationInMinutes: 30, isHidden: true };
    await host.browser.mutate('teamEventTypeCreate', type, 'eventTypeId');
    const nobodys = { teamId, slug: 'nobodys', title: 'Nobody’s', durationInMinutes: 30, hosts: [] };
    await host.browser.mutate('teamEventTypeCreate', nobodys, 'eventTypeId');
    const again = await opened(host.browser, [`/settings/teams/${teamId}`, `/settings/teams/${teamId}/event-types`]);
    expect((await deadLinksFrom(host.browser, again)).dead).toEqual([]);
  });

  test('on the pages of a hidden event type, and of a host who offers nothing else', async () => {
    await changed(
      app.database.em.fork(),
      sql`update event_types set is_hidden = true where user_id in (select id from users where username = 'dan')`,
    );
    const starts = await opened(host.browser, [
      `/settings/event-types/${hidden.eventTypeId}`,
      '/settings/event-types',
      '/welcome',
      '/bookings',
    ]);
    expect(starts.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await deadLinksFrom(host.browser, starts)).dead).toEqual([]);
  });

  test.each([...USERS, 'nobody'])('on pages that say what went wrong, for %s', async (name) => {
    const browser = browserOf(name);
    const paths = [
      '/nothing-here',
      '/book/nobody-is-here',
      '/book/ada/nothing-here',
      '/private-links/nothing',
      `/bookings/${unknownId('booking')}`,
      `/bookings/${unknownId('booking')}/host`,
      `/settings/teams/${unknownId('team')}`,
      `/settings/event-types/${unknownId('eventType')}`,
      `/forms/${unknownId('routingForm')}`,
      '/oauth/authorize',
      '/auth/oauth2/authorize?client_id=nobody',
      '/auth/oauth2/requests/nothing',
      '/auth/oauth2/interactions/nothing',
      '/admin/oauth',
    ];
    const found = await opened(browser, paths);
    for (const path of ['/settings/account/profile', '/auth/logout', '/auth/login']) {
      const answer = await browser.request(path, { ...OWN_FORM, accept: 'text/html' }, 'csrf=forged');
      const { status, headers, text } = answer;
      if (status >= 400) found.push({ kind: 'PAGE', status, address: path, headers, html: text, text });
    }
    const wrong = found.filter(({ status }) => status >= 400);
    expect(wrong.length).toBeGreaterThan(6);
    // A signed-in reader finds the way on, but on the forms of signing in and out.
    const withoutMenu = wrong.filter(({ html }) => !html.includes('href="/auth/logout"')).map(({ address }) => address);
    expect(withoutMenu).toEqual(
      name === 'nobody' ? wrong.map(({ address }) => address) : ['/auth/logout', '/auth/login'],
    );
    expect((await deadLinksFrom(browser, found)).dead).toEqual([]);
  });

  test('once the host of an event type is suspended', async () => {
    const em = app.database.em.fork();
    await changed(em, sql`update users set suspended_at = now() where username = 'bob'`);
    const ada = browserOf('ada@acme.test');
    const { dead } = await deadLinksFrom(ada, await opened(ada, STARTS));
    expect(dead).toEqual([]);
    await changed(em, sql`update users set suspended_at = null where username = 'bob'`);
  });
});
