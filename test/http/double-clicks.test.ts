/** A form that is sent twice, at the same moment or one after the other, does what it does once, and says each time that it is done. */
import { expect, test } from 'vitest';
import { changed, row, rows, sql } from '../../src/database/sql.ts';
import { formsOf, type HtmlForm } from '../support/html-form.ts';
import { idOfUid, ownedUuidOf } from '../support/ids.ts';
import { APP } from '../support/oauth-requests.ts';
import { OWN_FORM, TestBrowser } from '../support/test-browser.ts';
import { openedWorld } from './every-form-value/opened-world.ts';
import { filledIn, PAGES, type Stand } from './every-form-value/pages-with-forms.ts';

const here = openedWorld();

async function formTo({ browser, path }: Stand, ending: string): Promise<HtmlForm> {
  const { text } = await browser.request(path);
  const form = formsOf(text).find(({ action }) => action.endsWith(ending));
  if (!form) throw new Error(`No form to ${ending} is on ${path}.`);
  return form;
}

async function sent(browser: TestBrowser, form: HtmlForm, values: object = {}) {
  const body = new URLSearchParams({ ...filledIn(form), ...values }).toString();
  return browser.request(form.action, OWN_FORM, body);
}

const SIGN_UP = { username: 'pressed-twice', email: 'pressed-twice@example.test' };

/** Twice at once, and once more. */
async function sentThrice(browser: TestBrowser, form: HtmlForm, values: object = {}) {
  const both = await Promise.all([sent(browser, form, values), sent(browser, form, values)]);
  return [...both, await sent(browser, form, values)];
}

const countOf = (from: string) => async (): Promise<number> => {
  const counted = sql<{ count: number }>`select count(*)::int as count from ${sql.raw(from)}`;
  return (await row(here.app.database.em.fork(), counted))?.count ?? 0;
};

/** Each form, and of what it makes one more, or one less. */
const CASES: readonly (readonly [page: string, ending: string, counted: string, by: 1 | -1])[] = [
  ['absences', '/settings/absences', 'out_of_office', 1],
  ['absences', '/settings/absences', "domain_events where type = 'OUT_OF_OFFICE_CREATED'", 1],
  ['absences', '/absences/remove', 'out_of_office', -1],
  ['event types', '/settings/event-types', 'event_types', 1],
  ['private links', '/links', 'private_links', 1],
  ['private links', '/links/end', 'private_links', -1],
  ['event types of a team', '/event-types', 'event_types', 1],
  ['account', '/account/email', "audit_events where type = 'USER_EMAIL_CHANGE_REQUESTED'", 1],
  ['account', '/account/password', "audit_events where type = 'USER_PASSWORD_CHANGED'", 1],
  ['webhooks', '/settings/webhooks', 'webhooks', 1],
];

/** The further fields of these forms. */
const VALUES = { title: 'Talk', durationInMinutes: '30', url: 'https://hooks.example/new' };

test.each(CASES)('%s: %s, of %s', async (name, ending, counted, by) => {
  const { browser, path } = await here.standAt(name);
  const form = await formTo({ browser, path }, ending);
  const count = countOf(counted);
  const before = await count();
  const answers = await sentThrice(browser, form, VALUES);
  expect(await count()).toBe(before + by);
  const told = answers.map(({ status, headers }) => `${status} ${headers.get('location')}`);
  expect([...new Set(told)]).toEqual([expect.stringMatching(/^(303 \/|201 null)/)]);
});

test.each(Object.keys(PAGES))(
  '%s: what was done is not said to have failed when its form comes again',
  async (name) => {
    const { browser, path } = await here.standAt(name);
    for (const form of formsOf((await browser.request(path)).text)) {
      const answers = await sentThrice(browser, form, name === 'sign up' ? SIGN_UP : {});
      const wereDone = new Set(answers.map(({ status }) => status < 400));
      expect([form.action, wereDone.size]).toEqual([form.action, 1]);
    }
  },
);

test('of a form that was carried out, no more is kept than an id, a path or a salt', async () => {
  const kept = await rows(here.app.database.em.fork(), sql<{ result: unknown }>`select result from idempotency_keys`);
  expect(kept.length).toBeGreaterThan(10);
  const texts = kept.map(({ result }) => JSON.stringify(result));
  expect(texts.filter((text) => text.length > 100 || text.includes('@'))).toEqual([]);
});

test('a webhook that is taken over from an app shows its new secret however often its form is sent', async () => {
  const { browser, path } = await here.world.ownWebhook('');
  const { id } = ownedUuidOf(path.split('/').at(-1) ?? '');
  await changed(here.app.database.em.fork(), sql`update webhooks set client_id = ${APP.client_id} where id = ${id}`);
  const form = await formTo({ browser, path }, path);
  const values = { url: 'https://hooks.example/mine', triggers: 'BOOKING_CREATED' };
  const secrets = (await sentThrice(browser, form, values)).map(({ text }) => /whsec_[\w+/]{43}=/.exec(text)?.[0]);
  expect([new Set(secrets).size, secrets[0]]).toEqual([1, expect.stringMatching(/^whsec_/)]);
  // Once it has another one, that is the end of it.
  await changed(here.app.database.em.fork(), sql`update webhooks set secret_salt = gen_random_uuid() where id = ${id}`);
  const late = await sent(browser, form, values);
  expect([late.status, late.headers.get('location')]).toEqual([303, path]);
});

test('a booking that is handed over is handed over once, and its host of before is sent to the list', async () => {
  const document = `{ me { teams { nodes { eventTypes { nodes { id slug } } } } } }`;
  type Teams = { me: { teams: { nodes: { eventTypes: { nodes: { id: string; slug: string }[] } }[] } } };
  const { me } = await here.world.ada.ask<Teams>(document);
  const eventTypeId = me.teams.nodes
    .flatMap(({ eventTypes }) => eventTypes.nodes)
    .find(({ slug }) => slug === 'demo')?.id;
  // Behind the demo's own bookings, whose hours depend on when the demo was made.
  const from = Temporal.Now.instant().add({ hours: 24 * 8 });
  const { slots } = await here.world.ada.ask<{ slots: { start: string }[] }>(
    'query ($id: ID!, $start: DateTime!, $end: DateTime!) { slots(eventType: { id: $id }, start: $start, end: $end) { start } }',
    { id: eventTypeId, start: from.toString(), end: from.add({ hours: 24 * 14 }).toString() },
  );
  const attendee = { name: 'Grace', email: 'grace@mail.test', timeZone: 'UTC' };
  // At an hour at which another host works, too, whatever the time is now.
  const start = slots.find((slot) => slot.start.includes('T14:'))?.start;
  const input = { eventTypeId, start, attendee };
  const { booking } = await here.world.ada.mutate<{ booking: { uid: string; hosts: { user: { name: string } }[] } }>(
    'bookingCreate',
    input,
    'booking { uid hosts { user { name } } }',
  );
  const email = `${booking.hosts[0]?.user.name.split(' ')[0]?.toLowerCase()}@acme.test`;
  const host = await TestBrowser.signedIn(here.app.url, email);
  const path = `/bookings/${idOfUid(booking.uid)}/host`;
  const form = await formTo({ browser: host, path }, '/reassign');
  const answers = await sentThrice(host, form);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  // A stranger, who has not handed it over, learns nothing of it.
  const stranger = await sent(here.world.dan, form);
  expect(stranger.status).toBe(404);
});
