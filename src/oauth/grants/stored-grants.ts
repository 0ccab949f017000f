import { type Em, row, sql } from '../../database/sql.ts';
import type { GrantGeneration } from '../issue-tokens.ts';
import { type Access, accessOf } from '../protocol/access.ts';
import { CHAIN_DAYS, type RefreshChain } from '../protocol/refresh.ts';

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

export async function findGrant(em: Em, grantId: string): Promise<StoredGrant | undefined> {
  const found = await row(
    em,
    sql<GrantRow>`
      select id, client_id as "clientId", user_id as "userId", kind, scopes, seed, generation,
        rotated_at as "rotatedAt", confirmed_at as "confirmedAt", expires_at as "expiresAt", revoked_at as "revokedAt",
        now() as now
      from oauth_grants where id = ${grantId}`,
  );
  if (!found) return undefined;
  const { kind, scopes, rotatedAt, confirmedAt, expiresAt, revokedAt, now, ...rest } = found;
  return {
    ...rest,
    access: accessOf(kind, scopes),
    rotatedAt: Temporal.Instant.from(rotatedAt),
    confirmedAt: instantOrNull(confirmedAt),
    expiresAt: Temporal.Instant.from(expiresAt),
    revokedAt: instantOrNull(revokedAt),
    now: Temporal.Instant.from(now),
  };
}

/**
 * Rotates the chain from the generation that the caller has seen. Of any number of requests at once, the condition on
 * `generation` lets one through; the others get undefined, and find the next generation when they look again.
 */
export async function rotateGrant(em: Em, seen: GrantGeneration): Promise<GrantGeneration | undefined> {
  const rotated = await row(
    em,
    sql<{ generation: number; rotatedAt: string }>`
      update oauth_grants g
      set generation = g.generation + 1, rotated_at = now(), confirmed_at = null, last_used_at = now()
      from oauth_clients c, users u
      where g.id = ${seen.id} and g.generation = ${seen.generation} and g.revoked_at is null
        and g.expires_at > now() and g.rotated_at > now() - make_interval(days => ${CHAIN_DAYS.idle})
        and c.client_id = g.client_id and c.status = 'APPROVED' and u.id = g.user_id and u.suspended_at is null
      returning g.generation, g.rotated_at as "rotatedAt"`,
  );
  if (!rotated) return undefined;
  return { ...seen, generation: rotated.generation, rotatedAt: Temporal.Instant.from(rotated.rotatedAt) };
}

function instantOrNull(text: string | null): Temporal.Instant | null {
  return text === null ? null : Temporal.Instant.from(text);
}
