/** A team is not deleted while somebody relies on a booking of it, by whichever door. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { idOfUid, ownedUuidOf } from '../support/ids.ts';
import { KNOWN_KEY, tokenMint } from '../support/minted-tokens.ts';
import { FROM, TO } from './booking-pages.ts';
import { childOf, openManagedTeam } from './managed-team.ts';

let api: TestApi;
let app: TestApp;
let mint: Awaited<ReturnType<typeof tokenMint>>;
let owner: TestCaller;
let organizationId: string;
let count = 0;

beforeAll(async () => {
  api = await openTestApi();
  app = await startTestApp(KNOWN_KEY, { database: api.database });
  mint = await tokenMint(app);
  owner = await api.newUser('founder');
  const founded = { slug: 'guild', name: 'Guild' };
  ({ organizationId } = await made('organizationCreate', founded, 'organizationId', api.signedIn('founder')));
});
// With its database, which is that of the API.
afterAll(() => app.close());

async function made(name: string, input: Record<string, unknown>, selection: string, who: TestCaller = owner) {
  const { data, mistakes, codes } = await who.change(name, input, selection);
  if (mistakes.length + codes.length > 0) throw new Error(`${name}: ${[...mistakes, ...codes].join(' ')}`);
  return data;
}

interface Place {
  readonly teamId: string;
  readonly eventTypeId: string;
}

async function aTeam(inOrganization: boolean, settings: object = {}): Promise<Place> {
  count += 1;
  const name = inOrganization ? 'organizationTeamCreate' : 'teamCreate';
  const where = inOrganization ? { organizationId } : {};
  const { teamId } = await made(name, { ...where, slug: `team-${count}`, name: 'Team' }, 'teamId');
  const type = {
    teamId,
    slug: 'talk',
    title: 'Talk',
    durationInMinutes: 30,
    schedulingType: 'COLLECTIVE',
    ...settings,
  };
  const hosts = [{ userId: owner.userId }];
  const { eventTypeId } = await made('teamEventTypeCreate', { ...type, hosts }, 'eventTypeId');
  return { teamId, eventTypeId };
}

/** Books the first slot that is free; the uid. */
async function booked(eventTypeId: string): Promise<string> {
  const document =
    'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
  const { data } = await api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
  const attendee = { name: 'Grace', email: `grace-${count}@example.test`, timeZone: 'UTC' };
  const input = { eventTypeId, start: data.slots[0].start, attendee };
  return (await made('bookingCreate', input, 'booking { uid }', api.nobody)).booking.uid;
}

const cancel = (uid: string) => made('bookingCancel', { uid, reason: 'The team ends.' }, '');

async function isThere(uid: string): Promise<boolean> {
  const { data } = await api.nobody.ask('query($uid: String!) { publicBooking(uid: $uid) { uid } }', { uid });
  return data.publicBooking !== null;
}

type Refusal = readonly [code: string, message: string];
type Door = (teamId: string, who?: TestCaller) => Promise<Refusal | undefined>;

function byMutation(name: string, also: () => object): Door {
  return async (teamId, who = owner) => {
    const { mistakes, messages } = await who.change(name, { ...also(), teamId });
    return mistakes.length === 0 ? undefined : [mistakes.join(), messages.join()];
  };
}

function byPath(prefix: () => string): Door {
  return async (teamId, who = owner) => {
    const token = await mint(who.userId, ['TEAM_PROFILE_WRITE', 'ORG_PROFILE_WRITE']);
    const request = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } };
    const response = await fetch(`${app.url}/v2${prefix()}/teams/${teamId}`, request);
    if (response.status === 204) return undefined;
    const { error } = (await response.json()) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    return [`${error.code} ${response.status}`, error.message];
  };
}

const DOORS: readonly (readonly [string, boolean, Door, string])[] = [
  ['teamDelete', false, byMutation('teamDelete', () => ({})), 'TEAM_IN_USE teamId'],
  [
    'organizationTeamDelete',
    true,
    byMutation('organizationTeamDelete', () => ({ organizationId })),
    'TEAM_IN_USE teamId',
  ],
  ['DELETE /v2/teams', false, byPath(() => ''), 'TEAM_IN_USE 409'],
  ['DELETE /v2/organizations/…/teams', true, byPath(() => `/organizations/${organizationId}`), 'TEAM_IN_USE 409'],
];
const [[, , teamDelete]] = DOORS as [(typeof DOORS)[0]];

describe.each(DOORS)('%s', (_, inOrganization, door, code) => {
  test('is refused while bookings are upcoming, and done once they are cancelled', async () => {
    const { teamId, eventTypeId } = await aTeam(inOrganization);
    const uids = [await booked(eventTypeId), await booked(eventTypeId)];
    const advice = 'which would go with it; cancel them first, or wait until they are over.';
    expect(await door(teamId)).toEqual([code, `The team has 2 upcoming bookings, ${advice}`]);
    await cancel(uids[0] ?? '');
    expect(await door(teamId)).toEqual([code, `The team has 1 upcoming booking, ${advice}`]);
    expect(await isThere(uids[1] ?? '')).toBe(true);
    await cancel(uids[1] ?? '');
    expect(await door(teamId)).toBeUndefined();
    expect(await isThere(uids[1] ?? '')).toBe(false);
  });
});

const PENDING = { confirmation: { type: 'ALWAYS' } };
const MINUTES = (from: number, to: number) => (uid: string) => {
  const { ownerId, id } = ownedUuidOf(uid);
  return changed(
    api.database.em.fork(),
    sql`update bookings set starts_at = now() + make_interval(mins => ${from}), ends_at = now() + make_interval(mins => ${to})
        where owner_id = ${ownerId} and id = ${id}`,
  );
};

test.each([
  ['that waits for its answer', PENDING, async () => {}, 'TEAM_IN_USE teamId'],
  [
    'that was declined',
    PENDING,
    (uid: string) => made('bookingDecline', { bookingId: idOfUid(uid), reason: 'No.' }, ''),
    undefined,
  ],
  ['that was cancelled', {}, cancel, undefined],
  ['under way', {}, MINUTES(-15, 15), 'TEAM_IN_USE teamId'],
  ['under way for almost a day', {}, MINUTES(-23 * 60, 30), 'TEAM_IN_USE teamId'],
  ['that is over', {}, MINUTES(-45, -15), undefined],
])('a booking %s: %#', async (_, settings, then, code) => {
  const { teamId, eventTypeId } = await aTeam(false, settings);
  await then(await booked(eventTypeId));
  expect((await teamDelete(teamId))?.[0]).toBe(code);
});

test('a booking whose event type was deleted is the team’s still', async () => {
  const { teamId, eventTypeId } = await aTeam(false);
  const uid = await booked(eventTypeId);
  await made('teamEventTypeDelete', { teamId, eventTypeId }, '');
  expect((await teamDelete(teamId))?.[0]).toBe('TEAM_IN_USE teamId');
  await cancel(uid);
  expect(await teamDelete(teamId)).toBeUndefined();
});

test('a booking of a copy of a managed event type is its host’s: it stays, and the team can go', async () => {
  const team = await openManagedTeam(api);
  const member = await team.join();
  const parentId = await team.manage();
  const uid = await booked((await childOf(member, parentId)).id);
  expect(await teamDelete(team.teamId, team.owner)).toBeUndefined();
  expect(await isThere(uid)).toBe(true);
});

test('a member who may not delete the team does not learn of its bookings', async () => {
  const { teamId, eventTypeId } = await aTeam(false);
  await booked(eventTypeId);
  const [stranger, member] = [await api.newUser('a-stranger'), await api.newUser('a-member')];
  const joining = { teamId, userId: member.userId, role: 'ADMIN' };
  const { membershipId } = await made('teamMembershipCreate', joining, 'membershipId');
  await made('teamMembershipUpdate', { teamId, membershipId, isAccepted: true }, '', member);
  expect((await teamDelete(teamId, member))?.[0]).toBe('FORBIDDEN teamId');
  expect((await teamDelete(teamId, stranger))?.[0]).toBe('NOT_FOUND teamId');
});
