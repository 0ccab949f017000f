import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENTS, ClientPages, fieldsOf, show } from '../../oauth/support/client-pages.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { formsOf } from '../../support/html-form.ts';
import { tokensFor } from '../../support/oauth-requests.ts';
import { shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let pages: ClientPages;
beforeAll(async () => {
  app = await startTestApp();
  pages = await ClientPages.open(app);
});
afterAll(() => app.close());

/** An address of 2,048 characters, of which a form sends most as three bytes. */
const longUrl = (index: number): string => `https://helper.example.test/${index}/`.padEnd(2048, "!$,;:@=&()'");

describe('reviews', () => {
  test('are not there for anybody but administrators', async () => {
    const clientId = await pages.newClient();
    for (const path of ['/admin/oauth', `/admin/oauth/${clientId}`]) {
      expect((await show(pages.developer, path)).status).toBe(404);
      expect((await show(pages.administrator, path)).status).toBe(200);
    }
    const page = await show(pages.administrator, `/admin/oauth/${clientId}`);
    const body = new URLSearchParams({ ...fieldsOf(page, `/admin/oauth/${clientId}`), action: 'APPROVE' }).toString();
    const posted = await pages.developer.request(
      page.address,
      { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    );
    expect(posted.status).toBe(404);
    expect((await show(pages.developer, `${CLIENTS}/${clientId}`)).text).toContain('Calendar helper Pending');
  });

  test('list what waits, with the developer and the purpose', async () => {
    const clientId = await pages.newClient({ name: 'In the queue', purpose: 'To be listed.' });
    const { text, html } = await show(pages.administrator, '/admin/oauth');
    expect(html).toContain(`/admin/oauth/${clientId}`);
    expect(text).toMatch(/In the queue New client To be listed\. Ada Okafor \( ada@acme\.test \) Since 20\d\d-/);
  });

  test('approve, and show what an edit would change', async () => {
    const clientId = await pages.newClient();
    const queue = await pages.decide(clientId, { action: 'APPROVE' });
    expect([queue.address, queue.text]).toEqual([
      '/admin/oauth?done=APPROVE',
      expect.stringContaining('Approved. We’re e-mailing the developer'),
    ]);
    expect(queue.html).not.toContain(clientId);
    await pages.save(clientId, { name: 'New name' });
    const page = await show(pages.administrator, `/admin/oauth/${clientId}`);
    expect(page.text).toMatch(
      /Ada Okafor \( ada@acme\.test \) asked for this on 20.* UTC \. Name Before Calendar helper After New name/,
    );
    await pages.decide(clientId, { action: 'REJECT', reason: 'Keep the name.' });
    const own = await show(pages.developer, `${CLIENTS}/${clientId}`);
    expect(own.text).toContain('Calendar helper Approved');
    expect(own.text).toContain('Keep the name.');
  });

  test('reject only with a reason', async () => {
    const clientId = await pages.newClient();
    const refused = await pages.decide(clientId, { action: 'REJECT', reason: ' ' });
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('id="rejection-mistake"')]);
    // The form that came back is open, and the summary leads to its field.
    expect(refused.html).toMatch(/<details open><summary>Reject …/);
    expect(refused.html).toContain('<a href="#rejection">');
    const rejected = await pages.decide(clientId, { action: 'REJECT', reason: 'A reason.' });
    expect(rejected.text).toContain('Rejected. We’re e-mailing the developer');
  });

  test('decide about nothing that was changed since it was looked at', async () => {
    const clientId = await pages.newClient();
    const seen = await show(pages.administrator, `/admin/oauth/${clientId}`);
    await pages.save(clientId, { redirectUris: 'https://slipped-in.example.test/cb' });
    const refused = shownPage(await pages.administrator.submit(seen, { action: 'APPROVE' }));
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('was changed while you looked')]);
    expect(refused.text).toMatch(
      /What the developer changed in the meantime Redirect URIs Add https:\/\/slipped-in\.example\.test\/cb Remove https/,
    );
    expect(refused.text).toMatch(/Version 2/);
    const approved = shownPage(await pages.administrator.submit(refused, { action: 'APPROVE' }));
    expect(approved.text).toContain('Approved. We’re e-mailing the developer');
  });

  test('show what was changed of a revision meanwhile, and decline nothing unseen either', async () => {
    const clientId = await pages.newClient();
    await pages.decide(clientId, { action: 'APPROVE' });
    await pages.save(clientId, { name: 'Helper' });
    const seen = await show(pages.administrator, `/admin/oauth/${clientId}`);
    await pages.save(clientId, { name: 'Your bank', purpose: 'Something else.' });
    const refused = shownPage(await pages.administrator.submit(seen, { action: 'REJECT', rejection: 'No.' }));
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringMatching(
        /in the meantime Name Before Helper After Your bank Purpose Before Shows free times in a mail program\. After Something else\./,
      ),
    ]);
    expect(refused.html).toContain('No.</textarea>');
    const accepted = shownPage(await pages.administrator.submit(refused, { action: 'APPROVE' }));
    expect(accepted.text).toContain('Approved. We’re e-mailing the developer');
    expect((await show(pages.developer, `${CLIENTS}/${clientId}`)).text).toContain('Your bank Approved');
  });

  test('suspend also what was changed meanwhile, and want a version for a decision', async () => {
    const clientId = await pages.newClient();
    await pages.decide(clientId, { action: 'APPROVE' });
    const seen = await show(pages.administrator, `/admin/oauth/${clientId}`);
    await pages.save(clientId, { name: 'Helper' });
    expect((await pages.decide(clientId, { action: 'APPROVE', version: '' })).status).toBe(400);
    expect((await pages.decide(clientId, { action: 'APPROVE', seen: '{"a":' })).text).toContain(
      'Approved. We’re e-mailing the developer',
    );
    expect(
      shownPage(await pages.administrator.submit(seen, { action: 'SUSPEND', suspension: 'Spam.' })).text,
    ).toContain('Client suspended');
  });

  test('suspend a client and reinstate it', async () => {
    const clientId = await pages.newClient();
    await pages.decide(clientId, { action: 'APPROVE' });
    const suspended = await pages.decide(clientId, { action: 'SUSPEND', reason: 'Sends spam.' });
    expect(suspended.text).toMatch(/Client suspended.*Calendar helper Suspended.*Sends spam/);
    expect((await show(pages.developer, `${CLIENTS}/${clientId}`)).text).toContain('Sends spam.');
    expect((await pages.decide(clientId, { action: 'REINSTATE' })).text).toMatch(
      /reinstated.*Calendar helper Approved/,
    );
  });

  test('suspend only with a reason, and say before what happens to how many', async () => {
    const clientId = await pages.newClient({ type: 'PUBLIC' });
    await pages.decide(clientId, { action: 'APPROVE' });
    const path = `/admin/oauth/${clientId}`;
    const shown = async () => (await show(pages.administrator, path)).text;
    expect(await shown()).toMatch(/Suspend client … No one uses the app\. Its tokens stop working immediately/);
    const refused = await pages.decide(clientId, { action: 'SUSPEND', reason: ' ' });
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('id="suspension-mistake"')]);
    expect(refused.text).toContain('Calendar helper Approved');
    for (const email of ['dan@solo.test', 'cyd@acme.test']) {
      const user = await TestBrowser.signedIn(app.url, email);
      await tokensFor(user, { client_id: clientId, redirect_uri: 'https://helper.example.test/cb' });
      await tokensFor(user, { client_id: clientId, redirect_uri: 'https://helper.example.test/cb2' });
    }
    expect(await shown()).toMatch(/Suspend client … 2 people use the app\./);
  });

  test('show scopes in words and with what is new, and lead to what is behind a client', async () => {
    const clientId = await pages.newClient({ websiteUrl: 'https://helper.example.test/' });
    await pages.decide(clientId, { action: 'APPROVE' });
    await pages.save(clientId, {
      redirectUris: 'https://new.example.test/cb',
      websiteUrl: 'https://helper.example.test/',
    });
    const { text, html } = await show(pages.administrator, `/admin/oauth/${clientId}`);
    expect(text).toMatch(/Their account Profile : see View the authorized user's profile PROFILE_READ/);
    expect(text).toMatch(/Redirect URIs Add https:\/\/new\.example\.test\/cb Remove https/);
    expect(html).toContain(
      '<a href="https://helper.example.test/" rel="noopener noreferrer nofollow" target="_blank">',
    );
    expect(html).toContain(`<a href="${CLIENTS}/${clientId}">`);
    expect(html).toContain('<a href="mailto:ada@acme.test">');
  });

  test('tell who decided what, when and why, the newest first', async () => {
    const clientId = await pages.newClient();
    await pages.decide(clientId, { action: 'REJECT', reason: 'Which mail program?' });
    await pages.save(clientId, { purpose: 'Shows free times in Elm.' });
    await pages.decide(clientId, { action: 'APPROVE' });
    await pages.decide(clientId, { action: 'SUSPEND', reason: '<b>Spam</b>' });
    const { text, html } = await show(pages.administrator, `/admin/oauth/${clientId}`);
    expect(text.slice(text.indexOf('History'))).toMatch(
      /^History Suspended by Avery Admin 20[^ ]+ \d\d:\d\d UTC <b>Spam<\/b> Approved by Avery Admin .* Submitted again by Ada Okafor .* Changed immediately: purpose Rejected by Avery Admin .* Which mail program\? Registered by Ada Okafor/,
    );
    expect(html).toContain('&lt;b&gt;Spam&lt;/b&gt;');
    // The page is about this client alone.
    expect(text.match(/Registered by/g)).toHaveLength(1);
  });

  test('decide about a client however long its texts are', async () => {
    const clientId = await pages.newClient();
    await pages.decide(clientId, { action: 'APPROVE' });
    const longest = {
      redirectUris: Array.from({ length: 10 }, (_, index) => longUrl(index)).join('\n'),
      websiteUrl: longUrl(10),
      logoUrl: longUrl(11),
      purpose: '\u{1F600}'.repeat(2_000),
    };
    expect((await pages.save(clientId, longest)).text).toContain('Your changes were saved');
    const path = `/admin/oauth/${clientId}`;
    const sent = formsOf((await show(pages.administrator, path)).html).map(({ fields, controls }) => ({
      isReview: !controls.includes('suspension'),
      bytes: new URLSearchParams(fields).toString().length,
    }));
    // A suspension says nothing of the content: no developer can make it too large.
    expect(sent.map(({ isReview, bytes }) => [isReview, bytes > 65_536])).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
    expect((await pages.decide(clientId, { action: 'REJECT', reason: 'Too long.' })).text).toContain(
      'Rejected. We’re e-mailing the developer',
    );
    expect((await pages.save(clientId, longest)).text).toContain('Your changes were saved');
    expect((await pages.decide(clientId, { action: 'SUSPEND', reason: 'Spam.' })).text).toContain('Client suspended');
    expect((await pages.decide(clientId, { action: 'REINSTATE' })).text).toContain('reinstated');
    expect((await pages.decide(clientId, { action: 'APPROVE' })).text).toContain(
      'Approved. We’re e-mailing the developer',
    );
  });

  test('take no action that they do not offer', async () => {
    const clientId = await pages.newClient();
    expect((await pages.decide(clientId, { action: 'constructor' })).status).toBe(400);
    expect((await pages.decide(clientId, { action: 'REINSTATE' })).status).toBe(422);
  });

  test('open any other client by its id', async () => {
    const found = shownPage(await pages.administrator.open('/admin/oauth?client_id=+demo-app+'));
    expect(found.address).toBe('/admin/oauth/demo-app');
    const missing = shownPage(await pages.administrator.open('/admin/oauth?client_id=%22%3E%3Cb%3E%00'));
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('no OAuth client with this id')]);
  });
});
