import { isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSchemas } from '../../src/schema.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { idOfUid, uuidOf } from '../support/ids.ts';
import { type Child, childOf, childrenOf, type ManagedTeam, openManagedTeam } from './managed-team.ts';

let api: TestApi;
let team: ManagedTeam;
let ann: TestCaller & { readonly membershipId: string };
let parentId: string;
let child: Child;

beforeAll(async () => {
  api = await openTestApi();
  team = await openManagedTeam(api);
  ann = await team.join();
  parentId = await team.manage({ slug: 'intro', title: 'Intro' });
  child = await childOf(ann, parentId);
});
afterAll(() => api.close());

const usernameOf = async (who: TestCaller): Promise<string> => (await who.ask('{ me { username } }')).data.me.username;

const slugOf = async (who: TestCaller, id: string): Promise<string> => (await childOf(who, id)).slug;
const ownType = (who: TestCaller, slug: string) =>
  who.change('eventTypeCreate', { slug, title: 'Own', durationInMinutes: 15 }, 'eventTypeId');
const ownSchedule = (who: TestCaller) => who.change('scheduleCreate', { name: 'Late', timeZone: 'UTC' }, 'scheduleId');

describe('an event type that a team manages', () => {
  test('is public under the name of its owner, who is booked with it; the managed one itself is neither', async () => {
    const find = 'query($id: ID!) { publicEventType(by: { id: $id }) { slug title } }';
    expect((await api.nobody.ask(find, { id: child.id })).data.publicEventType).toEqual({
      slug: 'intro',
      title: 'Intro',
    });
    expect((await api.nobody.ask(find, { id: parentId })).data.publicEventType).toBeNull();

    const list = 'query($username: String!) { publicEventTypes(username: $username) { nodes { id } } }';
    const { data } = await api.nobody.ask(list, { username: await usernameOf(ann) });
    expect(data.publicEventTypes.nodes).toContainEqual({ id: child.id });

    const from = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const to = new Date(Date.now() + 12 * 86_400_000).toISOString();
    const slots =
      'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
    const [{ start }] = (await api.nobody.ask(slots, { id: child.id, from, to })).data.slots;
    expect((await api.nobody.ask(slots, { id: parentId, from, to })).data.slots).toEqual([]);
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const booked = await api.nobody.change(
      'bookingCreate',
      { eventTypeId: child.id, start, attendee },
      'booking { uid }',
    );
    expect(booked.mistakes).toEqual([]);
    const refused = await api.nobody.change('bookingCreate', { eventTypeId: parentId, start, attendee });
    expect(refused.mistakes).toEqual(['NOT_BOOKABLE eventTypeId']);
    const own = 'query($uid: ID!) { me { booking(id: $uid) { eventType { id } } } }';
    const { uid } = booked.data.booking;
    expect((await ann.ask(own, { uid: idOfUid(uid) })).data.me.booking).toEqual({ eventType: { id: child.id } });
    expect((await team.owner.ask(own, { uid: idOfUid(uid) })).data.me.booking).toBeNull();
  });

  test.each<[string, unknown]>([
    ['title', 'Mine'],
    ['title', 'Intro'],
    ['slug', 'mine'],
    ['durationInMinutes', 45],
    ['description', null],
    ['color', '#a1b2c3'],
    ['metadata', {}],
    ['locations', []],
    ['bookingFieldsSet', [{ slug: 'topic', type: 'TEXT', label: 'Topic' }]],
    ['bookingFieldsRemove', []],
    ['bookingLimits', null],
    ['seats', { perSlot: 2, showsAttendees: false }],
    ['requiresAuthentication', true],
    ['successRedirectUrl', null],
    ['embedOrigins', ['https://ann.example']],
  ])('is not changed by its owner in %s (%j)', async (field, value) => {
    const answer = await ann.change('eventTypeUpdate', { eventTypeId: child.id, isHidden: true, [field]: value });
    expect(answer.mistakes).toEqual([`MANAGED_BY_TEAM ${field}`]);
    expect(await childOf(ann, parentId)).toEqual(child);
  });

  test('is its owner’s in two fields, and locked in every other that an update can name', async () => {
    const input = buildSchemas().forTokens.schema.getType('EventTypeUpdateInput');
    const fields = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
    const names = fields.filter((name) => !['eventTypeId', 'ifUpdatedAt', 'isHidden', 'scheduleId'].includes(name));
    expect(names.length).toBeGreaterThan(20);
    const all = Object.fromEntries(names.map((name) => [name, null]));
    const { mistakes } = await ann.change('eventTypeUpdate', { eventTypeId: child.id, ...all });
    expect(mistakes.toSorted()).toEqual(names.map((name) => `MANAGED_BY_TEAM ${name}`).toSorted());
    expect(await childOf(ann, parentId)).toEqual(child);
    const free = { eventTypeId: child.id, isHidden: false, scheduleId: null };
    expect((await ann.change('eventTypeUpdate', free)).mistakes).toEqual([]);
  });

  test('says of all that its owner cannot change what it is, at once', async () => {
    const patch = { eventTypeId: child.id, title: 'Mine', durationInMinutes: 0 };
    expect((await ann.change('eventTypeUpdate', patch)).mistakes).toEqual([
      'MANAGED_BY_TEAM title',
      'MANAGED_BY_TEAM durationInMinutes',
    ]);
  });

  test('is hidden and shown by its owner, and given a schedule of theirs, not one of somebody else’s', async () => {
    const change = (patch: object) => ann.change('eventTypeUpdate', { eventTypeId: child.id, ...patch });
    expect((await change({ isHidden: true })).mistakes).toEqual([]);
    expect((await childOf(ann, parentId)).isHidden).toBe(true);
    expect((await change({ isHidden: false })).mistakes).toEqual([]);
    expect((await change({ scheduleId: (await ownSchedule(ann)).data.scheduleId })).mistakes).toEqual([]);
    expect((await change({ scheduleId: (await ownSchedule(team.owner)).data.scheduleId })).mistakes).toEqual([
      'NOT_FOUND scheduleId',
    ]);
    expect((await change({ scheduleId: null })).mistakes).toEqual([]);
  });

  test('is not deleted by its owner, who deletes their own', async () => {
    expect((await ann.change('eventTypeDelete', { eventTypeId: child.id })).mistakes).toEqual([
      'MANAGED_BY_TEAM eventTypeId',
    ]);
    expect(await childOf(ann, parentId)).toEqual(child);
    const { eventTypeId } = (await ownType(ann, 'own')).data;
    expect((await ann.change('eventTypeUpdate', { eventTypeId, title: 'Mine' })).mistakes).toEqual([]);
    expect((await ann.change('eventTypeDelete', { eventTypeId })).mistakes).toEqual([]);
    expect((await ann.change('eventTypeDelete', { eventTypeId })).mistakes).toEqual(['NOT_FOUND eventTypeId']);
  });

  test('is changed by the team’s administrators through the managed one alone', async () => {
    const target = { teamId: team.teamId, eventTypeId: child.id };
    expect((await team.owner.change('teamEventTypeUpdate', { ...target, title: 'X' })).mistakes).toEqual([
      'NOT_FOUND eventTypeId',
    ]);
    expect((await team.owner.change('teamEventTypeDelete', target)).mistakes).toEqual(['NOT_FOUND eventTypeId']);
  });

  test('is locked for the administrators of its owner’s organization too', async () => {
    const ada = api.as('ada');
    const { data } = await ada.ask('{ me { teams { nodes { id } } organizations { nodes { id } } } }');
    const organizationId = data.me.organizations.nodes[0].id;
    const input = { teamId: data.me.teams.nodes[0].id, slug: 'locked', title: 'Locked', durationInMinutes: 30 };
    const made = await ada.change('teamEventTypeCreate', { ...input, schedulingType: 'MANAGED' }, 'eventTypeId');
    const target = { organizationId, eventTypeId: (await childOf(api.as('cyd'), made.data.eventTypeId)).id };
    const update = (patch: object) => ada.change('organizationEventTypeUpdate', { ...target, ...patch });
    expect((await update({ title: 'X' })).mistakes).toEqual(['MANAGED_BY_TEAM title']);
    expect((await update({ isHidden: true })).mistakes).toEqual([]);
    expect((await ada.change('organizationEventTypeDelete', target)).mistakes).toEqual(['MANAGED_BY_TEAM eventTypeId']);
  });

  test('has private links of its owner’s', async () => {
    const { data, mistakes } = await ann.change('privateLinkCreate', { eventTypeId: child.id }, 'privateLink { url }');
    expect(mistakes).toEqual([]);
    const token: string = data.privateLink.url.split('/').at(-1);
    const find = 'query($token: String!) { publicEventType(by: { privateLinkToken: $token }) { id } }';
    expect((await api.nobody.ask(find, { token })).data.publicEventType).toEqual({ id: child.id });
    expect((await team.owner.change('privateLinkCreate', { eventTypeId: child.id })).mistakes).toEqual([
      'NOT_FOUND eventTypeId',
    ]);
  });
});

describe('the slug of an event type that a team manages', () => {
  test('gets the lowest free number where the owner has one of that name, which stays as it is', async () => {
    const { data } = await ownType(ann, 'call');
    await ownType(ann, 'call-3');
    const first = await team.manage({ slug: 'call' });
    expect(await slugOf(ann, first)).toBe('call-2');
    expect(await slugOf(team.owner, first)).toBe('call');
    const other = await openManagedTeam(api);
    await other.accept(ann, await other.invite(ann));
    expect(await slugOf(ann, await other.manage({ slug: 'call' }))).toBe('call-4');
    const own = await ann.ask('query($id: ID!) { me { eventType(id: $id) { slug title } } }', { id: data.eventTypeId });
    expect(own.data.me.eventType).toEqual({ slug: 'call', title: 'Own' });
    expect((await ownType(ann, 'call-4')).mistakes).toEqual(['SLUG_TAKEN slug']);
  });

  test('stays what it is while that of the managed one does, and follows it when it changes', async () => {
    const { data } = await ownType(ann, 'chat');
    const id = await team.manage({ slug: 'chat' });
    expect(await slugOf(ann, id)).toBe('chat-2');
    await ann.change('eventTypeDelete', { eventTypeId: data.eventTypeId });
    await team.update(id, { title: 'Chat', slug: 'chat' });
    expect(await slugOf(ann, id)).toBe('chat-2');
    await ownType(ann, 'talk');
    expect(await team.update(id, { slug: 'talk' })).toEqual([]);
    expect([await slugOf(ann, id), await slugOf(team.owner, id)]).toEqual(['talk-2', 'talk']);
    expect(await team.update(id, { slug: 'chat' })).toEqual([]);
    expect([await slugOf(ann, id), await slugOf(team.owner, id)]).toEqual(['chat', 'chat']);
  });

  test('is found for several at once, though they are as long as can be and begin alike', async () => {
    const both = ['a', 'b'].map((last) => 'x'.repeat(63) + last);
    const joining = await api.newUser('joining');
    for (const slug of [...both, 'plan', 'plan-2']) await ownType(joining, slug);
    const ids: string[] = [];
    for (const slug of [...both, 'plan', 'plan-2']) ids.push(await team.manage({ slug }));
    await team.accept(joining, await team.invite(joining));
    const given = await Promise.all(ids.map((id) => slugOf(joining, id)));
    expect(given.slice(0, 2).toSorted()).toEqual(['-2', '-3'].map((number) => 'x'.repeat(62) + number));
    expect(given.slice(2)).toEqual(['plan-3', 'plan-2-2']);
    expect(given.every((slug) => slug.length <= 64)).toBe(true);
  });

  test('has no two hyphens where it is cut', async () => {
    const slug = `${'y'.repeat(61)}-zz`;
    await ownType(ann, slug);
    expect(await slugOf(ann, await team.manage({ slug }))).toBe(`${'y'.repeat(61)}-2`);
  });
});

const askList = (selection: string) =>
  team.owner.ask(`query($id: ID!) { team(id: $id) { eventTypes(first: 50) { nodes { ${selection} } } } }`, {
    id: team.teamId,
  });

describe('a managed event type shows', () => {
  const READ_CHILDREN = `query($team: ID!, $id: ID!) { team(id: $team) { eventType(id: $id) {
    bookingUrl parent { id } children { nodes { id isHidden bookingUrl user { id username } } } } } }`;

  test('administrators of the team its children, in order and by pages', async () => {
    const members = [team.owner, ann];
    const one = await team.manage({ slug: 'seen', hosts: members.map(({ userId }) => ({ userId })) });
    const { data } = await team.owner.ask(READ_CHILDREN, { team: team.teamId, id: one });
    const expected = await Promise.all(
      members
        .toSorted((a, b) => (uuidOf(a.userId) < uuidOf(b.userId) ? -1 : 1))
        .map(async (who) => {
          const [{ id, isHidden }, username] = [await childOf(who, one), await usernameOf(who)];
          const bookingUrl = `https://gatehouse.test/book/${username}/seen`;
          return { id, isHidden, bookingUrl, user: { id: who.userId, username } };
        }),
    );
    expect(data.team.eventType).toEqual({ bookingUrl: null, parent: null, children: { nodes: expected } });

    const page = `query($team: ID!, $id: ID!, $after: String) { team(id: $team) { eventType(id: $id) {
      children(first: 1, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } } }`;
    const first = (await team.owner.ask(page, { team: team.teamId, id: one })).data.team.eventType.children;
    const after = first.pageInfo.endCursor;
    const second = (await team.owner.ask(page, { team: team.teamId, id: one, after })).data.team.eventType.children;
    expect([...first.nodes, ...second.nodes]).toEqual(expected.map(({ id }) => ({ id })));
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
  });

  test('its owner what they follow, without any scope of the team', async () => {
    const reader = api.as(await usernameOf(ann), ['EVENT_TYPE_READ']);
    const read =
      'query($id: ID!) { me { eventType(id: $id) { parent { id title teamId } children { nodes { id } } } } }';
    expect((await reader.ask(read, { id: child.id })).data.me.eventType).toEqual({
      parent: { id: parentId, title: 'Intro', teamId: team.teamId },
      children: { nodes: [] },
    });
    const through = await reader.ask(READ_CHILDREN, { team: team.teamId, id: parentId });
    expect(through.codes).toEqual(['INSUFFICIENT_SCOPE']);
  });

  test('members of the team nothing of the managed one, nor strangers', async () => {
    const stranger = await api.newUser('stranger');
    const seen = async (who: TestCaller) =>
      (await who.ask(READ_CHILDREN, { team: team.teamId, id: parentId })).data.team;
    expect(await seen(ann)).toEqual({ eventType: null });
    expect(await seen(stranger)).toBeNull();
    expect(await seen(team.owner)).toMatchObject({ eventType: { parent: null } });
  });

  test('nobody an event type of somebody else’s', async () => {
    const read = 'query($id: ID!) { me { eventType(id: $id) { id } } }';
    expect((await team.owner.ask(read, { id: child.id })).data.me.eventType).toBeNull();
    expect((await ann.ask(read, { id: child.id })).data.me.eventType).toEqual({ id: child.id });
  });

  test('the children of a whole list cost one statement', async () => {
    const [without, answer] = [await askList('id'), await askList('children { nodes { bookingUrl } }')];
    expect(answer.statements).toBe(without.statements + 1);
    expect((await childrenOf(ann)).length).toBeGreaterThan(3);
  });
});
