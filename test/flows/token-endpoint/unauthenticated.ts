import { APP, basic, CLI, NARROW } from '../../support/oauth-requests.ts';
import {
  APP_BASIC,
  cliExchange,
  cliExchangeOf,
  exchange,
  exchangeOf,
  form,
  type Row,
  refreshing,
  withAuthorization,
} from './token-requests.ts';

const LARGE = 'x'.repeat(60_000);

/** Clients that are not who they say; all but the malformed are answered alike. */
export const UNAUTHENTICATED: readonly Row[] = [
  ['no client', refreshing({ client_id: undefined, client_secret: undefined }), 401, 'invalid_client'],
  ['a secret without a client', refreshing({ client_id: undefined }), 401, 'invalid_client'],
  ['an unknown client', refreshing({ client_id: 'gh_client_nobody' }), 401, 'invalid_client'],
  [
    'an unknown client without a secret',
    refreshing({ client_id: 'gh_client_nobody', client_secret: undefined }),
    401,
    'invalid_client',
  ],
  ['the client in capitals', refreshing({ client_id: 'DEMO-APP' }), 401, 'invalid_client'],
  ['a space after the client', refreshing({ client_id: 'demo-app ' }), 401, 'invalid_client'],
  ['a look-alike letter in the client', refreshing({ client_id: 'dеmo-app' }), 401, 'invalid_client'],
  ['SQL for the client', refreshing({ client_id: "demo-app'--" }), 401, 'invalid_client'],
  ['a client of 60 kB', refreshing({ client_id: LARGE }), 401, 'invalid_client'],
  ['no secret', refreshing({ client_secret: undefined }), 401, 'invalid_client'],
  ['an empty secret', refreshing({ client_secret: '' }), 401, 'invalid_client'],
  ['a wrong secret', refreshing({ client_secret: 'gh_secret_wrong' }), 401, 'invalid_client'],
  ['the secret in capitals', refreshing({ client_secret: 'GH_SECRET_DEMO_APP' }), 401, 'invalid_client'],
  ['a space before the secret', refreshing({ client_secret: ` ${APP.client_secret}` }), 401, 'invalid_client'],
  ['a secret of 60 kB', refreshing({ client_secret: LARGE }), 401, 'invalid_client'],
  ['the secret of another client', refreshing({ client_secret: NARROW.client_secret }), 401, 'invalid_client'],
  [
    'the stored hash for the secret',
    refreshing({ client_secret: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }),
    401,
    'invalid_client',
  ],
  ['a public client with a secret', cliExchange({ client_secret: APP.client_secret }), 401, 'invalid_client'],
  [
    'a public client by Basic',
    (given) => withAuthorization(cliExchangeOf(given), basic(CLI.client_id, '')),
    401,
    'invalid_client',
  ],
  [
    'Basic with a wrong secret',
    (given) => withAuthorization(exchangeOf(given), basic(APP.client_id, 'wrong')),
    401,
    'invalid_client',
  ],
  [
    'Basic with an unknown client',
    (given) => withAuthorization(exchangeOf(given), basic('nobody', APP.client_secret)),
    401,
    'invalid_client',
  ],
  [
    'Basic without a secret',
    (given) => withAuthorization(exchangeOf(given), basic(APP.client_id, '')),
    401,
    'invalid_client',
  ],
  [
    'Basic without a colon',
    (given) => withAuthorization(exchangeOf(given), `Basic ${Buffer.from('demo-app').toString('base64')}`),
    401,
    'invalid_client',
  ],
  [
    'Basic without a client',
    (given) => withAuthorization(exchangeOf(given), `Basic ${Buffer.from(`:${APP.client_secret}`).toString('base64')}`),
    401,
    'invalid_client',
  ],
  ['Basic with nothing behind it', (given) => withAuthorization(exchangeOf(given), 'Basic'), 401, 'invalid_client'],
  [
    'Basic that is no base64',
    (given) => withAuthorization(exchangeOf(given), `Basic ${APP.client_id}:${APP.client_secret}`),
    401,
    'invalid_client',
  ],
  [
    'Basic whose base64 is cut',
    (given) => withAuthorization(exchangeOf(given), APP_BASIC.slice(0, -1)),
    401,
    'invalid_client',
  ],
  [
    'Basic with two credentials',
    (given) => withAuthorization(exchangeOf(given), `${APP_BASIC}, ${APP_BASIC}`),
    401,
    'invalid_client',
  ],
  [
    'Basic that is no UTF-8',
    (given) => withAuthorization(exchangeOf(given), `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`),
    401,
    'invalid_client',
  ],
  [
    'Basic with a NUL',
    (given) =>
      withAuthorization(
        exchangeOf(given),
        `Basic ${Buffer.from(`demo-app\0:${APP.client_secret}`).toString('base64')}`,
      ),
    401,
    'invalid_client',
  ],
  [
    'Basic whose percent-encoding is broken',
    (given) => withAuthorization(exchangeOf(given), `Basic ${Buffer.from(`demo-app:%zz`).toString('base64')}`),
    401,
    'invalid_client',
  ],
  [
    'two Authorization headers',
    (given) => withAuthorization(exchangeOf(given), APP_BASIC, APP_BASIC),
    401,
    'invalid_client',
  ],
  ['Bearer', (given) => withAuthorization(exchangeOf(given), `Bearer ${given.accessToken}`), 401, 'invalid_client'],
  ['Digest', (given) => withAuthorization(exchangeOf(given), 'Digest username="demo-app"'), 401, 'invalid_client'],
  ['Basic and a secret in the body', exchange({}, '', { authorization: APP_BASIC }), 400, 'invalid_request'],
  [
    'Basic and another client in the body',
    exchange({ client_id: CLI.client_id, client_secret: undefined }, '', { authorization: APP_BASIC }),
    400,
    'invalid_request',
  ],
  [
    'a client assertion',
    exchange({
      client_id: undefined,
      client_secret: undefined,
      client_assertion: 'x',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }),
    401,
    'invalid_client',
  ],
  [
    'a pending client',
    () =>
      form({
        client_id: 'demo-pending',
        client_secret: 'gh_secret_demo_pending',
        grant_type: 'refresh_token',
        refresh_token: 'x',
      }),
    400,
    'unauthorized_client',
  ],
];
