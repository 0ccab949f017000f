/** Codes that verify addresses and numbers: asked for, sent, tried, and what they may verify. */
import { SMS_LIMITS, SmsLimit } from '../../../src/limits/sms-limit.ts';
import { digitsOf, issueCode } from '../../../src/modules/verified-resources/verify-receiver.ts';
import { uuidOf } from '../../support/ids.ts';
import { codeKeyOf } from '../../support/minted-tokens.ts';
import { storeVerified } from '../../support/verified-resources.ts';
import { type As, type Hits, oneByOne, type Visit } from './limit-hit.ts';

const ask = (visit: Visit, email: string, as: As) => visit.mutation('emailVerificationRequest', { email }, as);

const askBySms = (visit: Visit, phone: string, as: As) => visit.mutation('phoneVerificationRequest', { phone }, as);
const askForTeam = (visit: Visit, input: { readonly phone: string; readonly teamId: string | undefined }, as: As) =>
  visit.mutation('teamPhoneVerificationRequest', input, as);

/** Numbers of ranges of their own. */
const apart = (index: number) => `+49304000${10_000 * (index + 100)}`;

/** A new team, with nothing counted for it. */
async function newTeam(visit: Visit, slug: string, as: As): Promise<string | undefined> {
  const { text } = await visit.mutation('teamCreate', { slug, name: 'Limits' }, as, 'teamId');
  return /tea_[\w-]+/.exec(text)?.[0];
}

export const hits: Hits = {
  'sms-to-receiver': async (visit, limit) => {
    const bob = await visit.sessionOf('bob@acme.test');
    const [phone, teamId] = ['+4930100000001', await newTeam(visit, 'sms-to-receiver', bob)];
    return oneByOne(limit, (index) =>
      index % 2 === 0 ? askBySms(visit, phone, bob) : askForTeam(visit, { phone, teamId }, bob),
    );
  },
  'sms-to-range': async (visit, limit) => {
    const emails = ['ada@acme.test', 'cyd@acme.test', 'dan@solo.test'];
    const people = await Promise.all(emails.map((email) => visit.sessionOf(email)));
    return oneByOne(limit, (index) =>
      askBySms(visit, `+4930200000${String(index).padStart(3, '0')}`, people[index % people.length] ?? {}),
    );
  },
  'sms-of-account': async (visit, limit) => {
    const admin = await visit.sessionOf('admin@gatehouse.test');
    return oneByOne(limit, (index) => askBySms(visit, `+49303000${10_000 * (index + 10)}`, admin));
  },
  'sms-for-owner': async (visit, limit) => {
    const bob = await visit.sessionOf('bob@acme.test');
    const teamId = (await newTeam(visit, 'sms-for-owner', bob)) ?? '';
    // Counts messages that workflows have sent for it.
    const [counts, em] = [new SmsLimit(SMS_LIMITS, console), visit.app.database.em];
    for (let index = 1; index < limit.amount; index += 1) {
      await counts.require(em.fork(), { to: apart(index), ownerId: uuidOf(teamId) });
    }
    const more = (index: number) => askForTeam(visit, { phone: apart(limit.amount + index), teamId }, bob);
    return { within: await more(0), beyond: await more(1) };
  },
  'codes-of-account': async (visit, limit) => {
    const admin = await visit.sessionOf('admin@gatehouse.test');
    return oneByOne(limit, (index) => ask(visit, `verified-${index}@example.test`, admin));
  },
  'code-requests': async (visit, limit) => {
    const bob = await visit.sessionOf('bob@acme.test');
    return oneByOne(limit, () => ask(visit, 'asked-often@example.test', bob));
  },
  'code-tries': async (visit, limit) => {
    const [bob, email] = [await visit.sessionOf('bob@acme.test'), 'tried-often@example.test'];
    await ask(visit, email, bob);
    const tried = () => visit.mutation('verifiedEmailCreate', { email, code: '000000' }, bob);
    return oneByOne(limit, tried, '200 INVALID_VERIFICATION_CODE');
  },
  'verified-resources': async (visit, limit) => {
    const cyd = await visit.sessionOf('cyd@acme.test');
    const { text } = await visit.graphql('{ me { id } }', {}, cyd);
    const id = /usr_[\w-]+/.exec(text)?.[0] ?? '';
    const { em } = visit.app.database;
    for (let index = 1; index < limit.amount; index += 1) {
      await storeVerified(em, 'EMAIL', id, `verified-${index}@example.test`);
    }
    const key = await codeKeyOf(visit.app);
    const verify = async (receiver: string) => {
      const code = digitsOf(key, await issueCode(em.fork(), { ownerId: uuidOf(id), subject: 'EMAIL', receiver }));
      return visit.mutation('verifiedEmailCreate', { email: receiver, code }, cyd);
    };
    return { within: await verify('the-last@example.test'), beyond: await verify('one-more@example.test') };
  },
};
