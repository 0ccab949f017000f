/** A team's event types, as pages for its administrators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { changed, row, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fieldOf, linksOf, mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

let app: TestApp;
/**
 * The demo's users: Ada owns the organization, Bob administers its team, Cyd is a member of both, Dan belongs to
 * neither.
 */
let [ada, bob, cyd, dan]: [TestBrowser, TestBrowser, TestBrowser, TestBrowser] = [] as never;
let team: string;
beforeAll(async () => {
  app = await startTestApp();
  const signedIn = (email: string) => TestBrowser.signedIn(app.url, email);
  [ada, bob, cyd, dan] = await Promise.all([
    signedIn('ada@acme.test'),
    signedIn('bob@acme.test'),
    signedIn('cyd@acme.test'),
    signedIn('dan@solo.test'),
  ]);
  const found = await row(app.database.em.fork(), sql<{ id: string }>`select id from teams where slug = 'sales'`);
  team = publicId('team', found?.id ?? '');
});
afterAll(() => app.close());

interface Stored {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly schedulingType: string;
  readonly assignsAllMembers: boolean;
  readonly isHidden: boolean;
  readonly bookingUrl: string | null;
  readonly embedOrigins: readonly string[];
}

const list = () => `/settings/teams/${team}/event-types`;

/** The team's event types, as its administrators see them by the API. */
async function stored(): Promise<readonly Stored[]> {
  const fields = 'id title slug schedulingType assignsAllMembers isHidden bookingUrl embedOrigins';
  const document = `query ($team: ID!) { team(id: $team) { eventTypes(first: 100) { nodes { ${fields} } } } }`;
  const answer = await bob.ask<{ team: { eventTypes: { nodes: Stored[] } } }>(document, { team });
  return answer.team.eventTypes.nodes;
}

async function added(who: TestBrowser, values: Readonly<Record<string, string>>): Promise<ShownPage> {
  return shownPage(await who.submit(await see(who, list()), values));
}

/** The page of a new one, which is booked with one of its members in turn. */
async function opened(title: string, values: Readonly<Record<string, string>> = {}, by = bob): Promise<ShownPage> {
  const page = await added(by, { title, ...values });
  expect(page.text).toContain('Event type added.');
  return page;
}

const pathOf = ({ address }: ShownPage): string => address.replace(/\?.*/, '');

async function titled(title: string): Promise<Stored | undefined> {
  return (await stored()).find((one) => one.title === title);
}

/** Gives Bob another role in the team. */
function changeBob(role: string, accepted = true): Promise<number> {
  return changed(
    app.database.em.fork(),
    sql`update team_memberships set role = ${role}, accepted = ${accepted}
        where user_id = (select id from users where email = 'bob@acme.test') and team_id = (select id from teams where slug = 'sales')`,
  );
}

describe('the list', () => {
  test.each(['ROUND_ROBIN', 'COLLECTIVE', 'MANAGED'])(
    'takes one that is %s, of all members',
    async (schedulingType) => {
      const title = `Of ${schedulingType.toLowerCase()}`;
      await opened(title, { schedulingType, durationInMinutes: '45' }, ada);
      const made = await titled(title);
      expect(made).toMatchObject({ schedulingType, assignsAllMembers: true });
      const links = linksOf(await see(bob, list()));
      expect(links).toContain(`/settings/event-types/${made?.id}`);
      // The hosts' own copies are booked nowhere else.
      expect(links.some((href) => href.endsWith(`/${made?.slug}`))).toBe(schedulingType !== 'MANAGED');
    },
  );

  test.each([
    ['no title', { title: '' }, ['title']],
    ['no kind', { title: 'Kind', schedulingType: 'SOMEHOW' }, ['schedulingType']],
    ['an address that is taken', { title: 'Taken', slug: 'of-collective' }, ['slug']],
  ])('refuses %s, keeps what was typed and adds nothing', async (_what, values, fields) => {
    const before = await stored();
    const refused = await added(bob, { durationInMinutes: '25', ...values });
    expect([refused.status >= 400, Object.keys(mistakesOf(refused)).toSorted()]).toEqual([true, fields]);
    expect(refused.html).toContain('value="25"');
    expect(await stored()).toEqual(before);
  });

  test('refuses a managed event type with all members to an administrator who does not manage one of them, and then takes it with chosen members', async () => {
    const values = { title: 'For each of some', schedulingType: 'MANAGED' };
    const page = await see(bob, list());
    const refused = shownPage(await bob.submit(page, values));
    expect([refused.status, mistakesOf(refused)['schedulingType']]).toEqual([
      422,
      expect.stringContaining('Leave “All members” unticked'),
    ]);
    expect(await titled('For each of some')).toBeUndefined();
    const form = formsOf(refused.html).find(({ controls }) => controls.includes('schedulingType'));
    const { assignsAllMembers: _all, ...fields } = form?.fields ?? {};
    const { status } = await bob.request(list(), OWN_FORM, new URLSearchParams({ ...fields, ...values }).toString());
    expect([status, await titled('For each of some')]).toMatchObject([303, { assignsAllMembers: false }]);
  });

  test('is the user’s own when they open their own, and has nothing of the team', async () => {
    await opened('Of the team alone');
    expect((await see(bob, '/settings/event-types')).text).not.toContain('Of the team alone');
    expect((await see(bob, list())).text).toContain('Of the team alone');
  });

  test('does not exist for an organization', async () => {
    const { me } = await ada.ask<{ me: { organizations: { nodes: { id: string }[] } } }>(
      '{ me { organizations { nodes { id } } } }',
    );
    expect((await see(ada, `/settings/teams/${me.organizations.nodes[0]?.id}/event-types`)).status).toBe(404);
  });
});

describe('the page of one', () => {
  test('saves what the form says, on the booking page as well', async () => {
    const page = await opened('Advice');
    const values = { title: 'Good advice', embedOrigins: 'https://www.example.com' };
    const saved = shownPage(await bob.submit(page, values));
    expect(saved.text).toContain('Saved.');
    const made = await titled('Good advice');
    expect(made).toMatchObject({ isHidden: false, embedOrigins: ['https://www.example.com'] });
    expect(page.text).toContain(made?.bookingUrl);
    const booked = () => dan.request(new URL(made?.bookingUrl ?? '').pathname);
    expect((await booked()).text).toContain('Good advice');
    expect(shownPage(await bob.submit(saved, { isHidden: 'on' })).text).toContain('Saved.');
    expect([(await booked()).status, (await titled('Good advice'))?.isHidden]).toEqual([404, true]);
  });

  test('has the hours of its hosts, the apps and webhooks of the team, and no schedule to choose', async () => {
    const page = await opened('Of the hosts');
    expect(page.text).toContain('Schedules of its hosts');
    expect(fieldOf(page, 'scheduleId')).toBeUndefined();
    const about = pathOf(page).split('/').at(-1);
    expect(linksOf(page)).toEqual(
      expect.arrayContaining([
        list(),
        `/settings/teams/${team}/conferencing`,
        `/settings/teams/${team}/webhooks?about=${about}`,
      ]),
    );
    const before = await titled('Of the hosts');
    const refused = await bob.request(
      pathOf(page),
      OWN_FORM,
      new URLSearchParams({ ...formsOf(page.html)[0]?.fields, scheduleId: 'sch_any' }).toString(),
    );
    expect([refused.status, await titled('Of the hosts')]).toEqual([422, before]);
  });

  test('of a managed one says that people book those of its hosts, which go with it', async () => {
    const page = await opened('For each', { schedulingType: 'MANAGED' }, ada);
    expect(page.text).toContain('People book the copies.');
    expect(page.text).not.toContain('<iframe');
    const ownOfHost = await see(cyd, '/settings/event-types');
    expect(ownOfHost.text).toContain('For each');
    const question = await see(ada, `${pathOf(page)}/delete`);
    expect(question.text).toContain('The hosts’ copies are deleted as well');
    expect(shownPage(await ada.submit(question, {})).address).toBe(`${list()}?done=deleted`);
    expect((await see(cyd, ownOfHost.address)).text).not.toContain('For each');
  });
});

describe('a user who does not administer the team', () => {
  test('finds nothing: not the list, not one, and neither can they add, change or delete', async () => {
    const page = await opened('For some');
    const path = pathOf(page);
    const sent = new URLSearchParams({ ...formsOf(page.html)[0]?.fields, title: 'Taken over' }).toString();
    for (const who of [cyd, dan]) {
      const seen = await Promise.all([list(), path, `${path}/delete`].map((address) => see(who, address)));
      const answers = await Promise.all(
        [list(), path, `${path}/delete`].map((address) => who.request(address, OWN_FORM, sent)),
      );
      expect([...seen, ...answers].map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
      expect(linksOf(await see(who, `/settings/teams/${team}`))).not.toContain(list());
    }
    expect(await titled('For some')).toBeDefined();
    // The administrator of the team, and by the organization its owner, do find it.
    for (const who of [bob, ada]) {
      expect((await see(who, path)).status).toBe(200);
      expect(linksOf(await see(who, `/settings/teams/${team}`))).toContain(list());
    }
    expect(shownPage(await ada.submit(await see(ada, path), { title: 'By the owner' })).text).toContain('Saved.');
  });

  test.each([
    ['a member', 'MEMBER', true],
    ['in it no more', 'ADMIN', false],
  ])('any more, being %s while a form is open, changes nothing by it', async (what, role, accepted) => {
    const [page, empty] = [await opened(`Open for ${what}`), await see(bob, list())];
    const before = await stored();
    await changeBob(role, accepted);
    const refused = await Promise.all([bob.submit(page, { title: 'Never' }), bob.submit(empty, { title: 'Never' })]);
    await changeBob('ADMIN');
    expect(refused.map((answer) => shownPage(answer).status)).toEqual([404, 404]);
    expect(await stored()).toEqual(before);
    expect(shownPage(await bob.submit(page, { title: `Saved for ${what}` })).text).toContain('Saved.');
  });
});
