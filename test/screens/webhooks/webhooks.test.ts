/** The addresses that are told of what happens to a user, as pages of lists and forms. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/id.ts';
import { changed, rows, sql } from '../../../src/database/sql.ts';
import { REQUESTED_DELIVERIES } from '../../../src/modules/webhooks/request-delivery.ts';
import { MAX_WEBHOOKS, WEBHOOK_TRIGGERS } from '../../../src/modules/webhooks/webhook.rules.ts';
import { aPayload } from '../../jobs/support/webhooks.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fieldOf, linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { NEW_ID, ownedUuidOf } from '../../support/ids.ts';
import { OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

const PATH = '/settings/webhooks';
let app: TestApp;
let dan: TestBrowser;
let ada: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  [dan, ada] = [
    await TestBrowser.signedIn(app.url, 'dan@solo.test'),
    await TestBrowser.signedIn(app.url, 'ada@acme.test'),
  ];
});
afterAll(() => app.close());

interface Stored {
  readonly id: string;
  readonly url: string;
  readonly triggers: readonly string[];
  readonly isActive: boolean;
  readonly deliveries: { readonly nodes: readonly { readonly id: string; readonly status: string }[] };
}

async function stored(): Promise<readonly Stored[]> {
  const document = `{ me { webhooks(first: 100) { nodes { id url triggers isActive deliveries(first: 50) { nodes { id status } } } } } }`;
  return (await dan.ask<{ me: { webhooks: { nodes: Stored[] } } }>(document)).me.webhooks.nodes;
}

async function storedAt(url: string): Promise<Stored> {
  const found = (await stored()).find((one) => one.url === url);
  if (!found) throw new Error(`No webhook has the address ${url}.`);
  return found;
}

let count = 0;
function anUrl(): string {
  count += 1;
  return `https://hooks.example/${count}`;
}

/** Sends the form of a page that has the control `named`, with exactly these boxes ticked. */
async function send(page: ShownPage, named: string, values: Record<string, string>, triggers: readonly string[]) {
  const form = formsOf(page.html).find(({ controls }) => controls.includes(named));
  const { triggers: _before, ...fields } = form?.fields ?? {};
  const body = new URLSearchParams({ ...fields, ...values });
  for (const trigger of triggers) body.append('triggers', trigger);
  return dan.request(form?.action ?? '', OWN_FORM, body.toString());
}

/** A new webhook of Dan's, by the form. */
async function added(url = anUrl()) {
  const page = shownPage(await dan.submit(await see(dan, PATH), { url }));
  expect(page.status).toBe(201);
  const { id } = await storedAt(url);
  return { id, url, page, path: `${PATH}/${id}`, secret: secretOf(page.html) };
}

function secretOf(html: string): string {
  return /whsec_[A-Za-z0-9+/]{43}=/.exec(html)?.[0] ?? '';
}

/** Returns the body that a browser sends for a form of the webhook's page of which only the button is pressed. */
function formOf({ html }: ShownPage, action: string): string {
  const { fields } = formsOf(html).find((form) => form.action.endsWith(`/${action}`)) ?? {};
  if (!fields) throw new Error(`No form of this page is for ${action}.`);
  return new URLSearchParams(fields).toString();
}

describe('the list', () => {
  test('takes an address, shows its secret by that answer alone, and leads to it', async () => {
    const { page, path, secret, url } = await added();
    expect(secret).toMatch(/^whsec_/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(linksOf(page)).toContain(path);
    const list = await see(dan, PATH);
    expect([linksOf(list).includes(path), list.text.includes(url)]).toEqual([true, true]);
    expect([secretOf(list.html), secretOf((await see(dan, path)).html)]).toEqual(['', '']);
  });

  test('makes one of a form that is sent twice, and shows both times what it is signed with', async () => {
    const page = await see(dan, PATH);
    const url = anUrl();
    const before = await stored();
    const answers = await Promise.all([0, 1].map(() => send(page, 'url', { url }, ['BOOKING_CREATED'])));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [first, second] = answers.map(({ text }) => secretOf(text));
    expect([first, await stored()]).toEqual([second, [...before, expect.objectContaining({ url })]]);
    // Filled in anew, it is another one.
    expect((await send(page, 'url', { url: anUrl() }, ['BOOKING_CREATED'])).status).toBe(201);
    expect(await stored()).toHaveLength(before.length + 2);
    // Once there is another secret, the old form shows none.
    await dan.mutate('webhookSecretRotate', { webhookId: (await storedAt(url)).id }, 'secret');
    const late = await send(page, 'url', { url }, ['BOOKING_CREATED']);
    expect([late.status, secretOf(late.text)]).toEqual([303, '']);
  });

  test('takes one for an event type, which is told of its bookings alone', async () => {
    const { eventTypeId } = await dan.mutate<{ eventTypeId: string }>(
      'eventTypeCreate',
      { slug: 'hooked', title: 'Hooked', durationInMinutes: 30 },
      'eventTypeId',
    );
    const page = await see(dan, PATH);
    const values = { url: anUrl(), eventTypeId };
    const refused = await send(page, 'url', values, ['BOOKING_CREATED', 'OUT_OF_OFFICE_CREATED']);
    expect([refused.status, refused.text.includes('id="triggers-mistake"')]).toEqual([422, true]);
    expect(refused.text).toContain(`<option value="${eventTypeId}" selected>`);
    expect((await send(page, 'url', values, ['BOOKING_CREATED'])).status).toBe(201);
    const document = 'query ($id: ID!) { me { eventType(id: $id) { webhooks { nodes { id url triggers } } } } }';
    const { me } = await dan.ask<{ me: { eventType: { webhooks: { nodes: Stored[] } } } }>(document, {
      id: eventTypeId,
    });
    expect(me.eventType.webhooks.nodes).toMatchObject([{ url: values.url, triggers: ['BOOKING_CREATED'] }]);
    const path = `${PATH}/${me.eventType.webhooks.nodes[0]?.id}`;
    expect(linksOf(await see(dan, PATH))).toContain(path);
    expect((await see(dan, path)).text).toContain('Bookings of Hooked');
    expect((await see(dan, path)).text).not.toContain('OUT_OF_OFFICE_CREATED');
    expect(shownPage(await dan.submit(await see(dan, `${path}/delete`), {})).text).toContain('deleted');
  });

  test.each([
    ['no address', '', ['BOOKING_CREATED'], ['url']],
    ['what is no address', 'hooks', ['BOOKING_CREATED'], ['url']],
    ['a private address', 'https://10.0.0.1/hook', ['BOOKING_CREATED'], ['url']],
    ['nothing to be told of', 'https://hooks.example/idle', [], ['triggers']],
    ['neither', '', [], ['triggers', 'url']],
  ])('refuses %s, keeps what was typed and adds nothing', async (_what, url, triggers, fields) => {
    const before = await stored();
    const refused = await send(await see(dan, PATH), 'url', { url }, triggers);
    const page = { html: refused.text } as ShownPage;
    expect([refused.status, Object.keys(mistakesOf(page)).toSorted()]).toEqual([422, fields]);
    const ticked = WEBHOOK_TRIGGERS.filter((one) => new RegExp(`value="${one}" checked`).test(refused.text));
    expect([fieldOf(page, 'url'), ticked]).toEqual([url, triggers]);
    expect(await stored()).toEqual(before);
  });

  test('refuses an address that is there, and what is about an event type of somebody else', async () => {
    const { url } = await added();
    const taken = shownPage(await dan.submit(await see(dan, PATH), { url }));
    expect([taken.status, Object.keys(mistakesOf(taken))]).toEqual([422, ['url']]);
    const { me } = await ada.ask<{ me: { eventTypes: { nodes: { id: string }[] } } }>(
      '{ me { eventTypes { nodes { id } } } }',
    );
    const values = { url: anUrl(), eventTypeId: me.eventTypes.nodes[0]?.id ?? '' };
    const foreign = shownPage(await dan.submit(await see(dan, PATH), values));
    expect([foreign.status, Object.keys(mistakesOf(foreign))]).toEqual([404, ['eventTypeId']]);
  });

  test('says when there are as many as there can be', async () => {
    const em = app.database.em.fork();
    await ada.mutate('webhookCreate', { url: anUrl(), triggers: ['BOOKING_CREATED'] }, 'webhookId');
    await rows(
      em,
      sql`insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', ${NEW_ID}, 'url', w.url || n))).*
        from webhooks w, generate_series(2, ${MAX_WEBHOOKS}) n where w.owner_id = (select id from users where email = 'ada@acme.test')`,
    );
    const page = await see(ada, PATH);
    expect(linksOf(page)).toContainEqual(expect.stringContaining('after='));
    const refused = shownPage(await ada.submit(page, { url: anUrl() }));
    expect([refused.status, refused.text.includes(`There are already ${MAX_WEBHOOKS} webhooks`)]).toEqual([422, true]);
  });
});

describe('the page of one', () => {
  test('saves another address and other triggers', async () => {
    const { path } = await added();
    const url = anUrl();
    const saved = await send(await see(dan, path), 'url', { url }, ['MEETING_STARTED', 'OUT_OF_OFFICE_CREATED']);
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${path}?done=saved`]);
    expect(await storedAt(url)).toMatchObject({
      triggers: ['MEETING_STARTED', 'OUT_OF_OFFICE_CREATED'],
      isActive: true,
    });
  });

  test('says what is wrong at its field, keeps what was typed, and saves nothing', async () => {
    const { path } = await added();
    const before = await stored();
    const refused = await send(await see(dan, path), 'url', { url: 'http://hooks.example/x' }, []);
    const page = { html: refused.text } as ShownPage;
    expect([refused.status, Object.keys(mistakesOf(page)).toSorted()]).toEqual([422, ['triggers', 'url']]);
    expect([fieldOf(page, 'url'), await stored()]).toEqual(['http://hooks.example/x', before]);
  });

  test('saves nothing of a form that was too old, or of another site', async () => {
    const { path, url } = await added();
    const page = await see(dan, path);
    const old = await send(page, 'url', { url: anUrl(), csrf: 'old' }, ['MEETING_ENDED']);
    expect([old.status, old.text.includes('send it again')]).toEqual([403, true]);
    expect(old.text).toContain('value="MEETING_ENDED" checked');
    const foreign = { ...OWN_FORM, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    for (const action of ['pause', 'test', 'retry', 'secret', 'delete']) {
      expect((await dan.request(`${path}/${action}`, foreign, 'csrf=x')).status).toBe(403);
    }
    expect(await storedAt(url)).toMatchObject({ isActive: true, deliveries: { nodes: [] } });
    expect((await send(page, 'url', {}, ['MEETING_ENDED'])).status).toBe(303);
  });

  test('does not overwrite what was changed elsewhere', async () => {
    const { path, url } = await added();
    const [one, other] = [await see(dan, path), await see(dan, path)];
    expect((await send(one, 'url', {}, ['MEETING_ENDED'])).status).toBe(303);
    expect((await send(other, 'url', {}, ['MEETING_STARTED'])).status).toBe(409);
    expect((await storedAt(url)).triggers).toEqual(['MEETING_ENDED']);
  });

  test('pauses it and turns it on', async () => {
    const { path, url } = await added();
    const paused = await press(path, 'pause');
    expect(paused.text).toContain('Webhook turned off.');
    expect([(await storedAt(url)).isActive, paused.text.includes('Send a test')]).toEqual([false, false]);
    // A notice that is not true any more, because another tab has changed the webhook since, is not shown.
    expect(shownPage(await dan.openAfterForm(`${path}?done=resume`)).text).not.toContain('Webhook turned on.');
    expect((await press(path, 'resume')).text).toContain('Webhook turned on.');
    expect((await storedAt(url)).isActive).toBe(true);
  });

  test('says why we turned it off, and turns it on again', async () => {
    const { id, path, url } = await added();
    const em = app.database.em.fork();
    const disabled = sql`update webhooks set is_active = false, disabled_at = now(), failing_since = now(), failed_attempts = 20,
      disabled_reason = 'The last attempt was answered with the HTTP status 500.' where id = ${ownedUuidOf(id).id}`;
    expect(await changed(em, disabled)).toBe(1);
    const page = await see(dan, path);
    expect(page.text).toContain('We turned this webhook off');
    expect(page.text).toContain('The last attempt was answered with the HTTP status 500.');
    expect((await see(dan, PATH)).text).toContain('Turned off');
    expect((await press(path, 'resume')).text).not.toContain('We turned this webhook off');
    expect((await storedAt(url)).isActive).toBe(true);
  });

  test('makes one new secret of a form that is sent twice: the old one stays valid', async () => {
    const { id, path, secret } = await added();
    const question = await see(dan, `${path}/secret`);
    expect(question.text).not.toContain('ends at once');
    const body = formOf(question, 'secret');
    const answers = [];
    for (let index = 0; index < 2; index += 1) answers.push(await dan.request(`${path}/secret`, OWN_FORM, body));
    const shown = answers.map(({ text }) => secretOf(text));
    expect([shown[0] === shown[1], shown[0] === secret, shown[0]?.startsWith('whsec_')]).toEqual([true, false, true]);
    const previous = await rows(
      app.database.em.fork(),
      sql`select previous_salt = id as "isFirst" from webhooks where id = ${ownedUuidOf(id).id}`,
    );
    expect(previous).toEqual([{ isFirst: true }]);
    const page = await see(dan, path);
    expect([page.text.includes('also signed with'), secretOf(page.html)]).toEqual([true, '']);
    expect((await see(dan, `${path}/secret`)).text).toContain(
      'The secret before the old one stops working immediately.',
    );
    // Once there is another secret, the old form shows none.
    await dan.mutate('webhookSecretRotate', { webhookId: id }, 'secret');
    const late = await dan.request(`${path}/secret`, OWN_FORM, body);
    expect([late.status, late.headers.get('location'), secretOf(late.text)]).toEqual([303, path, '']);
  });

  test('deletes it after a question', async () => {
    const { path, url } = await added();
    expect(shownPage(await dan.submit(await see(dan, `${path}/delete`), {})).text).toContain('The webhook is deleted.');
    expect((await stored()).map((one) => one.url)).not.toContain(url);
    expect((await dan.request(path)).status).toBe(404);
  });

  test("is not there for somebody else's, an unknown one and a text that is no id", async () => {
    const { id, path, url } = await added();
    const before = await storedAt(url);
    for (const foreign of [path, `${path}/delete`, `${path}/secret`, `${path}x`, `${PATH}/nothing`]) {
      const { status, text } = await ada.request(foreign);
      expect([foreign, status, text.includes('Webhook not found')]).toEqual([foreign, 404, true]);
    }
    const [page, rotate, remove] = [
      await see(dan, path),
      await see(dan, `${path}/secret`),
      await see(dan, `${path}/delete`),
    ];
    const forms = [page, rotate, remove]
      .flatMap(({ html }) => formsOf(html))
      .filter(({ action }) => action.includes(id));
    expect(forms).toHaveLength(5);
    for (const { action, fields } of forms) {
      // With the token of her own browser, so that nothing but the owner is in the way.
      const own = formsOf((await see(ada, PATH)).html)[0]?.fields['csrf'] ?? '';
      const { status } = await ada.request(action, OWN_FORM, new URLSearchParams({ ...fields, csrf: own }).toString());
      expect([action, status]).toEqual([action, 404]);
    }
    expect(await storedAt(url)).toEqual(before);
  });
});

describe('one that an app has set', () => {
  test('says so, stays its own while other things change, and gets a new secret with another address', async () => {
    const { id, path, url, secret } = await added();
    await changed(
      app.database.em.fork(),
      sql`update webhooks set client_id = 'demo-app' where id = ${ownedUuidOf(id).id}`,
    );
    const page = await see(dan, path);
    expect(page.text).toMatch(/The app .* set this up/);
    expect((await send(page, 'url', {}, ['MEETING_ENDED'])).status).toBe(303);
    expect((await see(dan, path)).text).toMatch(/The app .* set this up/);
    const moved = await send(await see(dan, path), 'url', { url: `${url}/mine` }, ['MEETING_ENDED']);
    expect([moved.status, moved.text.includes('with a new secret')]).toEqual([200, true]);
    expect([secretOf(moved.text), secretOf(moved.text) === secret]).toEqual([expect.stringMatching(/^whsec_/), false]);
    expect((await see(dan, path)).text).not.toContain('set this up');
  });
});

describe('its messages', () => {
  test('are listed, newest first, page by page, with what came of each', async () => {
    const { id, path } = await added();
    const webhook = ownedUuidOf(id);
    await storeDeliveries(webhook, 21);
    const page = await see(dan, path);
    expect(page.text.match(/2 attempts Answered 503, after 12 ms/g)?.length).toBe(20);
    expect(page.text).not.toContain('Test:');
    expect(page.text).toContain('No answer: The connection was broken off, after 34 ms');
    const more = linksOf(page).find((link) => link.includes('before='));
    const older = await see(dan, more ?? '');
    expect(older.text.match(/2 attempts Answered 503/g)?.length).toBe(1);
    expect([page.text, older.text].map((text) => text.includes('2026-12-01 08:00 UTC'))).toEqual([false, true]);
    expect((await dan.request(`${path}?before=nonsense`)).status).toBe(422);
  });

  test('are sent again once, however often the form is sent; one that waits still is not', async () => {
    const { id, path, url } = await added();
    await storeDeliveries(ownedUuidOf(id), 1);
    const page = await see(dan, path);
    const body = formOf(page, 'retry');
    for (let index = 0; index < 2; index += 1) {
      expect((await dan.request(`${path}/retry`, OWN_FORM, body)).headers.get('location')).toBe(`${path}?done=retry`);
    }
    expect((await storedAt(url)).deliveries.nodes).toMatchObject([{ status: 'PENDING' }]);
    expect(formsOf((await see(dan, path)).html).filter(({ action }) => action.endsWith('/retry'))).toEqual([]);
    // As from a page of before.
    const late = new URLSearchParams(body);
    late.set('idempotencyKey', 'a'.repeat(22));
    const refused = await dan.request(`${path}/retry`, OWN_FORM, late.toString());
    expect([refused.status, refused.text.includes('still on its way')]).toEqual([422, true]);
    const other = await added();
    late.set('delivery', other.id);
    expect((await dan.request(`${path}/retry`, OWN_FORM, late.toString())).status).toBe(404);
  });

  test('begin with a test, of which a double click sends one', async () => {
    const { path, url } = await added();
    const page = await see(dan, path);
    const body = formOf(page, 'test');
    const answers = await Promise.all([0, 1].map(() => dan.request(`${path}/test`, OWN_FORM, body)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await storedAt(url)).deliveries.nodes).toMatchObject([{ status: 'PENDING' }]);
    expect((await see(dan, path)).text).toMatch(/Test: A booking [a-z ]+ On its way/);
    const nothing = new URLSearchParams(body);
    nothing.set('trigger', 'ROUTING_FORM_SUBMITTED');
    expect((await dan.request(`${path}/test`, OWN_FORM, nothing.toString())).status).toBe(422);
    await dan.mutate('webhookUpdate', { webhookId: (await storedAt(url)).id, isActive: false }, 'webhookId');
    const paused = shownPage(await dan.submit(page, { trigger: 'BOOKING_CREATED' }));
    expect([paused.status, paused.text.includes('is not active')]).toEqual([422, true]);
    expect((await storedAt(url)).deliveries.nodes).toHaveLength(1);
  });

  test('are counted once of those that may be asked for in an hour, however often a form is sent', async () => {
    const { path, url } = await added();
    const page = await see(dan, path);
    expect(page.html).toMatch(/<form [^>]*\/test" [^>]*data-once>/);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const send = () => dan.request(`${path}/test`, OWN_FORM, formOf(page, 'test'));
    expect((await send()).status).toBe(303);
    const again = await Promise.all(Array.from({ length: REQUESTED_DELIVERIES.guesses }, send));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([303]));
    expect((await storedAt(url)).deliveries.nodes).toHaveLength(1);
    expect((await press(path, 'test')).text).toContain('The test is on its way.');
    expect((await storedAt(url)).deliveries.nodes).toHaveLength(2);
  });
});

/** Opens the page of a webhook, and sends the form of an action. @returns where that leads */
async function press(path: string, action: string): Promise<ShownPage> {
  const { headers } = await dan.request(`${path}/${action}`, OWN_FORM, formOf(await see(dan, path), action));
  return see(dan, headers.get('location') ?? '');
}

/** Messages that were given up, after two attempts each; the first is of another minute. */
async function storeDeliveries({ ownerId, id }: { ownerId: string; id: string }, many: number): Promise<void> {
  const attempts = [
    { endedAt: '2026-12-01T09:00:10Z', error: 'The connection was broken off.', latencyInMs: 34 },
    { endedAt: '2026-12-01T09:01:10Z', status: 503, latencyInMs: 12 },
  ];
  for (let index = 0; index < many; index += 1) {
    const delivery = { ownerId, id: newId() };
    await rows(
      app.database.em.fork(),
      sql`insert into webhook_deliveries (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, created_at)
        values (${ownerId}::uuid, ${delivery.id}::uuid, ${id}::uuid, ${newId()}::uuid, 'BOOKING_CREATED', ${aPayload(delivery).replace('"test":true,', '')}::text,
          'FAILED', ${JSON.stringify(attempts)}::jsonb, ${index === 0 ? '2026-12-01T08:00:00Z' : '2026-12-01T10:00:00Z'})`,
    );
  }
}
