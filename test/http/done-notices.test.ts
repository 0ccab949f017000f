/** `?done=` in the address of a page says what the form before it did. Anybody may write such an address: it is believed after the form alone. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerPath } from '../support/answer-links.ts';
import { formsOf } from '../support/html-form.ts';
import { OWN_FORM, shownPage } from '../support/test-browser.ts';
import { openedWorld } from './every-form-value/opened-world.ts';
import { filledIn, type Stand } from './every-form-value/pages-with-forms.ts';

const here = openedWorld();

const pageOf = (name: string) => () => here.standAt(name);
const before = (who: 'ada' | 'admin' | 'dan', path: string) => async (): Promise<Stand> => ({
  browser: here.world[who],
  path,
});

/** Before the page of a mail whose request was confirmed. */
async function confirmedByLink(): Promise<Stand> {
  const uid = (await here.world.booked()).split('/').at(-1) ?? '';
  return { browser: here.world.visitor(), path: await answerPath(here.app.database.em.fork(), uid) };
}

/** The kit reads the cookie for all declared pages, and is tried with each of them. */
const KIT = ['kit/page.ts', 'kit/visitors.ts'];

/** Each file that reads it: a page, and what that shows. */
const READERS: readonly (readonly [file: string, stand: () => Promise<Stand>, done: string])[] = [
  ['account/account-settings.ts', before('ada', '/settings/account'), 'profile'],
  ['account/confirm-email.ts', before('ada', '/auth/confirm-email'), 'yes'],
  ['account/sign-in.ts', pageOf('sign in'), 'password'],
  ['account/stopped.ts', before('ada', '/settings/stopped'), 'revived'],
  ['booked/booking-page.ts', async () => ({ browser: here.world.visitor(), path: await here.world.booked() }), 'moved'],
  ['calendars/calendars.ts', pageOf('calendars'), 'choose'],
  ['conferencing/conferencing.routes.ts', before('ada', '/settings/conferencing'), 'default'],
  ['consent/authorized-apps.ts', before('ada', '/settings/apps'), 'revoked'],
  ['developer/reviews.ts', pageOf('review of a client'), 'APPROVE'],
  ['developer/client.ts', pageOf('client'), 'saved'],
  ['developer/clients.ts', before('ada', '/settings/developer/oauth'), 'deleted'],
  ['event-types/event-types.routes.ts', pageOf('event types'), 'deleted'],
  ['event-types/event-type.routes.ts', pageOf('an event type'), 'saved'],
  ['event-types/hosts/hosts.routes.ts', pageOf('hosts of an event type'), 'saved'],
  ['event-types/links/links.routes.ts', pageOf('private links'), 'ended'],
  ['hosting/absences.ts', pageOf('absences'), 'added'],
  ['hosting/answer-link.ts', confirmedByLink, 'confirm'],
  ['hosting/bookings.ts', before('ada', '/bookings'), 'reassign'],
  ['hosting/hosted-booking.ts', pageOf('a booking, before its host'), 'confirm'],
  ['hosting/hours.ts', before('ada', '/settings/hours'), 'saved'],
  ['hosting/schedules.ts', before('ada', '/settings/schedules'), 'deleted'],
  ['invitation/invitation.ts', before('ada', '/auth/invitation'), 'accept'],
  ['teams/group.routes.ts', pageOf('a team'), 'created'],
  ['teams/member.routes.ts', pageOf('a member of a team'), 'saved'],
  ['teams/teams.routes.ts', before('ada', '/settings/teams'), 'left'],
  ['webhooks/webhook.routes.ts', pageOf('a webhook'), 'saved'],
  ['webhooks/webhooks.routes.ts', before('ada', '/settings/webhooks'), 'deleted'],
];

/** Every object has these, and no form of ours leads to them. */
const NO_ACTIONS = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'nothing', ''];

/** Pages that are nothing but the notice: they stay when they are read again, as long as the cookie does. */
const ENDS = ['account/confirm-email.ts', 'invitation/invitation.ts'];

test.each(READERS)('%s', async (file, stand, done) => {
  const { browser, path } = await stand();
  /** The notice, or what the page is in its place. */
  const said = async (
    query: string,
    opened: 'open' | 'openAfterForm' = 'openAfterForm',
  ): Promise<readonly string[]> => {
    const { status, html } = shownPage(await browser[opened](`${path}${path.includes('?') ? '&' : '?'}${query}`));
    const notices = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>|<p class="done" role="status">(.*?)<\/p>/gs)];
    return [String(status), ...notices.map(([notice]) => notice)];
  };
  const nothing = await said('done=nothing', 'open');
  // A notice of another page is none of this one.
  await browser.openAfterForm(`/elsewhere?done=${done}`);
  expect(await said(`done=${done}`, 'open')).toEqual(nothing);
  const notice = await said(`done=${done}`);
  expect(notice).not.toEqual(nothing);
  expect(await said(`done=${done}`, 'open')).toEqual(ENDS.includes(file) ? notice : nothing);
  for (const none of NO_ACTIONS) expect([none, await said(`done=${none}`)]).toEqual([none, nothing]);
});

test('a notice is shown once, after the form, to the browser that has sent it', async () => {
  const { browser, path } = await pageOf('absences')();
  const form = formsOf((await browser.request(path)).text).find(({ action }) => action === path);
  const sent = form && (await browser.request(path, OWN_FORM, new URLSearchParams(filledIn(form)).toString()));
  const location = `${path}?done=added`;
  expect([sent?.status, sent?.headers.get('location')]).toEqual([303, location]);
  expect(sent?.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^gatehouse_notice=[\w-]{43}; Max-Age=120; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  // Other pages that are opened in between neither say it nor take it away.
  const opened = [path, '/settings/schedules?done=added', location, location, path];
  const said = [];
  for (const address of opened) said.push((await browser.request(address)).text.includes('role="status"'));
  expect(said).toEqual([false, false, true, false, false]);
});

test('a page in a frame neither reads the cookie nor takes it away', async () => {
  const [browser, path] = [here.world.visitor(), await here.world.booked()];
  const framed = `${path}?done=moved&embed=1`;
  browser.comeFromForm(framed);
  const answer = await browser.request(framed);
  expect([answer.text.includes('role="status"'), answer.headers.getSetCookie()]).toEqual([false, []]);
  expect((await browser.request(`${path}?done=moved`)).text).toContain('role="status"');
});

test('no file believes the address itself, but the one that looks at the cookie', () => {
  const reads = /query\('done'\)(?! [!=]== undefined)|\bdone\b[^;\n]* = c\.req\.query\(\)/;
  expect(filesThat(reads)).toEqual(['kit/visitors.ts']);
});

test('every file that reads it is tried', () => {
  const reads =
    /\b(doneBefore|ledHereBy)\(c\)|\bdone\b[^;]*\} = showing;|\bshow(?:: (?:async )?)?\(\{[^}]*\bdone\b|\bshowing\.done\b/;
  expect(filesThat(reads).toSorted()).toEqual([...KIT, ...READERS.map(([file]) => file)].toSorted());
});

function filesThat(reads: RegExp): readonly string[] {
  return globSync('src/screens/**/*.ts')
    .filter((path) => reads.test(readFileSync(path, 'utf8')))
    .map((path) => path.replace(/^src\/screens\//, ''));
}
