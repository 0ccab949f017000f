import { APP, CHALLENGE, CLI, NARROW, VERIFIER } from '../../support/oauth-requests.ts';
import { cliExchange, exchange, plainExchange, type Row } from './token-requests.ts';

/** Attempts by somebody who has the code but not what proves it: the fifth burns it, so these change the code's row alone. */
export const COUNTED: readonly Row[] = [
  ['no verifier', exchange({ code_verifier: undefined }), 400, 'invalid_grant'],
  ['an empty verifier', exchange({ code_verifier: '' }), 400, 'invalid_grant'],
  ['a wrong verifier', exchange({ code_verifier: 'a'.repeat(43) }), 400, 'invalid_grant'],
  ['the challenge for the verifier', exchange({ code_verifier: CHALLENGE }), 400, 'invalid_grant'],
  ['the verifier in capitals', exchange({ code_verifier: VERIFIER.toUpperCase() }), 400, 'invalid_grant'],
  ['a slash after the redirect URI', exchange({ redirect_uri: `${APP.redirect_uri}/` }), 400, 'invalid_grant'],
  ['another redirect URI of the client', exchange({ redirect_uri: 'http://127.0.0.1/callback' }), 400, 'invalid_grant'],
  [
    'the redirect URI encoded otherwise',
    exchange({ redirect_uri: 'https://app.example.test/%63b' }),
    400,
    'invalid_grant',
  ],
  [
    'another port of the loopback',
    cliExchange({ redirect_uri: 'http://127.0.0.1:5556/callback' }),
    400,
    'invalid_grant',
  ],
  ['another client', exchange({ ...NARROW, redirect_uri: APP.redirect_uri }), 400, 'invalid_grant'],
  [
    'a public client that claims it',
    exchange({ client_id: CLI.client_id, client_secret: undefined }),
    400,
    'invalid_grant',
  ],
  ['another redirect URI without PKCE', plainExchange({ redirect_uri: 'https://evil.test/cb' }), 400, 'invalid_grant'],
];
