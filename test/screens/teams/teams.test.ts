/** The teams and organizations that somebody belongs to, as pages of lists and forms. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomBase62 } from '../../../src/core/secret.ts';
import { changed, rows, sql } from '../../../src/database/sql.ts';
import { GROUP_DONE } from '../../../src/screens/teams/group-forms.ts';
import { anAccount } from '../../modules/accounts/an-account.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { unknownId, uuidOf } from '../../support/ids.ts';
import { aSession } from '../../support/session.ts';
import { seeIn, sendIn } from '../../support/spoken-pages.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';
import { storeVerified } from '../../support/verified-resources.ts';

const PATH = '/settings/teams';
let app: TestApp;
/**
 * The people of the organization and of its team: owner; member and administrator; member and member. Dan is in
 * neither.
 */
let ada: TestBrowser;
let bob: TestBrowser;
let cyd: TestBrowser;
let dan: TestBrowser;
let acme: string;
let sales: string;
beforeAll(async () => {
  app = await startTestApp({ MAIL_LIMITS: 'off' });
  const people = ['ada@acme.test', 'bob@acme.test', 'cyd@acme.test', 'dan@solo.test'];
  [ada, bob, cyd, dan] = (await Promise.all(people.map((email) => TestBrowser.signedIn(app.url, email)))) as [
    TestBrowser,
    TestBrowser,
    TestBrowser,
    TestBrowser,
  ];
  const document = '{ me { organizations { nodes { id } } teams { nodes { id } } } }';
  const { me } = await ada.ask<{ me: Record<'organizations' | 'teams', { nodes: { id: string }[] }> }>(document);
  acme = `${PATH}/${me.organizations.nodes[0]?.id}`;
  sales = `${PATH}/${me.teams.nodes[0]?.id}`;
});
afterAll(() => app.close());

async function submit(browser: TestBrowser, page: ShownPage, values: Record<string, string>): Promise<ShownPage> {
  return shownPage(await browser.submit(page, values));
}

async function created(browser: TestBrowser, values: Record<string, string>): Promise<ShownPage> {
  return submit(browser, await see(browser, PATH), { what: 'team', slug: '', ...values });
}

/** Presses the button whose form is sent to this address; `times` at the same moment. */
async function press(browser: TestBrowser, page: ShownPage, ending: string, times = 1) {
  const form = formsOf(page.html).find(({ action }) => action.endsWith(ending));
  if (!form) throw new Error(`No form of the page is sent to …${ending}: ${page.text}`);
  const body = new URLSearchParams(form.fields).toString();
  return Promise.all(Array.from({ length: times }, () => browser.request(form.action, OWN_FORM, body)));
}

/** The token of the form that is sent to an address with this ending. */
function tokenOf({ html }: ShownPage, ending: string): string {
  const form = formsOf(html).find(({ action }) => new RegExp(`${ending}$`).test(action));
  return form?.fields['csrf'] ?? '';
}

const targetsOf = ({ html }: ShownPage): string[] =>
  formsOf(html.slice(html.indexOf('<main'))).map(({ action }) => action);

describe('the list', () => {
  test('leads to teams and organizations, with the role in each', async () => {
    const page = await see(bob, PATH);
    expect(linksOf(page)).toEqual(expect.arrayContaining([acme, sales]));
    expect(page.text).toMatch(/Sales Administrator .* Acme Member/);
    expect(linksOf(await see(bob, '/'))).toContain(PATH);
    expect(linksOf(await see(dan, PATH))).not.toContain(sales);
  });

  test('makes a team, an organization, and a team in that', async () => {
    const team = await created(dan, { name: 'Café & Code' });
    expect(team.text).toMatch(/Created.*Café & Code You are an owner.*\/book\/team\/cafe-code/);
    const roof = await created(dan, { what: 'organization', name: 'Dan & Sons', slug: 'dans' });
    expect(roof.text).toMatch(/Dan & Sons.*There are no teams yet/);
    const [add = ''] = linksOf(roof).filter((link) => link.includes('?in='));
    const form = await see(dan, add.replace(/#.*/, ''));
    const below = await submit(dan, form, { name: 'Yard' });
    expect(linksOf(below)).toContain(roof.address.replace(/\?.*/, ''));
    expect(below.text).toContain('/book/organization/dans/yard');
    expect((await see(dan, roof.address)).text).toContain('Yard');
  });

  test('makes one of a form that is sent twice at once', async () => {
    const page = await see(dan, PATH);
    const [form] = formsOf(page.html.slice(page.html.indexOf('id="create"')));
    const body = new URLSearchParams({ ...form?.fields, name: 'Once', slug: 'once' }).toString();
    const answers = await Promise.all([0, 1].map(() => dan.request(PATH, OWN_FORM, body)));
    const [one, other] = answers.map(({ headers }) => headers.get('location'));
    expect([answers.map(({ status }) => status), one === other]).toEqual([[303, 303], true]);
    expect((await see(dan, PATH)).text.match(/Once/g)).toHaveLength(1);
  });

  test.each([
    ['nothing', { name: '' }, 422, ['name']],
    ['a name of which no address can be made', { name: '昼食' }, 422, ['slug']],
    ['an address that is taken', { name: 'Second studio', slug: 'studio' }, 422, ['slug']],
    ['neither a team nor an organization', { name: 'Third', what: 'club' }, 422, ['what']],
  ] as const)('refuses %s, and keeps what was typed', async (_what, values, status, fields) => {
    const refused = await created(dan, values);
    expect([refused.status, Object.keys(mistakesOf(refused)).toSorted()]).toEqual([status, fields]);
    expect(refused.html).toContain(`value="${values.name}"`);
    const after = await submit(dan, refused, {
      what: 'team',
      name: 'Mended',
      slug: `mended-${status}-${fields.length}-${values.name.length}`,
    });
    expect(after.text).toContain('Created.');
  });

  test('refuses a team in an organization to its member, and to a user who does not belong to it', async () => {
    const id = acme.slice(PATH.length + 1);
    expect((await see(cyd, PATH)).html).not.toContain(`<option value="${id}"`);
    expect((await created(cyd, { what: id, name: 'Lunch' })).status).toBe(422);
    expect((await created(dan, { what: id, name: 'Lunch' })).status).toBe(404);
    expect((await created(ada, { what: id, name: 'Lunch' })).text).toContain('Created.');
  });
});

describe('the page of one', () => {
  test.each([
    ['its owner', () => ada, () => sales, ['', '/invite']],
    ['its administrator', () => bob, () => sales, ['/invite']],
    ['its member', () => cyd, () => sales, []],
    ['an owner of the organization', () => ada, () => acme, ['', '/invite']],
    ['its member', () => cyd, () => acme, []],
  ])('has for %s the forms that they may send, and no other', async (_who, browser, path, endings) => {
    const page = await see(browser(), path());
    expect(targetsOf(page)).toEqual(expect.arrayContaining(endings.map((ending) => `${path()}${ending}`)));
    expect(targetsOf(page)).toHaveLength(endings.length);
    expect(page.text.includes('cyd@acme.test')).toBe(endings.length > 0);
  });

  test('is not there for an outsider, as what is missing and a text that is no id', async () => {
    const texts = new Set<string>();
    const paths = [sales, acme, `${PATH}/${unknownId('team')}`, `${PATH}/${unknownId('organization')}`, `${PATH}/x`];
    for (const path of paths) {
      const shown = await dan.request(path);
      const sent = await dan.request(`${path}/invite`, OWN_FORM, 'email=a@mail.test&role=MEMBER');
      texts.add(shown.text);
      expect([path, shown.status, sent.status]).toEqual([path, 404, 404]);
    }
    expect(texts.size).toBe(1);
  });

  test('names to administrators the receivers for which nobody answers any more', async () => {
    const [, teamId = ''] = /teams\/(tea_[^/]+)/.exec(sales) ?? [];
    const receivers = ['gone@mail.test', '+4930123456'];
    await storeVerified(app.database.em, 'EMAIL', teamId, 'gone@mail.test');
    await storeVerified(app.database.em, 'PHONE', teamId, '+4930123456');
    const note = 'Workflows send nothing to these receivers';
    const answered = (by: string) =>
      Promise.all(
        ['verified_emails', 'verified_phones'].map((table) =>
          changed(
            app.database.em.fork(),
            sql`update ${sql.table(table)} set verified_by_id = (select id from users where email = ${by}) where owner_id = ${uuidOf(teamId)}`,
          ),
        ),
      );
    await answered('bob@acme.test');
    expect((await see(bob, sales)).text).not.toContain(note);
    await answered('cyd@acme.test');
    const shown = (await see(bob, sales)).text;
    for (const text of [note, ...receivers]) expect(shown).toContain(text);
    expect((await see(cyd, sales)).text).not.toContain(note);
    const foreign = await foreignTo('de');
    await changed(app.database.em.fork(), sql`update users set locale = 'de' where email = 'bob@acme.test'`);
    const german = (await seeIn(bob, 'en', sales)).ours.replaceAll(/\S+@\S+|https?:\S+/g, ' ');
    expect(foreign(german, ['Gatehouse'])).toEqual([]);
    await changed(app.database.em.fork(), sql`update users set locale = 'en' where email = 'bob@acme.test'`);
    for (const table of ['verified_emails', 'verified_phones'])
      await changed(app.database.em.fork(), sql`delete from ${sql.table(table)} where owner_id = ${uuidOf(teamId)}`);
  });

  test('saves the profile for those who may change it, and not for others', async () => {
    const values = { name: 'Sales & co', slug: 'sales', bio: 'We sell.' };
    const page = await see(ada, sales);
    expect((await submit(ada, page, values)).text).toContain('Saved.');
    expect((await see(cyd, sales)).text).toContain('We sell.');
    for (const browser of [bob, cyd]) {
      // With the token of the form, which is on the page of a team of their own.
      const csrf = tokenOf(await created(browser, { name: 'Own', slug: `own-${browser === bob}` }), '/tea_[^/"]*');
      const { status } = await browser.request(sales, OWN_FORM, new URLSearchParams({ ...values, csrf }).toString());
      expect(status).toBe(422);
    }
    expect((await see(cyd, sales)).text).toContain('We sell.');
    const old = await submit(ada, page, { ...values, name: 'Overwritten' });
    expect([old.status, old.html.includes('value="Overwritten"')]).toEqual([409, true]);
    const wrong = await submit(ada, await see(ada, sales), { ...values, slug: 'Sales!', bio: 'Kept.' });
    expect([wrong.status, Object.keys(mistakesOf(wrong)), wrong.text.includes('Kept.')]).toEqual([422, ['slug'], true]);
    expect((await submit(ada, wrong, { slug: 'sales', name: 'Sales', bio: '' })).text).toContain('Saved.');
  });

  test('saves the profile of an organization', async () => {
    const page = await submit(ada, await see(ada, acme), { name: 'Acme Ltd', isPrivate: 'on' });
    expect([page.text.includes('Saved.'), page.text.includes('Acme Ltd')]).toEqual([true, true]);
    expect(page.html).toMatch(/name="isPrivate"[^>]*checked/);
  });
});

/** The link in the mail of an invitation. */
function linkTo(email: string) {
  return rows(app.database.em.fork(), sql`select id, token_hash from invitations where email = ${email}`);
}

describe('invitations by mail', () => {
  test('are sent, sent again and withdrawn', async () => {
    const page = await see(bob, sales);
    const sent = await submit(bob, page, { email: 'grace@mail.test', role: 'MEMBER' });
    expect(sent.text).toMatch(/Invitation sent.*Pending invitations grace@mail.test Member/);
    const twice = await submit(bob, page, { email: 'grace@mail.test', role: 'ADMIN' });
    expect([twice.status, Object.keys(mistakesOf(twice))]).toEqual([422, ['email']]);
    expect(twice.html).toMatch(/value="grace@mail.test"[^]*value="ADMIN" selected/);
    const again = await press(bob, sent, '/resend');
    expect(again.map(({ headers }) => headers.get('location'))).toEqual([`${sales}?done=resend`]);
    const open = await see(bob, sales);
    const withdrawn = await press(bob, sent, '/withdraw', 2);
    expect(new Set(withdrawn.map(({ headers }) => headers.get('location')))).toEqual(
      new Set([`${sales}?done=gone`, `${sales}?done=withdraw`]),
    );
    const [late] = await press(bob, open, '/resend');
    expect([late?.status, late?.text.includes('no longer exists')]).toEqual([404, true]);
  });

  test('leave once, however often their form is sent: the second answer is that of the first', async () => {
    const page = await see(bob, sales);
    expect(page.html).toMatch(/<form [^>]*\/invite" [^>]*data-once>/);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const values = { email: 'twice@mail.test', role: 'MEMBER' };
    const invited = await Promise.all([0, 1].map(() => submit(bob, page, values)));
    expect(invited.map(({ address }) => address)).toEqual(Array(2).fill(`${sales}?done=invite`));
    const [first] = await linkTo(values.email);
    const open = await see(bob, sales);
    const resent = await press(bob, open, '/resend', 2);
    expect(resent.map(({ headers }) => headers.get('location'))).toEqual(Array(2).fill(`${sales}?done=resend`));
    const [second] = await linkTo(values.email);
    expect(second).not.toEqual(first);
    // The link of that mail stays the one that works.
    await press(bob, open, '/resend');
    expect(await linkTo(values.email)).toEqual([second]);
    await press(bob, await see(bob, sales), '/resend');
    expect(await linkTo(values.email)).not.toEqual([second]);
    await press(bob, open, '/withdraw');
  });

  test('to a role above their sender are refused, and have no buttons', async () => {
    expect((await see(bob, sales)).html).not.toContain('<option value="OWNER"');
    const refused = await submit(bob, await see(bob, sales), { email: 'eve@mail.test', role: 'OWNER' });
    expect([refused.status, Object.keys(mistakesOf(refused))]).toEqual([422, ['role']]);
    const sent = await submit(ada, await see(ada, sales), { email: 'eve@mail.test', role: 'OWNER' });
    expect(targetsOf(sent).some((action) => action.endsWith('/withdraw'))).toBe(true);
    expect(targetsOf(await see(bob, sales)).some((action) => action.endsWith('/withdraw'))).toBe(false);
    await press(ada, sent, '/withdraw');
  });

  test('are refused where the address or the role is none, and keep what was typed', async () => {
    const refused = await submit(ada, await see(ada, acme), { email: 'grace', role: 'MEMBER' });
    expect([refused.status, Object.keys(mistakesOf(refused)), refused.html.includes('value="grace"')]).toEqual([
      422,
      ['email'],
      true,
    ]);
    expect(Object.keys(mistakesOf(await submit(ada, refused, { email: 'g@mail.test', role: 'KING' })))).toEqual([
      'role',
    ]);
  });
});

/** Somebody whom Dan's first team invites. */
async function invited(): Promise<TestBrowser> {
  const em = app.database.em.fork();
  const { id, email } = await anAccount(em);
  await submit(dan, await see(dan, await studio()), { email, role: 'ADMIN' });
  const cookies = { gatehouse_session: (await aSession(em, id)).token, gatehouse_browser: randomBase62(43) };
  return new TestBrowser(app.url, new Map(Object.entries(cookies)));
}

/** The page of that team. */
async function studio(): Promise<string> {
  const [path = ''] = linksOf(await see(dan, PATH)).filter((link) => link.startsWith(`${PATH}/tea_`));
  return path;
}

describe('an invitation that waits for oneself', () => {
  test('is accepted, once for a double click', async () => {
    const eve = await invited();
    const page = await see(eve, PATH);
    expect(page.text).toMatch(/Invitations.*Studio Join this team as an administrator/);
    expect((await eve.request(await studio())).status).toBe(404);
    const answers = await press(eve, page, '/accept', 2);
    expect(answers.map(({ headers }) => headers.get('location'))).toEqual(
      Array(2).fill(`${await studio()}?done=joined`),
    );
    expect((await see(eve, `${await studio()}?done=joined`)).text).toMatch(/You’ve joined.*You are an administrator/);
    expect((await see(eve, PATH)).text).not.toContain('Invitations');
    // The page that was left open: declining now would mean to leave.
    const [declined] = await press(eve, page, '/decline');
    expect([declined?.status, declined?.text.includes('You have joined this team since')]).toEqual([409, true]);
    expect((await see(eve, await studio())).status).toBe(200);
  });

  test('is declined', async () => {
    const eve = await invited();
    const page = await see(eve, PATH);
    const [declined] = await press(eve, page, '/decline');
    expect(declined?.headers.get('location')).toBe(`${PATH}?done=declined`);
    const after = await see(eve, PATH);
    expect([after.text.includes('Invitations'), after.text.includes('You’re not in a team yet')]).toEqual([
      false,
      true,
    ]);
    const [late] = await press(eve, page, '/accept');
    expect([late?.status, late?.text.includes('It was answered or withdrawn')]).toEqual([404, true]);
  });

  test('cannot be accepted by somebody else', async () => {
    const eve = await invited();
    const page = await see(eve, PATH);
    const [, membership] = /name="membership" value="([^"]+)"/.exec(page.html) ?? [];
    const other = await see(bob, PATH);
    const csrf = /name="csrf" value="([^"]+)"/.exec(other.html)?.[1] ?? '';
    const body = new URLSearchParams({ csrf, membership: membership ?? '' }).toString();
    const { status } = await bob.request(`${await studio()}/accept`, OWN_FORM, body);
    expect([403, 404]).toContain(status);
    expect((await bob.request(await studio())).status).toBe(404);
  });
});

test('a form of another site, or without its token, does nothing', async () => {
  const body = 'what=team&name=Forged&slug=forged';
  const foreign = await dan.request(PATH, { ...OWN_FORM, 'sec-fetch-site': 'cross-site' }, body);
  const stale = await dan.request(PATH, OWN_FORM, body);
  expect([foreign.status, stale.status, stale.text.includes('value="Forged"')]).toEqual([403, 403, true]);
  expect((await see(dan, PATH)).text).not.toContain('Forged');
});

describe('in German, no word is English', () => {
  let foreign: Awaited<ReturnType<typeof foreignTo>>;
  beforeAll(async () => {
    foreign = await foreignTo('de');
    await changed(app.database.em.fork(), sql`update users set locale = 'de-AT'`);
  });
  const names = ['Gatehouse'];

  test('of an organization, up to its owner and its members', async () => {
    const member = /href="([^"]*\/members\/[^"/]+)"><bdi>(?!Ada)/.exec((await see(ada, acme)).html)?.[1] ?? '';
    const places: readonly (readonly [TestBrowser, string])[] = [
      [ada, PATH],
      [ada, acme],
      [ada, member],
      [ada, `${member}/owner`],
      [ada, `${member}/remove`],
      [cyd, acme],
      [cyd, sales],
    ];
    for (const [browser, path] of places) {
      const page = await seeIn(browser, 'en', path);
      const text = page.ours.replaceAll(/\S+@\S+|https?:\S+/g, ' ');
      expect([path, page.status, foreign(text, names)]).toEqual([path, 200, []]);
      expect(page.html).toContain('<html lang="de">');
    }
  });

  test.each(GROUP_DONE)('of a team after: %s', async (done) => {
    const [, said] = /role="status">([^<]+)/.exec((await seeIn(bob, 'en', `${sales}?done=${done}`)).html) ?? [];
    expect([said, foreign(said ?? 'nothing', [])]).toEqual([expect.any(String), []]);
  });

  test('of a member who is not there, and of a form that is refused', async () => {
    const nobody = await seeIn(ada, 'en', `${sales}/members/${unknownId('membership')}`);
    expect([nobody.status, foreign(nobody.ours, [names, sales])]).toEqual([404, []]);
    const form = formsOf((await see(ada, sales)).html).find(({ action }) => action.endsWith('/invite'));
    const refused = (role: string) =>
      sendIn(ada, 'en', form?.action ?? '', { ...form?.fields, email: 'cyd@acme.test', role });
    expect(mistakesOf(await refused('KING'))).toEqual({ role: 'Bitte wählen Sie eine Rolle aus der Liste.' });
    expect(mistakesOf(await refused('MEMBER'))).toEqual({
      email: 'E-Mail-Adresse: Diese Person ist schon Mitglied oder eingeladen.',
    });
  });
});
