import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { mistakesOf, see } from '../../support/booking-visitor.ts';
import { ownedUuidOf, unknownId } from '../../support/ids.ts';
import { FORM } from '../../support/routing-forms.ts';
import { type ShownPage, type Stop, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
let ada: TestBrowser;
let teamId: string;
let visitor: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  visitor = new TestBrowser(app.url);
  const found = await row(app.database.em.fork(), sql<{ id: string }>`select id from teams where slug = 'sales'`);
  teamId = publicId('team', found?.id ?? '');
});
afterAll(() => app.close());

async function newForm(more: object = {}): Promise<string> {
  const input = { teamId, ...FORM, ...more };
  return (await ada.mutate<{ routingFormId: string }>('routingFormCreate', input, 'routingFormId')).routingFormId;
}

const send = async (id: string, fields: Record<string, string>): Promise<Stop> =>
  visitor.submit(await see(visitor, `/forms/${id}`), fields);
const countOf = async (id: string): Promise<number> =>
  (await rows(app.database.em.fork(), sql`select id from routing_form_responses where form_id = ${ownedUuidOf(id).id}`))
    .length;

describe('the page of a routing form', () => {
  test('asks, and tells a message', async () => {
    const id = await newForm({ description: 'A few questions.' });
    const page = await see(visitor, `/forms/${id}`);
    expect(page.text).toContain('A few questions.');
    expect(page.text).toContain('Sales, Acme');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const told = shownPage(await visitor.submit(page, { 'response-company': 'ACME', 'response-size': '101' }));
    expect(told.text).toContain('We will call you.');
    expect(await countOf(id)).toBe(1);
  });

  test('stores a form that is sent twice once', async () => {
    const id = await newForm();
    const page = await see(visitor, `/forms/${id}`);
    for (let time = 0; time < 2; time += 1) {
      const told: ShownPage = shownPage(await visitor.submit(page, { 'response-company': 'ACME' }));
      expect(told.text).toContain('Thank you.');
    }
    expect(await countOf(id)).toBe(1);
  });

  test('says what is wrong, by the field, and keeps what was typed', async () => {
    const id = await newForm();
    const answer = await send(id, { 'response-email': 'nobody', 'response-size': 'many' });
    expect(answer.status).toBe(422);
    const page = shownPage(answer);
    expect(Object.keys(mistakesOf(page)).toSorted()).toEqual(['response-company', 'response-email', 'response-size']);
    expect(page.text).toContain('nobody');
    expect(await countOf(id)).toBe(0);
  });

  test('leads to an address elsewhere', async () => {
    const answer = await send(await newForm(), { 'response-company': 'A shop' });
    expect(answer).toMatchObject({ kind: 'AWAY', status: 303, location: 'https://prices.example/' });
  });

  test('leads to the booking page of an event type, with name and address', async () => {
    const type = { teamId, slug: 'routed', title: 'Routed', durationInMinutes: 30 };
    const { eventTypeId } = await ada.mutate<{ eventTypeId: string }>('teamEventTypeCreate', type, 'eventTypeId');
    const fields = [
      { slug: 'name', type: 'TEXT', label: 'Name' },
      { slug: 'email', type: 'EMAIL', label: 'E-mail' },
    ];
    const id = await newForm({ fields, routes: [], fallback: { eventTypeId } });
    const answer = await send(id, { 'response-name': 'Grace', 'response-email': 'grace@example.test' });
    const page = shownPage(answer);
    expect(page.address).toBe('/book/organization/acme/sales/routed?name=Grace&email=grace%40example.test');
    expect(page.text).toContain('Routed');
  });

  test('shows markup as text', async () => {
    const markup = '<script>alert(1)</script>';
    const fields = [{ slug: 'company', type: 'SELECT', label: markup, options: [markup], placeholder: markup }];
    const texts = { name: markup, description: markup, fields, routes: [], fallback: { message: markup } };
    const id = await newForm(texts);
    const page = await see(visitor, `/forms/${id}`);
    const told = shownPage(await visitor.submit(page, { 'response-company': markup }));
    for (const { html } of [page, told]) {
      expect(html).not.toContain(markup);
      expect(html).toContain('&lt;script&gt;');
    }
  });

  test('is not there for a form that is not active, or never was', async () => {
    const id = await newForm({ isActive: false });
    for (const named of [id, unknownId('routingForm'), 'nothing']) {
      expect((await visitor.open(`/forms/${named}`)).status).toBe(404);
    }
  });
});
