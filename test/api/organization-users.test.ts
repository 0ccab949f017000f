/** People of an organization by their administrators, and the handing over of groups. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { handOverOwnership } from '../../src/modules/memberships/membership.commands.ts';
import { ORGANIZATION } from '../../src/modules/organizations/group.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';
import { outcomeOf } from '../support/outcome.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

let count = 0;

/** An organization with an owner, an administrator, a member and somebody who is invited. */
async function open() {
  count += 1;
  const [owner, admin, member, invited] = await Promise.all(
    ['owner', 'admin', 'member', 'invited'].map((name) => api.newUser(`${name}-${count}`)),
  );
  if (!owner || !admin || !member || !invited) throw new Error('A user is missing.');
  const founder = api.signedIn(`owner-${count}`);
  const made = await founder.change('organizationCreate', { slug: `org-${count}`, name: 'Choir' }, 'organizationId');
  const of = { organizationId: made.data.organizationId as string };
  const add = async (who: TestCaller, role: string, accepted: boolean): Promise<string> => {
    const input = { ...of, userId: who.userId, role };
    const { data } = await owner.change('organizationMembershipCreate', input, 'membershipId');
    const { membershipId } = data;
    if (accepted) await who.change('organizationMembershipUpdate', { ...of, membershipId, isAccepted: accepted });
    return membershipId;
  };
  const memberships = {
    admin: await add(admin, 'ADMIN', true),
    member: await add(member, 'MEMBER', true),
    invited: await add(invited, 'MEMBER', false),
  };
  return { of, owner, admin, member, invited, memberships };
}

/** As if the organization's invitation had come before the account (test/flows/accounts/invitations.test.ts). */
function makeAccountOf(who: TestCaller, organizationId: string): Promise<unknown> {
  return rows(
    api.database.em.fork(),
    sql`update users set origin = 'ORGANIZATION', made_by_id = ${uuidOf(organizationId)} where id = ${uuidOf(who.userId)}`,
  );
}

async function rolesIn(organizationId: string): Promise<Record<string, string>> {
  const found = await rows(
    api.database.em.fork(),
    sql<{ userId: string; role: string }>`select user_id as "userId", role from organization_memberships
      where organization_id = ${uuidOf(organizationId)}`,
  );
  return Object.fromEntries(found.map(({ userId, role }) => [userId, role]));
}

describe('a person of an organization', () => {
  test('is invited, and has no account or password before they make it themselves', async () => {
    const { of, admin, member } = await open();
    const email = `new-${count}@mail.test`;
    // A member, unless they say otherwise.
    const done = await admin.change('organizationInvitationCreate', { ...of, email }, 'invitationId');
    expect(done).toMatchObject({ mistakes: [] });
    expect(api.mails.at(-1)?.to).toBe(email);
    expect(await rows(api.database.em.fork(), sql`select 1 from users where email = ${email}`)).toEqual([]);
    const above = { ...of, email: `above-${count}@mail.test`, role: 'OWNER' };
    expect((await admin.change('organizationInvitationCreate', above)).mistakes).toEqual(['FORBIDDEN role']);
    expect((await member.change('organizationInvitationCreate', { ...of, email, role: 'MEMBER' })).mistakes).toEqual([
      'FORBIDDEN organizationId',
    ]);
  });

  test('is changed by administrators who do not stand below them, once they have accepted', async () => {
    const { of, owner, admin, member, invited } = await open();
    const change = (by: TestCaller, who: TestCaller, patch: object) =>
      by.change('organizationUserUpdate', { ...of, userId: who.userId, ...patch }, 'user { id name timeZone }');
    await makeAccountOf(member, of.organizationId);
    const patch = { name: 'Grace', timeZone: 'Asia/Kolkata' };
    const { data, mistakes } = await change(admin, member, patch);
    expect([mistakes, data.user]).toEqual([[], { id: member.userId, ...patch }]);
    expect((await member.ask('{ me { name timeZone } }')).data.me).toEqual({ name: 'Grace', timeZone: 'Asia/Kolkata' });
    expect((await change(admin, owner, { name: 'Grace' })).mistakes).toEqual(['FORBIDDEN userId']);
    expect((await change(admin, invited, { name: 'Grace' })).mistakes).toEqual(['NOT_FOUND userId']);
    expect((await change(member, member, { name: 'Grace' })).mistakes).toEqual(['FORBIDDEN organizationId']);
    expect((await change(admin, member, { timeZone: 'Mars' })).mistakes).toEqual(['INVALID_TIME_ZONE timeZone']);
    expect((await owner.ask('{ me { name } }')).data.me.name).not.toBe('Grace');
  });

  test('keeps the name of an account that they have made themselves, or another organization, and all at once', async () => {
    const [{ of, owner, admin, member }, elsewhere] = [await open(), await open()];
    const change = (by: TestCaller, patch: object) =>
      by.change('organizationUserUpdate', { ...of, userId: member.userId, ...patch });
    const before = (await member.ask('{ me { name timeZone } }')).data.me;
    for (const by of [admin, owner]) {
      const patch = { name: 'Acme Security', timeZone: 'Asia/Kolkata' };
      expect((await change(by, patch)).mistakes).toEqual(['FORBIDDEN name']);
    }
    await makeAccountOf(member, elsewhere.of.organizationId);
    expect((await change(owner, { name: 'Acme Security' })).mistakes).toEqual(['FORBIDDEN name']);
    expect((await member.ask('{ me { name timeZone } }')).data.me).toEqual(before);
    expect((await change(owner, { timeZone: 'Asia/Kolkata' })).mistakes).toEqual([]);
  });

  test('keeps the name that they are known by outside, and everything else can be changed', async () => {
    const { of, admin, member } = await open();
    await makeAccountOf(member, of.organizationId);
    const elsewhere = await open();
    const change = (patch: object) =>
      admin.change('organizationUserUpdate', { ...of, userId: member.userId, ...patch });
    const of2 = { ...elsewhere.of, userId: member.userId, role: 'MEMBER' };
    const { data } = await elsewhere.owner.change('organizationMembershipCreate', of2, 'membershipId');
    // Until they have accepted, they belong to nothing there.
    expect((await change({ name: 'Grace' })).mistakes).toEqual([]);
    await member.change('organizationMembershipUpdate', {
      ...elsewhere.of,
      membershipId: data.membershipId,
      isAccepted: true,
    });
    expect((await change({ name: 'Acme Security', timeZone: 'Asia/Kolkata' })).mistakes).toEqual(['FORBIDDEN name']);
    expect((await member.ask('{ me { name timeZone } }')).data.me).toEqual({ name: 'Grace', timeZone: 'UTC' });
    expect((await change({ timeZone: 'Asia/Kolkata' })).mistakes).toEqual([]);
  });

  test('keeps it for a team outside of the organization too, and not for one inside', async () => {
    const { of, owner, admin, member } = await open();
    await makeAccountOf(member, of.organizationId);
    const change = (name: string) => admin.change('organizationUserUpdate', { ...of, userId: member.userId, name });
    const inside = await owner.change('organizationTeamCreate', { ...of, slug: `in-${count}`, name: 'In' }, 'teamId');
    const within = { teamId: inside.data.teamId, userId: member.userId, role: 'MEMBER' };
    const joined = await owner.change('teamMembershipCreate', within, 'membershipId');
    expect(joined).toMatchObject({ codes: [], mistakes: [] });
    expect((await change('Grace')).mistakes).toEqual([]);
    await api.signedIn(`member-${count}`).change('teamCreate', { slug: `out-${count}`, name: 'Out' }, 'teamId');
    expect((await change('Acme Security')).mistakes).toEqual(['FORBIDDEN name']);
  });

  test('is removed, and keeps the account', async () => {
    const { of, owner, admin, member } = await open();
    const remove = (by: TestCaller, who: TestCaller) =>
      by.change('organizationUserRemove', { ...of, userId: who.userId });
    expect((await remove(member, admin)).mistakes).toEqual(['FORBIDDEN organizationId']);
    expect((await remove(admin, owner)).mistakes).toEqual(['FORBIDDEN userId']);
    expect((await remove(owner, owner)).mistakes).toEqual(['LAST_OWNER userId']);
    expect((await remove(admin, member)).mistakes).toEqual([]);
    expect((await remove(admin, member)).mistakes).toEqual(['NOT_FOUND userId']);
    expect((await member.ask('{ me { id } }')).data.me.id).toBe(member.userId);
  });
});

describe('an organization is handed over', () => {
  test('by its owner to a member, in one step', async () => {
    const { of, owner, admin, member, memberships } = await open();
    const hand = (by: TestCaller, membershipId: string) =>
      by.change('organizationMembershipOwnershipTransfer', { ...of, membershipId }, 'membership { role }');
    expect((await hand(admin, memberships.member)).mistakes).toEqual(['FORBIDDEN organizationId']);
    expect((await hand(member, memberships.member)).mistakes).toEqual(['FORBIDDEN organizationId']);
    expect((await hand(owner, memberships.invited)).mistakes).toEqual(['NOT_POSSIBLE membershipId']);
    const done = await hand(owner, memberships.member);
    expect(done).toMatchObject({ mistakes: [], data: { membership: { role: 'OWNER' } } });
    const roles = await rolesIn(of.organizationId);
    expect([roles[uuidOf(owner.userId)], roles[uuidOf(member.userId)]]).toEqual(['ADMIN', 'OWNER']);
    expect((await hand(owner, memberships.admin)).mistakes).toEqual(['FORBIDDEN organizationId']);
  });

  test('by fifty at the same moment, once, and it has one owner', async () => {
    const { of, owner, memberships } = await open();
    const targets = [memberships.admin, memberships.member];
    const place = { groupId: uuidOf(of.organizationId), actorId: uuidOf(owner.userId) };
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        outcomeOf(
          handOverOwnership(api.database.em.fork(), ORGANIZATION, {
            ...place,
            membershipId: uuidOf(targets[n % 2] ?? ''),
          }),
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array<string>(49).fill('FORBIDDEN'), 'done']);
    expect(Object.values(await rolesIn(of.organizationId)).filter((role) => role === 'OWNER')).toHaveLength(1);
  });
});
