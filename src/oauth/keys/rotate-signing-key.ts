import { instantOf } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import { NOW } from '../../database/expressions.ts';
import { changed, type Em, row } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { OAuthKey } from './oauth-key.entity.ts';
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
      selectFrom(OAuthKey, { purpose: 'SIGNING' }).where('activeAt', '>', NOW).select(['id', 'activeAt']).limit(1),
    );
    if (waiting) {
      throw new Problem(
        'ROTATION_UNDER_WAY',
        `The signing key ${waiting.id} is published and begins to sign at ${waiting.activeAt}; rotate again after that.`,
      );
    }
    const kid = await insertSigningKey(inner, master, overlapInSeconds);
    const stored = await row(inner, selectFrom(OAuthKey, { id: kid }).select('activeAt'));
    if (!stored) throw new Error(`The signing key ${kid} was not stored.`);
    const before = updateTable(OAuthKey, { purpose: 'SIGNING', retiredAt: null }).where('id', '<>', kid);
    await changed(inner, before.set({ retiredAt: stored.activeAt }));
    await recordAudit(inner, { type: 'SIGNING_KEY_ROTATED', detail: { kid } });
    return { kid, activeAt: instantOf(stored.activeAt) };
  });
}
