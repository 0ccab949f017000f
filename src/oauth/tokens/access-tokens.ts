import { sign } from 'node:crypto';
import { JOSEError, JWKSNoMatchingKey } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { isInUse } from '../clients/client-columns.ts';
import { SIGNING_ALGORITHM, type SigningKey } from '../keys/signing-keys.ts';
import type { Access } from '../protocol/access.ts';
import {
  ACCESS_TOKEN_TYPE,
  accessTokenClaims,
  type IssuedTokens,
  readAccessTokenClaims,
  type VerifiedAccessToken,
} from '../protocol/access-token.ts';
import { refreshToken } from '../protocol/credentials.ts';
import type { GrantGeneration } from './token-statements.ts';

interface GrantUse {
  readonly isAlive: boolean;
  /** The client has shown that the answer with this generation reached it; the generation before cannot be retried much longer. */
  readonly isConfirmation: boolean;
  readonly isDueToBeNoted: boolean;
  /** Whether the user's address is not verified. */
  readonly isUnverified: boolean;
}

/**
 * The pair of tokens of one generation. Nothing in it is drawn or looked up at this moment, so that a repeated request
 * gets the identical pair though no token is stored; the signing key is that of the pair's own time.
 */
export function issueTokens(
  { issuer, keys }: Pick<AuthorizationServer, 'issuer' | 'keys'>,
  { id: grantId, clientId, userId, seed, generation, rotatedAt: issuedAt }: GrantGeneration,
  access: Access,
): IssuedTokens {
  const { derivationKey } = keys;
  const token = { issuer, audience: issuer, userId, clientId, grantId, generation, access, issuedAt };
  const accessToken = signed(accessTokenClaims(derivationKey, token), keys.signingKeyAt(issuedAt));
  return { accessToken, refreshToken: refreshToken(derivationKey, { grantId, seed, generation }), access, issuedAt };
}

/** Longer than any token that we write: what is longer is refused before it costs anything. */
const MAX_LENGTH = 4_096;

/**
 * The content of an access token that we wrote and that has not expired; undefined for everything else. Whether it was
 * revoked is another question. Algorithm, type, issuer and audience are ours to say, never the token's.
 */
export async function verifyAccessToken(
  { issuer, keys, clock }: Pick<AuthorizationServer, 'issuer' | 'keys' | 'clock'>,
  token: string,
): Promise<VerifiedAccessToken | undefined> {
  if (token.length > MAX_LENGTH || !isSpeltAsWritten(token)) return undefined;
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid = '' }) => {
        const key = await keys.verificationKey(kid);
        if (!key) throw new JWKSNoMatchingKey();
        return key.publicKey;
      },
      {
        algorithms: [SIGNING_ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        issuer,
        audience: issuer,
        requiredClaims: ['sub', 'exp', 'iat', 'jti', 'client_id', 'grant_id'],
        currentDate: new Date(clock.now()),
      },
    );
    return readAccessTokenClaims(payload);
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}

/**
 * Finds the facts about a verified access token whose grant is alive; undefined for another. Notes that the token was
 * used: for the user's list of apps, and because it proves that the pair of its generation has arrived
 * (protocol/refresh.ts).
 */
export async function seeAccessToken(
  em: Em,
  token: VerifiedAccessToken,
): Promise<Pick<GrantUse, 'isUnverified'> | undefined> {
  const use = await findUse(em, token);
  if (!use?.isAlive) return undefined;
  if (use.isConfirmation || use.isDueToBeNoted) await noteUse(em, token);
  return { isUnverified: use.isUnverified };
}

/** The same without noting anything: somebody asks about the token and does not use it. */
export async function isTokenAlive(em: Em, token: VerifiedAccessToken): Promise<boolean> {
  const use = await findUse(em, token);
  return use?.isAlive ?? false;
}

/**
 * A JWT in compact form (RFC 7515 §7.1). On the process's own thread: to hand a signature to another one and back takes as
 * much of the processor as half of the signature, and jose's way by Web Crypto takes more than all of it.
 */
function signed(claims: object, key: SigningKey): string {
  const input = `${headerOf(key)}.${encoded(claims)}`;
  return `${input}.${sign(null, Buffer.from(input, 'latin1'), key.privateKey).toString('base64url')}`;
}

const HEADERS = new WeakMap<SigningKey, string>();

/** The header, which is the same in all tokens of a key. */
function headerOf(key: SigningKey): string {
  const header = HEADERS.get(key) ?? encoded({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: key.kid });
  HEADERS.set(key, header);
  return header;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * Decoders of base64url ignore padding and the bits that the last character has to spare. Then one token would have
 * several spellings, and whatever keeps texts of tokens (a list of refused ones, a cache) could be walked around.
 */
function isSpeltAsWritten(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}

/** Every request to the API sends this statement, so it is a template: the builder takes ten times as long to write one. */
function findUse(em: Em, token: VerifiedAccessToken): Promise<GrantUse | undefined> {
  const { grantId, clientId, userId, tokenId, generation } = token;
  return row(
    em,
    sql<GrantUse>`
      select g.revoked_at is null and ${isInUse} and u.suspended_at is null and not exists (
          select from oauth_revocations r where r.kind = 'TOKEN' and r.subject = ${tokenId} and r.revoked
        ) as "isAlive",
        g.generation = ${generation} and g.confirmed_at is null as "isConfirmation",
        g.last_used_at < now() - interval '1 minute' as "isDueToBeNoted", u.email_verified_at is null as "isUnverified"
      from oauth_grants g
      join oauth_clients c on c.client_id = g.client_id
      join users u on u.id = g.user_id
      where g.id = ${grantId} and g.client_id = ${clientId} and g.user_id = ${userId}`,
  );
}

/** The generation is compared again: a token of an earlier one confirms nothing, however late this statement runs. */
async function noteUse(em: Em, { grantId, generation }: VerifiedAccessToken): Promise<void> {
  await changed(
    em,
    sql`update oauth_grants set last_used_at = now(),
          confirmed_at = case when generation = ${generation} then coalesce(confirmed_at, now()) else confirmed_at end
        where id = ${grantId}`,
  );
}
