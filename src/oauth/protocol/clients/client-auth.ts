/** clients/ judges how clients are registered, changed and authenticated (RFC 6749 §2). It may import no other room. */
import { equalsInConstantTime, sha256Hex } from '../../../core/secret.ts';
import { type Client, MAX_ACTIVE_SECRETS } from '../client.ts';
import { type OAuthError, oauthError, quoted } from '../oauth-error.ts';
import { type ClientCredentials, NOT_AUTHENTICATED } from './client-credentials.ts';

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

/** The hash of nothing: 256 zero bits, which no text is known to give. */
const NO_SECRET: StoredSecret = { id: '', secretHash: '0'.repeat(64) };

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
