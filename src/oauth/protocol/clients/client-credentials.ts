import { decodeComponent } from '../../../core/text.ts';
import { isPossibleClientId } from '../client.ts';
import { isOAuthError, type OAuthError, oauthError } from '../oauth-error.ts';

/** How a client presented itself at the token, revocation or introspection endpoint (RFC 6749 §2.3.1). Nothing is verified yet. */
export type ClientCredentials =
  | { readonly method: 'NONE'; readonly clientId: string }
  | { readonly method: 'POST' | 'BASIC'; readonly clientId: string; readonly secret: string };

/** One answer to an unknown client, a wrong secret, a missing one and a secret from a public client: it tells nobody which it was. */
export const NOT_AUTHENTICATED: OAuthError = oauthError(
  'invalid_client',
  'The client could not be authenticated; check client_id and client_secret. A public client sends client_id alone.',
);

/** Reads the credentials from the Authorization header and the body; using both is an error. */
export function readClientCredentials(
  authorization: string | undefined,
  bodyClientId: string | undefined,
  bodySecret: string | undefined,
): ClientCredentials | OAuthError {
  const credentials =
    authorization === undefined
      ? readBodyCredentials(bodyClientId, bodySecret)
      : readBasic(authorization, bodyClientId, bodySecret);
  return isOAuthError(credentials) || isPossibleClientId(credentials.clientId) ? credentials : NOT_AUTHENTICATED;
}

function readBodyCredentials(clientId: string | undefined, secret: string | undefined): ClientCredentials | OAuthError {
  if (clientId === undefined)
    return oauthError('invalid_client', 'client_id is missing; send it in the body or by HTTP Basic.');
  return secret === undefined ? { method: 'NONE', clientId } : { method: 'POST', clientId, secret };
}

function readBasic(
  authorization: string,
  bodyClientId: string | undefined,
  bodySecret: string | undefined,
): ClientCredentials | OAuthError {
  const basic = decodeBasic(authorization);
  if (!basic) {
    const advice = 'send Basic and the base64 of client_id, a colon and the secret, the two percent-encoded';
    return oauthError('invalid_client', `The Authorization header holds no client credentials; ${advice}.`);
  }
  if (bodySecret !== undefined) {
    return oauthError(
      'invalid_request',
      'The client authenticates in the Authorization header and in the body; use one of them.',
    );
  }
  if (bodyClientId !== undefined && bodyClientId !== basic.clientId) {
    return oauthError('invalid_request', 'client_id in the body is not the one of the Authorization header; send one.');
  }
  return { method: 'BASIC', ...basic };
}

/** Both parts are form-encoded before base64 (RFC 6749 §2.3.1), so the first colon is the one between them. */
function decodeBasic(authorization: string): { readonly clientId: string; readonly secret: string } | undefined {
  const base64 = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (base64 === undefined || base64.length % 4 !== 0) return undefined;
  const text = decodeUtf8(Buffer.from(base64, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon === -1) return undefined;
  const clientId = decodeComponent(text.slice(0, colon));
  const secret = decodeComponent(text.slice(colon + 1));
  return clientId && secret !== undefined ? { clientId, secret } : undefined;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
