/** Hits the limits of apps' endpoints, and of what a client may have. */
import { formOf, NARROW, TOKEN_PATH } from '../../support/oauth-requests.ts';
import { send } from '../../support/raw-http.ts';
import { bothOf, type Hit, type Hits, type Outcome, oneByOne, type Visit } from './limit-hit.ts';

const { client_id, client_secret } = NARROW;
const CREDENTIALS = { client_id, client_secret };
/** A request to the token endpoint in which only its size is remarkable. */
const UNREMARKABLE = '400 unsupported_grant_type';

const NEW_CLIENT = { name: 'Limits', purpose: 'Test', type: 'CONFIDENTIAL', scopes: ['PROFILE_READ'] };
const uris = (amount: number) => Array.from({ length: amount }, (_, index) => `https://app.example.test/${index}`);

const parameters = (amount: number) => Object.fromEntries(Array.from({ length: amount }, (_, i) => [`p${i}`, 'x']));

/** A client with one field that has so much. */
const client =
  (input: (amount: number) => object): Hit =>
  async (visit, limit) => {
    const as = await visit.sessionOf('dan@solo.test');
    return bothOf(limit, (amount) =>
      visit.mutation('oauthClientCreate', { ...NEW_CLIENT, redirectUris: uris(1), ...input(amount) }, as),
    );
  };

/** An authorization request whose address has so much; without a session, it goes to the sign-in page. */
const authorizing =
  (query: (amount: number) => string): Hit =>
  async (visit, limit) => ({ ...(await bothOf(limit, (amount) => authorize(visit, query(amount)))), withinIs: '303' });

/** The error of an answer that goes to the app stands in its address. */
async function authorize(visit: Visit, query: string): Promise<Outcome> {
  const path = `/auth/oauth2/authorize?${query}`;
  const { status, headers, text } = await send(visit.app.url, { path, headers: { 'x-forwarded-for': visit.address } });
  const location = URL.parse(headers.get('location') ?? '', visit.app.url);
  return { status, text, code: location?.searchParams.get('error') ?? undefined, retryAfterInSeconds: undefined };
}

const KNOWN = formOf({ response_type: 'code', client_id, redirect_uri: NARROW.redirect_uri, scope: 'PROFILE_READ' });

async function newClient(visit: Visit, cookie: string | undefined, amount: number) {
  const input = { ...NEW_CLIENT, redirectUris: uris(amount) };
  return visit.mutation('oauthClientCreate', input, { ...(cookie !== undefined && { cookie }) }, 'client { clientId }');
}

export const hits: Hits = {
  'client-name': client((amount) => ({ name: 'x'.repeat(amount) })),
  'client-purpose': client((amount) => ({ purpose: 'x'.repeat(amount) })),
  'redirect-uri-length': client((amount) => ({ redirectUris: ['https://app.example.test/'.padEnd(amount, 'x')] })),
  'secret-name': async (visit, limit) => {
    const as = await visit.sessionOf('dan@solo.test');
    const { text } = await newClient(visit, as.cookie, 1);
    const clientId = /gh_client_\w+/.exec(text)?.[0];
    return bothOf(limit, (amount) =>
      visit.mutation('oauthClientSecretCreate', { clientId, name: 'x'.repeat(amount) }, as, 'secretId'),
    );
  },
  'authorize-parameters': authorizing(
    (amount) => KNOWN + Array.from({ length: amount - 4 }, (_, index) => `&p${index}=x`).join(''),
  ),
  'state-bytes': authorizing((amount) => `${KNOWN}&state=${'x'.repeat(amount)}`),
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
  'waiting-clients': async (visit, limit) => {
    const { cookie } = await visit.sessionOf('admin@gatehouse.test');
    return oneByOne(limit, () => newClient(visit, cookie, 1));
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
