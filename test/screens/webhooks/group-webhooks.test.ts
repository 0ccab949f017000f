/** The webhooks of teams' event types and of organizations, as pages for their administrators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { changed, row, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fieldOf, linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { NEW_ID } from '../../support/ids.ts';
import { OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
/**
 * The demo's users: Ada owns the organization, Bob administers its team, Cyd is a member of both, Dan belongs to
 * neither.
 */
let [ada, bob, cyd, dan]: TestBrowser[] = [];
let team: string;
let organization: string;
let eventTypeId: string;
beforeAll(async () => {
  app = await startTestApp();
  const emails = ['ada@acme.test', 'bob@acme.test', 'cyd@acme.test', 'dan@solo.test'];
  [ada, bob, cyd, dan] = await Promise.all(emails.map((email) => TestBrowser.signedIn(app.url, email)));
  const found = await row(
    app.database.em.fork(),
    sql<{ id: string; roof: string }>`select id, organization_id as roof from teams where slug = 'sales'`,
  );
  [team, organization] = [publicId('team', found?.id ?? ''), publicId('organization', found?.roof ?? '')];
  const talk = {
    teamId: team,
    slug: 'hooked',
    title: 'Hooked talk',
    durationInMinutes: 30,
    schedulingType: 'COLLECTIVE',
  };
  ({ eventTypeId } = await browser(bob).mutate<{ eventTypeId: string }>('teamEventTypeCreate', talk, 'eventTypeId'));
});
afterAll(() => app.close());

function browser(one: TestBrowser | undefined): TestBrowser {
  if (!one) throw new Error('Nobody is signed in.');
  return one;
}

const ofTeam = () => `/settings/teams/${team}/webhooks`;
const ofOrganization = () => `/settings/teams/${organization}/webhooks`;

/** Sends the form for a new one, with one box ticked. */
async function add(
  who: TestBrowser | undefined,
  path: string,
  values: Record<string, string>,
  trigger = 'BOOKING_CREATED',
) {
  const form = formsOf((await see(browser(who), path)).html).find(({ controls }) => controls.includes('url'));
  const { triggers: _before, ...fields } = form?.fields ?? {};
  const body = new URLSearchParams({ ...fields, ...values, triggers: trigger }).toString();
  return { body, ...(await browser(who).request(path, OWN_FORM, body)) };
}

/** The page of the webhook at an address, from the list. */
async function pageOf(who: TestBrowser | undefined, list: string, url: string): Promise<ShownPage> {
  const { html } = await see(browser(who), list);
  const [, path = ''] = new RegExp(`<a href="([^"]+)"><bdi>${url}<`).exec(html) ?? [];
  return see(browser(who), path);
}

/** Her role in the organization. */
function changeAda(role: string): Promise<number> {
  const she = sql`(select id from users where email = 'ada@acme.test')`;
  return changed(
    app.database.em.fork(),
    sql`update organization_memberships set role = ${role} where user_id = ${she}`,
  );
}

/** The titles in the list to choose from. */
function titles({ html }: ShownPage): readonly (string | undefined)[] {
  return [...html.matchAll(/<option[^>]*>Bookings of ([^<]*)</g)].map(([, title]) => title);
}

describe('of a team', () => {
  test('are about an event type, which has to be chosen; what was typed comes back', async () => {
    const url = 'https://hooks.example/none';
    const { status, text: html } = await add(bob, ofTeam(), { url });
    expect([status, mistakesOf({ html })]).toEqual([422, { eventTypeId: 'Choose an event type of the team.' }]);
    expect(html).toContain(`value="${url}"`);
  });

  test('are added once, tested, changed and deleted by its administrator', async () => {
    const url = 'https://hooks.example/team';
    const { status, text, body } = await add(bob, ofTeam(), { url, eventTypeId });
    expect([status, /whsec_/.test(text)]).toEqual([201, true]);
    expect((await browser(bob).request(ofTeam(), OWN_FORM, body)).status).toBe(201);
    expect((await see(browser(bob), ofTeam())).text.split(url)).toHaveLength(2);
    const page = await pageOf(bob, ofTeam(), url);
    expect(page.text).toContain('Bookings of Hooked talk');
    expect(linksOf(page)).toContain(ofTeam());
    expect(shownPage(await browser(bob).submit(page, { trigger: 'BOOKING_CREATED' })).text).toContain(
      'The test is on its way',
    );
    const changedTo = shownPage(await browser(bob).submit(page, { url: `${url}/2` }));
    expect([changedTo.text.includes('Saved.'), fieldOf(changedTo, 'url')]).toEqual([true, `${url}/2`]);
    const gone = shownPage(
      await browser(bob).submit(await see(browser(bob), `${changedTo.address.replace(/\?.*/, '')}/delete`), {}),
    );
    expect(gone.address).toBe(`${ofTeam()}?done=deleted`);
  });

  test('are not there for a member, nor for somebody outside, in the list and one by one', async () => {
    const url = 'https://hooks.example/kept';
    await add(bob, ofTeam(), { url, eventTypeId });
    const { address } = await pageOf(bob, ofTeam(), url);
    for (const who of [cyd, dan]) {
      const seen = await Promise.all(
        [ofTeam(), address, `${address}/secret`, `${address}/delete`].map((path) => see(browser(who), path)),
      );
      expect(seen.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      const sent = [ofTeam(), address, `${address}/secret`, `${address}/delete`, `${address}/pause`];
      const answers = await Promise.all(sent.map((path) => browser(who).request(path, OWN_FORM, 'csrf=any')));
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    }
    expect((await pageOf(bob, ofTeam(), url)).status).toBe(200);
    // An administrator of the organization passes for one of the team.
    expect((await see(browser(ada), address)).status).toBe(200);
    expect(linksOf(await see(browser(bob), `/settings/teams/${team}`))).toContain(ofTeam());
    expect(linksOf(await see(browser(cyd), `/settings/teams/${team}`))).not.toContain(ofTeam());
  });

  test('are not there in the language of the reader, though the page is English', async () => {
    await changed(app.database.em.fork(), sql`update users set locale = 'de' where email = 'dan@solo.test'`);
    const inGerman = await TestBrowser.signedIn(app.url, 'dan@solo.test');
    const { status, text, html } = await see(inGerman, ofTeam());
    expect([status, html.includes('<html lang="de">'), text.includes('not found')]).toEqual([404, true, false]);
  });

  test('are about no event type of others', async () => {
    const talk = { slug: 'own-talk', title: 'Own talk', durationInMinutes: 30 };
    const own = await browser(bob).mutate<{ eventTypeId: string }>('eventTypeCreate', talk, 'eventTypeId');
    const { status } = await add(bob, ofTeam(), { url: 'https://hooks.example/own', eventTypeId: own.eventTypeId });
    expect(status).toBe(404);
  });
});

describe('of an organization', () => {
  test('are told of routing forms too, and are there for its administrators alone', async () => {
    const url = 'https://hooks.example/organization';
    expect((await add(ada, ofOrganization(), { url }, 'ROUTING_FORM_SUBMITTED')).status).toBe(201);
    const page = await pageOf(ada, ofOrganization(), url);
    expect(page.text).toContain('Everything that happens to its members and teams');
    expect((await see(browser(ada), '/settings/webhooks')).text).not.toContain(url);
    // Also before an administrator who has never seen it.
    expect(page.text).toContain(
      'The secret is shown once: to whoever adds the webhook, makes it theirs or creates a new secret.',
    );
    for (const who of [bob, dan]) {
      expect((await see(browser(who), ofOrganization())).status).toBe(404);
      expect((await see(browser(who), page.address)).status).toBe(404);
    }
  });

  test('are not changed by a user who loses the right to while the page is open', async () => {
    const page = await pageOf(ada, ofOrganization(), 'https://hooks.example/organization');
    const form = formsOf(page.html).find(({ action }) => action.endsWith('/pause'));
    await changeAda('MEMBER');
    const refused = await browser(ada).request(
      form?.action ?? '',
      OWN_FORM,
      new URLSearchParams(form?.fields).toString(),
    );
    await changeAda('OWNER');
    expect(refused.status).toBe(404);
    expect((await see(browser(ada), page.address)).text).not.toContain('This webhook is off.');
  });
});

test('each event type can be chosen, though there are more than the list has', async () => {
  const em = app.database.em.fork();
  const { eventTypeId: first } = await browser(dan).mutate<{ eventTypeId: string }>(
    'eventTypeCreate',
    { slug: 'many-0', title: 'Many 0', durationInMinutes: 30 },
    'eventTypeId',
  );
  await changed(
    em,
    sql`insert into event_types select (jsonb_populate_record(e, jsonb_build_object('id', ${NEW_ID}, 'slug', 'many-' || n, 'title', 'Many ' || n))).*
        from event_types e, generate_series(1, 120) n where e.slug = 'many-0'`,
  );
  const page = await see(browser(dan), '/settings/webhooks');
  const next = linksOf(page).find((href) => href.includes('types=')) ?? '';
  const all = [...titles(page), ...titles(await see(browser(dan), next))];
  expect([titles(page).length, new Set(all).size]).toEqual([100, all.length]);
  expect(all).toEqual(expect.arrayContaining(['Many 0', 'Many 60', 'Many 120']));
  const ofFirst = await see(browser(dan), `${next}&about=${first}`);
  expect(/<option value="([^"]*)" selected/.exec(ofFirst.html)?.[1]).toBe(first);
  expect(linksOf(await see(browser(dan), `/settings/event-types/${first}`))).toContain(
    `/settings/webhooks?about=${first}`,
  );
});
