/** Hits the limits of one network on the pages of accounts, and of what one account keeps. */
import { randomUUID } from 'node:crypto';
import { holdingHashes } from '../../support/held-hashes.ts';
import { formsOf } from '../../support/html-form.ts';
import { FORM, formOf } from '../../support/oauth-requests.ts';
import { send } from '../../support/raw-http.ts';
import { type Hits, type Outcome, oneByOne, type Visit } from './limit-hit.ts';

const PASSWORD = 'the password of the test';
/** This many have left the line; see password-hash.ts. */
const HASHED_AT_ONCE = 2;

export const hits: Hits = {
  'requests-auth': (visit, limit) => oneByOne(limit, () => visit.send({ path: '/auth/logout' })),
  // One address: past its own guesses, nothing is hashed for it any more.
  'sign-ins': (visit, limit) => oneByOne(limit, () => signIn(visit, 'nobody@acme.test'), '429 TOO_MANY_GUESSES'),
  'sign-ups': async (visit, limit) => {
    const page = await openForm(visit, '/auth/signup', 'username');
    return oneByOne(limit, () => page.send({ name: 'Grace', username: 'No Slug' }), '422');
  },
  'forgotten-passwords': async (visit, limit) => {
    const page = await openForm(visit, '/auth/forgotten-password', 'email');
    return oneByOne(limit, () => page.send({ email: 'none' }), '422');
  },
  'password-queue': (visit, { amount }) =>
    holdingHashes(async (release) => {
      let answered = 0;
      const asked = Array.from({ length: 3 * amount }, async (_, n) => {
        const outcome = await signIn(visit, `nobody-${n}@acme.test`);
        answered += 1;
        if (answered === 2 * amount - HASHED_AT_ONCE) release();
        return outcome;
      });
      const outcomes = await Promise.all(asked);
      const refused = outcomes.filter(({ code }) => code === 'BUSY');
      const judged = outcomes.filter(({ code }) => code !== 'BUSY');
      if (judged.length !== amount + HASHED_AT_ONCE) throw new Error(`${judged.length} passwords were judged.`);
      return { within: worstOf(judged), withinIs: '401 WRONG_CREDENTIALS', beyond: worstOf(refused) };
    }),
  'former-usernames': async (visit, limit) => {
    const page = await openForm(visit, '/auth/signup', 'username');
    const username = `u${randomUUID()}`;
    await page.send({ name: 'Grace', username, email: `${username}@acme.test`, password: PASSWORD });
    const session = await sessionOf(visit, `${username}@acme.test`);
    return oneByOne(limit, () => visit.mutation('profileUpdate', { username: `u${randomUUID()}` }, session));
  },
};

function signIn(visit: Visit, email: string): Promise<Outcome> {
  return visit.json('/auth/login', { email, password: 'not the password' });
}

/** A page of ours in a browser, and its form that has this field. */
async function openForm(visit: Visit, path: string, field: string) {
  const page = await send(visit.app.url, { path, headers: { 'x-forwarded-for': visit.address } });
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  const form = formsOf(page.text).find(({ controls }) => controls.includes(field));
  if (!form) throw new Error(`There is no form with ${field} at ${path}: ${page.text}`);
  return {
    send: (values: Record<string, string>): Promise<Outcome> =>
      visit.send({
        method: 'POST',
        path: form.action,
        headers: { 'content-type': FORM, cookie },
        body: formOf({ ...form.fields, ...values }),
      }),
  };
}

async function sessionOf({ app, address }: Visit, email: string): Promise<{ cookie: string }> {
  const answer = await send(app.url, {
    method: 'POST',
    path: '/auth/login',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return {
    cookie: answer.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; '),
  };
}

/** The one with the highest status. */
function worstOf(outcomes: readonly Outcome[]): Outcome {
  const [worst] = outcomes.toSorted((a, b) => b.status - a.status);
  if (!worst) throw new Error('Nothing was asked.');
  return worst;
}
