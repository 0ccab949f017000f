/** The apps in which users and teams meet, as they are connected and disconnected on pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { changed, row, sql } from '../../../src/database/sql.ts';
import { setLink } from '../../../src/modules/bookings/conferencing/meeting-link.ts';
import { CALLBACK_PATH } from '../../../src/modules/connections/connections.ts';
import { AccountProvider, BASIC_CLIENT } from '../../support/account-provider.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { formAt, GRACE, hostOf, linksOf, see } from '../../support/booking-visitor.ts';
import { storeApp } from '../../support/conferencing-apps.ts';
import { formsOf } from '../../support/html-form.ts';
import { ownedUuidOf } from '../../support/ids.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { OWN_FORM, shownPage, TestBrowser } from '../../support/test-browser.ts';
import { ZoomServer } from '../../support/zoom-server.ts';

const PATH = '/settings/conferencing';
let provider: AccountProvider;
let zoom: ZoomServer;
let app: TestApp;
/**
 * The demo's users: Dan has a team of his own, Ada owns the organization, Bob administers its team, Cyd is a member.
 */
const browsers = new Map<string, TestBrowser>();
/** The page of Bob's team. */
let ofTeam: string;
beforeAll(async () => {
  provider = await AccountProvider.open();
  zoom = await ZoomServer.open((token) => provider.holderOf(token));
  app = await startTestApp({
    ALLOW_PRIVATE_NETWORK: 'on',
    ZOOM_CLIENT_ID: BASIC_CLIENT.clientId,
    ZOOM_CLIENT_SECRET: BASIC_CLIENT.clientSecret,
    ZOOM_AUTHORIZATION_URL: `${provider.issuer}/auth`,
    ZOOM_TOKEN_URL: `${provider.issuer}/token`,
    ZOOM_API_URL: zoom.url,
  });
  provider.sendBackTo(`${app.url}${CALLBACK_PATH}`);
  for (const email of ['dan@solo.test', 'bob@acme.test', 'cyd@acme.test'])
    browsers.set(email.slice(0, 3), await TestBrowser.signedIn(app.url, email));
  const team = await row(em(), sql<{ id: string }>`select id from teams where slug = 'sales'`);
  ofTeam = `/settings/teams/${publicId('team', team?.id ?? '')}/conferencing`;
});
afterAll(async () => {
  await app?.close();
  await Promise.all([zoom?.close(), provider?.close()]);
});

const em = () => app.database.em.fork();

function as(who: string): TestBrowser {
  const browser = browsers.get(who);
  if (!browser) throw new Error(`${who} is nobody of the test.`);
  return browser;
}

interface App {
  readonly id: string;
  readonly app: string;
  readonly isDefault: boolean;
}
async function appsOf(who: string): Promise<readonly App[]> {
  const document = '{ me { conferencingApps { nodes { id app isDefault } } } }';
  return (await as(who).ask<{ me: { conferencingApps: { nodes: App[] } } }>(document)).me.conferencingApps.nodes;
}

/** Sends the form of a page for an app, to the address that ends so. */
async function send(who: string, path: string, ending: string, named: string) {
  const page = await see(as(who), path);
  const form = formsOf(page.html).find(({ action, fields }) => action.endsWith(ending) && fields['app'] === named);
  if (!form) throw new Error(`There is no form for ${named} on ${path}: ${page.text}`);
  const body = new URLSearchParams(form.fields).toString();
  return {
    answer: await as(who).request(form.action, OWN_FORM, body),
    again: () => as(who).request(form.action, OWN_FORM, body),
  };
}

const inApp = (value: string) => ({ locations: [{ type: 'CONFERENCING', app: value }] });

/** The text of the question before Dan disconnects an app. */
async function questionOf(which: App | undefined): Promise<string> {
  return (await see(as('dan'), `${PATH}/disconnect?app=${which?.id}`)).text;
}

/** Bob's in the team that he administers. */
function changeRole(role: string): Promise<number> {
  const bob = sql`(select id from users where email = 'bob@acme.test')`;
  return changed(em(), sql`update team_memberships set role = ${role} where role <> 'OWNER' and user_id = ${bob}`);
}

/** Goes to the provider by the form, and comes back. @returns where that leads */
async function connectZoom(who: string, path = PATH): Promise<string> {
  const { answer } = await send(who, path, '/connect', 'zoom');
  const begun = new URL(answer.headers.get('location') ?? '', app.url);
  const away = await as(who).request(begun.pathname + begun.search);
  const back = await provider.authorize(away.headers.get('location') ?? '');
  const { headers } = await as(who).request(back.pathname + back.search);
  return headers.get('location') ?? '';
}

describe('one’s own', () => {
  test('nobody who is not signed in sees them', async () => {
    expect((await see(new TestBrowser(app.url), PATH)).address).toContain('/auth/login');
  });

  test('without any, the page says what to do next', async () => {
    const { text } = await see(as('cyd'), PATH);
    expect(text).toContain('No app is connected yet.');
    expect(text).toContain('Connect Video link');
    expect(text).toContain('Connect Zoom');
  });

  test('one without an account is connected at once, however often the form is sent', async () => {
    const { answer, again } = await send('dan', PATH, '/connect', 'video');
    expect(answer.headers.get('location')).toBe(`${PATH}?done=connect`);
    expect((await again()).headers.get('location')).toBe(`${PATH}?done=connect`);
    expect(await appsOf('dan')).toMatchObject([{ app: 'video', isDefault: true }]);
    expect((await see(as('dan'), `${PATH}?done=connect`)).text).toContain('App connected.');
  });

  test('one with an account is connected there, from where the way leads back to the page', async () => {
    const done = await see(as('dan'), await connectZoom('dan'));
    expect(linksOf(done)).toContain(PATH);
    expect((await see(as('dan'), PATH)).text).toContain('Connected.');
    expect(await appsOf('dan')).toMatchObject([{ app: 'video' }, { app: 'zoom', isDefault: false }]);
  });

  test('another is made the default', async () => {
    const [, second] = await appsOf('dan');
    const { again } = await send('dan', PATH, '/default', second?.id ?? '');
    expect((await again()).status).toBe(303);
    expect(await appsOf('dan')).toMatchObject([{ isDefault: false }, { app: 'zoom', isDefault: true }]);
  });

  test('one whose access is over says so, and is connected again', async () => {
    await connectZoom('bob');
    // Refused on the first look, since an answer is good for some seconds.
    zoom.before = (_asked, response) => (response.writeHead(401).end('{}'), true);
    expect((await see(as('bob'), PATH)).text).toContain('Bookings get no link until you connect it again.');
    zoom.before = () => false;
    const [before] = await appsOf('bob');
    expect(await connectZoom('bob')).toContain('/connect/done');
    expect((await see(as('bob'), PATH)).text).toContain('Connected.');
    expect((await appsOf('bob'))[0]?.id).toBe(before?.id);
  });

  test('an id of somebody else’s, and a text that is none, change nothing', async () => {
    const [theirs] = await appsOf('bob');
    const page = await see(as('dan'), PATH);
    const csrf = formsOf(page.html).find(({ action }) => action.endsWith('/default'))?.fields['csrf'] ?? '';
    const tried = await Promise.all(
      [theirs?.id ?? '', 'nothing'].map((id) => {
        const body = new URLSearchParams({ csrf, app: id }).toString();
        return as('dan').request(`${PATH}/default`, OWN_FORM, body);
      }),
    );
    expect(tried.map(({ status }) => status)).toEqual([404, 404]);
    expect(tried[0]?.text).toContain('This app is no longer connected');
    expect(await appsOf('bob')).toMatchObject([{ isDefault: true }]);
    expect((await see(as('dan'), `${PATH}/disconnect?app=${theirs?.id}`)).address).toBe(PATH);
  });

  test('before one is disconnected, the page says what meets in it and what becomes of that', async () => {
    const dan = await hostOf(app, 'dan@solo.test', 'dan');
    const talk = await dan.offer({ title: 'By video', ...inApp('video') });
    await dan.offer({ title: 'By another app', ...inApp('teams') });
    await dan.offer({ title: 'At the office', locations: [{ type: 'ADDRESS', address: 'Main Street 1' }] });
    const visitor = new TestBrowser(app.url);
    const { address } = shownPage(await visitor.submit(await formAt(visitor, talk), { ...GRACE, step: 'book' }));
    const [video, other] = await appsOf('dan');
    expect(await questionOf(video)).toContain('1 upcoming booking still without a link: this app won’t give one.');
    const booking = ownedUuidOf(address.slice('/bookings/'.length).replace(/\?.*/, ''));
    await setLink(em(), booking, { app: 'video', id: 'a-room', url: 'https://meet.example/a-room' });
    const ofVideo = await questionOf(video);
    expect(ofVideo).toContain('These event types will use Zoom instead: By video');
    expect(ofVideo).not.toMatch(/By another app|At the office/);
    expect(ofVideo).toContain('1 upcoming booking with a link: the link stays the same.');
    const ofZoom = await questionOf(other);
    expect(ofZoom).toContain('These event types will use Video link instead: By another app');
    expect(ofZoom).toContain('We’ll forget your Zoom account');
    expect(ofZoom).toContain('No upcoming booking uses it.');
  });

  test('one is disconnected after the question, once', async () => {
    const [video] = await appsOf('dan');
    const { answer, again } = await send('dan', `${PATH}/disconnect?app=${video?.id}`, '/disconnect', video?.id ?? '');
    expect([answer, await again()].map(({ headers }) => headers.get('location'))).toEqual(
      [1, 2].map(() => `${PATH}?done=disconnect`),
    );
    expect(await appsOf('dan')).toMatchObject([{ app: 'zoom', isDefault: true }]);
  });

  test('a form of another site changes nothing, nor does a stale one, which comes back', async () => {
    const body = new URLSearchParams({ csrf: 'stale', app: 'video' }).toString();
    const foreign = await as('cyd').request(`${PATH}/connect`, { ...OWN_FORM, origin: 'https://evil.example' }, body);
    const stale = await as('cyd').request(`${PATH}/connect`, OWN_FORM, body);
    expect([foreign.status, stale.status, await appsOf('cyd')]).toEqual([403, 403, []]);
    expect(stale.text).toContain('send it again.');
  });
});

describe('a team’s', () => {
  test('are connected by its administrator, whose page leads there, and are not there for a member', async () => {
    expect(linksOf(await see(as('bob'), ofTeam.replace('/conferencing', '')))).toContain(ofTeam);
    expect((await see(as('bob'), ofTeam)).text).toContain('No app is connected for the team yet.');
    const done = await see(as('bob'), await connectZoom('bob', ofTeam));
    expect(linksOf(done)).toContain(ofTeam);
    expect((await see(as('bob'), ofTeam)).text).toContain('Connected.');
    expect(await see(as('cyd'), ofTeam)).toMatchObject({ status: 404 });
    expect(linksOf(await see(as('cyd'), ofTeam.replace('/conferencing', '')))).not.toContain(ofTeam);
  });

  test('are changed by nobody else', async () => {
    const { html } = await see(as('bob'), ofTeam);
    const id = formsOf(html).map(({ fields }) => fields['app']);
    const tried = await Promise.all(
      ['cyd', 'dan'].map(async (who) => {
        const csrf = formsOf((await see(as(who), PATH)).html)[0]?.fields['csrf'] ?? '';
        return as(who).request(`${ofTeam}/connect`, OWN_FORM, new URLSearchParams({ csrf, app: 'video' }).toString());
      }),
    );
    expect(tried.map(({ status }) => status)).toEqual([404, 404]);
    expect(formsOf((await see(as('bob'), ofTeam)).html).map(({ fields }) => fields['app'])).toEqual(id);
  });

  test('are not connected by a user who loses the right to while the page is open', async () => {
    const page = await see(as('bob'), ofTeam);
    const form = formsOf(page.html).find(({ fields }) => fields['app'] === 'video');
    await changeRole('MEMBER');
    const { status } = await as('bob').request(
      form?.action ?? '',
      OWN_FORM,
      new URLSearchParams(form?.fields).toString(),
    );
    await changeRole('ADMIN');
    expect(status).toBe(404);
    expect((await see(as('bob'), ofTeam)).text).toContain('Connect Video link');
  });
});

test('in German, no word is English', async () => {
  const foreign = await foreignTo('de');
  await changed(em(), sql`update users set locale = 'de' where email = 'dan@solo.test'`);
  const [zoomApp] = await appsOf('dan');
  const said = ['Zoom', 'Dan Whitlock', 'Gatehouse', 'By video By another app', 'Studio'];
  for (const path of [PATH, `${PATH}?done=default`, `${PATH}/disconnect?app=${zoomApp?.id}`]) {
    const page = shownPage(await as('dan').openAfterForm(path));
    expect([path, page.status, foreign(page.text, said)]).toEqual([path, 200, []]);
  }
  expect((await see(as('dan'), PATH)).html).toContain('<html lang="de">');
});

test('an app that the operator has not configured is named as such, also where it was connected before', async () => {
  const bare = await startTestApp({ CONFERENCING_VIDEO_URL: '' });
  try {
    const dan = await TestBrowser.signedIn(bare.url, 'dan@solo.test');
    const page = await see(dan, PATH);
    expect(page.text).toContain('This server has no video apps.');
    expect(page.text).toContain('Zoom isn’t set up on this server.');
    expect(formsOf(page.html.slice(page.html.indexOf('<main')))).toEqual([]);
    const { me } = await dan.ask<{ me: { id: string } }>('{ me { id } }');
    await storeApp(bare.database.em, me.id, 'zoom');
    expect((await see(dan, PATH)).text).toContain('It’s no longer set up on this server');
  } finally {
    await bare.close();
  }
});
