import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Em } from '../../../../src/database/sql.ts';
import { findLink, makeLink } from '../../../../src/modules/accounts/links/account-links.ts';
import { LINK_KINDS } from '../../../../src/modules/accounts/links/account-mail.rules.ts';
import { reinstateUser, suspendUser } from '../../../../src/modules/accounts/suspend-user.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { ADMINISTRATOR, anAccount } from '../an-account.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

test.each(LINK_KINDS)(
  'a link from before a suspension stays over after it, one from afterwards is good: %s',
  async (kind) => {
    const [user, neighbour] = [await anAccount(em), await anAccount(em)];
    const make = async ({ id: userId, email }: typeof user) => (await makeLink(em, { userId, kind, email })) ?? '';
    const [before, beside] = [await make(user), await make(neighbour)];
    expect(await findLink(em, before, [kind])).toMatchObject({ username: user.username });
    const suspension = { userId: user.id, actorId: ADMINISTRATOR, address: '192.0.2.1' };
    await suspendUser(em, suspension);
    expect(await make(user)).toBe('');
    await reinstateUser(em, suspension);
    expect(await findLink(em, before, [kind])).toBeUndefined();
    expect(await findLink(em, await make(user), [kind])).toMatchObject({ username: user.username });
    expect(await findLink(em, beside, [kind])).toMatchObject({ username: neighbour.username });
  },
);
