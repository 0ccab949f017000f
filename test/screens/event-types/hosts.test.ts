/** The hosts of a team's event type, as a page for the team's administrators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { changed, rows, sql } from '../../../src/database/sql.ts';
import { anAccount } from '../../modules/accounts/an-account.ts';
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
let [ada, bob, cyd, dan]: [TestBrowser, TestBrowser, TestBrowser, TestBrowser] = [] as never;
let ids: Readonly<Record<string, string>>;
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
  const found = await rows(
    app.database.em.fork(),
    sql<{
      username: string;
      id: string;
      team: string;
    }>`select u.username, u.id, t.id as team from users u, teams t where t.slug = 'sales'`,
  );
  ids = Object.fromEntries(found.map(({ username, id }) => [username, publicId('user', id)]));
  team = publicId('team', found[0]?.team ?? '');
});
afterAll(() => app.close());

let count = 0;

/** A new event type of the team's; without hosts, unless they are named. */
async function offered(fields: Record<string, unknown> = {}): Promise<string> {
  count += 1;
  const input = { teamId: team, slug: `hosted-${count}`, title: `Hosted ${count}`, durationInMinutes: 30 };
  const { eventTypeId } = await ada.mutate<{ eventTypeId: string }>(
    'teamEventTypeCreate',
    { ...input, assignsAllMembers: false, ...fields },
    'eventTypeId',
  );
  return eventTypeId;
}

const pathOf = (id: string) => `/settings/event-types/${id}/hosts`;
const field = (name: string, username: string) => `${name}-${ids[username]}`;

async function send(page: ShownPage, values: Readonly<Record<string, string>>, by = bob): Promise<ShownPage> {
  return shownPage(await by.submit(page, values));
}

/** The boxes to tick, one for each member of the page. */
function boxes({ html }: ShownPage): readonly string[] {
  return [...html.matchAll(/name="(host-[^"]+)"/g)].map(([, name = '']) => name);
}

interface Stored {
  readonly schedulingType: string;
  readonly assignsAllMembers: boolean;
  readonly hosts: readonly object[];
}

async function stored(id: string): Promise<Stored> {
  const document = `query ($team: ID!, $id: ID!) { team(id: $team) { eventType(id: $id) {
    schedulingType assignsAllMembers hosts { user { id } isMandatory priority weight } } } }`;
  return (await ada.ask<{ team: { eventType: Stored } }>(document, { team, id })).team.eventType;
}

const host = (username: string, more: object = {}) => ({
  user: { id: ids[username] },
  isMandatory: false,
  priority: 2,
  weight: 100,
  ...more,
});

describe('a host who takes turns', () => {
  test('is chosen, with a part of their own, changed and left out', async () => {
    const id = await offered();
    const page = await see(bob, pathOf(id));
    expect(page.text).toContain('It has no hosts yet');
    const chosen = await send(page, {
      [field('host', 'bob')]: 'TURN',
      [field('host', 'cyd')]: 'ALWAYS',
      [field('priority', 'cyd')]: '4',
      [field('weight', 'cyd')]: '250',
    });
    expect([chosen.text.includes('Saved.'), chosen.text.includes('It has no hosts yet')]).toEqual([true, false]);
    const hosts = [host('bob'), host('cyd', { isMandatory: true, priority: 4, weight: 250 })];
    expect((await stored(id)).hosts).toEqual(hosts);
    const less = await send(chosen, { [field('host', 'bob')]: '', [field('weight', 'cyd')]: '10' });
    expect((await stored(id)).hosts).toEqual([{ ...hosts[1], weight: 10 }]);
    // A form that is sent as it is changes nothing.
    expect((await send(less, {})).text).toContain('Saved.');
    expect((await stored(id)).hosts).toEqual([{ ...hosts[1], weight: 10 }]);
  });

  test('are all members, or those that are chosen', async () => {
    const id = await offered();
    const all = await send(await see(bob, pathOf(id)), { scope: 'ALL' });
    expect([(await stored(id)).assignsAllMembers, all.text.includes('It has no hosts yet')]).toEqual([true, false]);
    await send(all, { scope: 'SOME', [field('host', 'bob')]: 'TURN' });
    expect(await stored(id)).toMatchObject({ assignsAllMembers: false, hosts: [host('bob')] });
    expect((await see(bob, pathOf(id).replace('/hosts', ''))).text).toContain('some members of the team');
  });

  test.each([
    ['no share', { host: 'TURN', weight: '' }, 'weight'],
    ['no number', { host: 'TURN', weight: 'half' }, 'weight'],
    ['too large a share', { host: 'TURN', weight: '10001' }, 'weight'],
    ['a priority that there is not', { host: 'TURN', priority: '9' }, 'priority'],
    ['a part of who is not chosen', { weight: '200' }, 'host'],
  ])('refuses %s at its field, and keeps what was typed', async (_what, values, wrong) => {
    const id = await offered({ hosts: [{ userId: ids['bob'] }] });
    const typed = Object.fromEntries(Object.entries(values).map(([name, value]) => [field(name, 'cyd'), value]));
    const refused = await send(await see(bob, pathOf(id)), { ...typed, [field('weight', 'bob')]: '7' });
    expect([refused.status >= 400, Object.keys(mistakesOf(refused))]).toEqual([true, [field(wrong, 'cyd')]]);
    expect(fieldOf(refused, field('weight', 'bob'))).toBe('7');
    expect((await stored(id)).hosts).toEqual([host('bob')]);
  });

  test.each(['schedulingType', 'scope'])('refuses a %s that there is not', async (name) => {
    const id = await offered();
    const before = await stored(id);
    expect((await send(await see(bob, pathOf(id)), { [name]: 'SOMEHOW' })).status).toBe(422);
    expect(await stored(id)).toEqual(before);
  });

  test('does not overwrite what was changed elsewhere', async () => {
    const id = await offered();
    const [one, other] = [await see(bob, pathOf(id)), await see(bob, pathOf(id))];
    await send(one, { [field('host', 'bob')]: 'TURN' });
    const refused = await send(other, { [field('host', 'cyd')]: 'TURN' });
    expect([refused.status, (await stored(id)).hosts]).toEqual([409, [host('bob')]]);
    expect((await send(refused, { [field('host', 'bob')]: 'TURN' })).text).toContain('Saved.');
    expect((await stored(id)).hosts).toEqual([host('bob'), host('cyd')]);
  });
});

describe.each(['COLLECTIVE', 'MANAGED'])('the hosts of an event type that is %s', (schedulingType) => {
  test('is ticked, and keeps the part that it had', async () => {
    const id = await offered({ schedulingType, hosts: [{ userId: ids['bob'], priority: 3 }] });
    const page = await see(bob, pathOf(id));
    expect(fieldOf(page, field('priority', 'bob'))).toBeUndefined();
    await send(page, { [field('host', 'cyd')]: 'on' });
    expect((await stored(id)).hosts).toEqual([host('bob', { priority: 3 }), host('cyd')]);
    const form = formsOf((await see(bob, pathOf(id))).html).find(({ controls }) => controls.includes('scope'));
    const { [field('host', 'bob')]: _left, ...fields } = form?.fields ?? {};
    expect((await bob.request(form?.action ?? '', OWN_FORM, new URLSearchParams(fields).toString())).status).toBe(303);
    expect((await stored(id)).hosts).toEqual([host('cyd')]);
  });
});

describe('made managed', () => {
  test('each host has their own, until it is something else', async () => {
    const id = await offered({ hosts: [{ userId: ids['cyd'] }] });
    const title = `Hosted ${count}`;
    const own = async () => (await see(cyd, '/settings/event-types')).text.includes(title);
    const managed = await send(await see(bob, pathOf(id)), { schedulingType: 'MANAGED' });
    expect([managed.text.includes('Saved.'), await own()]).toEqual([true, true]);
    await send(managed, { schedulingType: 'ROUND_ROBIN' });
    expect([(await stored(id)).schedulingType, await own()]).toEqual(['ROUND_ROBIN', false]);
  });

  test('with all members, it is refused to an administrator who does not manage one of them, and taken from their equal', async () => {
    const id = await offered({ assignsAllMembers: true });
    const refused = await send(await see(bob, pathOf(id)), { schedulingType: 'MANAGED' });
    expect([refused.status, refused.text.includes('has a higher role than you. Choose hosts without them')]).toEqual([
      422,
      true,
    ]);
    expect((await stored(id)).schedulingType).toBe('ROUND_ROBIN');
    expect((await send(await see(ada, pathOf(id)), { schedulingType: 'MANAGED' }, ada)).text).toContain('Saved.');
  });
});

describe('members whose role stands above', () => {
  test('are shown without fields, and a form that names one all the same is refused', async () => {
    const id = await offered({ hosts: [{ userId: ids['ada'], isMandatory: true }] });
    const page = await see(bob, pathOf(id));
    expect(page.text).toContain('Ada Okafor · In every booking');
    expect(page.html).not.toContain(field('host', 'ada'));
    const form = formsOf(page.html).find(({ controls }) => controls.includes('scope'));
    const sent = async (value: string) => {
      const body = new URLSearchParams({ ...form?.fields, [field('host', 'ada')]: value }).toString();
      return (await bob.request(form?.action ?? '', OWN_FORM, body)).status;
    };
    expect([await sent('TURN'), await sent('')]).toEqual([422, 422]);
    expect((await stored(id)).hosts).toEqual([host('ada', { isMandatory: true })]);
    expect((await send(await see(ada, pathOf(id)), { [field('host', 'ada')]: 'TURN' }, ada)).text).toContain('Saved.');
    expect((await stored(id)).hosts).toEqual([host('ada')]);
  });
});

describe('the page', () => {
  test('is there for administrators of the team, and for nobody else; a user’s own event type has none', async () => {
    const id = await offered();
    const form = formsOf((await see(bob, pathOf(id))).html).find(({ controls }) => controls.includes('scope'));
    const body = new URLSearchParams({ ...form?.fields, scope: 'ALL' }).toString();
    for (const who of [cyd, dan]) {
      expect((await see(who, pathOf(id))).status).toBe(404);
      expect((await who.request(pathOf(id), OWN_FORM, body)).status).toBe(404);
    }
    expect((await stored(id)).assignsAllMembers).toBe(false);
    for (const who of [bob, ada]) expect((await see(who, pathOf(id))).status).toBe(200);
    const { eventTypeId: own } = await bob.mutate<{ eventTypeId: string }>(
      'eventTypeCreate',
      { slug: 'own', title: 'Own', durationInMinutes: 30 },
      'eventTypeId',
    );
    expect((await see(bob, pathOf(own))).status).toBe(404);
    expect((await see(bob, `/settings/event-types/${own}`)).status).toBe(200);
  });

  test('comes first for a new one of which nobody was said to take part', async () => {
    const list = `/settings/teams/${team}/event-types`;
    const form = formsOf((await see(bob, list)).html).find(({ controls }) => controls.includes('schedulingType'));
    const { assignsAllMembers, ...fields } = form?.fields ?? {};
    expect(assignsAllMembers).toBe('on');
    const body = new URLSearchParams({ ...fields, title: 'Chosen next', schedulingType: 'MANAGED' }).toString();
    const { headers } = await bob.request(list, OWN_FORM, body);
    const page = await see(bob, headers.get('location') ?? '');
    expect([page.text.includes('Event type added. Choose its hosts'), page.address]).toEqual([
      true,
      expect.stringMatching(/\/hosts\?done=added$/),
    ]);
  });

  test('has all members of a large team, page by page, and each page changes its own members', async () => {
    const em = app.database.em.fork();
    const { teamId } = await dan.mutate<{ teamId: string }>('teamCreate', { slug: 'large', name: 'Large' }, 'teamId');
    const members = await Promise.all(Array.from({ length: 27 }, () => anAccount(em)));
    await changed(
      em,
      sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at, updated_at)
          select ${NEW_ID}, t.id, one.id, 'MEMBER', true, now(), now()
          from teams t, unnest(${members.map(({ id }) => id)}::uuid[]) as one(id) where t.slug = 'large'`,
    );
    const { eventTypeId } = await dan.mutate<{ eventTypeId: string }>(
      'teamEventTypeCreate',
      {
        teamId,
        slug: 'all',
        title: 'All',
        durationInMinutes: 30,
        schedulingType: 'COLLECTIVE',
        assignsAllMembers: false,
      },
      'eventTypeId',
    );
    const first = await see(dan, pathOf(eventTypeId));
    const second = await see(dan, linksOf(first).find((href) => href.includes('after=')) ?? '');
    expect([boxes(first).length, boxes(second).length]).toEqual([25, 3]);
    await send(first, { [boxes(first)[0] ?? '']: 'on' }, dan);
    const after = await send(await see(dan, second.address), { [boxes(second)[2] ?? '']: 'on' }, dan);
    expect([after.text.includes('Saved.'), boxes(after)]).toEqual([true, boxes(second)]);
    const document = 'query ($team: ID!) { team(id: $team) { eventTypes { nodes { hosts { user { id } } } } } }';
    const answer = await dan.ask<{ team: { eventTypes: { nodes: { hosts: { user: { id: string } }[] }[] } } }>(
      document,
      {
        team: teamId,
      },
    );
    const named = answer.team.eventTypes.nodes.flatMap(({ hosts }) => hosts.map(({ user }) => `host-${user.id}`));
    expect(named).toEqual([boxes(first)[0], boxes(second)[2]]);
  });
});
