import { instantOf } from '../../core/instant.ts';
import { type RowOf, selectColumns } from '../../database/columns.ts';
import { listOf } from '../../database/expressions.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { withInstants } from '../../database/with-instants.ts';
import { isInUse } from '../clients/client-columns.ts';
import { findBesideClients, namedRows, type Shown, type StoredClient } from '../clients/stored-clients.ts';
import { OAuthGrant } from '../grants/oauth-grant.entity.ts';
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

const READ = [
  'id',
  'clientId',
  'userId',
  'kind',
  'scopes',
  'seed',
  'generation',
  'rotatedAt',
  'confirmedAt',
  'expiresAt',
  'revokedAt',
] as const;
const GRANTS = namedRows(OAuthGrant, 'id', READ);
const ROTATED = selectColumns(OAuthGrant, ['id', 'generation', 'rotatedAt'], 'g');

interface GrantRow extends Pick<RowOf<typeof OAuthGrant>, (typeof READ)[number]> {
  readonly now: string;
}

/** The rows of the grant and the client; undefined where there is no such grant, or nobody has the client id. */
export interface FoundGrant {
  readonly grant: StoredGrant | undefined;
  readonly client: StoredClient | undefined;
}

/** The grants with these ids, in their order, and the clients that show their tokens. */
export async function findGrants(em: Em, shown: readonly Shown[]): Promise<readonly FoundGrant[]> {
  const found = await findBesideClients(em, shown, GRANTS);
  const byId = new Map(found.rows.map((grant) => [grant.id, asStoredGrant(grant)]));
  return shown.map(({ clientId, id }) => ({ grant: byId.get(id ?? ''), client: found.clients.get(clientId ?? '') }));
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
    sql<Pick<GrantRow, 'id' | 'generation' | 'rotatedAt'>>`
      with seen as (
        select * from unnest(${listOf(idsOf(seen), 'uuid')}, ${listOf(generationsOf(seen), 'int')}) as seen (id, generation)
      ), locked as (
        -- In one order, or two statements that meet in two grants would wait for each other.
        select g.id from oauth_grants g
        join seen on seen.id = g.id and seen.generation = g.generation
        join oauth_clients c on c.client_id = g.client_id and ${isInUse}
        join users u on u.id = g.user_id and u.suspended_at is null
        where g.revoked_at is null and g.expires_at > now()
          and g.rotated_at > now() - make_interval(days => ${CHAIN_DAYS.idle})
        order by g.id for update of g
      )
      update oauth_grants g
      set generation = g.generation + 1, rotated_at = now(), confirmed_at = null, last_used_at = now()
      from locked where g.id = locked.id
      returning ${ROTATED}`,
  );
  const byId = new Map(rotated.map((one) => [one.id, one]));
  return seen.map((before) => {
    const after = byId.get(before.id);
    if (!after || after.generation !== before.generation + 1) return undefined;
    return { ...before, generation: after.generation, rotatedAt: instantOf(after.rotatedAt) };
  });
}

const idsOf = (seen: readonly GrantGeneration[]) => seen.map(({ id }) => id);
const generationsOf = (seen: readonly GrantGeneration[]) => seen.map(({ generation }) => generation);

function asStoredGrant({ kind, scopes, ...grant }: GrantRow): StoredGrant {
  const times = ['rotatedAt', 'confirmedAt', 'expiresAt', 'revokedAt', 'now'] as const;
  return { ...withInstants(grant, times), access: accessOf(kind, scopes) };
}
