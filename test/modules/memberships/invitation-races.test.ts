/** Fifty at the same moment about one invitation: the database decides who was first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUserId } from '../../../src/core/id.ts';
import { type Em, rows, sql } from '../../../src/database/sql.ts';
import { MailLimit } from '../../../src/limits/mail-limit.ts';
import type { Mail } from '../../../src/mail/mailer.ts';
import { acceptByLink, declineByLink } from '../../../src/modules/memberships/answer-invitation.ts';
import {
  type InvitingTo,
  invite,
  resendInvitation,
  withdrawInvitation,
} from '../../../src/modules/memberships/invite.ts';
import { updateMembership } from '../../../src/modules/memberships/membership.commands.ts';
import { type Group, ORGANIZATION } from '../../../src/modules/organizations/group.ts';
import { createOrganization } from '../../../src/modules/organizations/organization.commands.ts';
import { createTeam } from '../../../src/modules/teams/team.commands.ts';
import { TEAM } from '../../../src/modules/teams/team-role.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { asSent, type SentMail } from '../../support/sent-mail.ts';

const MANY = 50;

let database: TestDatabase;
let users: string[];
const mails: SentMail[] = [];
const sending = {
  mailLimit: new MailLimit(undefined, console),
  enqueue: async (_em: Em, { mail }: { readonly mail: Mail }) => void mails.push(asSent(mail)),
  publicUrl: 'https://gatehouse.test',
};

beforeAll(async () => {
  database = await openTestDatabase();
  users = Array.from({ length: MANY }, () => newUserId());
  await rows(
    em(),
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at, email_verified_at)
        select id, id || '@mail.test', id::text, id::text, 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now(), now()
        from unnest(${users}::uuid[]) as u(id)`,
  );
});
afterAll(() => database.close());

const em = () => database.em.fork();
const nothing = async (): Promise<void> => undefined;
const ownerId = (): string => users[0] ?? '';

const GROUPS: [string, Group, (slug: string) => Promise<string>][] = [
  ['organization', ORGANIZATION, (slug) => createOrganization(em(), ownerId(), { slug, name: slug })],
  ['team', TEAM, (slug) => createTeam(em(), ownerId(), { slug, name: slug })],
];

describe.each(GROUPS)('of fifty simultaneous requests at a %s:', (kind, group, found) => {
  let count = 0;

  /** A new group with an invitation, and the token of its link. */
  async function invited(email = `guest-${kind}-${(count += 1)}@mail.test`) {
    const groupId = await found(`races-${(count += 1)}`);
    const to: InvitingTo = { group, groupId, actorId: ownerId() };
    const invitationId = await invite(em(), sending, to, { email, role: 'ADMIN' });
    return { to, groupId, invitationId, token: tokenOf(mails.at(-1)), email };
  }

  async function members(groupId: string): Promise<number> {
    const all = await rows(em(), sql`select 1 from ${group.memberships} where ${group.column} = ${groupId}`);
    return all.length - 1;
  }

  async function waiting(groupId: string): Promise<number> {
    return (await rows(em(), sql`select 1 from invitations where ${group.column} = ${groupId}`)).length;
  }

  test('acceptances by one link, one joins', async () => {
    const { groupId, token } = await invited();
    const outcomes = await Promise.all(
      users.map((userId) => outcomeOf(acceptByLink(em(), { token, userId }, nothing, nothing))),
    );
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
    expect(outcomes.filter((one) => one !== 'done' && one !== 'ALREADY_MEMBER' && one !== 'LINK_OVER')).toEqual([]);
    expect([await members(groupId), await waiting(groupId)]).toEqual([1, 0]);
  });

  test('accepting by the link and as the address’s owner, one person joins once', async () => {
    const userId = users[1] ?? '';
    const { groupId, token, invitationId } = await invited(`${userId}@mail.test`);
    const target = { groupId, actorId: userId, membershipId: invitationId };
    const outcomes = await Promise.all(
      users.map((_, index) =>
        outcomeOf(
          index % 2 === 0
            ? acceptByLink(em(), { token, userId }, nothing, nothing)
            : updateMembership(em(), group, target, { isAccepted: true }),
        ),
      ),
    );
    expect(outcomes).toContain('done');
    expect([await members(groupId), await waiting(groupId)]).toEqual([1, 0]);
  });

  test.each(['accept', 'decline'])(
    'answers by %s and withdrawals, one is first, and nobody is both',
    async (action) => {
      const { to, groupId, token, invitationId } = await invited();
      const outcomes = await Promise.all(
        users.map((userId, index) => {
          if (index % 2 === 1) return outcomeOf(withdrawInvitation(em(), to, invitationId));
          if (action === 'accept') return outcomeOf(acceptByLink(em(), { token, userId }, nothing, nothing));
          return declineByLink(em(), token).then((done) => (done ? 'done' : 'LINK_OVER'));
        }),
      );
      const winners = outcomes.flatMap((one, index) => (one === 'done' ? [index] : []));
      expect(winners).toHaveLength(1);
      const joined = action === 'accept' && (winners[0] ?? 1) % 2 === 0;
      expect([await members(groupId), await waiting(groupId)]).toEqual([joined ? 1 : 0, 0]);
    },
  );

  test('invitations of one address, one is made, and one mail is sent', async () => {
    const groupId = await found(`races-${(count += 1)}`);
    const to: InvitingTo = { group, groupId, actorId: ownerId() };
    const [email, before] = [`fifty-${kind}@mail.test`, mails.length];
    const outcomes = await Promise.all(
      users.map(() => outcomeOf(invite(em(), sending, to, { email, role: 'MEMBER' }))),
    );
    expect(outcomes.toSorted()).toEqual([...Array<string>(MANY - 1).fill('ALREADY_INVITED'), 'done']);
    expect([mails.length - before, await waiting(groupId)]).toEqual([1, 1]);
  });

  test('requests to send it again, each is mailed, and one link works', async () => {
    const { to, groupId, invitationId } = await invited();
    const before = mails.length;
    await Promise.all(users.map(() => resendInvitation(em(), sending, to, invitationId)));
    const tokens = mails.slice(before).map(tokenOf);
    expect(new Set(tokens).size).toBe(MANY);
    const outcomes = await Promise.all(
      tokens.map((token, index) =>
        outcomeOf(acceptByLink(em(), { token, userId: users[index] ?? '' }, nothing, nothing)),
      ),
    );
    const [works, ...others] = outcomes.filter((one) => one !== 'LINK_OVER');
    expect([['done', 'ALREADY_MEMBER'].includes(works ?? ''), others]).toEqual([true, []]);
    expect(await members(groupId)).toBe(works === 'done' ? 1 : 0);
  });
});

function tokenOf(mail: SentMail | undefined): string {
  return /\?token=([0-9A-Za-z]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}
