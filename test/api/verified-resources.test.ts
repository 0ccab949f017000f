import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import { findVerified, isVerified } from '../../src/modules/verified-resources/verified-resource.queries.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { uuidOf } from '../support/ids.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { groupId } from './every-value/things-there.ts';

let api: TestApi;
/** Ada owns it and its organization, Bob administers it, Cyd is a member, and Dan is a stranger. */
let sales: string;
beforeAll(async () => {
  api = await openTestApi();
  sales = await groupId(api, 'team', 'sales');
  for (const owner of [sales, api.as('bob').userId]) {
    await storeVerified(api.database.em, 'EMAIL', owner, 'desk@example.test');
    await storeVerified(api.database.em, 'PHONE', owner, '+4930123456');
  }
});
afterAll(() => api.close());

const BOTH = 'verifiedEmails { nodes { email verifiedAt } } verifiedPhones { nodes { phone } }';
const ofTeam = () => `{ door: team(id: ${JSON.stringify(sales)}) { ${BOTH} } }`;
const VERIFIED = {
  verifiedEmails: { nodes: [{ email: 'desk@example.test', verifiedAt: expect.anything() }] },
  verifiedPhones: { nodes: [{ phone: '+4930123456' }] },
};

describe('what is verified is seen', () => {
  test('by its owner alone', async () => {
    const document = `{ me { ${BOTH} } }`;
    expect((await api.as('bob').ask(document)).data.me).toEqual(VERIFIED);
    const none = { verifiedEmails: { nodes: [] }, verifiedPhones: { nodes: [] } };
    expect((await api.as('ada').ask(document)).data.me).toEqual(none);
  });

  test.each([
    ['ada', VERIFIED],
    ['bob', VERIFIED],
    ['cyd', { verifiedEmails: null, verifiedPhones: null }],
    ['dan', null],
  ])('of a team, as %s may', async (who, expected) => {
    expect((await api.as(who).ask(ofTeam())).data.door).toEqual(expected);
  });

  test('by the scope of the team, also in the list of its organization', async () => {
    const organization = await groupId(api, 'organization', 'acme');
    const document = `{ organization(id: ${JSON.stringify(organization)}) { teams { nodes { ${BOTH} } } } }`;
    const shown = await api.as('ada', ['ORG_PROFILE_READ', 'TEAM_VERIFIED_RESOURCES_READ']).ask(document);
    expect(shown.data.organization.teams.nodes).toContainEqual(VERIFIED);
    expect((await api.as('ada', ['ORG_PROFILE_READ', 'VERIFIED_RESOURCES_READ']).ask(document)).codes).toEqual([
      'INSUFFICIENT_SCOPE',
    ]);
  });
});

test('a receiver is verified for whom it was verified, however it is spelt, and for nobody else', async () => {
  const em = api.database.em.fork();
  const [team, bob, ada] = [uuidOf(sales), uuidOf(api.as('bob').userId), uuidOf(api.as('ada').userId)];
  const asked = [' Desk@EXAMPLE.test', 'other@example.test'];
  expect([...(await findVerified(em, 'EMAIL', team, asked))]).toEqual(['desk@example.test']);
  expect([...(await findVerified(em, 'EMAIL', bob, asked))]).toEqual(['desk@example.test']);
  expect([...(await findVerified(em, 'EMAIL', ada, asked))]).toEqual([]);
  expect([...(await findVerified(em, 'PHONE', team, ['+49 (30) 12 34 56', '+4930123457']))]).toEqual(['+4930123456']);
  expect([...(await findVerified(em, 'PHONE', ada, ['+4930123456']))]).toEqual([]);
  const says = async (owner: string) =>
    row(em, sql`select ${isVerified('PHONE', sql`${owner}`, sql`'+4930123456'`)} as yes`);
  expect([await says(team), await says(ada)]).toEqual([{ yes: true }, { yes: false }]);
});

describe('what is verified is taken off', () => {
  test.each([
    ['Email', 'EMAIL', 'off@example.test', 'verifiedEmails { nodes { email } }'],
    ['Phone', 'PHONE', '+4930999999', 'verifiedPhones { nodes { phone } }'],
  ] as const)('%s: by who administers the team, and by nobody else', async (noun, kind, receiver, list) => {
    const id = await storeVerified(api.database.em, kind, sales, receiver);
    const off = async (who: string) => {
      const { mistakes } = await api
        .as(who)
        .change(`teamVerified${noun}Delete`, { teamId: sales, [`verified${noun}Id`]: id });
      const { data } = await api.as('ada').ask(`{ door: team(id: ${JSON.stringify(sales)}) { ${list} } }`);
      return [mistakes, JSON.stringify(data).includes(receiver)];
    };
    expect(await off('cyd')).toEqual([['FORBIDDEN teamId'], true]);
    expect(await off('dan')).toEqual([['NOT_FOUND teamId'], true]);
    expect(await off('bob')).toEqual([[], false]);
    expect(await off('bob')).toEqual([[`NOT_FOUND verified${noun}Id`], false]);
  });

  test('one’s own, and not somebody else’s', async () => {
    const id = await storeVerified(api.database.em, 'EMAIL', api.as('cyd').userId, 'cyd@example.test');
    const off = (who: string) => api.as(who).change('verifiedEmailDelete', { verifiedEmailId: id });
    expect((await off('dan')).mistakes).toEqual(['NOT_FOUND verifiedEmailId']);
    expect((await off('cyd')).mistakes).toEqual([]);
    expect((await off('cyd')).mistakes).toEqual(['NOT_FOUND verifiedEmailId']);
  });
});
