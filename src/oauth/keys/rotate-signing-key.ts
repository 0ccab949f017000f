import { instantOf } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { insertSigningKey, lockStoredKeys, type MasterKeys } from './stored-keys.ts';

/** Longer than the hour for which a JWK set may be cached: verifiers know a key before it signs. */
const OVERLAP_SECONDS = 3_900;

export interface RotatedSigningKey {
  readonly kid: string;
  /** When it begins to sign. The one before stays published until its last token has expired. */
  readonly activeAt: Temporal.Instant;
}

/** Publishes a new signing key, which takes over after the overlap. Running processes notice by themselves. */
export function rotateSigningKey(
  em: Em,
  master: MasterKeys,
  overlapInSeconds: number = OVERLAP_SECONDS,
): Promise<RotatedSigningKey> {
  return em.transactional(async (inner) => {
    await lockStoredKeys(inner);
    const waiting = await row(
      inner,
      sql<{ id: string; active_at: string }>`
        select id, active_at from oauth_keys where purpose = 'SIGNING' and active_at > now() limit 1`,
    );
    if (waiting) {
      throw new Problem(
        'ROTATION_UNDER_WAY',
        `The signing key ${waiting.id} is published and begins to sign at ${waiting.active_at}; rotate again after that.`,
      );
    }
    const kid = await insertSigningKey(inner, master, overlapInSeconds);
    await changed(
      inner,
      sql`update oauth_keys set retired_at = (select active_at from oauth_keys where id = ${kid})
          where purpose = 'SIGNING' and retired_at is null and id <> ${kid}`,
    );
    await recordAudit(inner, { type: 'SIGNING_KEY_ROTATED', detail: { kid } });
    const stored = await row(inner, sql<{ active_at: string }>`select active_at from oauth_keys where id = ${kid}`);
    if (!stored) throw new Error(`The signing key ${kid} was not stored.`);
    return { kid, activeAt: instantOf(stored.active_at) };
  });
}
