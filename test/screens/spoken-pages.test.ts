/** Pages of visitors, of accounts and of hosts in every language: nothing on them, or on what their forms come back as, is in another. */
import { beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/core/language.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { ACCOUNT_FORMS } from '../../src/screens/account/account-settings-page.ts';
import { CALENDAR_FORMS } from '../../src/screens/calendars/calendars-page.ts';
import { SHOWN_BOOKINGS } from '../../src/screens/hosting/bookings.ts';
import { LIST_DONE } from '../../src/screens/teams/teams-page.ts';
import { openedWorld } from '../http/every-form-value/opened-world.ts';
import { PAGES, type Stand, type World } from '../http/every-form-value/pages-with-forms.ts';
import { DEMO_PASSWORD } from '../support/app.ts';
import { formsOf } from '../support/html-form.ts';
import { APP, authorizePath, CLI, LEGACY, PKCE, tokensFor } from '../support/oauth-requests.ts';
import { FORM } from '../support/routing-forms.ts';
import { type Seen, seeIn, sendIn } from '../support/spoken-pages.ts';
import { foreignTo } from '../support/spoken-words.ts';
import type { TestBrowser } from '../support/test-browser.ts';

const here = openedWorld();

/** Names, those of a browser, and the questions of others. */
const SAID = [
  'Gatehouse GraphQL OAuth REST API English Deutsch UTC Australia Sydney Europe Berlin Google Apple Calendar test',
  FORM.fields,
  // Titles of event types, where one of them is chosen.
  'Deep dive Hidden review Intro Talk',
];

/** Those with forms: their own, and what they come back as. */
const WITH_FORMS = [
  'sign in',
  'sign up',
  'sign out',
  'forgotten password',
  'confirm an address',
  'new password',
  'account',
  'unverified account',
  'account whose address changes',
  'consent',
  'take access from an app',
  'invitation',
  'routing form',
  'teams',
  'a team',
  'delete a team',
  'a member of a team',
  'hand a team over',
  'remove a member',
  'absences',
  'calendars',
  'connected calendars',
  'disconnect calendars',
  'a request, by the link of a mail',
  'a booking, before its host',
  'a booking that has been, before its host',
  'event types',
  'an event type',
  'delete an event type',
  'event types of a team',
  'an event type of a team',
  'hosts of an event type',
  'private links',
  'private links',
];

/** An event type that shows a little of all that its page has. */
const FULL = {
  title: 'Talk',
  slug: 'talk',
  durationInMinutes: 90,
  confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 90 },
  bookingWindow: { type: 'BUSINESS_DAYS', days: 10 },
  embedOrigins: ['https://example.test', 'http://localhost:3000'],
  locations: [
    { type: 'LINK', url: 'https://example.test/talk' },
    { type: 'CONFERENCING', app: 'zoom' },
  ],
  bookingFields: [
    { slug: 'size', type: 'SELECT', label: 'Test', isRequired: true, options: ['Test'] },
    { slug: 'why', type: 'TEXT', label: 'Test' },
  ],
};

const VISITOR = async (of: World) => of.visitor();
const SOMEBODY = async (of: World) => of.somebody();
/** Somebody who has let apps in, one of them for everything, one of them twice. */
const LETS_IN = async (of: World) => {
  const browser = await of.somebody();
  for (const client of [APP, APP, LEGACY])
    await tokensFor(browser, client, client === LEGACY ? { scope: undefined } : {});
  return browser;
};
const WITHOUT: readonly (readonly [
  name: string,
  path: string,
  who: (of: World) => Promise<TestBrowser>,
  status: number,
])[] = [
  ['the start page', '/', VISITOR, 200],
  ['the start page of who is signed in', '/', SOMEBODY, 200],
  ['signing in when signed in', '/auth/login', SOMEBODY, 200],
  ['signing in with a new password', '/auth/login?done=password', VISITOR, 200],
  ['signed out', '/auth/logout', VISITOR, 200],
  ['a mail for a new password', '/auth/forgotten-password?sent=yes', VISITOR, 200],
  ['an address that was confirmed', '/auth/confirm-email?done=yes', VISITOR, 200],
  ['a link to confirm that is over', '/auth/confirm-email?token=over', VISITOR, 410],
  ['a link for a new password that is over', '/auth/new-password?token=over', SOMEBODY, 410],
  ...ACCOUNT_FORMS.map((name) => [`account after ${name}`, `/settings/account?done=${name}`, SOMEBODY, 200] as const),
  ['no apps', '/settings/apps?done=revoked', SOMEBODY, 200],
  ['apps', '/settings/apps', LETS_IN, 200],
  ['consent to all there is', authorizePath(APP, { scope: SCOPES.join(' ') }), SOMEBODY, 200],
  ['consent to more', authorizePath(APP, { scope: 'PROFILE_READ PROFILE_WRITE' }), LETS_IN, 200],
  ['consent to a program', authorizePath(CLI, PKCE), SOMEBODY, 200],
  ['consent to everything', authorizePath(LEGACY, { scope: undefined, prompt: 'consent' }), SOMEBODY, 200],
  ['an app that is not known', authorizePath(APP, { client_id: 'nobody' }), VISITOR, 400],
  ['an app that waits', authorizePath(APP, { client_id: 'demo-pending' }), VISITOR, 403],
  ['no request of an app', '/auth/oauth2/interactions/int_x', SOMEBODY, 404],
  ['an invitation that was accepted', '/auth/invitation?done=accept', VISITOR, 200],
  ['an invitation that was declined', '/auth/invitation?done=decline', VISITOR, 200],
  ['an invitation that is over', '/auth/invitation?token=over', VISITOR, 410],
  ['a link to connect that is over', '/connect/start?link=over', SOMEBODY, 410],
  ['a connection that is over', '/connect/callback?state=over', SOMEBODY, 410],
  ['a connection', '/connect/done?name=none', SOMEBODY, 200],
  ['a new account', '/welcome', SOMEBODY, 200],
  ...SHOWN_BOOKINGS.flatMap((shown) => [
    [`no ${shown} bookings`, `/bookings?show=${shown}`, SOMEBODY, 200] as const,
    [`${shown} bookings`, `/bookings?show=${shown}`, async (of: World) => of.dan, 200] as const,
  ]),
  ...CALENDAR_FORMS.map(
    (name) => [`calendars after ${name}`, `/settings/calendars?done=${name}`, SOMEBODY, 200] as const,
  ),
  ['event types after one was deleted', '/settings/event-types?done=deleted', SOMEBODY, 200],
  ['event types of a host', '/settings/event-types', async (of: World) => of.dan, 200],
  ['no event type of somebody', '/settings/event-types/evt_x', SOMEBODY, 404],
  ['a booking that was handed over', '/bookings?done=reassign', SOMEBODY, 200],
  ['no booking with somebody', '/bookings?attendee=xxx@zzz.test', SOMEBODY, 200],
  ['no request of a mail', '/bookings/bkg_x/answer/x', VISITOR, 404],
  ['no booking of a host', '/bookings/bkg_x/host', SOMEBODY, 404],
  ...LIST_DONE.map((done) => [`teams after ${done}`, `/settings/teams?done=${done}`, SOMEBODY, 200] as const),
  ['no team', '/settings/teams/team_x', SOMEBODY, 404],
  ...['added', 'removed'].map(
    (done) => [`absences after ${done}`, `/settings/absences?done=${done}`, SOMEBODY, 200] as const,
  ),
];

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (language) => {
  let foreign: Awaited<ReturnType<typeof foreignTo>>;
  beforeAll(async () => {
    foreign = await foreignTo(language);
  });

  /** From here on it is what everybody has set, and a browser without anybody asks for. */
  async function spoken({ browser, path }: Stand): Promise<{ readonly browser: TestBrowser; readonly page: Seen }> {
    await changed(here.app.database.em.fork(), sql`update users set locale = ${language}`);
    return { browser, page: await seeIn(browser, language, path) };
  }

  test.each(WITH_FORMS)('%s', async (name) => {
    const make = PAGES[name];
    if (!make) throw new Error(`No page is called ${name}.`);
    const { browser, page } = await spoken(await make(here.world));
    expect(told(page)).toEqual([200, language, []]);
    for (const { action, fields, controls } of formsOf(page.html)) {
      const empty = Object.fromEntries(controls.map((control) => [control, '']));
      const { csrf = '', token = '', updatedAt = '' } = fields;
      const values = { ...empty, token, updatedAt };
      expect(told(await sendIn(browser, language, action, { ...values, csrf: 'forged' }))).toEqual([403, language, []]);
      const back = await sendIn(browser, language, action, { ...values, csrf });
      expect(back.status === 303 || told(back).slice(1)).toEqual(back.status === 303 || [language, []]);
    }
  });

  test.each(WITHOUT)('%s', async (_, path, who, status) => {
    const { page } = await spoken({ browser: await who(here.world), path });
    expect(told(page)).toEqual([status, language, []]);
  });

  test('an event type with places and questions, and what is wrong in it', async () => {
    const host = await here.world.somebody();
    const { eventTypeId } = await host.mutate<{ eventTypeId: string }>('eventTypeCreate', FULL, 'eventTypeId');
    const { browser, page } = await spoken({ browser: host, path: `/settings/event-types/${eventTypeId}?done=saved` });
    expect(told(page)).toEqual([200, language, []]);
    const [{ action, fields } = { action: '', fields: {} }] = formsOf(page.html).filter(({ controls }) =>
      controls.includes('seats'),
    );
    const wrong = [
      { durationInMinutes: 'an hour', seats: 'x', 'location-1-kind': '', 'question-1-type': '', windowDays: '' },
      { durationInMinutes: '0', seats: '1001', windowDays: '99999', embedOrigins: 'https://a.test/path' },
      {
        slug: 'A B',
        title: '',
        'location-0-value': 'x',
        'question-0-options': '',
        'question-1-label': 'x'.repeat(300),
      },
      { seats: '4', 'location-1-kind': 'ATTENDEE_CHOICE' },
    ];
    for (const values of wrong) {
      const back = await sendIn(browser, language, action, { ...fields, ...values });
      expect([back.status >= 400, ...told(back).slice(1)]).toEqual([true, language, []]);
    }
  });

  test('event types of each kind that a team has', async () => {
    const { browser, teamPath } = await here.world.teamEventType();
    const managed = { title: 'Test', slug: 'test', durationInMinutes: 30, schedulingType: 'MANAGED', isHidden: true };
    const input = { teamId: teamPath.split('/')[3], ...managed };
    const made = await browser.mutate<{ eventTypeId: string }>('teamEventTypeCreate', input, 'eventTypeId');
    const path = `/settings/event-types/${made.eventTypeId}`;
    for (const one of [`${teamPath}/event-types`, path, `${path}/hosts`, `${path}/delete`]) {
      const { page } = await spoken({ browser, path: one });
      expect(told(page)).toEqual([200, language, []]);
    }
  });

  test('a form that was sent when signed out, and is kept', async () => {
    const { browser } = await spoken({ browser: here.world.visitor(), path: '/auth/login' });
    const page = await sendIn(browser, language, '/settings/account/profile', { name: 'Ada' });
    expect(told(page)).toEqual([401, language, []]);
    const [form] = formsOf(page.html);
    const person = { email: 'ada@acme.test', password: DEMO_PASSWORD };
    expect(told(await sendIn(browser, language, form?.action ?? '', { ...form?.fields, ...person }))).toEqual([
      200,
      language,
      [],
    ]);
  });

  test('a form of another site', async () => {
    const { browser } = await spoken({ browser: await here.world.somebody(), path: '/auth/login' });
    const theirs = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const action of [
      '/auth/login',
      '/auth/signup',
      '/settings/account/profile',
      '/auth/invitation',
      '/auth/logout',
    ]) {
      expect(told(await sendIn(browser, language, action, { name: 'Ada' }, theirs))).toEqual([403, language, []]);
    }
  });

  /** Its status, its language, and the words on it that are of none of its tables. */
  function told({ status, html, ours }: Seen): readonly unknown[] {
    return [status, /<html lang="(\w+)">/.exec(html)?.[1], foreign(withoutNames(ours), SAID)];
  }
});

test.each(['/', '/auth/login', '/auth/signup', '/auth/forgotten-password', '/auth/logout', '/settings/account'])(
  '%s is in the language of the account, whatever the browser asks for',
  async (path) => {
    const somebody = await here.world.somebody();
    const asked: (string | undefined)[] = [];
    for (const locale of ['de-AT', 'en', 'fr']) {
      await somebody.mutate('profileUpdate', { locale }, 'userErrors { code }');
      const { html } = await seeIn(somebody, locale === 'en' ? 'de' : 'en', path);
      asked.push(/<html lang="(\w+)">/.exec(html)?.[1]);
    }
    expect(asked).toEqual(['de', 'en', 'en']);
  },
);

/** Without addresses and names that are made up. */
function withoutNames(text: string): string {
  return text.replaceAll(/\S+@\S+|https?:\S+|\bu[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ' ');
}
