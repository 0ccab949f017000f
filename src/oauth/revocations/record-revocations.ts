import { type Em, rows, sql } from '../../database/sql.ts';
import type { RevocationKind } from './oauth-revocation.entity.ts';

/** Processes listen here; a message says only that there is something new, so it carries nothing to be trusted. */
export const REVOCATIONS_CHANNEL = 'oauth_revocations';

/**
 * Tells every process that these are revoked, or (clients and users) no longer. In the transaction of the change itself:
 * PostgreSQL delivers the message when that commits, and never if it does not.
 */
export async function recordRevocations(
  em: Em,
  kind: RevocationKind,
  subjects: readonly string[],
  revoked = true,
): Promise<void> {
  if (subjects.length === 0) return;
  await rows(
    em,
    sql`with recorded as (
          insert into oauth_revocations (kind, subject, revoked, changed_at)
          select ${kind}::text, subject, ${revoked}::boolean, clock_timestamp()
          from unnest(${subjects.toSorted()}::text[]) as subject
          on conflict (kind, subject) do update set revoked = excluded.revoked, changed_at = excluded.changed_at
        )
        select pg_notify(${REVOCATIONS_CHANNEL}, '')`,
  );
}
