/** People change their own memberships, by each path and by its mutation, against the table of rights. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { rightsOverOneself } from '../../contract/field-visibility/rights.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { uuidOf } from '../../support/ids.ts';
import { KNOWN_KEY, tokenMint } from '../../support/minted-tokens.ts';
import {
  type LevelName,
  NOWHERE,
  openWorld,
  type Person,
  type Place,
  type Role,
  type World,
} from '../standings/world.ts';

let world: World;
let app: TestApp;
let mint: Awaited<ReturnType<typeof tokenMint>>;
beforeAll(async () => {
  world = await openWorld();
  app = await startTestApp(KNOWN_KEY, { database: world.api.database });
  mint = await tokenMint(app);
});
// With its database, which is that of the world.
afterAll(() => app.close());

type Kind = 'team' | 'organization';
const kindOf = (level: LevelName): Kind => (level === 'organization' ? 'organization' : 'team');

/** A group, and somebody's membership: of this group, or of another. */
interface Own {
  readonly who: Person;
  readonly groupId: string;
}

interface Action {
  readonly method: 'PATCH' | 'POST' | 'DELETE';
  readonly mutation: string;
  /** Makes the path that names the membership, and what follows it. */
  readonly path: (own: Own) => string;
  readonly names: (own: Own) => object;
  readonly body?: object;
  /** The membership afterwards; undefined where it has ended. */
  readonly leaves: (before: Standing) => Standing | undefined;
  readonly only?: Kind;
}

interface Standing {
  readonly role: Role;
  readonly accepted: boolean;
}

const membership = {
  path: ({ who }: Own) => `memberships/${who.membershipId}`,
  names: ({ who }: Own) => ({ membershipId: who.membershipId }),
};

function patch(body: { readonly role?: Role; readonly isAccepted?: true }): Action {
  const { role, isAccepted: accepted } = body;
  return {
    ...membership,
    method: 'PATCH',
    mutation: 'MembershipUpdate',
    body,
    leaves: (before) => ({ ...before, ...(role && { role }), ...(accepted && { accepted }) }),
  };
}

const ACTIONS: Readonly<Record<string, Action>> = {
  leave: { ...membership, method: 'DELETE', mutation: 'MembershipDelete', leaves: () => undefined },
  'become MEMBER': patch({ role: 'MEMBER' }),
  'become ADMIN': patch({ role: 'ADMIN' }),
  'become OWNER': patch({ role: 'OWNER' }),
  accept: patch({ isAccepted: true }),
  'accept as OWNER': patch({ isAccepted: true, role: 'OWNER' }),
  'hand over to oneself': {
    method: 'POST',
    mutation: 'MembershipOwnershipTransfer',
    path: ({ who }) => `memberships/${who.membershipId}/transfer-ownership`,
    names: membership.names,
    leaves: (before) => before,
  },
  'remove oneself as a user': {
    method: 'DELETE',
    mutation: 'UserRemove',
    path: ({ who }) => `users/${who.userId}`,
    names: ({ who }) => ({ userId: who.userId }),
    leaves: () => undefined,
    only: 'organization',
  },
};

const CODES: Readonly<Record<string, string>> = { FORBIDDEN: 'no', NOT_FOUND: '-', UNAUTHENTICATED: 'out' };
const STATUSES: Readonly<Record<string, number>> = { no: 403, '-': 404, out: 401, LAST_OWNER: 409, NOT_POSSIBLE: 422 };

async function byPath(level: LevelName, { method, path, body }: Action, own: Own): Promise<string> {
  const inOrganization = level === 'team of an organization' ? `/organizations/${world.organizationId}` : '';
  const token = await mint(own.who.userId, ['TEAM_MEMBERSHIP_WRITE', 'ORG_MEMBERSHIP_WRITE']);
  const response = await fetch(`${app.url}/v2${inOrganization}/${kindOf(level)}s/${own.groupId}/${path(own)}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status < 300) return 'yes';
  const { error } = (await response.json()) as { readonly error: { readonly code: string } };
  const told = CODES[error.code] ?? error.code;
  expect([told, response.status]).toEqual([told, STATUSES[told]]);
  return told;
}

async function byMutation(level: LevelName, { mutation, names, body }: Action, own: Own): Promise<string> {
  const input = { [`${kindOf(level)}Id`]: own.groupId, ...names(own), ...body };
  const token = await mint(own.who.userId, ['TEAM_MEMBERSHIP_WRITE', 'ORG_MEMBERSHIP_WRITE']);
  const name = `${kindOf(level)}${mutation}`;
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const document = `mutation($input: ${type}) { ${name}(input: $input) { userErrors { code } } }`;
  const { body: answer } = await app.graphql(document, { token, variables: { input } });
  const code = answer.errors?.[0]?.extensions.code ?? answer.data[name].userErrors[0]?.code;
  return code === undefined ? 'yes' : (CODES[code] ?? code);
}

const em = () => world.api.database.em.fork();
const table = (kind: Kind) => sql.table(`${kind}_memberships`);

async function membershipIn(kind: Kind, groupId: string, { userId }: { readonly userId: string }): Promise<string> {
  const found = await row(
    em(),
    sql<{
      id: string;
    }>`select id from ${table(kind)} where ${sql.ref(`${kind}_id`)} = ${uuidOf(groupId)} and user_id = ${uuidOf(userId)}`,
  );
  return publicId('membership', found?.id ?? '');
}

function standingOf(kind: Kind, { membershipId }: Person): Promise<Standing | undefined> {
  return row(em(), sql<Standing>`select role, accepted from ${table(kind)} where id = ${uuidOf(membershipId)}`);
}

const ROLES: Readonly<Record<string, Role>> = { admin: 'ADMIN', member: 'MEMBER' };

/** Where somebody of a standing stands in the group; who owns one alone founds it. */
function placeOf(level: LevelName, standing: string): Place {
  const role = ROLES[standing] ?? 'OWNER';
  const state = standing === 'invited' ? 'INVITED' : 'ACCEPTED';
  const isNowhere = standing === 'last' || standing === 'elsewhere';
  if (level === 'organization') return { organization: isNowhere ? null : role, team: null, state };
  const isAbove = standing === 'above' || isNowhere;
  const organization = level === 'stand-alone team' ? null : isAbove ? 'ADMIN' : 'MEMBER';
  return { organization, team: isNowhere || isAbove ? null : role, state };
}

let founded = 0;

/** A group that somebody has founded, and owns alone. */
async function foundedBy(level: LevelName, who: Person): Promise<string> {
  founded += 1;
  const kind = kindOf(level);
  const group = { slug: `own-${founded}`, name: 'Own' };
  if (level !== 'organization') {
    const inOrganization = level === 'stand-alone team' ? {} : { organizationId: world.organizationId };
    const name = level === 'stand-alone team' ? 'teamCreate' : 'organizationTeamCreate';
    const { data } = await who.change(name, { ...inOrganization, ...group }, 'teamId');
    await rows(
      em(),
      sql`update organization_memberships set role = 'MEMBER' where user_id = ${uuidOf(who.userId)} returning id`,
    );
    return data.teamId;
  }
  const found = await row(
    em(),
    sql<{ name: string }>`select username as name from users where id = ${uuidOf(who.userId)}`,
  );
  const { data } = await world.api.signedIn(found?.name ?? '').change(`${kind}Create`, group, `${kind}Id`);
  return data[`${kind}Id`];
}

/** The membership that somebody of a standing names as theirs. */
async function ownOf(level: LevelName, standing: string, who: Person): Promise<Own> {
  const kind = kindOf(level);
  const ofLevel = kind === 'team' ? world.teamOf(level) : world.organizationId;
  const named = async (of: Kind, groupId: string) => ({ ...who, membershipId: await membershipIn(of, groupId, who) });
  if (standing === 'above') return { groupId: ofLevel, who: await named('organization', world.organizationId) };
  if (standing === 'suspended') await world.suspend([who]);
  if (standing !== 'last' && standing !== 'elsewhere') return { groupId: ofLevel, who };
  const groupId = await foundedBy(level, who);
  return { groupId: standing === 'last' ? groupId : ofLevel, who: await named(kind, groupId) };
}

const LEVELS: readonly LevelName[] = ['team of an organization', 'stand-alone team', 'organization'];
const DOORS = { path: byPath, mutation: byMutation };

/** An administrator above a group is somebody only where the group is in another one. */
function rightsAt(level: LevelName, action: string) {
  return rightsOverOneself().filter(
    ([one, standing]) => one === action && (standing !== 'above' || level === 'team of an organization'),
  );
}

test('the table of rights has all that is done here', () => {
  expect([...new Set(rightsOverOneself().map(([name]) => name))]).toEqual(Object.keys(ACTIONS));
});

describe.each(LEVELS)('in a group of the kind %s', (level) => {
  const kind = kindOf(level);
  const actions = Object.entries(ACTIONS).filter(([, { only }]) => only === undefined || only === kind);

  test.each(actions)('everybody may %s as the table of rights says, by path and by mutation', async (name, action) => {
    const cases = rightsAt(level, name).flatMap(([, standing, right]) =>
      Object.entries(DOORS).map(([door, send]) => ({ standing, right, door, send })),
    );
    const people = await world.newPeople(
      level,
      cases.map(({ standing }) => placeOf(level, standing)),
    );
    for (const [index, { standing, right, door, send }] of cases.entries()) {
      const own = await ownOf(level, standing, people[index] as Person);
      const before = await standingOf(kind, own.who);
      expect([standing, door, await send(level, action, own)]).toEqual([standing, door, right]);
      const wanted = right === 'yes' && before ? action.leaves(before) : before;
      expect([standing, door, await standingOf(kind, own.who)]).toEqual([standing, door, wanted]);
    }
  });

  test('an invitation can be accepted still when somebody has named the role that it has', async () => {
    const places = ['invited', 'admin'].map((standing) => placeOf(level, standing));
    const [invited, admin] = (await world.newPeople(level, places)) as [Person, Person];
    const name = `${kind}MembershipUpdate`;
    const groupId = kind === 'team' ? world.teamOf(level) : world.organizationId;
    const input = { [`${kind}Id`]: groupId, membershipId: invited.membershipId };
    for (const who of [invited, admin])
      expect((await who.change(name, { ...input, role: 'OWNER' })).mistakes).toEqual([]);
    expect((await invited.change(name, { ...input, isAccepted: true })).mistakes).toEqual([]);
  });
});

test('an invitation by mail is answered at the path below the organization, too', async () => {
  const level = 'team of an organization';
  const [teamId, em] = [world.teamOf(level), world.api.database.em.fork()];
  for (const answer of ['accept', 'leave']) {
    const guest = await world.newPerson(level, { organization: 'MEMBER', team: null, state: 'ACCEPTED' });
    const account = await row(em, sql<{ email: string }>`select email from users where id = ${uuidOf(guest.userId)}`);
    const input = { teamId, email: account?.email, role: 'MEMBER' };
    const { data } = await world.owner.change('teamInvitationCreate', input, 'invitationId');
    const membershipId = publicId('membership', uuidOf(data.invitationId));
    const action = ACTIONS[answer] as Action;
    expect([answer, await byPath(level, action, { groupId: teamId, who: { ...guest, membershipId } })]).toEqual([
      answer,
      'yes',
    ]);
  }
});

test('a team whose last owner leaves its organization is left to the administrators of the organization', async () => {
  const founder = await world.newPerson('team of an organization', {
    organization: 'ADMIN',
    team: null,
    state: 'ACCEPTED',
  });
  const [teamId, groupId] = [await foundedBy('team of an organization', founder), world.organizationId];
  const who = { ...founder, membershipId: await membershipIn('organization', groupId, founder) };
  const leaving = ACTIONS['leave'] as Action;
  expect(await byPath('organization', leaving, { groupId, who })).toBe('yes');
  const admin = await world.newPerson('organization', placeOf('organization', 'admin'));
  const heir = { teamId, userId: world.member.userId, role: 'OWNER' };
  expect((await admin.change('teamUpdate', { teamId, name: 'Kept' })).mistakes).toEqual([]);
  expect((await admin.change('teamMembershipCreate', heir)).mistakes).toEqual([]);
});

test.each(['team', 'organization'] as const)(
  'an invitation to a %s by mail is accepted by If-Match as it is',
  async (kind) => {
    const groupId = kind === 'team' ? world.teamOf('stand-alone team') : world.organizationId;
    const guest = await world.newPerson('organization', NOWHERE);
    const { data } = await guest.ask('{ me { email } }');
    const input = { [`${kind}Id`]: groupId, email: data.me.email, role: 'MEMBER' };
    const shown = 'invitation { id updatedAt }';
    const { id, updatedAt } = (await world.owner.change(`${kind}InvitationCreate`, input, shown)).data.invitation;
    const token = await mint(guest.userId, ['TEAM_MEMBERSHIP_WRITE', 'ORG_MEMBERSHIP_WRITE']);
    const accepted = (seen: string) =>
      fetch(`${app.url}/v2/${kind}s/${groupId}/memberships/${publicId('membership', uuidOf(id))}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': `"${seen}"` },
        body: JSON.stringify({ isAccepted: true }),
      });
    const late = await accepted('2026-01-01T00:00:00Z');
    expect([late.status, await late.json()]).toMatchObject([412, { error: { code: 'CONFLICT', path: ['If-Match'] } }]);
    expect((await accepted(updatedAt)).status).toBe(200);
  },
);
