import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Host, hostOf } from '../../support/booking-visitor.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let dan: Host;
beforeAll(async () => {
  app = await startTestApp();
  dan = await hostOf(app, 'dan@solo.test', 'dan');
  await dan.offer({ slug: 'hidden', isHidden: true });
  await rename('daniel');
});
afterAll(() => app.close());

async function rename(username: string): Promise<void> {
  await dan.browser.mutate('profileUpdate', { username }, 'me { username }');
}

async function visit(path: string): Promise<[status: number, location: string | null]> {
  const { status, headers } = await new TestBrowser(app.url).request(path);
  return [status, headers.get('location')];
}

describe('/book/<a username that was given up>', () => {
  test.each([
    ['', '/book/daniel'],
    ['/intro', '/book/daniel/intro'],
    ['/intro?timeZone=Asia/Tokyo&month=2031-01', '/book/daniel/intro?timeZone=Asia/Tokyo&month=2031-01'],
    ['?x=%2F%2Fevil.example', '/book/daniel?x=%2F%2Fevil.example'],
  ])('leads on: /book/dan%s', async (rest, location) => {
    expect(await visit(`/book/dan${rest}`)).toEqual([302, location]);
    expect((await visit(location))[0]).toBe(200);
  });

  test('is written in any capitals, as a username is', async () => {
    expect(shownPage(await new TestBrowser(app.url).open('/book/DAN')).address).toBe('/book/daniel');
  });

  test('is not found where the new one is not: of what is hidden, is not there, or was never theirs', async () => {
    for (const path of ['/book/dan/hidden', '/book/dan/nothing', '/book/nobody', '/book/nobody/intro']) {
      expect([path, ...(await visit(path))]).toEqual([path, 404, null]);
    }
  });

  test('leads where they are booked', async () => {
    const page = shownPage(await new TestBrowser(app.url).open('/book/dan/intro'));
    expect([page.status, page.address]).toEqual([200, '/book/daniel/intro']);
  });

  test('leads on over several names to the one of today', async () => {
    await rename('danny');
    expect(await visit('/book/dan')).toEqual([302, '/book/danny']);
    expect(await visit('/book/daniel')).toEqual([302, '/book/danny']);
    await rename('daniel');
    expect(await visit('/book/danny')).toEqual([302, '/book/daniel']);
    expect((await visit('/book/daniel'))[0]).toBe(200);
  });

  test('leads nowhere once 90 days are over, and nowhere while its owner is suspended', async () => {
    const em = app.database.em.fork();
    await changed(em, sql`update users set suspended_at = now() where username = 'daniel'`);
    expect(await visit('/book/dan')).toEqual([404, null]);
    await changed(em, sql`update users set suspended_at = null where username = 'daniel'`);
    expect(await visit('/book/dan')).toEqual([302, '/book/daniel']);
    await changed(em, sql`update usernames set free_at = free_at - interval '90 days' where username = 'dan'`);
    expect(await visit('/book/dan')).toEqual([404, null]);
  });
});
