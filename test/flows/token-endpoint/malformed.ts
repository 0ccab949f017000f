import { VERIFIER } from '../../support/oauth-requests.ts';
import { exchange, exchangeOf, form, type Row, refreshing, refreshOf } from './token-requests.ts';

/** Parameters that came twice, or in a form that nothing can be read from. */
export const MALFORMED: readonly Row[] = [
  ...['client_id', 'client_secret', 'grant_type', 'refresh_token', 'utm_source', '__proto__'].map(
    (name): Row => [`${name} twice`, refreshing({}, `&${name}=1&${name}=1`), 400, 'invalid_request'],
  ),
  ...['code', 'redirect_uri', 'code_verifier', 'client_id', 'client_secret'].map(
    (name): Row => [
      `the same ${name} twice`,
      (given) => form(exchangeOf(given), `&${name}=${encodeURIComponent(exchangeOf(given)[name] ?? '')}`),
      400,
      'invalid_request',
    ],
  ),
  ['scope twice', refreshing({}, '&scope=PROFILE_READ&scope=PROFILE_READ'), 400, 'invalid_request'],
  ['a second, empty code', exchange({}, '&code='), 400, 'invalid_request'],
  ['a NUL after the code', exchange((given) => ({ code: `${given.code}\0` })), 400, 'invalid_request'],
  ['a NUL in client_id', refreshing({ client_id: 'demo-app\0' }), 400, 'invalid_request'],
  ['a NUL in the secret', refreshing({ client_secret: '\0' }), 400, 'invalid_request'],
  ['a NUL in the verifier', exchange({ code_verifier: `${VERIFIER}\0` }), 400, 'invalid_request'],
  ['broken percent-encoding', refreshing({ refresh_token: undefined }, '&refresh_token=%g1'), 400, 'invalid_request'],
  ['overlong UTF-8', refreshing({ client_id: undefined }, '&client_id=%c0%af'), 400, 'invalid_request'],
  ['an encoded half character', refreshing({ scope: undefined }, '&scope=%ed%a0%80'), 400, 'invalid_request'],
  [
    'brackets after the name',
    (given) => form(refreshOf(given, { refresh_token: undefined }), `&refresh_token[]=${given.refreshToken}`),
    400,
    'invalid_request',
  ],
];
