import { randomBytes } from 'node:crypto';
import { newId } from '../../src/core/id.ts';
import { macOf } from '../../src/core/secret.ts';
import { DatabaseClock } from '../../src/database/database-clock.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { Uids } from '../../src/modules/bookings/booking-key.rules.ts';
import { KeyRing } from '../../src/oauth/keys/key-ring.ts';
import { issueTokens } from '../../src/oauth/tokens/access-tokens.ts';
import { type MasterKeySettings, masterKeys } from '../../src/persistence/master-key.ts';
import type { TestApp } from './app.ts';
import { uuidOf } from './ids.ts';
import { APP } from './oauth-requests.ts';

/** `startTestApp` needs this for tokens to be minted beside it: a key that both know. */
export const KNOWN_KEY = { SECRET_KEY: randomBytes(32).toString('base64url') };

/** Gives access tokens of the demo's app, with their grants, where the way through the pages is not what is tested. */
export async function tokenMint({
  config,
  database,
}: TestApp): Promise<(userId: string, scopes: readonly string[]) => Promise<string>> {
  const keys = await keysOf({ config, database });
  return async (userId, scopes) => {
    const grant = { id: newId(), clientId: APP.client_id, userId: uuidOf(userId), seed: newId(), generation: 1 };
    await changed(
      database.em.fork(),
      sql`insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, confirmed_at,
            created_at, last_used_at, expires_at)
          values (${grant.id}, ${grant.clientId}, ${grant.userId}, 'SCOPED', ${[...scopes]}::text[], ${grant.seed}, 1,
            now(), now(), now(), now(), now() + interval '1 day')`,
    );
    const access = { kind: 'SCOPED', scopes } as Parameters<typeof issueTokens>[2];
    const generation = { ...grant, rotatedAt: Temporal.Now.instant() };
    return issueTokens({ issuer: config.publicUrl, keys }, generation, access).accessToken;
  };
}

/** The key under which the service derives codes of six digits. */
export async function codeKeyOf(of: Opened): Promise<Uint8Array> {
  return macOf((await keysOf(of)).derivationKey, 'verification codes');
}

/** The key of a process that was given none, and has made one in its folder. */
export function keyIn(dataDir: string): MasterKeySettings {
  return { dataDir, secretKey: undefined, secretKeyPrevious: undefined };
}

/** Those of the service, from the key that both know. */
export async function uidsOf(of: Opened): Promise<Uids> {
  const keys = await keysOf(of);
  return new Uids(() => keys.uidKeys());
}

interface Opened {
  readonly database: Pick<TestApp['database'], 'em'>;
  readonly config: MasterKeySettings;
}

async function keysOf({ config, database }: Opened): Promise<KeyRing> {
  return KeyRing.open(database.em.fork(), await masterKeys(config), new DatabaseClock());
}
