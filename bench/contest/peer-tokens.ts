import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { USERS } from './rows.ts';

/** Makes tokens for the peers, as they verify them (peers/common/auth.mjs). */
export interface PeerTokens {
  /** The private key, as a JWK. */
  readonly key: string;
  readonly tokens: readonly string[];
  readonly weak: string;
}

const SCOPES = 'PROFILE_READ EVENT_TYPE_READ EVENT_TYPE_WRITE BOOKING_READ';

/** A token for each user, and one of the first user that lacks scopes. */
export async function peerTokens(): Promise<PeerTokens> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const sign = (user: number, scope: string): Promise<string> =>
    new SignJWT({ scope, client_id: 'bench-app' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k1' })
      .setIssuer('http://127.0.0.1/bench')
      .setAudience('scheduling-api')
      .setSubject(String(user))
      .setIssuedAt()
      .setExpirationTime('12h')
      .setJti(`t${user}`)
      .sign(privateKey);
  const users = Array.from({ length: USERS }, (_, index) => index + 1);
  return {
    key: JSON.stringify(await exportJWK(privateKey)),
    tokens: await Promise.all(users.map((user) => sign(user, SCOPES))),
    weak: await sign(1, 'EVENT_TYPE_READ'),
  };
}
