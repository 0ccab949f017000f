import { equalsInConstantTime, sha256Hex } from '../../core/secret.ts';
import { decodeComponent } from '../../core/text.ts';
import { type Client, isPossibleClientId, MAX_ACTIVE_SECRETS } from './client.ts';
import { isOAuthError, type OAuthError, oauthError, quoted } from './oauth-error.ts';

/** An active secret of a client: the SHA-256 of its text, in hexadecimal. */
export interface StoredSecret {
  readonly id: string;
  readonly secretHash: string;
}

/** The caller, proven. `secretId` is the secret that was used, null for a public client. */
export interface AuthenticatedClient<C extends Client> {
  readonly client: C;
  readonly secretId: string | null;
}

/** How a client presented itself at the token, revocation or introspection endpoint (RFC 6749 §2.3.1). Nothing is verified yet. */
export type ClientCredentials =
  | { readonly method: 'NONE'; readonly clientId: string }
  | { readonly method: 'POST' | 'BASIC'; readonly clientId: string; readonly secret: string };

/** One answer to an unknown client, a wrong secret, a missing one and a secret from a public client: it tells nobody which it was. */
const NOT_AUTHENTICATED: OAuthError = oauthError(
  'invalid_client',
  'The client could not be authenticated; check client_id and client_secret. A public client sends client_id alone.',
);

/**
 * Verifies a client's credentials. `client` is undefined when nobody has the id.
 * Every refusal is the same and takes the same time: each call hashes once and compares with as many hashes as a client can have.
 */
export function authenticateClient<C extends Client>(
  credentials: ClientCredentials,
  client: C | undefined,
  secrets: readonly StoredSecret[],
): AuthenticatedClient<C> | OAuthError {
  const presented = credentials.method === 'NONE' ? undefined : credentials.secret;
  const matching = findMatchingSecret(presented ?? '', secrets);
  if (client?.type === 'PUBLIC' && presented === undefined) return { client, secretId: null };
  if (client?.type === 'CONFIDENTIAL' && presented !== undefined && matching) return { client, secretId: matching.id };
  return NOT_AUTHENTICATED;
}

/** Comes after authentication, so that only the client itself learns of its status. */
export function clientIsApproved({ clientId, status }: Client): OAuthError | undefined {
  if (status === 'APPROVED') return undefined;
  const advice = 'only approved clients get tokens; its developer page shows why';
  return oauthError('unauthorized_client', `The client ${quoted(clientId)} is ${status.toLowerCase()}; ${advice}.`);
}

/** Introspection tells whether a token is live, so a public client, which anybody can claim to be, may not ask (RFC 7662 §2.1). */
export function clientIsConfidential({ type }: Client): OAuthError | undefined {
  if (type === 'CONFIDENTIAL') return undefined;
  return oauthError(
    'unauthorized_client',
    'A public client may not introspect tokens; call the API with the token instead.',
  );
}

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

/** The hash of nothing: 256 zero bits, which no text is known to give. */
const NO_SECRET: StoredSecret = { id: '', secretHash: '0'.repeat(64) };

/** Goes through all of them: stopping at the first match would tell which secret, or how many, there are. */
function findMatchingSecret(presented: string, secrets: readonly StoredSecret[]): StoredSecret | undefined {
  const presentedHash = sha256Hex(presented);
  let found: StoredSecret | undefined;
  for (let i = 0; i < Math.max(MAX_ACTIVE_SECRETS, secrets.length); i += 1) {
    const candidate = secrets[i] ?? NO_SECRET;
    if (equalsInConstantTime(presentedHash, candidate.secretHash)) found = candidate;
  }
  return found;
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
