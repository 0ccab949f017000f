/** A team's bookings get their hosts, as bookers and administrators see it: through the API alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { createChildrenOfMember } from '../../src/modules/event-types/managed-event-types.ts';
import { acceptByLink } from '../../src/modules/memberships/answer-invitation.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { idOfUid, uuidOf } from '../support/ids.ts';
import { FROM, TO } from './booking-pages.ts';
import { type ManagedTeam, openManagedTeam } from './managed-team.ts';

type Member = TestCaller & { readonly membershipId: string };

let api: TestApi;
let team: ManagedTeam;
let ann: Member;
let ben: Member;
let cai: Member;

beforeAll(async () => {
  api = await openTestApi();
  team = await openManagedTeam(api);
  [ann, ben, cai] = [await team.join(), await team.join(), await team.join()];
});
afterAll(() => api.close());

const offer = (input: object): Promise<string> => team.manage({ schedulingType: 'ROUND_ROBIN', ...input });

async function slotsOf(eventTypeId: string): Promise<string[]> {
  const document = `query($id: ID!, $from: DateTime!, $to: DateTime!) {
    slots(eventType: { id: $id }, start: $from, end: $to) { start } }`;
  const { data } = await api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
  return data.slots.map(({ start }: { start: string }) => start);
}

/** Books a slot as a stranger, and answers the names of the hosts. */
async function book(eventTypeId: string, start: string): Promise<readonly string[]> {
  const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
  const input = { eventTypeId, start, attendee };
  const { data, mistakes } = await api.nobody.change('bookingCreate', input, 'booking { uid }');
  if (mistakes.length > 0) return mistakes;
  const read = 'query($id: ID!, $uid: ID!) { team(id: $id) { booking(id: $uid) { hosts { user { id } } } } }';
  const found = await team.owner.ask(read, { id: team.teamId, uid: idOfUid(data.booking.uid) });
  return found.data.team.booking.hosts.map(({ user }: { user: { id: string } }) => user.id).toSorted();
}

/** Makes somebody busy at a time, by an event type of their own. */
async function occupy(who: TestCaller, start: string): Promise<void> {
  const slug = `busy-${uuidOf(who.userId).slice(-6)}-${Date.parse(start)}`;
  const { data } = await who.change('eventTypeCreate', { slug, title: 'Busy', durationInMinutes: 30 }, 'eventTypeId');
  const attendee = { name: 'Lin', email: 'lin@example.test', timeZone: 'UTC' };
  const { mistakes } = await api.nobody.change('bookingCreate', { eventTypeId: data.eventTypeId, start, attendee });
  expect(mistakes).toEqual([]);
}

const sorted = (...people: readonly TestCaller[]): string[] => people.map(({ userId }) => userId).toSorted();

describe('a mandatory host of a round robin', () => {
  test('attends every booking, and the others take turns beside them', async () => {
    const hosts = [{ userId: ann.userId, isMandatory: true }, { userId: ben.userId }, { userId: cai.userId }];
    const id = await offer({ hosts });
    const starts = (await slotsOf(id)).slice(0, 4);
    const attended: string[] = [];
    for (const start of starts) attended.push((await book(id, start)).join());
    const pairs = [sorted(ann, ben), sorted(ann, cai)].map(String);
    expect(new Set(attended)).toEqual(new Set(pairs));
    for (const pair of pairs) expect(attended.filter((one) => one === pair)).toHaveLength(2);
  });

  test('closes a time when they are busy; one of the others does not', async () => {
    const hosts = [{ userId: ann.userId, isMandatory: true }, { userId: ben.userId }, { userId: cai.userId }];
    const id = await offer({ hosts });
    const [first = '', , , second = ''] = (await slotsOf(id)).slice(8);
    await occupy(ann, first);
    await occupy(ben, second);
    const left = await slotsOf(id);
    expect(left).not.toContain(first);
    expect(await book(id, first)).toEqual(['SLOT_TAKEN start']);
    expect(left).toContain(second);
    expect(await book(id, second)).toEqual(sorted(ann, cai));
  });

  test('attends alone together with other mandatory ones where nobody else hosts', async () => {
    const both = [ann, ben].map(({ userId }) => ({ userId, isMandatory: true }));
    const id = await offer({ hosts: both });
    const [start = ''] = (await slotsOf(id)).slice(20);
    expect(await book(id, start)).toEqual(sorted(ann, ben));
  });

  test('takes turns like everybody once they are no longer mandatory', async () => {
    const id = await offer({ hosts: [{ userId: ann.userId, isMandatory: true }, { userId: ben.userId }] });
    expect(await team.update(id, { hostsSet: [{ userId: ann.userId, isMandatory: false }] })).toEqual([]);
    const [start = ''] = (await slotsOf(id)).slice(24);
    expect(await book(id, start)).toHaveLength(1);
  });
});

test('a collective one is attended by all its hosts, and closed when one of them is busy', async () => {
  const hosts = [ann, ben].map(({ userId }) => ({ userId }));
  const id = await offer({ schedulingType: 'COLLECTIVE', hosts });
  const [first = '', , second = ''] = (await slotsOf(id)).slice(30);
  await occupy(ben, first);
  expect(await slotsOf(id)).not.toContain(first);
  expect(await book(id, first)).toEqual(['SLOT_TAKEN start']);
  expect(await book(id, second)).toEqual(sorted(ann, ben));
});

describe('all members as hosts', () => {
  let crew: ManagedTeam;
  let everybody: string;
  let index = 0;
  beforeAll(async () => {
    crew = await openManagedTeam(api);
    everybody = await crew.manage({ schedulingType: 'COLLECTIVE' });
  });

  /** The hosts of the next booking. */
  async function attending(): Promise<readonly string[]> {
    const start = (await slotsOf(everybody))[index];
    index += 1;
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const input = { eventTypeId: everybody, start, attendee };
    const { data, mistakes } = await api.nobody.change('bookingCreate', input, 'booking { uid }');
    expect(mistakes).toEqual([]);
    const read = 'query($id: ID!, $uid: ID!) { team(id: $id) { booking(id: $uid) { hosts { user { id } } } } }';
    const found = await crew.owner.ask(read, { id: crew.teamId, uid: idOfUid(data.booking.uid) });
    return found.data.team.booking.hosts.map(({ user }: { user: { id: string } }) => user.id).toSorted();
  }

  test('are those who have accepted, from the moment on in which they do', async () => {
    expect(await attending()).toEqual(sorted(crew.owner));
    const later = await api.newUser('joins-later');
    const membershipId = await crew.invite(later);
    expect(await attending()).toEqual(sorted(crew.owner));
    await crew.accept(later, membershipId);
    expect(await attending()).toEqual(sorted(crew.owner, later));
    await later.change('teamMembershipDelete', { teamId: crew.teamId, membershipId });
    expect(await attending()).toEqual(sorted(crew.owner));
  });

  test('are those who accept by the link of a mail, too', async () => {
    const { teamId, owner } = crew;
    const linked = await api.newUser('joins-by-link');
    await owner.change('teamInvitationCreate', { teamId, email: 'somebody@mail.test', role: 'MEMBER' });
    const mail = api.mails.findLast(({ to }) => to === 'somebody@mail.test');
    const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect(await attending()).toEqual(sorted(owner));
    const accepting = { token, userId: uuidOf(linked.userId) };
    await acceptByLink(api.database.em.fork(), accepting, createChildrenOfMember, async () => undefined);
    expect(await attending()).toEqual(sorted(owner, linked));
  });

  test('are not those who are suspended, as long as they are', async () => {
    const member = await crew.join();
    expect(await attending()).toContain(member.userId);
    const suspend = (at: ReturnType<typeof sql>) =>
      changed(api.database.em.fork(), sql`update users set suspended_at = ${at} where id = ${uuidOf(member.userId)}`);
    await suspend(sql`now()`);
    expect(await attending()).not.toContain(member.userId);
    await suspend(sql`null`);
    expect(await attending()).toContain(member.userId);
  });
});
