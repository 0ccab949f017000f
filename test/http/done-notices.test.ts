/** `?done=` in the address of a page says what the form before it did. Anybody may write such an address, with anything in it. */
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { shownPage } from '../support/test-browser.ts';
import { TRUSTING } from '../support/traveller.ts';
import { PAGES, type Stand, World } from './every-form-value/pages-with-forms.ts';

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await startTestApp({ ...TRUSTING, MAIL_LIMITS: 'off' });
  world = await World.open(app);
});
afterAll(() => app.close());

const pageOf = (name: string) => (): Promise<Stand> => {
  const make = PAGES[name];
  if (!make) throw new Error(`No page is called ${name}.`);
  return make(world);
};
const before = (who: 'ada' | 'admin' | 'dan', path: string) => async (): Promise<Stand> => ({
  browser: world[who],
  path,
});

/** Each file that reads it: a page, and what that shows. */
const READERS: readonly (readonly [file: string, stand: () => Promise<Stand>, done: string])[] = [
  ['account/account-settings.routes.ts', before('ada', '/settings/account'), 'profile'],
  ['account/confirm-email.routes.ts', before('ada', '/auth/confirm-email'), 'yes'],
  ['account/sign-in.routes.ts', pageOf('sign in'), 'password'],
  ['booked/booking-page.routes.ts', async () => ({ browser: world.visitor(), path: await world.booked() }), 'moved'],
  ['calendars/calendars.routes.ts', pageOf('calendars'), 'choose'],
  ['consent/authorized-apps.routes.ts', before('ada', '/settings/apps'), 'revoked'],
  ['developer/client-review.routes.ts', pageOf('review of a client'), 'APPROVE'],
  ['developer/developer-client.routes.ts', pageOf('client'), 'saved'],
  ['developer/developer-clients.routes.ts', before('ada', '/settings/developer/oauth'), 'deleted'],
  ['event-types/event-types.routes.ts', pageOf('event types'), 'deleted'],
  ['event-types/event-types.routes.ts', pageOf('an event type'), 'saved'],
  ['hosting/absences.routes.ts', pageOf('absences'), 'added'],
  ['hosting/hosted-bookings.routes.ts', pageOf('a booking, before its host'), 'confirm'],
  ['hosting/hours.routes.ts', before('ada', '/settings/hours'), 'saved'],
  ['invitation/invitation.routes.ts', before('ada', '/auth/invitation'), 'accept'],
  ['teams/group.routes.ts', pageOf('a team'), 'created'],
  ['teams/member.routes.ts', pageOf('a member of a team'), 'saved'],
  ['teams/teams.routes.ts', before('ada', '/settings/teams'), 'left'],
  ['webhooks/webhook.routes.ts', pageOf('a webhook'), 'saved'],
  ['webhooks/webhooks.routes.ts', before('ada', '/settings/webhooks'), 'deleted'],
];

/** What every object has, and what no form of ours leads to. */
const NO_DEEDS = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'nothing', ''];

test.each(READERS)('%s', async (_file, stand, done) => {
  const { browser, path } = await stand();
  /** The notice, or what the page is in its place. */
  const said = async (query: string): Promise<readonly string[]> => {
    const { status, html } = shownPage(await browser.open(`${path}${path.includes('?') ? '&' : '?'}${query}`));
    const notices = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>|<p class="done" role="status">(.*?)<\/p>/gs)];
    return [String(status), ...notices.map(([notice]) => notice)];
  };
  const nothing = await said('');
  expect(await said(`done=${done}`)).not.toEqual(nothing);
  for (const none of NO_DEEDS) expect([none, await said(`done=${none}`)]).toEqual([none, nothing]);
});

test('every file that reads it is tried', () => {
  const reads = /query\('done'\)|\bdone\b[^;\n]* = c\.req\.query\(\)/;
  const files = globSync('src/screens/**/*.ts').filter((path) => reads.test(readFileSync(path, 'utf8')));
  const names = files.map((path) => path.replace(/^src\/screens\//, ''));
  expect(names.toSorted()).toEqual([...new Set(READERS.map(([file]) => file))].toSorted());
});
