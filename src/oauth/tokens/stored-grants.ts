import { instantOf } from '../../core/instant.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { type Access, accessOf } from '../protocol/access.ts';
import { CHAIN_DAYS, type RefreshChain } from '../protocol/tokens/refresh.ts';

/** One generation of a grant: all that its pair of tokens is made of, besides the keys. */
export interface GrantGeneration {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly seed: string;
  readonly generation: number;
  /** When this generation was given out first. */
  readonly rotatedAt: Temporal.Instant;
}

/** A grant with its chain of refresh tokens. */
export interface StoredGrant extends GrantGeneration, RefreshChain {
  readonly clientId: string;
  readonly generation: number;
  readonly rotatedAt: Temporal.Instant;
  /** Undefined for a kind that we do not know, or when every scope of it was retired: to be refused. */
  readonly access: Access | undefined;
  /** The database's clock when it was read. */
  readonly now: Temporal.Instant;
}

interface GrantRow {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly kind: string;
  readonly scopes: readonly string[];
  readonly seed: string;
  readonly generation: number;
  readonly rotatedAt: string;
  readonly confirmedAt: string | null;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly now: string;
}

/** The grants with these ids, in their order; undefined where there is none. */
export async function findGrants(em: Em, ids: readonly string[]): Promise<readonly (StoredGrant | undefined)[]> {
  const found = await rows(
    em,
    sql<GrantRow>`
      select id, client_id as "clientId", user_id as "userId", kind, scopes, seed, generation,
        rotated_at as "rotatedAt", confirmed_at as "confirmedAt", expires_at as "expiresAt", revoked_at as "revokedAt",
        now() as now
      from oauth_grants where id = any(${[...new Set(ids)]}::uuid[])`,
  );
  const byId = new Map(found.map((grant) => [grant.id, asStoredGrant(grant)]));
  return ids.map((id) => byId.get(id));
}

/**
 * Rotates chains from the generations that the callers have seen. Of any number of requests at once, the condition on
 * `generation` lets one statement through; later callers get undefined, and find the next generation when they look
 * again. Callers of the same rotation in the same statement get the same next generation.
 */
export async function rotateGrants(
  em: Em,
  seen: readonly GrantGeneration[],
): Promise<readonly (GrantGeneration | undefined)[]> {
  const rotated = await rows(
    em,
    sql<{ id: string; generation: number; rotatedAt: string }>`
      with seen as (
        select * from unnest(${seen.map(({ id }) => id)}::uuid[], ${seen.map((one) => one.generation)}::int[])
          as seen (id, generation)
      ), locked as (
        -- In one order, or two statements that meet in two grants would wait for each other.
        select g.id from oauth_grants g
        join seen on seen.id = g.id and seen.generation = g.generation
        join oauth_clients c on c.client_id = g.client_id and c.status = 'APPROVED'
        join users u on u.id = g.user_id and u.suspended_at is null
        where g.revoked_at is null and g.expires_at > now()
          and g.rotated_at > now() - make_interval(days => ${CHAIN_DAYS.idle})
        order by g.id for update of g
      )
      update oauth_grants g
      set generation = g.generation + 1, rotated_at = now(), confirmed_at = null, last_used_at = now()
      from locked where g.id = locked.id
      returning g.id, g.generation, g.rotated_at as "rotatedAt"`,
  );
  const byId = new Map(rotated.map((one) => [one.id, one]));
  return seen.map((before) => {
    const after = byId.get(before.id);
    if (!after || after.generation !== before.generation + 1) return undefined;
    return { ...before, generation: after.generation, rotatedAt: instantOf(after.rotatedAt) };
  });
}

function asStoredGrant({
  kind,
  scopes,
  rotatedAt,
  confirmedAt,
  expiresAt,
  revokedAt,
  now,
  ...rest
}: GrantRow): StoredGrant {
  return {
    ...rest,
    access: accessOf(kind, scopes),
    rotatedAt: instantOf(rotatedAt),
    confirmedAt: instantOf(confirmedAt),
    expiresAt: instantOf(expiresAt),
    revokedAt: instantOf(revokedAt),
    now: instantOf(now),
  };
}
