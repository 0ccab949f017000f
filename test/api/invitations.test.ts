/** Invitations by mail: whom they let in, what they tell, and what refuses them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicId } from '../../src/core/id.ts';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { acceptByLink, declineByLink, findInvitation } from '../../src/modules/memberships/answer-invitation.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';
import { outcomeOf } from '../support/outcome.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const GROUPS = ['team', 'organization'] as const;
type Kind = (typeof GROUPS)[number];

/** A group with an owner, an administrator and a member. */
interface Scene {
  readonly of: Record<string, string>;
  readonly kind: Kind;
  readonly groupId: string;
  readonly owner: TestCaller;
  readonly admin: TestCaller;
  readonly member: TestCaller;
}

let count = 0;
let scene: Scene;

async function open(kind: Kind): Promise<Scene> {
  count += 1;
  const [owner, admin, member] = await Promise.all(
    ['owner', 'admin', 'member'].map((name) => api.newUser(`${name}-${count}`)),
  );
  if (!owner || !admin || !member) throw new Error('A user is missing.');
  const founder = kind === 'team' ? owner : api.signedIn(`owner-${count}`);
  const made = await founder.change(`${kind}Create`, { slug: `group-${count}`, name: 'Choir' }, `${kind}Id`);
  const groupId: string = made.data[`${kind}Id`];
  const of = { [`${kind}Id`]: groupId };
  for (const [who, role] of [
    [admin, 'ADMIN'],
    [member, 'MEMBER'],
  ] as const) {
    const created = await owner.change(`${kind}MembershipCreate`, { ...of, userId: who.userId, role }, 'membershipId');
    await who.change(`${kind}MembershipUpdate`, { ...of, membershipId: created.data.membershipId, isAccepted: true });
  }
  return { of, kind, groupId, owner, admin, member };
}

const email = (): string => `guest-${(count += 1)}@mail.test`;
const em = () => api.database.em.fork();
const INVITED = 'invitationId invitation { email role createdAt expiresAt }';

async function invite(who: TestCaller, to: string, role = 'MEMBER', { kind, of } = scene) {
  const { data, mistakes } = await who.change(`${kind}InvitationCreate`, { ...of, email: to, role }, INVITED);
  return { id: data?.invitationId as string, invitation: data?.invitation, mistakes };
}

/** Somebody who is invited by the id of their account; what they are offered, and their acceptance. */
async function newInvitee() {
  const { kind, of } = scene;
  const guest = await api.newUser(`by-id-${(count += 1)}`);
  const invitations = `{ me { ${kind}Invitations { nodes { membershipId } } } }`;
  return {
    invitedBy: async (who: TestCaller): Promise<string> => {
      const input = { ...of, userId: guest.userId, role: 'MEMBER' };
      return (await who.change(`${kind}MembershipCreate`, input, 'membershipId')).data.membershipId;
    },
    offered: async (): Promise<string[]> =>
      (await guest.ask(invitations)).data.me[`${kind}Invitations`].nodes.map(
        (one: { membershipId: string }) => one.membershipId,
      ),
    accept: async (membershipId: string) =>
      (await guest.change(`${kind}MembershipUpdate`, { ...of, membershipId, isAccepted: true })).mistakes,
    isMember: async () =>
      (await guest.ask(`query($id: ID!) { ${kind}(id: $id) { id } }`, { id: scene.groupId })).data[kind] !== null,
  };
}

function tokenTo(address: string): string {
  const mail = api.mails.findLast(({ to }) => to === address);
  return /\?token=([0-9A-Za-z]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}

function acceptedBy(who: TestCaller, token: string): Promise<string> {
  return outcomeOf(
    acceptByLink(
      em(),
      { token, userId: uuidOf(who.userId) },
      async () => undefined,
      async () => undefined,
    ),
  );
}

async function roleOf(who: TestCaller, { kind, groupId } = scene): Promise<string | undefined> {
  const found = await rows(
    em(),
    sql<{ role: string }>`select role from ${sql.table(`${kind}_memberships`)}
      where ${sql.ref(`${kind}_id`)} = ${uuidOf(groupId)} and user_id = ${uuidOf(who.userId)} and accepted`,
  );
  return found[0]?.role;
}

async function listed(who: TestCaller, { kind, groupId } = scene) {
  const document = `query($id: ID!) { ${kind}(id: $id) { invitations { nodes { id email } } } }`;
  return (await who.ask(document, { id: groupId })).data[kind]?.invitations?.nodes;
}

describe.each(GROUPS)('an invitation to a %s', (kind) => {
  beforeEach(async () => {
    scene = await open(kind);
  });

  test('is mailed in the language of an account with the address, else in the inviter’s language', async () => {
    const { admin } = scene;
    const german = sql`update users set locale = 'de-AT' where id = ${uuidOf(admin.userId)}`;
    await rows(em(), german);
    const [stranger, reader] = [email(), await api.newUser(`reads-english-${count}`)];
    const [known] = await rows(
      em(),
      sql<{ email: string }>`select email from users where id = ${uuidOf(reader.userId)}`,
    );
    await invite(admin, stranger);
    await invite(admin, known?.email ?? '');
    const subjectTo = (to: string) => api.mails.findLast((one) => one.to === to)?.subject;
    expect(subjectTo(stranger)).toBe(`Einladung in ${kind === 'team' ? 'das Team' : 'die Organisation'} „Choir“`);
    expect(subjectTo(known?.email ?? '')).toBe(`Invitation to the ${kind} “Choir”`);
  });

  test('is mailed with a link, which makes whoever follows it a member, once', async () => {
    const [to, guest, other] = [email(), await api.newUser(`by-link-${count}`), await api.newUser(`late-${count}`)];
    const { invitation, mistakes } = await invite(scene.admin, to.toUpperCase(), 'ADMIN');
    expect(mistakes).toEqual([]);
    expect(invitation).toMatchObject({ email: to, role: 'ADMIN' });
    expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).toBe(7 * 24 * 60 * 60 * 1000);
    const mail = api.mails.findLast((one) => one.to === to);
    expect(mail?.subject).toBe(`Invitation to the ${kind} “Choir”`);
    expect(mail?.text).toContain('as an administrator');

    const token = tokenTo(to);
    expect(await rows(em(), sql`select 1 from invitations where token_hash = ${token}`)).toEqual([]);
    expect(await acceptedBy(guest, token)).toBe('done');
    expect(await roleOf(guest)).toBe('ADMIN');
    expect(await acceptedBy(other, token)).toBe('LINK_OVER');
    expect(await roleOf(other)).toBeUndefined();
  });

  test.each([
    ['owner', 'OWNER', []],
    ['admin', 'ADMIN', []],
    ['admin', 'OWNER', ['FORBIDDEN role']],
    ['member', 'MEMBER', [`FORBIDDEN KIND`]],
    ['stranger', 'MEMBER', [`NOT_FOUND KIND`]],
  ] as const)('by the %s to be %s: %j', async (who, role, expected) => {
    const actor = who === 'stranger' ? await api.newUser(`stranger-${count}`) : scene[who];
    const [to, before] = [email(), api.mails.length];
    const { mistakes } = await invite(actor, to, role);
    expect(mistakes).toEqual(expected.map((one) => one.replace('KIND', `${kind}Id`)));
    expect(api.mails.length - before).toBe(expected.length === 0 ? 1 : 0);
    expect((await listed(scene.owner)).map((one: { email: string }) => one.email)).toEqual(
      expected.length === 0 ? [to] : [],
    );
  });

  test('is the same for an address with an account and for one without', async () => {
    const known = await api.newUser(`known-${count}`);
    const { data } = await known.ask('{ me { email } }');
    const answers = [await invite(scene.owner, data.me.email), await invite(scene.owner, email())];
    for (const { mistakes, invitation } of answers) expect([mistakes, invitation.role]).toEqual([[], 'MEMBER']);
    const [first, second] = api.mails.slice(-2).map(({ text }) => text.replace(/token=\w+/, 'token='));
    expect(first).toBe(second);
  });

  test('is refused for an address that is invited or a member’s, and for what is none', async () => {
    const to = email();
    await invite(scene.owner, to);
    expect((await invite(scene.owner, ` ${to.toUpperCase()}`)).mistakes).toEqual(['ALREADY_INVITED email']);
    const { data } = await scene.member.ask('{ me { email } }');
    expect((await invite(scene.owner, data.me.email)).mistakes).toEqual(['ALREADY_MEMBER email']);
    expect((await invite(scene.owner, 'nobody')).mistakes).toEqual(['INVALID_EMAIL email']);
  });

  test('is shown to the person who has verified the address, and accepted or declined by them', async () => {
    const [guest, second, unverified] = await Promise.all(
      ['shown', 'second', 'unverified'].map((name) => api.newUser(`${name}-${count}`)),
    );
    if (!guest || !second || !unverified) throw new Error('A user is missing.');
    await changed(em(), sql`update users set email_verified_at = null where id = ${uuidOf(unverified.userId)}`);
    for (const who of [guest, second, unverified]) {
      const { data } = await who.ask('{ me { email } }');
      expect((await invite(scene.owner, data.me.email, 'ADMIN')).mistakes).toEqual([]);
    }
    const list = `{ me { ${kind}Invitations { nodes { membershipId groupId groupName role } } } }`;
    const own = async (who: TestCaller) => (await who.ask(list)).data.me[`${kind}Invitations`].nodes;
    expect(await own(unverified)).toEqual([]);
    const [invitation] = await own(guest);
    expect(invitation).toMatchObject({ groupId: scene.groupId, groupName: 'Choir', role: 'ADMIN' });
    const input = { ...scene.of, membershipId: invitation.membershipId, isAccepted: true };
    for (const who of [second, unverified]) {
      expect((await who.change(`${kind}MembershipUpdate`, input)).mistakes).toEqual([`NOT_FOUND ${kind}Id`]);
    }
    const raised = { ...input, role: 'OWNER' };
    expect((await guest.change(`${kind}MembershipUpdate`, raised)).mistakes).toEqual(['FORBIDDEN role']);
    const accepted = await guest.change(
      `${kind}MembershipUpdate`,
      input,
      'membershipId membership { role isAccepted }',
    );
    expect(accepted).toMatchObject({ mistakes: [], data: { membership: { role: 'ADMIN', isAccepted: true } } });
    expect(accepted.data.membershipId).toBe(invitation.membershipId);
    expect(await own(guest)).toEqual([]);

    const declined = { ...scene.of, membershipId: (await own(second))[0].membershipId };
    expect((await second.change(`${kind}MembershipDelete`, declined)).mistakes).toEqual([]);
    expect([await own(second), await roleOf(second)]).toEqual([[], undefined]);
  });

  test('is accepted as it was seen, and not once it was changed since', async () => {
    const guest = await api.newUser(`seen-${count}`);
    const { data } = await guest.ask('{ me { email } }');
    const { id: invitationId } = await invite(scene.owner, data.me.email);
    const membershipId = publicId('membership', uuidOf(invitationId));
    const seen = async () => {
      const { data } = await guest.ask(`{ me { ${kind}Invitations { nodes { membershipId updatedAt } } } }`);
      expect(data.me[`${kind}Invitations`].nodes).toMatchObject([{ membershipId }]);
      return data.me[`${kind}Invitations`].nodes[0].updatedAt;
    };
    const first = await seen();
    await scene.owner.change(`${kind}InvitationResend`, { ...scene.of, invitationId });
    const accept = async (ifUpdatedAt: string) =>
      (await guest.change(`${kind}MembershipUpdate`, { ...scene.of, membershipId, isAccepted: true, ifUpdatedAt }))
        .mistakes;
    expect([await accept(first), await roleOf(guest)]).toEqual([['CONFLICT ifUpdatedAt'], undefined]);
    expect([await accept(await seen()), await roleOf(guest)]).toEqual([[], 'MEMBER']);
  });

  test('by its link can be declined, once', async () => {
    const to = email();
    await invite(scene.owner, to);
    const token = tokenTo(to);
    expect(await findInvitation(em(), token)).toMatchObject({ groupName: 'Choir', role: 'MEMBER', email: to });
    expect(await declineByLink(em(), token)).toBe(true);
    expect(await declineByLink(em(), token)).toBe(false);
    expect(await listed(scene.owner)).toEqual([]);
  });

  test('is sent again by a new link, and the old one is dead', async () => {
    const [to, guest] = [email(), await api.newUser(`again-${count}`)];
    const { id: invitationId } = await invite(scene.owner, to);
    const old = tokenTo(to);
    const again = await scene.admin.change(`${kind}InvitationResend`, { ...scene.of, invitationId }, INVITED);
    expect(again).toMatchObject({ mistakes: [], data: { invitationId, invitation: { email: to } } });
    expect(await acceptedBy(guest, old)).toBe('LINK_OVER');
    expect(await acceptedBy(guest, tokenTo(to))).toBe('done');
  });

  test('to a role above one’s own is neither sent again nor withdrawn', async () => {
    const to = email();
    const { id: invitationId } = await invite(scene.owner, to, 'OWNER');
    for (const verb of ['Resend', 'Delete']) {
      const refused = await scene.admin.change(`${kind}Invitation${verb}`, { ...scene.of, invitationId });
      expect(refused.mistakes).toEqual(['FORBIDDEN invitationId']);
    }
    expect(await findInvitation(em(), tokenTo(to))).toBeDefined();
    for (const verb of ['Resend', 'Delete']) {
      const { mistakes } = await scene.owner.change(`${kind}Invitation${verb}`, { ...scene.of, invitationId });
      expect(mistakes).toEqual([]);
    }
    expect(await findInvitation(em(), tokenTo(to))).toBeUndefined();
  });

  test('is withdrawn by an administrator of the group, and by nobody else', async () => {
    const [to, other] = [email(), await open(kind)];
    const { id: invitationId } = await invite(scene.owner, to);
    const input = { ...scene.of, invitationId };
    expect((await scene.member.change(`${kind}InvitationDelete`, input)).mistakes).toEqual([`FORBIDDEN ${kind}Id`]);
    const foreign = { ...other.of, invitationId };
    for (const verb of ['Delete', 'Resend']) {
      const { mistakes } = await other.owner.change(`${kind}Invitation${verb}`, foreign);
      expect(mistakes).toEqual(['NOT_FOUND invitationId']);
    }
    expect(await listed(scene.owner)).toHaveLength(1);
    expect((await scene.admin.change(`${kind}InvitationDelete`, input)).mistakes).toEqual([]);
    expect(await listed(scene.owner)).toEqual([]);
    expect((await scene.admin.change(`${kind}InvitationDelete`, input)).mistakes).toEqual(['NOT_FOUND invitationId']);
    expect(await acceptedBy(scene.member, tokenTo(to))).toBe('LINK_OVER');
  });

  test('is over after seven days, and then the address can be invited again', async () => {
    const [to, guest] = [email(), await api.newUser(`over-${count}`)];
    const { id: invitationId } = await invite(scene.owner, to);
    const token = tokenTo(to);
    await changed(
      em(),
      sql`update invitations set expires_at = now() - interval '1 second' where id = ${uuidOf(invitationId)}`,
    );
    expect([await acceptedBy(guest, token), await listed(scene.owner)]).toEqual(['LINK_OVER', []]);
    const again = await scene.owner.change(`${kind}InvitationResend`, { ...scene.of, invitationId });
    expect(again.mistakes).toEqual(['NOT_FOUND invitationId']);
    expect((await invite(scene.owner, to)).mistakes).toEqual([]);
    expect(await acceptedBy(guest, tokenTo(to))).toBe('done');
  });

  test('counts as long as its sender may give the role', async () => {
    const [to, guest] = [email(), await api.newUser(`given-${count}`)];
    await invite(scene.admin, to, 'ADMIN');
    const setRole = (role: string) =>
      changed(
        em(),
        sql`update ${sql.table(`${kind}_memberships`)} set role = ${role} where user_id = ${uuidOf(scene.admin.userId)}`,
      );
    await setRole('MEMBER');
    expect([await findInvitation(em(), tokenTo(to)), await acceptedBy(guest, tokenTo(to))]).toEqual([
      undefined,
      'LINK_OVER',
    ]);
    await setRole('ADMIN');
    expect(await acceptedBy(guest, tokenTo(to))).toBe('done');
  });

  test('counts as long as its sender is not suspended', async () => {
    const [to, guest] = [email(), await api.newUser(`suspended-${count}`)];
    await invite(scene.admin, to);
    const suspended = (at: string) =>
      changed(em(), sql`update users set suspended_at = ${sql.raw(at)} where id = ${uuidOf(scene.admin.userId)}`);
    await suspended('now()');
    expect(await acceptedBy(guest, tokenTo(to))).toBe('LINK_OVER');
    await suspended('null');
    expect(await acceptedBy(guest, tokenTo(to))).toBe('done');
  });

  test.each([
    ['suspended', 'users', 'suspended_at', ['now()', 'null'], 'id'],
    ['demoted', 'memberships', 'role', ["'MEMBER'", "'ADMIN'"], 'user_id'],
  ] as const)(
    'by the id of a user counts as long as its sender is not %s',
    async (_, of, column, [lost, back], key) => {
      const { invitedBy, offered, accept } = await newInvitee();
      const membershipId = await invitedBy(scene.admin);
      const table = sql.table(of === 'users' ? of : `${scene.kind}_${of}`);
      const set = (value: string) =>
        changed(
          em(),
          sql`update ${table} set ${sql.ref(column)} = ${sql.raw(value)} where ${sql.ref(key)} = ${uuidOf(scene.admin.userId)}`,
        );
      await set(lost);
      expect([await offered(), await accept(membershipId)]).toEqual([[], ['NOT_FOUND membershipId']]);
      await set(back);
      expect([await offered(), await accept(membershipId)]).toEqual([[membershipId], []]);
    },
  );

  test('by the id of a user ends with the account of its sender, and then somebody else can send one', async () => {
    const { invitedBy, offered, accept, isMember } = await newInvitee();
    const table = sql.table(`${scene.kind}_memberships`);
    const membershipId = await invitedBy(scene.admin);
    await changed(em(), sql`delete from ${table} where user_id = ${uuidOf(scene.admin.userId)}`);
    expect([await offered(), await accept(membershipId)]).toEqual([[], ['NOT_FOUND membershipId']]);
    const another = await invitedBy(scene.owner);
    expect([await offered(), await accept(another)]).toEqual([[another], []]);
    // Once it is accepted, nothing hangs on who sent it.
    await changed(em(), sql`update users set suspended_at = now() where id = ${uuidOf(scene.owner.userId)}`);
    expect([await isMember(), await accept(another)]).toEqual([true, []]);
  });

  test('by the id of a user gets another inviter with another role', async () => {
    const { kind, of, admin, owner } = scene;
    const guest = await api.newUser(`by-id-${(count += 1)}`);
    const input = { ...of, userId: guest.userId, role: 'MEMBER' };
    const { membershipId } = (await admin.change(`${kind}MembershipCreate`, input, 'membershipId')).data;
    const update = (who: TestCaller, patch: object) =>
      who.change(`${kind}MembershipUpdate`, { ...of, membershipId, ...patch });
    expect((await update(owner, { role: 'OWNER' })).mistakes).toEqual([]);
    await changed(em(), sql`update users set suspended_at = now() where id = ${uuidOf(admin.userId)}`);
    expect((await update(guest, { isAccepted: true })).mistakes).toEqual([]);
  });

  test('takes an inviter whose own address is verified', async () => {
    const verified = (at: string) =>
      changed(em(), sql`update users set email_verified_at = ${sql.raw(at)} where id = ${uuidOf(scene.owner.userId)}`);
    await verified('null');
    expect((await invite(scene.owner, email())).mistakes).toEqual(['EMAIL_NOT_VERIFIED']);
    expect(await listed(scene.owner)).toEqual([]);
    await verified('now()');
    expect((await invite(scene.owner, email())).mistakes).toEqual([]);
  });

  test('leaves a member who follows it what they are', async () => {
    const to = email();
    await invite(scene.owner, to, 'OWNER');
    expect([await acceptedBy(scene.member, tokenTo(to)), await roleOf(scene.member)]).toEqual([
      'ALREADY_MEMBER',
      'MEMBER',
    ]);
  });
});

test('a team of an organization lets in members of the organization alone', async () => {
  scene = await open('organization');
  const input = { ...scene.of, slug: `choir-${count}`, name: 'Choir' };
  const made = await scene.owner.change('organizationTeamCreate', input, 'teamId');
  const team: Scene = { ...scene, kind: 'team', groupId: made.data.teamId, of: { teamId: made.data.teamId } };
  const [to, stranger] = [email(), await api.newUser(`outside-${count}`)];
  await invite(scene.owner, to, 'MEMBER', team);
  expect(await acceptedBy(stranger, tokenTo(to))).toBe('NOT_IN_ORGANIZATION');
  expect(await roleOf(stranger, team)).toBeUndefined();
  expect(await acceptedBy(scene.member, tokenTo(to))).toBe('done');
  expect(await roleOf(scene.member, team)).toBe('MEMBER');
});
