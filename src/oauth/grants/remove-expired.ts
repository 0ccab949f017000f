import { NO_ID } from '../../core/id.ts';
import { changed, type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
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

/** How many grants one step looks at. */
const GRANTS_PER_STEP = 20_000;
/**
 * Deletes grants that have ended, walking through the table step by step. An index on the time of the last rotation would
 * find them sooner, but each refresh would have to write it.
 */
export class GrantSweep {
  #reached = NO_ID;

  /** @returns how many grants the step deleted */
  async step(em: Em): Promise<number> {
    const seen = await rows(
      em,
      sql<{ id: string; isDead: boolean }>`
        select id, coalesce(revoked_at, least(expires_at, rotated_at + make_interval(days => ${CHAIN_DAYS.idle})))
          < now() - case when revocation_reason = 'TOO_MANY' then ${KEPT.surplusGrants} else ${KEPT.grants} end as "isDead"
        from oauth_grants where id > ${this.#reached} order by id limit ${GRANTS_PER_STEP}`,
    );
    this.#reached = seen.length < GRANTS_PER_STEP ? NO_ID : (seen.at(-1)?.id ?? NO_ID);
    const dead = seen.filter(({ isDead }) => isDead).map(({ id }) => id);
    if (dead.length === 0) return 0;
    return changed(
      em,
      sql`delete from oauth_grants where id in (
            select id from oauth_grants where id = any(${dead}::uuid[]) for update skip locked)`,
    );
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
