import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { idOfUid, ownedUuidOf, uuidOf } from '../support/ids.ts';
import { openBookingPage } from './booking-pages.ts';
import { addMembers, childOf, childrenOf, type ManagedTeam, openManagedTeam } from './managed-team.ts';

let api: TestApi;
let team: ManagedTeam;
let ann: TestCaller & { readonly membershipId: string };
let ben: TestCaller & { readonly membershipId: string };

beforeAll(async () => {
  api = await openTestApi();
  team = await openManagedTeam(api);
  ann = await team.join();
  ben = await team.join();
});
afterAll(() => api.close());

const countsOf = async (parentId: string): Promise<number[]> =>
  Promise.all([team.owner, ann, ben].map(async (who) => (await childrenOf(who, parentId)).length));

describe('a managed event type', () => {
  test('gives every member one of their own, where no hosts are named', async () => {
    const parentId = await team.manage({ slug: 'everybody', title: 'Everybody' });
    expect(await countsOf(parentId)).toEqual([1, 1, 1]);
    const child = await childOf(ann, parentId);
    expect(child).toMatchObject({ slug: 'everybody', title: 'Everybody', isHidden: false });
    expect(ownedUuidOf(child.id).ownerId).toBe(uuidOf(ann.userId));
  });

  test('gives each an id of its own, of version 7 and with the time of the parent', async () => {
    const parentId = await team.manage();
    const people = [team.owner, ann, ben];
    const ids = (await Promise.all(people.map((who) => childOf(who, parentId)))).map(({ id }) => uuidOf(id));
    expect(new Set([uuidOf(parentId), ...ids]).size).toBe(1 + people.length);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(id.slice(0, 13)).toBe(uuidOf(parentId).slice(0, 13));
    }
  });

  test('gives one to the hosts who are named, and to nobody else', async () => {
    const parentId = await team.manage({ hosts: [{ userId: ann.userId }] });
    expect(await countsOf(parentId)).toEqual([0, 1, 0]);
  });

  test('gives no copy to a member who is only invited', async () => {
    const invited = await api.newUser('only-invited');
    await team.invite(invited);
    await team.manage();
    expect(await childrenOf(invited)).toEqual([]);
  });

  test('that is not MANAGED gives nobody any', async () => {
    const parentId = await team.manage({ schedulingType: 'COLLECTIVE' });
    expect(await countsOf(parentId)).toEqual([0, 0, 0]);
  });

  test('passes all its settings on', async () => {
    const settings = `title description durationInMinutes durationInMinutesOptions isHidden color metadata
      locations { id type url label } bookingFields { slug type label isRequired options placeholder }
      slotIntervalInMinutes minimumBookingNoticeInMinutes bufferBeforeInMinutes bufferAfterInMinutes
      bookingWindow { type days } bookingLimits { day { maxBookings } } confirmation { type } seats { perSlot showsAttendees }
      recurrence { frequency } requiresBookerEmailVerification requiresAuthentication allowsGuests
      cancellationPolicy { type noticeInMinutes } reschedulingPolicy { type noticeInMinutes } successRedirectUrl embedOrigins`;
    const parentId = await team.manage({
      description: 'All of it',
      durationInMinutesOptions: [30, 60],
      isHidden: true,
      color: '#a1b2c3',
      metadata: { room: 'blue' },
      locations: [{ type: 'LINK', url: 'https://meet.example/1', label: 'Zoom' }],
      bookingFields: [{ slug: 'topic', type: 'SELECT', label: 'Topic', options: ['a', 'b'] }],
      slotIntervalInMinutes: 15,
      minimumBookingNoticeInMinutes: 30,
      bufferBeforeInMinutes: 5,
      bufferAfterInMinutes: 10,
      bookingWindow: { type: 'ROLLING_DAYS', days: 30 },
      bookingLimits: { day: { maxBookings: 3 } },
      confirmation: { type: 'ALWAYS' },
      seats: { perSlot: 3, showsAttendees: true },
      requiresBookerEmailVerification: true,
      requiresAuthentication: true,
      allowsGuests: false,
      cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 60 },
      reschedulingPolicy: { type: 'NEVER' },
      successRedirectUrl: 'https://example.com/thanks',
      embedOrigins: ['https://example.com'],
    });
    const parent = await team.owner.ask(
      `query($team: ID!, $id: ID!) { team(id: $team) { eventType(id: $id) { ${settings} } } }`,
      { team: team.teamId, id: parentId },
    );
    const { id } = await childOf(ann, parentId);
    const child = await ann.ask(`query($id: ID!) { me { eventType(id: $id) { ${settings} } } }`, { id });
    expect(child.data.me.eventType).toEqual(parent.data.team.eventType);
    expect(child.data.me.eventType).toMatchObject({
      isHidden: true,
      seats: { perSlot: 3 },
      metadata: { room: 'blue' },
    });
  });
});

describe('a change of a managed event type', () => {
  test('is one of those of its hosts', async () => {
    const parentId = await team.manage({ description: 'Before' });
    const patch = { title: 'After', description: null, durationInMinutes: 45, locations: [{ type: 'ATTENDEE_PHONE' }] };
    expect(await team.update(parentId, patch)).toEqual([]);
    const { id } = await childOf(ben, parentId);
    const { data } = await ben.ask(
      'query($id: ID!) { me { eventType(id: $id) { title description durationInMinutes locations { type } } } }',
      { id },
    );
    expect(data.me.eventType).toEqual({ ...patch });
  });

  test('that is refused changes nothing of them', async () => {
    const parentId = await team.manage({ title: 'Kept' });
    expect(await team.update(parentId, { title: 'Lost', durationInMinutes: 0 })).toEqual([
      'INVALID_DURATION durationInMinutes',
    ]);
    expect((await childOf(ben, parentId)).title).toBe('Kept');
  });

  test('leaves what a host has hidden hidden, unless it says otherwise', async () => {
    const parentId = await team.manage();
    const { id } = await childOf(ann, parentId);
    await ann.change('eventTypeUpdate', { eventTypeId: id, isHidden: true });
    await team.update(parentId, { title: 'Other', isHidden: false });
    expect(await childOf(ann, parentId)).toMatchObject({ title: 'Other', isHidden: true });
    await team.update(parentId, { isHidden: true });
    await team.update(parentId, { isHidden: false });
    expect((await childOf(ann, parentId)).isHidden).toBe(false);
  });

  test('leaves a host the schedule that they have chosen', async () => {
    const parentId = await team.manage();
    const { id: eventTypeId } = await childOf(ann, parentId);
    const { data } = await ann.change('scheduleCreate', { name: 'Mornings', timeZone: 'UTC' }, 'scheduleId');
    const own = await ann.change('eventTypeUpdate', { eventTypeId, scheduleId: data.scheduleId });
    expect(own.mistakes).toEqual([]);
    await team.update(parentId, { title: 'Other' });
    const read = 'query($id: ID!) { me { eventType(id: $id) { title scheduleId } } }';
    expect((await ann.ask(read, { id: eventTypeId })).data.me.eventType).toEqual({
      title: 'Other',
      scheduleId: data.scheduleId,
    });
  });

  test('of its hosts gives a copy to a host who is added, removes that of a host who is removed, and leaves the others’', async () => {
    const parentId = await team.manage({ hosts: [{ userId: ann.userId }, { userId: ben.userId }] });
    const kept = await childOf(ben, parentId);
    const hosts = { hostsSet: [{ userId: team.owner.userId }], hostsRemove: [ann.userId] };
    expect(await team.update(parentId, hosts)).toEqual([]);
    expect(await countsOf(parentId)).toEqual([1, 0, 1]);
    expect(await childOf(ben, parentId)).toEqual(kept);
  });

  test('to all members gives one to everybody, and back leaves those of the named', async () => {
    const parentId = await team.manage({ hosts: [{ userId: ann.userId }] });
    await team.update(parentId, { assignsAllMembers: true });
    expect(await countsOf(parentId)).toEqual([1, 1, 1]);
    await team.update(parentId, { hostsRemove: [ann.userId] });
    expect(await countsOf(parentId)).toEqual([1, 1, 1]);
    await team.update(parentId, { hostsSet: [{ userId: ben.userId }], assignsAllMembers: false });
    expect(await countsOf(parentId)).toEqual([0, 0, 1]);
  });

  test('to another scheduling type takes them away, and back to MANAGED gives the same ones again', async () => {
    const parentId = await team.manage();
    const child = await childOf(ann, parentId);
    await team.update(parentId, { schedulingType: 'ROUND_ROBIN', title: 'In turns' });
    expect(await countsOf(parentId)).toEqual([0, 0, 0]);
    await team.update(parentId, { schedulingType: 'MANAGED' });
    expect(await countsOf(parentId)).toEqual([1, 1, 1]);
    expect(await childOf(ann, parentId)).toEqual({ ...child, title: 'In turns' });
  });

  test('by an administrator of the organization does the same', async () => {
    const ada = api.as('ada');
    const { data } = await ada.ask('{ me { teams { nodes { id } } organizations { nodes { id } } } }');
    const organizationId = data.me.organizations.nodes[0].id;
    const made = await ada.change(
      'organizationEventTypeCreate',
      {
        organizationId,
        teamId: data.me.teams.nodes[0].id,
        slug: 'by-organization',
        title: 'One',
        durationInMinutes: 30,
        schedulingType: 'MANAGED',
      },
      'eventTypeId',
    );
    const { eventTypeId } = made.data;
    const cyd = api.as('cyd');
    expect((await childOf(cyd, eventTypeId)).title).toBe('One');
    await ada.change('organizationEventTypeUpdate', { organizationId, eventTypeId, title: 'Two' });
    expect((await childOf(cyd, eventTypeId)).title).toBe('Two');
    await ada.change('organizationEventTypeDelete', { organizationId, eventTypeId });
    expect(await childrenOf(cyd, eventTypeId)).toEqual([]);
  });
});

describe('a managed event type of all members', () => {
  test('has no private links, which would lead nowhere, and those of its hosts have', async () => {
    const parentId = await team.manage();
    const { teamId } = team;
    const change = (eventTypeId: string) => team.owner.change('teamPrivateLinkCreate', { teamId, eventTypeId });
    expect((await change(parentId)).mistakes).toEqual(['NOT_POSSIBLE eventTypeId']);
    const child = await childOf(ann, parentId);
    expect((await ann.change('privateLinkCreate', { eventTypeId: child.id })).mistakes).toEqual([]);
    await team.update(parentId, { schedulingType: 'ROUND_ROBIN' });
    expect((await change(parentId)).mistakes).toEqual([]);
  });

  test('is one of the member who accepts the invitation, from then on', async () => {
    const parentId = await team.manage();
    const named = await team.manage({ hosts: [{ userId: ann.userId }] });
    const newcomer = await api.newUser('newcomer');
    const membershipId = await team.invite(newcomer);
    expect(await childrenOf(newcomer)).toEqual([]);
    await team.accept(newcomer, membershipId);
    expect(await childrenOf(newcomer, parentId)).toHaveLength(1);
    expect(await childrenOf(newcomer, named)).toEqual([]);
  });

  test('is one of the member who is added to a team of their organization, at once', async () => {
    const ada = api.as('ada');
    const { data } = await ada.ask('{ me { organizations { nodes { id } } } }');
    const support = { organizationId: data.me.organizations.nodes[0].id, slug: 'care', name: 'Care' };
    const { teamId } = (await ada.change('organizationTeamCreate', support, 'teamId')).data;
    const input = { teamId, slug: 'care-call', title: 'Care', durationInMinutes: 15, schedulingType: 'MANAGED' };
    const { eventTypeId } = (await ada.change('teamEventTypeCreate', input, 'eventTypeId')).data;
    const cyd = api.as('cyd');
    expect(await childrenOf(cyd, eventTypeId)).toEqual([]);
    await ada.change('teamMembershipCreate', { teamId, userId: cyd.userId, role: 'MEMBER' });
    expect(await childrenOf(cyd, eventTypeId)).toHaveLength(1);
  });
});

describe('the event types that somebody has of a team are gone, and those of others are not,', () => {
  test.each<[string, (leaver: TestCaller, membershipId: string) => Promise<unknown>]>([
    ['when they leave it', (leaver, membershipId) => leave(leaver, membershipId)],
    ['when they are removed', (_, membershipId) => leave(team.owner, membershipId)],
  ])('%s', async (_, end) => {
    const parentId = await team.manage();
    const leaver = await team.join();
    expect(await childrenOf(leaver, parentId)).toHaveLength(1);
    await end(leaver, leaver.membershipId);
    expect(await childrenOf(leaver)).toEqual([]);
    expect(await countsOf(parentId)).toEqual([1, 1, 1]);
  });

  test('when they leave the organization', async () => {
    const ada = api.as('ada');
    const organizationId = (await ada.ask('{ me { organizations { nodes { id } } } }')).data.me.organizations.nodes[0]
      .id;
    const eve = await api.newUser('eve');
    const invitation = { organizationId, userId: eve.userId, role: 'MEMBER' };
    const { membershipId } = (await ada.change('organizationMembershipCreate', invitation, 'membershipId')).data;
    await eve.change('organizationMembershipUpdate', { organizationId, membershipId, isAccepted: true });
    const away = { organizationId, slug: 'away', name: 'Away' };
    const { teamId } = (await ada.change('organizationTeamCreate', away, 'teamId')).data;
    await ada.change('teamMembershipCreate', { teamId, userId: eve.userId, role: 'MEMBER' });
    const input = { teamId, slug: 'away-call', title: 'Away', durationInMinutes: 15, schedulingType: 'MANAGED' };
    const { eventTypeId } = (await ada.change('teamEventTypeCreate', input, 'eventTypeId')).data;
    expect(await childrenOf(eve)).toHaveLength(1);
    await eve.change('organizationMembershipDelete', { organizationId, membershipId });
    expect(await childrenOf(eve)).toEqual([]);
    expect(await childrenOf(ada, eventTypeId)).toHaveLength(1);
  });

  test('when the team is deleted', async () => {
    const other = await openManagedTeam(api);
    const member = await other.join();
    await other.manage();
    expect(await childrenOf(member)).toHaveLength(1);
    await other.owner.change('teamDelete', { teamId: other.teamId });
    expect(await childrenOf(member)).toEqual([]);
    expect(await childrenOf(ann)).not.toEqual([]);
  });

  test('when the managed event type is deleted; its bookings stay, as those of any that is deleted', async () => {
    const parentId = await team.manage();
    const { eventTypeId: other } = await openBookingPage(api);
    const child = await childOf(ann, parentId);
    const uid = await bookSomething(child.id);
    const untouched = await bookSomething(other);
    const deleted = await team.owner.change('teamEventTypeDelete', { teamId: team.teamId, eventTypeId: parentId });
    expect(deleted.mistakes).toEqual([]);
    expect(await countsOf(parentId)).toEqual([0, 0, 0]);
    const read = 'query($uid: ID!) { me { booking(id: $uid) { status eventType { id } } } }';
    expect((await ann.ask(read, { uid: idOfUid(uid) })).data.me.booking).toEqual({
      status: 'ACCEPTED',
      eventType: null,
    });
    const shown = await api.nobody.ask('query($uid: String!) { publicBooking(uid: $uid) { status } }', {
      uid: untouched,
    });
    expect(shown.data.publicBooking).toEqual({ status: 'ACCEPTED' });
  });
});

async function leave(who: TestCaller, membershipId: string): Promise<void> {
  const { mistakes } = await who.change('teamMembershipDelete', { teamId: team.teamId, membershipId });
  expect(mistakes).toEqual([]);
}

async function bookSomething(eventTypeId: string): Promise<string> {
  const from = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const to = new Date(Date.now() + 12 * 86_400_000).toISOString();
  const free = await api.nobody.ask(
    'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }',
    { id: eventTypeId, from, to },
  );
  const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
  const request = { eventTypeId, start: free.data.slots[0].start, attendee };
  const { data, mistakes } = await api.nobody.change('bookingCreate', request, 'booking { uid }');
  expect(mistakes).toEqual([]);
  return data.booking.uid;
}

describe('a team of five hundred members', () => {
  test('creates, changes and deletes with as many statements as one of three', async () => {
    const costs: number[][] = [];
    for (const howMany of [0, 500]) {
      const many = await openManagedTeam(api);
      await addMembers(api, many.teamId, howMany);
      const input = {
        teamId: many.teamId,
        slug: 'many',
        title: 'Many',
        durationInMinutes: 30,
        schedulingType: 'MANAGED',
      };
      const created = await many.owner.change('teamEventTypeCreate', input, 'eventTypeId');
      const target = { teamId: many.teamId, eventTypeId: created.data.eventTypeId };
      const renamed = await many.owner.change('teamEventTypeUpdate', { ...target, slug: 'most', title: 'Most' });
      const unmanaged = await many.owner.change('teamEventTypeUpdate', { ...target, schedulingType: 'COLLECTIVE' });
      const managed = await many.owner.change('teamEventTypeUpdate', { ...target, schedulingType: 'MANAGED' });
      const { data } = await many.owner.ask(
        `query($team: ID!, $id: ID!) { team(id: $team) { eventType(id: $id) { children(first: 100) { nodes { bookingUrl }
          pageInfo { hasNextPage } } } } }`,
        { team: target.teamId, id: target.eventTypeId },
      );
      expect(data.team.eventType.children.nodes).toHaveLength(Math.min(100, howMany + 1));
      expect(data.team.eventType.children.pageInfo.hasNextPage).toBe(howMany > 100);
      const deleted = await many.owner.change('teamEventTypeDelete', target);
      const answers = [created, renamed, unmanaged, managed, deleted];
      expect(answers.flatMap(({ mistakes, codes }) => [...mistakes, ...codes])).toEqual([]);
      costs.push(answers.map(({ statements }) => statements));
    }
    expect(Math.min(...costs.flat())).toBeGreaterThan(1);
    expect(costs[1]).toEqual(costs[0]);
  });
});
