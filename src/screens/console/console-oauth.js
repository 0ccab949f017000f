// The console as a public OAuth client: authorization code with PKCE (RFC 7636), in the browser.

const PENDING = 'console.pending';
const TOKEN = 'console.token';

/** Sends the browser to the authorization endpoint; it comes back to `redirectUri`. */
export async function authorize({ clientId, redirectUri }, scopes) {
  const pending = { verifier: randomText(), state: randomText() };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const url = new URL('/auth/oauth2/authorize', location.origin);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: pending.state,
    code_challenge: base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier))),
    code_challenge_method: 'S256',
  });
  location.assign(url);
}

/**
 * Takes up what the authorization endpoint sent back in the address, and cleans the address.
 * Returns whether a token was obtained; throws an Error that says why not.
 */
export async function takeUpAnswer({ clientId, redirectUri }) {
  const answer = new URLSearchParams(location.search);
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? 'null');
  if (!answer.has('state')) return false;
  history.replaceState(null, '', location.pathname);
  sessionStorage.removeItem(PENDING);
  // Anybody can make a link with a code in it (RFC 9700 §2.1), and an answer may come from elsewhere (RFC 9207).
  if (pending?.state !== answer.get('state') || answer.get('iss') !== location.origin) {
    throw new Error('This answer does not belong to a question of this tab; ask for a token again.');
  }
  if (answer.has('error')) throw new Error(answer.get('error_description') ?? answer.get('error'));
  const response = await post('/v2/auth/oauth2/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code: answer.get('code'),
    code_verifier: pending.verifier,
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error_description ?? body.error);
  const expiresAt = Date.now() + body.expires_in * 1000;
  sessionStorage.setItem(TOKEN, JSON.stringify({ accessToken: body.access_token, scope: body.scope, expiresAt }));
  return true;
}

/** The token of this tab: `{ accessToken, scopes, expiresAt }`, or undefined. */
export function currentToken() {
  const { accessToken, scope, expiresAt } = JSON.parse(sessionStorage.getItem(TOKEN) ?? '{}');
  if (accessToken === undefined || expiresAt <= Date.now()) return undefined;
  return { accessToken, scopes: scope.split(' ').filter(Boolean), expiresAt: new Date(expiresAt) };
}

/** Ends the token, here and on the server (RFC 7009). */
export async function revokeToken({ clientId }) {
  const token = currentToken();
  sessionStorage.removeItem(TOKEN);
  if (token) await post('/v2/auth/oauth2/revoke', { client_id: clientId, token: token.accessToken });
}

function post(path, fields) {
  return fetch(path, { method: 'POST', credentials: 'omit', body: new URLSearchParams(fields) });
}

function randomText() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes) {
  return new Uint8Array(bytes).toBase64({ alphabet: 'base64url', omitPadding: true });
}
