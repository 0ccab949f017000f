import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { textOfCode } from '../../src/modules/verified-resources/verification-words.rules.ts';
import { findVerified } from '../../src/modules/verified-resources/verified-resource.queries.ts';
import { MAX_VERIFIED } from '../../src/modules/verified-resources/verified-resource.rules.ts';
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

describe('verified addresses and numbers are seen', () => {
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
  ])('on a team, as far as %s may', async (who, expected) => {
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

test('a receiver is verified for the owner who verified it, however it is spelt, and for nobody else', async () => {
  const em = api.database.em.fork();
  const [team, bob, ada] = [uuidOf(sales), uuidOf(api.as('bob').userId), uuidOf(api.as('ada').userId)];
  const asked = [' Desk@EXAMPLE.test', 'other@example.test'];
  expect([...(await findVerified(em, 'EMAIL', team, asked)).keys()]).toEqual(['desk@example.test']);
  expect([...(await findVerified(em, 'EMAIL', bob, asked)).keys()]).toEqual(['desk@example.test']);
  expect([...(await findVerified(em, 'EMAIL', ada, asked)).keys()]).toEqual([]);
  expect([...(await findVerified(em, 'PHONE', team, ['+49 (30) 12 34 56', '+4930123457'])).keys()]).toEqual([
    '+4930123456',
  ]);
  expect([...(await findVerified(em, 'PHONE', ada, ['+4930123456'])).keys()]).toEqual([]);
});

describe('verified addresses and numbers are removed', () => {
  test.each([
    ['Email', 'EMAIL', 'off@example.test', 'verifiedEmails { nodes { email } }'],
    ['Phone', 'PHONE', '+4930999999', 'verifiedPhones { nodes { phone } }'],
  ] as const)('%s: by an administrator of the team, and by nobody else', async (noun, kind, receiver, list) => {
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

/** The code of the last mail to somebody. */
const codeTo = (email: string) => /\d{6}/.exec(api.mails.findLast(({ to }) => to === email)?.text ?? '')?.[0] ?? '';
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const request = (who: string, email: string) => api.as(who).change('emailVerificationRequest', { email });
const verify = (who: string, email: string, code: string) =>
  api.as(who).change('verifiedEmailCreate', { email, code }, 'verifiedEmailId verifiedEmail { id email }');
const later = (interval: string) =>
  changed(api.database.em.fork(), sql`update verification_codes set expires_at = expires_at - ${interval}::interval`);

/** Verifies an address of a user who has very many, and answers the mistakes. */
const verified = async (email: string) => {
  await request('many', email);
  return (await verify('many', email, codeTo(email))).mistakes;
};

describe('an address is verified', () => {
  let count = 0;
  const newAddress = () => `new-${(count += 1)}@example.test`;
  test('by the code that was mailed there, however it is typed, once', async () => {
    const email = newAddress();
    expect((await request('ada', ` ${email.toUpperCase()} `)).mistakes).toEqual([]);
    const code = codeTo(email);
    const { data, mistakes } = await verify('ada', email, ` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect([mistakes, data.verifiedEmail]).toEqual([[], { id: data.verifiedEmailId, email }]);
    expect((await verify('ada', email, code)).mistakes).toEqual(['INVALID_VERIFICATION_CODE code']);
    expect([
      ...(await findVerified(api.database.em.fork(), 'EMAIL', uuidOf(api.as('ada').userId), [email])).keys(),
    ]).toEqual([email]);
  });

  test('again, and stays the same', async () => {
    const email = newAddress();
    const once = async () => {
      await request('ada', email);
      return (await verify('ada', email, codeTo(email))).data.verifiedEmailId;
    };
    expect(await once()).toBe(await once());
  });

  test('for a team by its administrators', async () => {
    const email = newAddress();
    const input = { teamId: sales, email };
    for (const [who, mistakes] of [
      ['cyd', ['FORBIDDEN teamId']],
      ['dan', ['NOT_FOUND teamId']],
      ['bob', []],
    ] as const) {
      expect((await api.as(who).change('teamEmailVerificationRequest', input)).mistakes).toEqual(mistakes);
    }
    const code = codeTo(email);
    // A member's tries count for nothing.
    for (const who of ['cyd', 'cyd', 'cyd', 'dan']) {
      const { mistakes } = await api.as(who).change('teamVerifiedEmailCreate', { ...input, code: wrong(code) });
      expect(mistakes).toEqual([who === 'dan' ? 'NOT_FOUND teamId' : 'FORBIDDEN teamId']);
    }
    expect((await api.as('bob').change('teamVerifiedEmailCreate', { ...input, code })).mistakes).toEqual([]);
    expect([...(await findVerified(api.database.em.fork(), 'EMAIL', uuidOf(sales), [email])).keys()]).toEqual([email]);
    const isAnsweredFor = async () => {
      const { data } = await api
        .as('ada')
        .ask(
          `{ door: team(id: ${JSON.stringify(sales)}) { verifiedEmails(first: 100) { nodes { email isAnsweredFor } } } }`,
        );
      const nodes: { email: string; isAnsweredFor: boolean }[] = data.door.verifiedEmails.nodes;
      return nodes.find((one) => one.email === email)?.isAnsweredFor;
    };
    const suspend = sql`update users set suspended_at = now() where id = ${uuidOf(api.as('bob').userId)}`;
    const reinstate = sql`update users set suspended_at = null where id = ${uuidOf(api.as('bob').userId)}`;
    expect(await isAnsweredFor()).toBe(true);
    await changed(api.database.em.fork(), suspend);
    expect(await isAnsweredFor()).toBe(false);
    // Whoever gives a code after that answers for it, and it stays the same.
    await api.as('ada').change('teamEmailVerificationRequest', input);
    expect((await api.as('ada').change('teamVerifiedEmailCreate', { ...input, code: codeTo(email) })).mistakes).toEqual(
      [],
    );
    expect(await isAnsweredFor()).toBe(true);
    await changed(api.database.em.fork(), reinstate);
  });

  test('by the code of its owner and address alone', async () => {
    const [email, other] = [newAddress(), newAddress()];
    await request('ada', email);
    const code = codeTo(email);
    expect((await verify('bob', email, code)).mistakes).toEqual(['INVALID_VERIFICATION_CODE code']);
    expect((await verify('ada', other, code)).mistakes).toEqual(['INVALID_VERIFICATION_CODE code']);
    const ofTeam = { teamId: sales, email, code };
    expect((await api.as('ada').change('teamVerifiedEmailCreate', ofTeam)).mistakes).toEqual([
      'INVALID_VERIFICATION_CODE code',
    ]);
    expect((await verify('ada', email, code)).mistakes).toEqual([]);
  });

  test('by the last code that was sent', async () => {
    const email = newAddress();
    await request('ada', email);
    const first = codeTo(email);
    do await request('ada', email);
    while (codeTo(email) === first);
    expect((await verify('ada', email, first)).mistakes).toEqual(['INVALID_VERIFICATION_CODE code']);
    expect((await verify('ada', email, codeTo(email))).mistakes).toEqual([]);
  });

  test('within a quarter of an hour', async () => {
    const email = newAddress();
    await request('ada', email);
    await later('14 minutes');
    expect((await verify('ada', email, codeTo(email))).mistakes).toEqual([]);
    await request('ada', email);
    await later('15 minutes');
    expect((await verify('ada', email, codeTo(email))).mistakes).toEqual(['INVALID_VERIFICATION_CODE code']);
  });

  test('by three tries; the next code has three more', async () => {
    const email = newAddress();
    await request('ada', email);
    const code = codeTo(email);
    for (const typed of ['', '12345', '１２３４５６', 'x'.repeat(100_000)]) {
      expect((await verify('ada', email, typed)).mistakes).toEqual(['INVALID_VERIFICATION_CODE code']);
    }
    const tried = [];
    for (const typed of [wrong(code), wrong(code), wrong(code), code])
      tried.push((await verify('ada', email, typed)).mistakes[0]);
    const invalid = 'INVALID_VERIFICATION_CODE code';
    expect(tried).toEqual([invalid, invalid, invalid, 'TOO_MANY_GUESSES code']);
    await request('ada', email);
    expect((await verify('ada', email, codeTo(email))).mistakes).toEqual([]);
  });

  test('at most five times in a quarter of an hour a code is sent for one owner and address', async () => {
    const email = newAddress();
    for (let sent = 0; sent < 5; sent += 1) expect((await request('ada', email)).mistakes).toEqual([]);
    expect((await request('ada', email.toUpperCase())).mistakes).toEqual(['TOO_MANY_GUESSES']);
    expect((await request('bob', email)).mistakes).toEqual([]);
    expect((await request('ada', newAddress())).mistakes).toEqual([]);
  });

  test('and only addresses are written to', async () => {
    const before = api.mails.length;
    expect((await request('ada', '')).mistakes).toEqual(['REQUIRED email']);
    expect((await request('ada', 'eve@example.test\r\nBcc: all@example.test')).mistakes).toEqual([
      'INVALID_EMAIL email',
    ]);
    expect(api.mails).toHaveLength(before);
  });

  test('when the user has verified it already', async () => {
    const user = await api.newUser('unverified');
    const em = () => api.database.em.fork();
    await changed(em(), sql`update users set email_verified_at = null where id = ${uuidOf(user.userId)}`);
    expect((await request('unverified', newAddress())).mistakes).toEqual(['EMAIL_NOT_VERIFIED']);
    await changed(em(), sql`update users set email_verified_at = now() where id = ${uuidOf(user.userId)}`);
    expect((await request('unverified', newAddress())).mistakes).toEqual([]);
  });

  test(`up to ${MAX_VERIFIED} for each owner`, async () => {
    const user = await api.newUser('many');
    for (let index = 1; index < MAX_VERIFIED; index += 1)
      await storeVerified(api.database.em, 'EMAIL', user.userId, `many-${index}@example.test`);
    expect(await verified('many-0@example.test')).toEqual([]);
    expect(await verified('one-more@example.test')).toEqual(['TOO_MANY']);
    expect(await verified('many-1@example.test')).toEqual([]);
  });
});

/** The code of the last SMS to a number. */
const codeBySms = (phone: string) => /^\d{6}/.exec(api.texts.findLast(({ to }) => to === phone)?.text ?? '')?.[0] ?? '';

describe('a number is verified', () => {
  test('by the code that was sent there by SMS, for one’s own and for a team', async () => {
    const typed = '+49 (30) 555-0001';
    const phone = '+49305550001';
    const { mistakes } = await api.as('bob').change('phoneVerificationRequest', { phone: typed });
    expect([mistakes, api.texts.at(-1)?.to]).toEqual([[], phone]);
    const ofTeam = { teamId: sales, phone, code: codeBySms(phone) };
    expect((await api.as('bob').change('teamVerifiedPhoneCreate', ofTeam)).mistakes).toEqual([
      'INVALID_VERIFICATION_CODE code',
    ]);
    const own = { phone: typed, code: codeBySms(phone) };
    const shown = 'verifiedPhoneId verifiedPhone { id phone }';
    const { data } = await api.as('bob').change('verifiedPhoneCreate', own, shown);
    expect(data.verifiedPhone).toEqual({ id: data.verifiedPhoneId, phone });
    expect((await api.as('cyd').change('teamPhoneVerificationRequest', { teamId: sales, phone })).mistakes).toEqual([
      'FORBIDDEN teamId',
    ]);
    await api.as('bob').change('teamPhoneVerificationRequest', { teamId: sales, phone });
    const again = { teamId: sales, phone, code: codeBySms(phone) };
    expect((await api.as('bob').change('teamVerifiedPhoneCreate', again)).mistakes).toEqual([]);
  });

  test.each(['', '030 5550001', '+49', '+4930 5550001 ext. 2', "+4930'; drop table users"])(
    'and %j is none',
    async (phone) => {
      const before = api.texts.length;
      expect((await api.as('bob').change('phoneVerificationRequest', { phone })).mistakes).toEqual([
        'INVALID_PHONE phone',
      ]);
      const { mistakes } = await api.as('bob').change('verifiedPhoneCreate', { phone, code: '123456' });
      expect([mistakes, api.texts.length]).toEqual([['INVALID_PHONE phone'], before]);
    },
  );
});

test('the words of an SMS with a code are of one part, of the 7-bit alphabet', () => {
  expect(textOfCode('123456')).toMatch(/^[ -Z_a-z]{1,160}$/);
});
