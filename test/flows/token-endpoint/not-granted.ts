import { CLI, VERIFIER } from '../../support/oauth-requests.ts';
import { exchange, forgedRefreshToken, plainExchange, type Row, refreshing } from './token-requests.ts';

const LARGE = 'x'.repeat(60_000);

/** Requests of a client that is who it says, for something that it does not get; the code is not counted as tried. */
export const NOT_GRANTED: readonly Row[] = [
  ['no grant_type', exchange({ grant_type: undefined }), 400, 'invalid_request'],
  ['an empty grant_type', exchange({ grant_type: '' }), 400, 'invalid_request'],
  ...[
    'password',
    'client_credentials',
    'implicit',
    'Authorization_Code',
    'authorization_code ',
    '__proto__',
    'constructor',
    'toString',
    'authorization-code',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ].map(
    (grantType): Row => [`grant_type ${grantType}`, exchange({ grant_type: grantType }), 400, 'unsupported_grant_type'],
  ),
  ['the wrong grant_type for a code', exchange({ grant_type: 'refresh_token' }), 400, 'invalid_request'],
  [
    'the wrong grant_type for a refresh token',
    refreshing({ grant_type: 'authorization_code' }),
    400,
    'invalid_request',
  ],
  ['no code', exchange({ code: undefined }), 400, 'invalid_request'],
  ['an empty code', exchange({ code: '' }), 400, 'invalid_request'],
  ['an unknown code', exchange({ code: 'gh_code_unknown' }), 400, 'invalid_grant'],
  [
    'a code whose last letter is changed',
    exchange((given) => ({ code: given.code.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })),
    400,
    'invalid_grant',
  ],
  ['a code in capitals', exchange((given) => ({ code: given.code.toUpperCase() })), 400, 'invalid_grant'],
  ['a space after the code', exchange((given) => ({ code: `${given.code} ` })), 400, 'invalid_grant'],
  ['half of the code', exchange((given) => ({ code: given.code.slice(0, 40) })), 400, 'invalid_grant'],
  ['a code of 60 kB', exchange({ code: LARGE }), 400, 'invalid_grant'],
  ['SQL for the code', exchange({ code: "' or true--" }), 400, 'invalid_grant'],
  ['a refresh token for the code', exchange((given) => ({ code: given.refreshToken })), 400, 'invalid_grant'],
  ['an access token for the code', exchange((given) => ({ code: given.accessToken })), 400, 'invalid_grant'],
  ['a verifier of 42 characters', exchange({ code_verifier: VERIFIER.slice(1) }), 400, 'invalid_request'],
  ['a verifier of 129 characters', exchange({ code_verifier: 'a'.repeat(129) }), 400, 'invalid_request'],
  ['a verifier of 60 kB', exchange({ code_verifier: LARGE }), 400, 'invalid_request'],
  ['a verifier with a space', exchange({ code_verifier: `${VERIFIER} ` }), 400, 'invalid_request'],
  ['a verifier with letters of the world', exchange({ code_verifier: 'ä'.repeat(43) }), 400, 'invalid_request'],
  ['a verifier for a code without a challenge', plainExchange({ code_verifier: VERIFIER }), 400, 'invalid_request'],
  [
    'no redirect_uri for a code without a challenge',
    plainExchange({ redirect_uri: undefined }),
    400,
    'invalid_request',
  ],
  ['an empty redirect_uri for a code without a challenge', plainExchange({ redirect_uri: '' }), 400, 'invalid_request'],
  ['a resource that is another API', exchange({ resource: 'https://other.example' }), 400, 'invalid_target'],
  ['no refresh token', refreshing({ refresh_token: undefined }), 400, 'invalid_request'],
  ['an empty refresh token', refreshing({ refresh_token: '' }), 400, 'invalid_request'],
  ['an unknown refresh token', refreshing({ refresh_token: 'gh_refresh_x' }), 400, 'invalid_grant'],
  [
    'a refresh token whose checksum is wrong',
    refreshing((given) => ({ refresh_token: given.refreshToken.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })),
    400,
    'invalid_grant',
  ],
  [
    'a refresh token of the next generation, forged',
    refreshing((given) => ({
      refresh_token: forgedRefreshToken(given.refreshToken, (body) => body.replace('_1_', '_2_')),
    })),
    400,
    'invalid_grant',
  ],
  [
    'a refresh token of generation 0, forged',
    refreshing((given) => ({
      refresh_token: forgedRefreshToken(given.refreshToken, (body) => body.replace('_1_', '_0_')),
    })),
    400,
    'invalid_grant',
  ],
  [
    'a refresh token with another MAC, forged',
    refreshing((given) => ({
      refresh_token: forgedRefreshToken(given.refreshToken, (body) => body.replace(/.{48}$/, 'A'.repeat(48))),
    })),
    400,
    'invalid_grant',
  ],
  [
    'a refresh token of another grant, forged',
    refreshing((given) => ({
      refresh_token: forgedRefreshToken(given.refreshToken, (body) =>
        body.replace(/^gh_refresh_.{22}/, given.narrowRefreshToken.slice(0, 33)),
      ),
    })),
    400,
    'invalid_grant',
  ],
  [
    'the refresh token of another client',
    refreshing((given) => ({ refresh_token: given.narrowRefreshToken })),
    400,
    'invalid_grant',
  ],
  [
    'the refresh token of a public client',
    refreshing((given) => ({ refresh_token: given.cliRefreshToken })),
    400,
    'invalid_grant',
  ],
  [
    'a refresh token claimed by a public client',
    refreshing({ client_id: CLI.client_id, client_secret: undefined }),
    400,
    'invalid_grant',
  ],
  [
    'an access token for the refresh token',
    refreshing((given) => ({ refresh_token: given.accessToken })),
    400,
    'invalid_grant',
  ],
  ['a code for the refresh token', refreshing((given) => ({ refresh_token: given.code })), 400, 'invalid_grant'],
  ['a refresh token of 60 kB', refreshing({ refresh_token: `gh_refresh_${LARGE}` }), 400, 'invalid_grant'],
  ['a scope that was not granted', refreshing({ scope: 'PROFILE_READ BOOKING_READ' }), 400, 'invalid_scope'],
  ['a scope that is unknown', refreshing({ scope: 'NOPE' }), 400, 'invalid_scope'],
  ['a scope in lower case', refreshing({ scope: 'profile_read' }), 400, 'invalid_scope'],
  ['a scope that names none', refreshing({ scope: ', ,' }), 400, 'invalid_scope'],
  ['a scope of 60 kB', refreshing({ scope: LARGE }), 400, 'invalid_scope'],
  [
    'a resource that is another API, to refresh',
    refreshing({ resource: 'https://other.example' }),
    400,
    'invalid_target',
  ],
];
