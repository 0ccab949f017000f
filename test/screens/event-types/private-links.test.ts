/** Private links to event types, as pages for their owners or their team's administrators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { row, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fieldOf, linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
/** The demo's users: Bob administers the team, Cyd is a member of it, Dan is not in it. */
let [bob, cyd, dan]: [TestBrowser, TestBrowser, TestBrowser] = [] as never;
let ids: { readonly own: string; readonly team: string; readonly managed: string };
beforeAll(async () => {
  app = await startTestApp();
  const signedIn = (email: string) => TestBrowser.signedIn(app.url, email);
  [bob, cyd, dan] = await Promise.all([
    signedIn('bob@acme.test'),
    signedIn('cyd@acme.test'),
    signedIn('dan@solo.test'),
  ]);
  const team = await row(app.database.em.fork(), sql<{ id: string }>`select id from teams where slug = 'sales'`);
  const talk = { slug: 'secret', title: 'Secret', durationInMinutes: 30, isHidden: true };
  const ofTeam = { ...talk, teamId: publicId('team', team?.id ?? '') };
  ids = {
    own: await made(dan, 'eventTypeCreate', talk),
    team: await made(bob, 'teamEventTypeCreate', ofTeam),
    managed: await made(bob, 'teamEventTypeCreate', {
      ...ofTeam,
      slug: 'managed',
      schedulingType: 'MANAGED',
      assignsAllMembers: false,
    }),
  };
});
afterAll(() => app.close());

async function made(who: TestBrowser, mutation: string, input: object): Promise<string> {
  return (await who.mutate<{ eventTypeId: string }>(mutation, input, 'eventTypeId')).eventTypeId;
}

const pathOf = (id: string) => `/settings/event-types/${id}/links`;

/** The paths of all links of a page. */
function addresses({ html }: ShownPage): readonly string[] {
  return [...html.matchAll(/>[^<]*(\/private-links\/\w[\w-]+)</g)].map(([, path = '']) => path);
}

/** As what each is shown. */
function facts({ html }: ShownPage): readonly string[] {
  return [...html.matchAll(/<p class="facts"><span>([^<]*)</g)].map(([, text = '']) => text);
}

const add = async (who: TestBrowser, id: string, values: Readonly<Record<string, string>>): Promise<ShownPage> =>
  shownPage(await who.submit(await see(who, pathOf(id)), { maxUsageCount: '', expiresAt: '', ...values }));

describe.each([
  ['a user', 'own', () => dan],
  ['a team', 'team', () => bob],
] as const)('of %s', (_whose, kind, who) => {
  test('are made, lead to what is hidden, and are ended', async () => {
    const once = await add(who(), ids[kind], {});
    expect([once.text.includes('Private link created'), facts(once)]).toEqual([true, ['0 of 1 booking']]);
    const [address = ''] = addresses(once);
    expect((await cyd.request(address)).text).toContain('Secret');
    const more = await add(who(), ids[kind], { maxUsageCount: '3', expiresAt: '7' });
    expect(facts(more)).toEqual(['0 of 1 booking', '0 of 3 bookings']);
    const unlimited = await add(who(), ids[kind], { expiresAt: '7' });
    expect(facts(unlimited)).toEqual(['0 of 1 booking', '0 of 3 bookings', '0 bookings so far']);
    expect(unlimited.text).toContain('until');
    const [first] = formsOf(unlimited.html).filter(({ action }) => action.endsWith('/end'));
    const body = new URLSearchParams(first?.fields).toString();
    const ended = await who().request(first?.action ?? '', OWN_FORM, body);
    expect([ended.status, (await cyd.request(address)).status]).toEqual([303, 404]);
    expect(facts(await see(who(), pathOf(ids[kind])))).toEqual(['0 of 3 bookings', '0 bookings so far']);
    expect(linksOf(await see(who(), `/settings/event-types/${ids[kind]}`))).toContain(pathOf(ids[kind]));
  });

  test.each([
    ['no number of bookings', { maxUsageCount: 'some' }, 'maxUsageCount'],
    ['more bookings than can be', { maxUsageCount: '100001' }, 'maxUsageCount'],
    ['none', { maxUsageCount: '0' }, 'maxUsageCount'],
    ['no number of days', { expiresAt: 'soon' }, 'expiresAt'],
    ['more days than can be', { expiresAt: '366' }, 'expiresAt'],
  ])('are not made with %s, which is said at its field', async (_what, values, wrong) => {
    const before = facts(await see(who(), pathOf(ids[kind])));
    const refused = await add(who(), ids[kind], values);
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, [wrong]]);
    expect(fieldOf(refused, wrong)).toBe(Object.values(values)[0]);
    expect(facts(refused)).toEqual(before);
  });
});

test('are not there for members, strangers and other users, who can neither make nor end one', async () => {
  const page = await add(bob, ids.team, {});
  const forms = formsOf(page.html).filter(({ action }) => action.includes('/links'));
  const own = await add(dan, ids.own, {});
  const asked: readonly [TestBrowser, string, ShownPage][] = [
    [cyd, ids.team, page],
    [dan, ids.team, page],
    [bob, ids.own, own],
  ];
  for (const [who, id, seen] of asked) {
    expect((await see(who, pathOf(id))).status).toBe(404);
    for (const { action, fields } of formsOf(seen.html).filter((one) => one.action.includes('/links')))
      expect((await who.request(action, OWN_FORM, new URLSearchParams(fields).toString())).status).toBe(404);
  }
  expect(facts(await see(bob, pathOf(ids.team)))).toEqual(facts(page));
  // Nor by a page of one's own that names a link of somebody else's.
  const end = formsOf(own.html).find(({ action }) => action.endsWith('/end'));
  const link = forms.find(({ action }) => action.endsWith('/end'))?.fields['link'] ?? '';
  const body = new URLSearchParams({ ...end?.fields, link }).toString();
  expect((await dan.request(end?.action ?? '', OWN_FORM, body)).status).toBe(404);
  expect(facts(await see(bob, pathOf(ids.team)))).toEqual(facts(page));
});

test('a managed event type has no private links, and none is made', async () => {
  const page = await see(bob, pathOf(ids.managed));
  expect([page.status, page.text.includes('People book the hosts’ copies')]).toEqual([200, true]);
  expect(formsOf(page.html).some(({ action }) => action.endsWith('/links'))).toBe(false);
  const form = formsOf((await see(bob, pathOf(ids.team))).html).find(({ action }) => action.endsWith('/links'));
  const refused = await bob.request(pathOf(ids.managed), OWN_FORM, new URLSearchParams(form?.fields).toString());
  expect(refused.status).toBe(422);
  expect(linksOf(await see(bob, `/settings/event-types/${ids.managed}`))).not.toContain(pathOf(ids.managed));
});
