/** A member's page: their role, handing over, removing them with what becomes of their bookings, leaving; and deleting a team. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FROM, TO } from '../../api/booking-pages.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { mistakesOf, see } from '../../support/booking-visitor.ts';
import { formsOf } from '../../support/html-form.ts';
import { unknownId } from '../../support/ids.ts';
import { OWN_FORM, type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

const PATH = '/settings/teams';
type Role = 'MEMBER' | 'ADMIN' | 'OWNER';

interface Person {
  readonly browser: TestBrowser;
  readonly id: string;
}

/** A team or an organization with its members. */
interface Made {
  readonly id: string;
  readonly path: string;
  /** The page of each one's membership. */
  readonly pageOf: ReadonlyMap<Person, string>;
}

let app: TestApp;
let ada: Person;
let bob: Person;
let cyd: Person;
let dan: Person;
/** Times that nobody has taken. */
let free: string[];
let count = 0;
beforeAll(async () => {
  app = await startTestApp();
  const people = ['ada@acme.test', 'bob@acme.test', 'cyd@acme.test', 'dan@solo.test'].map(person);
  [ada, bob, cyd, dan] = (await Promise.all(people)) as [Person, Person, Person, Person];
  free = await commonTimes();
});
afterAll(() => app.close());

async function person(email: string): Promise<Person> {
  const browser = await TestBrowser.signedIn(app.url, email);
  return { browser, id: (await browser.ask<{ me: { id: string } }>('{ me { id } }')).me.id };
}

/** Makes a group that Ada owns, with others in it. */
async function made(kind: 'team' | 'organization', ...members: readonly (readonly [Person, Role])[]): Promise<Made> {
  count += 1;
  const [name, group] = [`Group ${count}`, `${kind}Id`];
  const founded = await ada.browser.mutate<Record<string, string>>(
    `${kind}Create`,
    { slug: `group-${count}`, name },
    group,
  );
  const id = founded[group] ?? '';
  const document = `query($id: ID!) { ${kind}(id: $id) { memberships { nodes { id } } } }`;
  const found = await ada.browser.ask<Record<string, { memberships: { nodes: { id: string }[] } }>>(document, { id });
  const path = `${PATH}/${id}`;
  const pageOf = new Map([[ada, `${path}/members/${found[kind]?.memberships.nodes[0]?.id}`]]);
  for (const [who, role] of members) {
    const selection = 'membershipId';
    const invited = { [group]: id, userId: who.id, role };
    const { membershipId } = await ada.browser.mutate<{ membershipId: string }>(
      `${kind}MembershipCreate`,
      invited,
      selection,
    );
    await who.browser.mutate(`${kind}MembershipUpdate`, { [group]: id, membershipId, isAccepted: true }, selection);
    pageOf.set(who, `${path}/members/${membershipId}`);
  }
  return { id, path, pageOf };
}

async function offered(teamId: string, schedulingType: string, ...hosts: readonly Person[]): Promise<string> {
  const type = { teamId, slug: 'talk', title: 'Talk', durationInMinutes: 30, schedulingType };
  const input = { ...type, hosts: hosts.map(({ id: userId }) => ({ userId })) };
  return (await ada.browser.mutate<{ eventTypeId: string }>('teamEventTypeCreate', input, 'eventTypeId')).eventTypeId;
}

/** When both Ada and Cyd have time. */
async function commonTimes(): Promise<string[]> {
  const team = await made('team', [cyd, 'MEMBER']);
  const id = await offered(team.id, 'COLLECTIVE', ada, cyd);
  const document =
    'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
  const { slots } = await ada.browser.ask<{ slots: { start: string }[] }>(document, { id, from: FROM, to: TO });
  return slots.map(({ start }) => start);
}

/** So many bookings of an event type that this host has alone. */
async function booked(teamId: string, howMany: number, host: Person) {
  const eventTypeId = await offered(teamId, 'ROUND_ROBIN', host);
  const uids: string[] = [];
  for (const start of free.splice(0, howMany)) {
    const attendee = { name: 'Grace', email: 'grace@mail.test', timeZone: 'UTC' };
    const input = { eventTypeId, start, attendee };
    const selection = 'booking { uid }';
    const { booking } = await ada.browser.mutate<{ booking: { uid: string } }>('bookingCreate', input, selection);
    uids.push(booking.uid);
  }
  return { eventTypeId, uids };
}

/** The status of each, and who hosts it. */
async function outcomes(uids: readonly string[]): Promise<string[]> {
  const document = 'query($uid: String!) { publicBooking(uid: $uid) { status hosts { user { name } } } }';
  const told: string[] = [];
  for (const uid of uids) {
    const { publicBooking } = await ada.browser.ask<{
      publicBooking: { status: string; hosts: { user: { name: string } }[] };
    }>(document, { uid });
    told.push([publicBooking.status, ...publicBooking.hosts.map(({ user }) => user.name)].join(' '));
  }
  return told;
}

async function submit(who: Person, path: string, values: Record<string, string>): Promise<ShownPage> {
  return shownPage(await who.browser.submit(await see(who.browser, path), values));
}

/** Sends a form of another path as if this page had it; its token is that of the form with these controls. */
async function send(who: Person, page: ShownPage, path: string, values: Record<string, string>) {
  const form = formsOf(page.html).find(({ controls }) => controls.includes('csrf'));
  const body = new URLSearchParams({ ...form?.fields, ...values }).toString();
  return who.browser.request(path, OWN_FORM, body);
}

const statusOf = async (who: Person, path: string) => (await who.browser.request(path)).status;
const pageOf = ({ pageOf: pages }: Made, who: Person): string => pages.get(who) ?? '';

describe('a role', () => {
  test('is changed by those who may, up to their own role', async () => {
    const team = await made('team', [bob, 'ADMIN'], [cyd, 'MEMBER']);
    const saved = await submit(bob, pageOf(team, cyd), { role: 'ADMIN' });
    expect(saved.text).toMatch(/Saved\..*Cyd Raman Administrator/);
    expect(saved.html).not.toContain('<option value="OWNER"');
    const refused = await submit(bob, pageOf(team, cyd), { role: 'OWNER' });
    expect([refused.status, Object.keys(mistakesOf(refused))]).toEqual([422, ['role']]);
    expect((await submit(ada, pageOf(team, cyd), { role: 'OWNER' })).text).toContain('Cyd Raman Owner');
  });

  test('of a member who stands above has no form, and is not changed by one that is sent', async () => {
    const team = await made('team', [bob, 'ADMIN'], [cyd, 'MEMBER']);
    const page = await see(bob.browser, pageOf(team, ada));
    expect([
      formsOf(page.html.slice(page.html.indexOf('<main'))),
      page.text.includes('a higher role than you'),
    ]).toEqual([[], true]);
    const own = await see(bob.browser, pageOf(team, cyd));
    expect((await send(bob, own, pageOf(team, ada), { role: 'MEMBER', updatedAt: '' })).status).toBe(422);
    expect((await see(ada.browser, team.path)).text).toContain('Ada Okafor (you) Owner');
  });

  test('of others is not there for members and outsiders, nor for a text that is no id', async () => {
    const team = await made('team', [cyd, 'MEMBER'], [bob, 'MEMBER']);
    const others = await made('team', [bob, 'MEMBER']);
    for (const ending of ['', '/remove', '/owner']) {
      const path = `${pageOf(team, bob)}${ending}`;
      expect([await statusOf(cyd, path), await statusOf(dan, path)]).toEqual([404, 404]);
      const sent = await send(cyd, await see(cyd.browser, PATH), path, { role: 'ADMIN' });
      expect(sent.status).toBe(404);
      // A member of another team is not found here.
      const elsewhere = `${team.path}/members/${pageOf(others, bob).split('/').at(-1)}${ending}`;
      expect([await statusOf(ada, elsewhere), await statusOf(ada, `${team.path}/members/x${ending}`)]).toEqual([
        404, 404,
      ]);
    }
  });

  test('that was changed elsewhere is not overwritten', async () => {
    const team = await made('team', [bob, 'MEMBER']);
    const page = await see(ada.browser, pageOf(team, bob));
    expect((await submit(ada, pageOf(team, bob), { role: 'ADMIN' })).text).toContain('Saved.');
    expect(shownPage(await ada.browser.submit(page, { role: 'OWNER' })).status).toBe(409);
  });

  test('of the last owner stays', async () => {
    const team = await made('team');
    const refused = await submit(ada, pageOf(team, ada), { role: 'MEMBER' });
    expect([refused.status, refused.text.includes('last owner')]).toEqual([422, true]);
    const left = await submit(ada, `${pageOf(team, ada)}/remove`, {});
    expect([left.status, left.text.includes('make somebody else an owner first')]).toEqual([422, true]);
  });
});

test.each(['team', 'organization'] as const)('the %s is handed over by its owner, and by nobody else', async (kind) => {
  const group = await made(kind, [bob, 'ADMIN'], [cyd, 'MEMBER']);
  expect(await statusOf(bob, `${pageOf(group, cyd)}/owner`)).toBe(404);
  expect((await see(ada.browser, pageOf(group, bob))).html).toContain(`${pageOf(group, bob)}/owner`);
  expect((await see(bob.browser, pageOf(group, cyd))).html).not.toContain('/owner"');
  const question = await see(ada.browser, `${pageOf(group, bob)}/owner`);
  const otherTab = await see(ada.browser, `${pageOf(group, bob)}/owner`);
  const done = shownPage(await ada.browser.submit(question, {}));
  expect(done.text).toMatch(/You handed it over.*Ada Okafor \(you\) Administrator .*Bob Lindqvist Owner/);
  const again = shownPage(await ada.browser.submit(otherTab, {}));
  expect([again.status, again.text.includes('Only an owner')]).toEqual([422, true]);
});

describe('removing a member', () => {
  test.each([
    ['keeps', { upcomingBookings: 'KEEP' }, 'ACCEPTED Cyd Raman'],
    ['reassigns', { upcomingBookings: 'REASSIGN' }, 'ACCEPTED Ada Okafor'],
    ['cancels', { upcomingBookings: 'CANCEL', reason: 'Moved on.' }, 'CANCELLED Cyd Raman'],
  ])('%s their bookings, as it was chosen', async (_what, choice, outcome) => {
    const team = await made('team', [cyd, 'MEMBER']);
    const { eventTypeId, uids } = await booked(team.id, 1, cyd);
    const hostsSet = [cyd, ada].map(({ id: userId }) => ({ userId }));
    await ada.browser.mutate('teamEventTypeUpdate', { teamId: team.id, eventTypeId, hostsSet }, 'eventTypeId');
    const page = await see(ada.browser, `${pageOf(team, cyd)}/remove`);
    expect(page.text).toMatch(
      /Remove .Cyd Raman. from .*They’ll no longer host 1 event type: Talk.*1 upcoming booking that they host/,
    );
    const after = shownPage(await ada.browser.submit(page, choice));
    expect(after.text).toContain('Member removed.');
    expect(after.text).not.toContain('Cyd Raman');
    expect(await outcomes(uids)).toEqual([outcome]);
    expect(await statusOf(cyd, team.path)).toBe(404);
  });

  test('asks for a reason to cancel, and what becomes of what nobody can take, and keeps what was typed', async () => {
    const team = await made('team', [cyd, 'MEMBER']);
    const { uids } = await booked(team.id, 2, cyd);
    const page = await see(ada.browser, `${pageOf(team, cyd)}/remove`);
    expect(page.text).toContain('which no one else hosts');
    const mute = shownPage(await ada.browser.submit(page, { upcomingBookings: 'CANCEL' }));
    expect([mute.status, Object.keys(mistakesOf(mute))]).toEqual([422, ['reason']]);
    expect(mute.html).toMatch(/value="CANCEL" checked/);
    const nobody = shownPage(await ada.browser.submit(page, { upcomingBookings: 'REASSIGN', reason: 'Moved on.' }));
    expect([nobody.status, Object.keys(mistakesOf(nobody))]).toEqual([422, ['ifNobodyIsFree']]);
    expect(nobody.text).toMatch(/No one else has time for 2 of the bookings\. Choose/);
    expect(nobody.html).toContain('Moved on.</textarea>');
    expect(await outcomes(uids)).toEqual(['ACCEPTED Cyd Raman', 'ACCEPTED Cyd Raman']);
    const done = shownPage(await ada.browser.submit(nobody, { ifNobodyIsFree: 'CANCEL' }));
    expect(done.text).toContain('Member removed.');
    expect(await outcomes(uids)).toEqual(['CANCELLED Cyd Raman', 'CANCELLED Cyd Raman']);
  });

  test('is done once by a double click', async () => {
    const team = await made('team', [cyd, 'MEMBER']);
    const path = `${pageOf(team, cyd)}/remove`;
    const page = await see(ada.browser, path);
    const answers = await Promise.all([0, 1].map(() => send(ada, page, path, {})));
    const third = await send(ada, page, path, {});
    expect([...answers, third].map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(third.headers.get('location')).toBe(`${team.path}?done=gone`);
    expect((await see(ada.browser, `${team.path}?done=gone`)).text).toContain('That was already done');
  });

  test('who stands above the user, or being a member oneself, is refused', async () => {
    const team = await made('team', [bob, 'ADMIN'], [cyd, 'MEMBER']);
    expect(await statusOf(bob, `${pageOf(team, ada)}/remove`)).toBe(404);
    const page = await see(bob.browser, `${pageOf(team, cyd)}/remove`);
    expect((await send(bob, page, `${pageOf(team, ada)}/remove`, {})).status).toBe(422);
    const own = await see(cyd.browser, `${pageOf(team, cyd)}/remove`);
    expect((await send(cyd, own, `${pageOf(team, bob)}/remove`, {})).status).toBe(404);
    expect((await see(ada.browser, team.path)).text).toMatch(/Ada Okafor.*Bob Lindqvist.*Cyd Raman/);
  });

  test('from an organization takes them out of its teams', async () => {
    const roof = await made('organization', [bob, 'MEMBER']);
    const { teamId } = await ada.browser.mutate<{ teamId: string }>(
      'organizationTeamCreate',
      { organizationId: roof.id, slug: 'inner', name: 'Inner' },
      'teamId',
    );
    await ada.browser.mutate('teamMembershipCreate', { teamId, userId: bob.id, role: 'MEMBER' }, 'membershipId');
    expect(await statusOf(bob, `${PATH}/${teamId}`)).toBe(200);
    const page = await see(ada.browser, `${pageOf(roof, bob)}/remove`);
    expect(page.text).toContain('They’ll leave its teams as well');
    expect(shownPage(await ada.browser.submit(page, {})).text).toContain('Member removed.');
    expect([await statusOf(bob, roof.path), await statusOf(bob, `${PATH}/${teamId}`)]).toEqual([404, 404]);
  });
});

test('a user who was invited by their id has no name before they accept, and is removed again', async () => {
  const team = await made('team');
  const invited = { teamId: team.id, userId: dan.id, role: 'MEMBER' };
  const { membershipId } = await ada.browser.mutate<{ membershipId: string }>(
    'teamMembershipCreate',
    invited,
    'membershipId',
  );
  const page = await see(ada.browser, team.path);
  expect([page.text.includes(`${dan.id} (invited, hasn’t answered yet)`), page.text.includes('Whitlock')]).toEqual([
    true,
    false,
  ]);
  expect((await see(dan.browser, PATH)).text).toContain(`Group ${count} Join this team as a member`);
  const path = `${team.path}/members/${membershipId}`;
  expect((await submit(ada, path, { role: 'ADMIN' })).text).toContain('Saved.');
  const question = await see(ada.browser, `${path}/remove`);
  expect(question.text).toContain('The invitation will no longer be valid');
  expect(shownPage(await ada.browser.submit(question, {})).text).not.toContain(dan.id);
  expect((await see(dan.browser, PATH)).text).not.toContain(`Group ${count} `);
});

test('anybody can leave', async () => {
  const team = await made('team', [cyd, 'MEMBER']);
  const page = await see(cyd.browser, team.path);
  expect(page.html).toContain(`href="${pageOf(team, cyd)}/remove"`);
  const left = await submit(cyd, `${pageOf(team, cyd)}/remove`, {});
  expect([left.address, left.text.includes('You’ve left.')]).toEqual([`${PATH}?done=left`, true]);
  expect(await statusOf(cyd, team.path)).toBe(404);
});

describe('a team', () => {
  test('is deleted by its owner, unless it has upcoming bookings', async () => {
    const team = await made('team', [bob, 'ADMIN']);
    const { uids } = await booked(team.id, 1, ada);
    const question = await see(ada.browser, `${team.path}/delete`);
    expect(question.text).toContain('and you see an error, delete it again: it continues where it stopped');
    const refused = shownPage(await ada.browser.submit(question, {}));
    expect([refused.status, refused.text.includes('1 upcoming booking, which would go with it')]).toEqual([422, true]);
    await ada.browser.mutate('bookingCancel', { uid: uids[0], reason: 'Over.' }, 'booking { uid }');
    const done = shownPage(await ada.browser.submit(refused, {}));
    expect([done.address, done.text.includes('Team deleted')]).toEqual([`${PATH}?done=deleted`, true]);
    expect([await statusOf(ada, team.path), shownPage(await ada.browser.submit(question, {})).status]).toEqual([
      404, 404,
    ]);
  });

  test('is not deleted by others, and an organization by nobody', async () => {
    const team = await made('team', [bob, 'ADMIN'], [cyd, 'MEMBER']);
    const roof = await made('organization');
    // With a token of their own team's form.
    const { teamId } = await bob.browser.mutate<{ teamId: string }>(
      'teamCreate',
      { slug: 'bobs', name: 'Own' },
      'teamId',
    );
    const own = await see(bob.browser, `${PATH}/${teamId}/delete`);
    expect((await send(bob, own, `${team.path}/delete`, {})).status).toBe(422);
    for (const who of [bob, cyd, dan]) expect(await statusOf(who, `${team.path}/delete`)).toBe(404);
    expect((await see(bob.browser, team.path)).html).not.toContain('/delete"');
    expect([await statusOf(ada, `${roof.path}/delete`), await statusOf(ada, team.path)]).toEqual([404, 200]);
    expect(await statusOf(ada, `${PATH}/${unknownId('team')}/delete`)).toBe(404);
  });
});
