import { APP, CLI, NARROW } from '../../support/oauth-requests.ts';
import { form, type Row, refreshOf, withAuthorization } from './token-requests.ts';

const REVOKE = '/v2/auth/oauth2/revoke';
const INTROSPECT = '/v2/auth/oauth2/introspect';
const { redirect_uri: _cli, ...CLI_LOGIN } = CLI;
const { redirect_uri: _narrow, ...NARROW_LOGIN } = NARROW;

/** The other two endpoints read requests in the same way, so a few of each kind are enough. */
export const ELSEWHERE: readonly Row[] = [
  ['revocation without a token', (given) => ({ ...form(refreshOf(given)), path: REVOKE }), 400, 'invalid_request'],
  [
    'revocation without a client',
    (given) => ({ ...form({ token: given.refreshToken }), path: REVOKE }),
    401,
    'invalid_client',
  ],
  [
    'revocation with a wrong secret',
    (given) => ({ ...form({ ...APP, client_secret: 'x', token: given.refreshToken }), path: REVOKE }),
    401,
    'invalid_client',
  ],
  [
    'revocation of a refresh token of another client',
    (given) => ({ ...form({ ...NARROW_LOGIN, token: given.refreshToken }), path: REVOKE }),
    400,
    'unauthorized_client',
  ],
  [
    'revocation of an access token of another client',
    (given) => ({ ...form({ ...NARROW_LOGIN, token: given.accessToken }), path: REVOKE }),
    400,
    'unauthorized_client',
  ],
  [
    'revocation by a public client of what is not its own',
    (given) => ({ ...form({ ...CLI_LOGIN, token: given.refreshToken }), path: REVOKE }),
    400,
    'unauthorized_client',
  ],
  [
    'revocation with the token twice',
    (given) => ({ ...form({ ...APP, token: given.refreshToken }, '&token=x'), path: REVOKE }),
    400,
    'invalid_request',
  ],
  [
    'revocation with the token in the address',
    (given) => ({ ...form({ ...APP }), path: `${REVOKE}?token=${given.refreshToken}` }),
    400,
    'invalid_request',
  ],
  ['revocation by GET', () => ({ method: 'GET', path: REVOKE }), 405, 'invalid_request'],
  ['introspection without a token', () => ({ ...form({ ...APP }), path: INTROSPECT }), 400, 'invalid_request'],
  [
    'introspection without a client',
    (given) => ({ ...form({ token: given.accessToken }), path: INTROSPECT }),
    401,
    'invalid_client',
  ],
  [
    'introspection by the token itself',
    (given) => ({
      ...withAuthorization({ token: given.accessToken }, `Bearer ${given.accessToken}`),
      path: INTROSPECT,
    }),
    401,
    'invalid_client',
  ],
  [
    'introspection by a public client',
    (given) => ({ ...form({ ...CLI_LOGIN, token: given.cliRefreshToken }), path: INTROSPECT }),
    400,
    'unauthorized_client',
  ],
  [
    'introspection by GET',
    (given) => ({ method: 'GET', path: `${INTROSPECT}?token=${given.accessToken}` }),
    405,
    'invalid_request',
  ],
];
