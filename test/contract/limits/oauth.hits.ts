/** What the endpoints of apps take, and what a client may have. */
import { NARROW, TOKEN_PATH } from '../../support/oauth-requests.ts';
import { bothOf, type Hits, oneByOne, type Visit } from './limit-hit.ts';

const { client_id, client_secret } = NARROW;
const CREDENTIALS = { client_id, client_secret };
/** A request to the token endpoint in which only its size is remarkable. */
const UNREMARKABLE = '400 unsupported_grant_type';

const NEW_CLIENT = { name: 'Limits', purpose: 'Test', type: 'CONFIDENTIAL', scopes: ['PROFILE_READ'] };
const uris = (amount: number) => Array.from({ length: amount }, (_, index) => `https://app.example.test/${index}`);

const parameters = (amount: number) => Object.fromEntries(Array.from({ length: amount }, (_, i) => [`p${i}`, 'x']));

async function newClient(visit: Visit, cookie: string | undefined, amount: number) {
  const input = { ...NEW_CLIENT, redirectUris: uris(amount) };
  return visit.mutation('oauthClientCreate', input, { ...(cookie !== undefined && { cookie }) }, 'client { clientId }');
}

export const hits: Hits = {
  'token-guesses': (visit, limit) =>
    oneByOne(
      limit,
      (index) =>
        visit.form(TOKEN_PATH, { ...CREDENTIALS, grant_type: 'refresh_token', refresh_token: `gh_refresh_${index}` }),
      '400 invalid_grant',
    ),
  'token-body': async (visit, limit) => {
    const empty = Object.entries({ ...CREDENTIALS, grant_type: 'x', pad: '' })
      .map((pair) => pair.join('='))
      .join('&');
    const reached = await bothOf(limit, (amount) =>
      visit.form(TOKEN_PATH, { ...CREDENTIALS, grant_type: 'x', pad: 'x'.repeat(amount - empty.length) }),
    );
    return { ...reached, withinIs: UNREMARKABLE };
  },
  'token-parameters': async (visit, limit) => {
    const reached = await bothOf(limit, (amount) =>
      visit.form(TOKEN_PATH, { ...CREDENTIALS, grant_type: 'x', ...parameters(amount - 3) }),
    );
    return { ...reached, withinIs: UNREMARKABLE };
  },
  'redirect-uris': async (visit, limit) => {
    const { cookie } = await visit.sessionOf('dan@solo.test');
    return bothOf(limit, (amount) => newClient(visit, cookie, amount));
  },
  'client-secrets': async (visit, limit) => {
    const as = await visit.sessionOf('dan@solo.test');
    const { text } = await newClient(visit, as.cookie, 1);
    const clientId = /gh_client_\w+/.exec(text)?.[0];
    const another = () => visit.mutation('oauthClientSecretCreate', { clientId }, as, 'secretId');
    // The first one came with the client.
    return oneByOne({ ...limit, amount: limit.amount - 1 }, another);
  },
};
