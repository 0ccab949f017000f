import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/core/id.ts';
import { randomBase62, sha256Hex } from '../../../src/core/secret.ts';
import { type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { acceptByLink } from '../../../src/modules/memberships/answer-invitation.ts';
import { updateMembership } from '../../../src/modules/memberships/membership.commands.ts';
import { ORGANIZATION } from '../../../src/modules/organizations/group.ts';
import { readLimits } from '../../contract/limits/limit-table.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { KEPT } from '../../support/kept-rows.ts';
import { anAccount } from '../accounts/an-account.ts';

const most = (await readLimits()).find(({ id }) => id === 'members')?.amount ?? 0;

describe('an organization with as many members as it can have', () => {
  let database: TestDatabase;
  let em: Em;
  let groupId: string;
  beforeAll(async () => {
    database = await openTestDatabase();
    em = database.em.fork();
    const { id: ownerId } = await anAccount(em);
    await KEPT['members']?.fill(em, ownerId, most);
    const owned = await row(
      em,
      sql<{ id: string }>`select organization_id as id from organization_memberships where user_id = ${ownerId}`,
    );
    groupId = owned?.id ?? '';
  });
  afterAll(() => database?.close());

  const members = () =>
    row(
      em,
      sql<{ n: number }>`select count(*)::int as n from organization_memberships where organization_id = ${groupId}`,
    );

  test('takes nobody else, whose invitation stays', async () => {
    const { id: userId, email } = await anAccount(em);
    const owner = sql`(select user_id from organization_memberships where organization_id = ${groupId} and role = 'OWNER')`;
    const token = randomBase62(43);
    await rows(
      em,
      sql`insert into invitations
            (id, organization_id, email, role, token_hash, invited_by_id, created_at, updated_at, expires_at)
          values (${newId()}, ${groupId}, ${email}, 'MEMBER', ${sha256Hex(token)}, ${owner}, now(), now(), now() + interval '1 day')`,
    );
    const accept = () =>
      acceptByLink(
        em,
        { token, userId },
        async () => undefined,
        async () => undefined,
      );
    await expect(accept()).rejects.toMatchObject({
      code: 'TOO_MANY',
      mistakes: [{ bounds: { most }, message: expect.stringContaining('ask whoever invited you to make room') }],
    });
    expect(await members()).toEqual({ n: most });
    await rows(
      em,
      sql`delete from organization_memberships where id = (
        select id from organization_memberships where organization_id = ${groupId} and role = 'MEMBER' limit 1)`,
    );
    expect(await accept()).toMatchObject({ groupId });
    expect(await members()).toEqual({ n: most });
  });

  test('lets those accept who are counted already', async () => {
    const waiting = await row(
      em,
      sql<{ id: string; userId: string }>`
        select id, user_id as "userId" from organization_memberships where organization_id = ${groupId} and not accepted limit 1`,
    );
    const { id: membershipId = '', userId: actorId = '' } = waiting ?? {};
    await rows(em, sql`update users set email_verified_at = now() where id = ${actorId}`);
    await rows(
      em,
      sql`update organization_memberships set invited_by_id = (
            select user_id from organization_memberships where organization_id = ${groupId} and role = 'OWNER')
          where id = ${membershipId}`,
    );
    await updateMembership(em, ORGANIZATION, { groupId, actorId, membershipId }, { isAccepted: true });
    const [joined] = await rows(em, sql`select accepted from organization_memberships where id = ${membershipId}`);
    expect(joined).toEqual({ accepted: true });
  });
});
