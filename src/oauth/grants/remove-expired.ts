import { changed, type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { TableSweep } from '../../database/table-sweep.ts';
import { CHAIN_DAYS } from '../protocol/tokens/refresh.ts';

/** What nobody can use any more goes, a little later: a replayed code is still to be recognised, a page still to explain. */
const KEPT = {
  interactions: sql`interval '1 day'`,
  codes: sql`interval '1 day'`,
  revocations: sql`interval '2 hours'`,
  grants: sql`interval '30 days'`,
  /** Of an app that authorizes without end, all that is left of it is that it did. */
  surplusGrants: sql`interval '1 day'`,
  failedRequests: sql`interval '7 days'`,
  signingKeys: sql`interval '7 days'`,
};

/** Each deletes at most `limit` rows and returns how many; rows that somebody holds are left for the next time. */
export function removeExpiredInteractions(em: Em, limit: number): Promise<number> {
  return remove(em, 'oauth_interactions', ['id'], sql`expires_at < now() - ${KEPT.interactions}`, limit);
}

export function removeExpiredCodes(em: Em, limit: number): Promise<number> {
  return remove(em, 'oauth_codes', ['interaction_id'], sql`expires_at < now() - ${KEPT.codes}`, limit);
}

/** No token that they were about is alive. */
export function removeOldRevocations(em: Em, limit: number): Promise<number> {
  return remove(em, 'oauth_revocations', ['kind', 'subject'], sql`changed_at < now() - ${KEPT.revocations}`, limit);
}

export function removeOldFailedRequests(em: Em, limit: number): Promise<number> {
  const isOld = sql`occurred_at < now() - ${KEPT.failedRequests}`;
  return remove(em, 'oauth_failed_requests', ['occurred_at', 'id'], isOld, limit);
}

/** Keys that signed nothing that could still be asked for again. */
export function removeRetiredKeys(em: Em, limit: number): Promise<number> {
  return remove(em, 'oauth_keys', ['id'], sql`retired_at < now() - ${KEPT.signingKeys}`, limit);
}

/** Deletes grants that have ended. An index by the time of the last rotation would have to be written at each refresh. */
export class GrantSweep extends TableSweep {
  constructor() {
    const ended = sql`coalesce(revoked_at, least(expires_at, rotated_at + make_interval(days => ${CHAIN_DAYS.idle})))`;
    const kept = sql`case when revocation_reason = 'TOO_MANY' then ${KEPT.surplusGrants} else ${KEPT.grants} end`;
    super('oauth_grants', ['id'], sql<boolean>`(${ended} < now() - ${kept})`);
  }
}

function remove(
  em: Em,
  table: string,
  key: readonly string[],
  isExpired: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  return changed(
    em,
    sql`delete from ${sql.table(table)} where (${columns}) in (
          select ${columns} from ${sql.table(table)} where ${isExpired} limit ${limit}::int for update skip locked)`,
  );
}
