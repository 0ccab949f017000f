import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../../src/database/sql.ts';
import { MAX_WAITING_CLIENTS } from '../../../src/oauth/protocol/client.ts';
import { EXAMPLE_PKCE } from '../../../src/oauth/protocol/pkce.ts';
import { SCOPES } from '../../../src/scopes/catalog.ts';
import { CLIENTS, ClientPages, idOn, secretOn, show } from '../../oauth/support/client-pages.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { unescape } from '../../support/html-form.ts';
import { uuidNumbered } from '../../support/ids.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let pages: ClientPages;
beforeAll(async () => {
  app = await startTestApp();
  pages = await ClientPages.open(app);
});
afterAll(() => app.close());

describe('a visitor who is not signed in', () => {
  test.each([
    CLIENTS,
    `${CLIENTS}/new`,
    `${CLIENTS}/demo-app?x=1`,
    '/settings/apps',
    '/settings/account',
    '/admin/oauth',
  ])('signs in first and comes back to %s', async (path) => {
    const browser = new TestBrowser(app.url);
    const signInPage = shownPage(await browser.open(path));
    expect(signInPage.address).toBe(`/auth/login?return_to=${encodeURIComponent(path)}`);
    const reached = shownPage(await browser.signIn(signInPage, 'admin@gatehouse.test'));
    expect([reached.status, reached.address]).toEqual([200, path]);
  });
});

describe('registering a client', () => {
  test('shows its id and its secret once, and lists it as pending', async () => {
    const created = await pages.register();
    expect(created.status).toBe(201);
    expect(created.headers.get('cache-control')).toBe('no-store');
    const [clientId, secret] = [idOn(created), secretOn(created)];
    const own = await show(pages.developer, `${CLIENTS}/${clientId}`);
    expect(own.html).not.toContain(secret);
    expect(own.text).toContain(`First secret …${secret.slice(-4)}`);
    expect((await show(pages.developer, CLIENTS)).text).toContain(
      `Calendar helper Pending ${clientId} Confidential 1 scope`,
    );
    expect((await show(pages.stranger, CLIENTS)).text).not.toContain(clientId);
  });

  test('says who makes an administrator, while nobody could approve it', async () => {
    const clientId = idOn(await pages.register());
    const path = `${CLIENTS}/${clientId}`;
    const advice = 'npx gatehouse admin create <e-mail>';
    const em = app.database.em.fork();
    expect((await show(pages.developer, path)).text).not.toContain(advice);
    await changed(em, sql`update users set is_administrator = false where email = 'admin@gatehouse.test'`);
    const { text } = await show(pages.developer, path);
    await changed(em, sql`update users set is_administrator = true where email = 'admin@gatehouse.test'`);
    expect(text).toContain(advice);
  });

  test('once approved, it is tried out from its page; who has shown no address is told what users see', async () => {
    const clientId = idOn(await pages.register());
    const trial = 'Try it yourself';
    expect((await show(pages.developer, `${CLIENTS}/${clientId}`)).text).not.toContain(trial);
    await pages.decide(clientId, { action: 'APPROVE' });
    const approved = await show(pages.developer, `${CLIENTS}/${clientId}`);
    expect(approved.text).not.toContain('Not verified');
    const [, address = ''] = /<a href="([^"]+)">Try it yourself</.exec(approved.html) ?? [];
    const asked = shownPage(await pages.developer.open(unescape(address).replace(/^https?:\/\/[^/]+/, '')));
    expect(asked.text).toContain('Allow Calendar helper to use your account?');

    await changed(app.database.em.fork(), sql`update users set email_verified_at = null where email = 'ada@acme.test'`);
    const { text } = await show(pages.developer, `${CLIENTS}/${clientId}`);
    await changed(
      app.database.em.fork(),
      sql`update users set email_verified_at = now() where email = 'ada@acme.test'`,
    );
    expect(text).toContain(
      'People see “Not verified” when your app asks for access, until you confirm your e-mail address',
    );
  });

  test('says how many may wait for a review, and keeps what was typed', async () => {
    const own = await TestBrowser.signedIn(app.url, 'cyd@acme.test');
    const good = { name: 'App', purpose: 'Tests.', redirectUris: ['https://a.example/cb'], scopes: ['PROFILE_READ'] };
    const create = () =>
      own.mutate<{ client: { clientId: string } }>(
        'oauthClientCreate',
        { ...good, type: 'PUBLIC' },
        'client { clientId }',
      );
    const { client } = await create();
    for (let n = 1; n < MAX_WAITING_CLIENTS; n += 1) await create();
    const typed = {
      name: 'One too many',
      purpose: 'Tests.',
      redirectUris: 'https://a.example/cb',
      scopes: 'PROFILE_READ',
      type: 'PUBLIC',
    };
    const refused = shownPage(await own.submit(await show(own, `${CLIENTS}/new`), typed));
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining(`You already have ${MAX_WAITING_CLIENTS} clients waiting for review, which is the limit`),
    ]);
    expect(refused.html).toContain('value="One too many"');
    await own.mutate('oauthClientDelete', { clientId: client.clientId }, '__typename');
    const registered = shownPage(await own.submit(refused, { ...typed, name: 'Just enough' }));
    expect(registered.text).toContain('Your client is registered and waiting for review.');
  });

  test('takes one redirect URI a line, several scopes, and the other fields', async () => {
    const clientId = idOn(
      await pages.register({ websiteUrl: 'https://helper.example.test', requiresPkce: 'on' }, ['TEAM_BOOKING_READ']),
    );
    const page = await show(pages.administrator, `/admin/oauth/${clientId}`);
    expect(page.text).toContain('Redirect URIs https://helper.example.test/cb https://helper.example.test/cb2');
    expect(page.text).toMatch(/profile PROFILE_READ Their teams Bookings : see View team bookings TEAM_BOOKING_READ/);
    expect(page.text).toContain('Confidential, always with PKCE');
    expect(page.text).toContain('Website https://helper.example.test');
  });

  test('of a public app shows no secret', async () => {
    const page = await pages.register({ type: 'PUBLIC', redirectUris: 'com.example.helper:/cb' });
    expect(page.address).toMatch(/\?done=registered$/);
    expect(page.html).not.toMatch(/gh_secret_|\/secrets/);
  });

  test('with a form that comes again leads to the client and says where its secret went; changed, it asks first', async () => {
    const form = await show(pages.developer, `${CLIENTS}/new`);
    const typed = {
      name: 'Sent twice',
      purpose: 'Tests.',
      redirectUris: 'https://helper.example.test/cb',
      scopes: 'PROFILE_READ',
    };
    const created = shownPage(await pages.developer.submit(form, typed));
    expect([created.status, secretOn(created)]).toEqual([201, expect.stringContaining('gh_secret_')]);
    const again = shownPage(await pages.developer.submit(form, typed));
    expect(again.address).toBe(`${CLIENTS}/${idOn(created)}?done=registered-before`);
    expect(again.text).toMatch(/^The form was sent twice.*create another one under “Secrets”/);
    expect(secretOn(again)).toBe('');

    const changed = shownPage(await pages.developer.submit(form, { ...typed, name: 'One more' }));
    expect([changed.status, changed.text]).toEqual([
      422,
      expect.stringContaining('A client was registered by this form already'),
    ]);
    const another = shownPage(await pages.developer.submit(changed, { scopes: 'PROFILE_READ' }));
    expect(another.status).toBe(201);
    expect(idOn(another)).not.toBe(idOn(created));
  });

  test('is what a developer without clients is told to do', async () => {
    const { text, html } = await show(pages.stranger, CLIENTS);
    expect(text).toContain('You have no OAuth clients yet.');
    expect(html).toContain(`<a href="${CLIENTS}/new">Register a client</a>`);
    expect((await show(pages.developer, CLIENTS)).text).not.toContain('You have no OAuth clients yet.');
  });

  test.each([
    ['https://a.example.test/cb\nhttps://a.example.test/cb', 'CONFIDENTIAL', ['stands in the list twice']],
    ['com.example.app:/cb', 'CONFIDENTIAL', ['which only public clients may use']],
    ['com.example.app:/cb', 'PUBLIC', []],
    ['https://a.example.test/cb', 'CONFIDENTIAL', []],
  ])('tells the script the mistakes in %j of a %s client that the form is told', async (redirectUris, type, parts) => {
    const query = new URLSearchParams({ redirectUris, type });
    const { text } = await pages.developer.request(`${CLIENTS}/new/redirect-uris?${query}`);
    const { mistakes } = JSON.parse(text);
    expect(mistakes).toEqual(parts.map((part) => expect.stringContaining(part)));
    const { text: page } = await pages.register({ redirectUris, type, scopes: '' });
    for (const mistake of mistakes) expect(page).toContain(mistake);
    expect(page).toContain('No scope is selected');
  });

  test('offers every scope once, in the row of what it opens', async () => {
    const { html } = await show(pages.developer, `${CLIENTS}/new`);
    const offered = [...html.matchAll(/name="scopes" value="(\w+)"/g)].map(([, name = '']) => name);
    expect(offered.toSorted()).toEqual(SCOPES.toSorted());
    const rows = [...html.matchAll(/<tr><th scope="row">([^<]+)<\/th>(.*?)<\/tr>/gs)];
    for (const [, resource = '', cells = ''] of rows) {
      const name = resource.toUpperCase().replaceAll(' ', '_');
      const inRow = [...cells.matchAll(/value="(\w+)"/g)].map(([, scope]) => scope);
      expect(inRow).toEqual(
        SCOPES.filter((scope) => scope.replace(/^(?:TEAM|ORG)_/, '').replace(/_(?:READ|WRITE)$/, '') === name),
      );
    }
    expect(rows).toHaveLength(10);
  });

  describe('proposes scopes for pasted documents', () => {
    test('for all operations together, ticks them beside those that are, and registers nothing', async () => {
      const documents =
        /* invalid */ '{ me { ...Own } }\n{ me { schedules { nodes { id } } } }\nfragment Own on Viewer { name }';
      const page = await askForScopes(documents, 'WEBHOOK_READ');
      expect([page.status, ticked(page)]).toEqual([200, ['SCHEDULE_READ', 'PROFILE_READ', 'WEBHOOK_READ']]);
      expect(page.text).toContain(
        'Ticked for these queries: SCHEDULE_READ, PROFILE_READ. They don’t need WEBHOOK_READ.',
      );
      expect(page.html).toContain('value="Not registered"');
      expect((await show(pages.developer, CLIENTS)).text).not.toContain('Not registered');
    });

    test('takes the scope of an organization for that of its teams', async () => {
      const page = await askForScopes(
        'query ($id: ID!) { team(id: $id) { bookings(first: 1) { nodes { id } } } }',
        'ORG_BOOKING_READ',
      );
      expect(ticked(page)).toContain('ORG_BOOKING_READ');
      expect(ticked(page)).not.toContain('TEAM_BOOKING_READ');
    });

    test.each([
      ['', 'Paste your app’s GraphQL queries first'],
      ['{ me {', 'Line 1: Syntax Error'],
      [/* invalid */ '\n{ me { nothing } }', 'Line 2: Cannot query field'],
      ['fragment A on Viewer { name }', 'no operation'],
      ['{ me { oauthClients { nodes { clientId } } } }', 'Cannot query field'],
    ])('says what is wrong with %j and keeps what is ticked', async (documents, message) => {
      const page = await askForScopes(documents, 'PROFILE_READ');
      expect([page.status, ticked(page), page.text]).toEqual([422, ['PROFILE_READ'], expect.stringContaining(message)]);
      expect(page.html).toContain('id="documents-mistake"');
    });

    test('for no more operations at once than the endpoint that explains takes', async () => {
      const [most, oneMore] = [65_536, 65_537].map((bytes) => '{ me { name } }'.padEnd(bytes));
      expect((await askForScopes(most ?? '', 'PROFILE_READ')).status).toBe(200);
      const refused = await askForScopes(oneMore ?? '', 'PROFILE_READ');
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('are larger than 64 KiB')]);
    });

    test('on the page of a client, too, and saves nothing', async () => {
      const clientId = await pages.newClient();
      const page = await pages.save(clientId, {
        action: 'propose',
        documents: '{ me { webhooks { nodes { id } } } }',
        name: 'Not saved',
      });
      expect([page.status, ticked(page)]).toEqual([200, ['PROFILE_READ', 'WEBHOOK_READ']]);
      expect(openParts(page)).toContain('edit');
      expect((await show(pages.developer, `${CLIENTS}/${clientId}`)).html).not.toContain('Not saved');
    });
  });

  test.each([
    ['name', { name: ' ' }, 'The name is empty'],
    ['name', { name: 'A\u0000B' }, 'invisible characters'],
    ['redirectUris', { redirectUris: 'http://plain.example.test/cb' }, 'http://plain.example.test/cb'],
    ['scopes', { scopes: '' }, 'No scope is selected'],
    ['scopes', { scopes: 'profile_read' }, 'There is no scope'],
    ['websiteUrl', { websiteUrl: 'javascript:alert(1)' }, 'https'],
    ['type', { type: 'constructor' }, 'Choose the type'],
  ])('with a mistake in %s says so there and keeps what was typed', async (field, mistake, message) => {
    const page = await pages.register({ ...mistake, purpose: '<b>"kept"</b> & more' });
    expect(page.status).toBe(422);
    expect(page.html).toMatch(new RegExp(`id="${field}-mistake" class="mistake">[^<]*`));
    expect(page.text).toContain(message);
    expect(page.html).toContain('&lt;b&gt;&quot;kept&quot;&lt;/b&gt; &amp; more</textarea>');
    expect(page.html).not.toContain('<b>"kept"');
  });

  test('does nothing for a form that is not ours, and keeps what was typed', async () => {
    const before = (await show(pages.developer, CLIENTS)).text;
    const page = await pages.register({ csrf: 'forged', name: 'Forged app' });
    expect(page.status).toBe(403);
    expect(page.html).toContain('value="Forged app"');
    expect((await show(pages.developer, CLIENTS)).text).toBe(before);
  });
});

describe('a client’s page', () => {
  test('is not there for others, and not for an id that cannot be one', async () => {
    const clientId = await pages.newClient();
    const paths = [clientId, `${clientId}/delete`, `${clientId}/secrets`, 'nobody', '%00', '%F0%9F%98%80', '__proto__'];
    for (const path of paths) expect((await show(pages.stranger, `${CLIENTS}/${path}`)).status).toBe(404);
    expect((await show(pages.developer, `${CLIENTS}/${clientId}`)).status).toBe(200);
  });

  test('saves an edit of a client that waits for its review', async () => {
    const clientId = await pages.newClient();
    const page = await pages.save(clientId, { name: 'Renamed <helper>' });
    expect(page.text).toContain('Your changes were saved.');
    expect(page.html).toContain('<bdi>Renamed &lt;helper&gt;</bdi>');
  });

  test('explains what of an approved client is live and what waits', async () => {
    const clientId = await pages.newClient();
    await pages.decide(clientId, { action: 'APPROVE' });
    const page = await pages.save(clientId, { name: 'Renamed', redirectUris: 'https://helper.example.test/new' });
    expect(page.text).toContain('A change is waiting for review');
    expect(page.text).toContain('Name Before Calendar helper After Renamed');
    expect(page.text).toContain('Add https://helper.example.test/new');
    expect(page.text).toContain('Remove https://helper.example.test/cb');
    expect((await show(pages.developer, CLIENTS)).text).toContain('Change waiting for review');
  });

  test('shows a mistake at its field and keeps what was typed', async () => {
    const clientId = await pages.newClient();
    const page = await pages.save(clientId, { name: 'Typed name', redirectUris: 'nonsense' });
    expect(page.status).toBe(422);
    expect(page.html).toContain('value="Typed name"');
    expect(page.html).toContain('>\nnonsense</textarea>');
    expect(page.html).toContain('id="redirectUris-mistake"');
  });

  test('shows why it was rejected; saving submits it again', async () => {
    const clientId = await pages.newClient();
    await pages.decide(clientId, { action: 'REJECT', reason: 'Say what you store.' });
    expect((await show(pages.developer, `${CLIENTS}/${clientId}`)).text).toContain('Say what you store.');
    const page = await pages.save(clientId, { purpose: 'It stores nothing.' });
    expect(page.text).toMatch(/^Your changes were saved.*Calendar helper Pending/);
  });

  test('answers why a request was refused, page by page', async () => {
    const clientId = await pages.newClient();
    await changed(
      app.database.em.fork(),
      sql`insert into oauth_failed_requests (occurred_at, id, client_id, endpoint, error, description)
          select now() - make_interval(secs => n), ${uuidNumbered('0')}, ${clientId}, 'TOKEN', 'invalid_grant', 'Reason ' || n || '.'
          from generate_series(1, 21) as n`,
    );
    const first = await show(pages.developer, `${CLIENTS}/${clientId}`);
    expect(first.text).toContain('invalid_grant Reason 1.');
    expect(first.text).not.toContain('Reason 21.');
    const more = /href="([^"]*refused_before[^"]*)"/.exec(first.html)?.[1] ?? '';
    expect((await show(pages.developer, more)).text).toContain('Reason 21.');
    expect((await show(pages.developer, `${CLIENTS}/${clientId}?refused_before=nonsense`)).status).toBe(422);
  });

  test('has the address for users and the command for the code, which lead to a token', async () => {
    const clientId = await pages.newClient({
      type: 'PUBLIC',
      redirectUris: "https://helper.example.test/it's?a=1&b=2\nhttps://helper.example.test/other",
    });
    await pages.decide(clientId, { action: 'APPROVE' });
    const texts = copyableTexts(await show(pages.developer, `${CLIENTS}/${clientId}`));
    expect(texts[0]).toBe(clientId);
    const { pathname, search } = new URL(texts[1] ?? '');
    const { parameters } = await pages.stranger.allow(pathname + search);
    expect(parameters.get('a')).toBe('1');

    // A shell makes of the command what curl sends.
    const echo = `curl() { shift; printf '%s\\n' "$@"; }; ${texts[2]}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', echo]);
    const sent = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('-'));
    const form = new URLSearchParams(
      sent.map((field) => [field.split('=', 1)[0] ?? '', field.slice(field.indexOf('=') + 1)]),
    );
    form.set('code', parameters.get('code') ?? '');
    const answer = await fetch(`${app.url}/v2/auth/oauth2/token`, { method: 'POST', body: form });
    expect(await answer.json()).toMatchObject({ token_type: 'bearer', scope: 'PROFILE_READ' });
    const page = await show(pages.developer, `${CLIENTS}/${clientId}`);
    expect(page.text).toContain('Public client 1 user 1 scope');
  });

  test('has a first query that a token with the one scope of the client may send', async () => {
    const clientId = await pages.newClient();
    for (const scope of ['PROFILE_READ', 'EVENT_TYPE_READ', 'BOOKING_READ', 'SCHEDULE_READ', 'WEBHOOK_READ']) {
      await pages.save(clientId, { scopes: scope });
      const [, , , command = ''] = copyableTexts(await show(pages.developer, `${CLIENTS}/${clientId}`));
      const [, body = ''] = /-d '(.*)'$/.exec(command) ?? [];
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${app.url}/graphql/scopes`, { method: 'POST', headers, body });
      expect(await answer.json()).toMatchObject({ scopes: scope === 'WEBHOOK_READ' ? [] : [scope] });
    }
  });

  test('of a confidential client asks for its secret, and for PKCE where it is required', async () => {
    const [, address = '', command = ''] = copyableTexts(
      await show(pages.developer, `${CLIENTS}/${await pages.newClient()}`),
    );
    expect(address).not.toContain('code_challenge');
    expect(command).toContain('client_secret=YOUR_SECRET');
    expect(command).not.toContain('code_verifier');
    const strict = await show(pages.developer, `${CLIENTS}/${await pages.newClient({ requiresPkce: 'on' })}`);
    const { verifier, challenge } = EXAMPLE_PKCE;
    expect(copyableTexts(strict).join()).toMatch(
      new RegExp(`code_challenge=${challenge}.*code_verifier=${verifier}`, 's'),
    );
    expect(strict.text).toContain('No users yet');
  });

  test('opens the part that somebody works on, and no other', async () => {
    const clientId = await pages.newClient();
    const path = `${CLIENTS}/${clientId}`;
    expect(openParts(await show(pages.developer, path))).toEqual([]);
    expect(openParts(await pages.save(clientId, { redirectUris: 'nonsense' }))).toEqual(['edit']);
    await pages.decide(clientId, { action: 'REJECT', reason: 'Say what you store.' });
    expect(openParts(await show(pages.developer, path))).toEqual(['edit']);
    await pages.save(clientId, { purpose: 'It stores nothing.' });
    await pages.decide(clientId, { action: 'APPROVE' });
    await pages.save(clientId, { name: 'Renamed' });
    expect(openParts(await show(pages.developer, path))).toEqual(['revision']);
  });

  test('deletes it after a confirmation', async () => {
    const clientId = await pages.newClient();
    const question = await show(pages.developer, `${CLIENTS}/${clientId}/delete`);
    expect(question.text).toContain('Calendar helper');
    const forged = shownPage(await pages.developer.submit(question, { csrf: 'forged' }));
    expect(forged.status).toBe(403);
    const list = shownPage(await pages.developer.submit(question, {}));
    expect(list.text).toContain('The client was deleted.');
    expect(list.text).not.toContain(clientId);
  });
});

describe('the page of a legacy client', () => {
  test('counts who is still unrestricted and names the two steps in their order', async () => {
    const { text } = await show(pages.developer, `${CLIENTS}/demo-legacy`);
    expect(text).toContain('No user holds an unrestricted grant.');
    expect(text).toMatch(
      /First add scope to every authorization URL.*Then choose the same scopes.*Not the other way round/,
    );
  });

  test('leaves it legacy when no scope is chosen', async () => {
    const page = await pages.save('demo-legacy', { purpose: 'An edit without scopes.' });
    expect(page.text).toContain('Your changes were saved.');
    expect(page.text).toContain('Legacy client: move it to scopes');
  });

  test('moves it to scopes only when its addresses send them already', async () => {
    const refused = await pages.save('demo-legacy', { scopes: 'PROFILE_READ' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="sendsScope-mistake"');
    expect(refused.html).toMatch(/value="PROFILE_READ" checked/);
    const moved = await pages.save('demo-legacy', { scopes: 'PROFILE_READ', sendsScope: 'on' });
    expect(moved.text).not.toContain('Legacy client: move it to scopes');
    expect(moved.html).toMatch(/value="PROFILE_READ" checked/);
  });
});

describe('the secrets of a client', () => {
  test('are two at most, shown once, and the last one stays', async () => {
    const created = await pages.register();
    const clientId = idOn(created);
    const path = `${CLIENTS}/${clientId}`;
    expect((await show(pages.developer, path)).text).toContain('You can’t delete the last secret');
    const form = await show(pages.developer, `${path}/secrets`);
    const second = shownPage(await pages.developer.submit(form, { name: 'next "one"' }));
    expect(second.status).toBe(201);
    expect(secretOn(second)).not.toBe(secretOn(created));
    const third = shownPage(await pages.developer.submit(form, { name: 'third' }));
    expect([third.status, third.html]).toEqual([422, expect.stringContaining('value="third"')]);
    expect(third.text).toContain('which is the limit');

    const listed = await show(pages.developer, path);
    expect(listed.html).not.toContain(secretOn(second));
    const [first, next] = [...listed.html.matchAll(/href="([^"]*\/delete)">Delete/g)].map(([, href = '']) => href);
    const lastQuestion = await show(pages.developer, next ?? '');
    const afterwards = shownPage(await pages.developer.submit(await show(pages.developer, first ?? ''), {}));
    expect(afterwards.text).toContain('Secret deleted');
    expect(afterwards.text).not.toContain('First secret');
    const refused = shownPage(await pages.developer.submit(lastQuestion, {}));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('This is the last secret')]);
  });

  test('are made once by a form that comes again, which tells where the secret went', async () => {
    const path = `${CLIENTS}/${await pages.newClient()}`;
    const form = await show(pages.developer, `${path}/secrets`);
    const send = async () => shownPage(await pages.developer.submit(form, { name: 'Sent twice' }));
    const answers = await Promise.all([send(), send()]);
    const [shown, told] = answers.toSorted((one, other) => other.status - one.status);
    expect([shown?.status, shown && secretOn(shown)]).toEqual([201, expect.stringContaining('gh_secret_')]);
    expect([told?.address, told && secretOn(told)]).toEqual([`${path}?done=secret-created-before`, '']);
    expect(told?.text).toMatch(/^The form was sent twice, and one secret was created/);
    expect((await send()).address).toBe(`${path}?done=secret-created-before`);
    // The first one, and this.
    expect((await show(pages.developer, path)).html.match(/href="[^"]*\/delete">Delete</g)).toHaveLength(2);
  });

  test('with a name that is none say so', async () => {
    const clientId = await pages.newClient();
    const form = await show(pages.developer, `${CLIENTS}/${clientId}/secrets`);
    const page = shownPage(await pages.developer.submit(form, { name: '' }));
    expect([page.status, page.html]).toEqual([422, expect.stringContaining('id="name-mistake"')]);
    expect((await show(pages.developer, `${CLIENTS}/${clientId}/secrets/sec_unknown/delete`)).status).toBe(404);
  });
});

/** The texts that the page of a client offers to copy, in its order. */
function copyableTexts({ html }: ShownPage): string[] {
  return [...html.matchAll(/<code data-copy="[^"]*"[^>]*>([^<]*)<\/code>/g)].map(([, text = '']) => unescape(text));
}

function openParts({ html }: ShownPage): string[] {
  return [...html.matchAll(/<details class="part" open>.*?<div id="([^"]+)">/gs)].map(([, id = '']) => id);
}

/** The scopes that are ticked on a page. */
function ticked({ html }: ShownPage): string[] {
  return [...html.matchAll(/value="(\w+)" checked><span class="unseen"/g)].map(([, scope = '']) => scope);
}

/** Presses the button that ticks what documents need. */
function askForScopes(documents: string, scopes: string): Promise<ShownPage> {
  return pages.register({ action: 'propose', documents, scopes, name: 'Not registered' });
}
