import { randomBytes } from 'node:crypto';
import { instantOf } from '../../core/instant.ts';
import { equalsInConstantTime, sha256Hex } from '../../core/secret.ts';
import { type RowOf, selectColumns } from '../../database/columns.ts';
import { listOf } from '../../database/expressions.ts';
import { changed, type Em, rows, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { withInstants } from '../../database/with-instants.ts';
import { isNotFromBefore } from '../authorize/interactions.ts';
import { isInUse } from '../clients/client-columns.ts';
import { findBesideClients, namedRows, type StoredClient } from '../clients/stored-clients.ts';
import { OAuthGrant } from '../grants/oauth-grant.entity.ts';
import { interactionIdOfCode } from '../protocol/credentials.ts';
import { MAX_CODE_FAILURES, type StoredCode } from '../protocol/tokens/code-exchange.ts';
import { CHAIN_DAYS, FIRST_GENERATION } from '../protocol/tokens/refresh.ts';
import { REVOCATIONS_CHANNEL } from '../revocations/record-revocations.ts';
import { OAuthCode } from './oauth-code.entity.ts';
import type { GrantGeneration } from './stored-grants.ts';
import { MANY_GRANTS } from './surplus-grants.ts';

export interface FoundCode extends StoredCode {
  readonly interactionId: string;
  readonly userId: string;
  readonly kind: string;
  readonly scopes: readonly string[];
  /** The database's clock when it was read. */
  readonly now: Temporal.Instant;
}

const READ = [
  'interactionId',
  'clientId',
  'userId',
  'redirectUri',
  'kind',
  'scopes',
  'codeChallenge',
  'failures',
  'codeHash',
  'expiresAt',
  'redeemedAt',
] as const;
const CODES = namedRows(OAuthCode, 'interactionId', READ);

interface CodeRow extends Pick<RowOf<typeof OAuthCode>, (typeof READ)[number]> {
  readonly now: string;
}

/** A code, and the client that shows it. */
export interface ShownCode {
  /** Left out where the client is known already. */
  readonly clientId?: string;
  readonly code: string;
}

/** The rows of the code and the client; undefined where nobody was given the code, or has the client id. */
export interface FoundByCode {
  readonly code: FoundCode | undefined;
  readonly client: StoredClient | undefined;
}

/** The rows of these codes, used or not, in their order, and the clients that show them. */
export async function findCodes(em: Em, shown: readonly ShownCode[]): Promise<readonly FoundByCode[]> {
  const named = shown.map((one) => ({ ...one, id: interactionIdOfCode(one.code) }));
  const { clients, rows } = await findBesideClients(em, named, CODES);
  const byId = new Map(rows.map((code) => [code.interactionId, code]));
  return named.map(({ clientId, id, code }) => {
    const row = byId.get(id ?? '');
    const isGenuine = row !== undefined && equalsInConstantTime(sha256Hex(code), row.codeHash);
    return { code: isGenuine ? asFoundCode(row) : undefined, client: clients.get(clientId ?? '') };
  });
}

/** A wrong attempt by somebody who has the code; enough of them burn it. */
export async function countCodeFailure(em: Em, interactionId: string): Promise<void> {
  await changed(
    em,
    updateTable(OAuthCode, { interactionId, redeemedAt: null })
      .set((eb) => ({ failures: eb('failures', '+', 1) }))
      .where('failures', '<', MAX_CODE_FAILURES),
  );
}

function asFoundCode(found: CodeRow): FoundCode {
  return withInstants(found, ['expiresAt', 'redeemedAt', 'now']);
}

/** A grant that a code was just exchanged for. */
export interface NewGrant extends GrantGeneration {
  /** Whether unrestricted grants of the user ended by it. */
  readonly hasEndedOthers: boolean;
  /** Whether the user may have more grants of the client by now than are kept: see surplus-grants.ts. */
  readonly isOneOfMany: boolean;
}

/**
 * Spends codes and makes their grants, in one statement: whatever the callers have seen before, here it is decided who
 * was first. Undefined for a code that is not to be had any more; the first of equal codes gets the grant, which has the
 * id of the interaction, so that a code leads to its grant and both live on one shard.
 *
 * The user's unrestricted grants of a client that has left its legacy state end with it (specification §3: they stay
 * valid until the user authorizes again).
 */
export async function redeemCodes(em: Em, codes: readonly FoundCode[]): Promise<readonly (NewGrant | undefined)[]> {
  const seeds = newSeeds(codes.length);
  const wanted = new Map(
    codes.map((code, index) => [code.interactionId, { code, seed: seeds[index] ?? '' }] as const).toReversed(),
  );
  const clientIds = [...wanted.values()].map(({ code }) => code.clientId);
  const found = await rows(
    em,
    sql<Pick<NewGrant, 'id' | 'hasEndedOthers' | 'isOneOfMany'> & { readonly rotatedAt: string }>`
      with wanted as (
        select * from unnest(${listOf([...wanted.keys()], 'uuid')}, ${listOf(clientIds, 'text')}, ${listOf(
          [...wanted.values()].map(({ seed }) => seed),
          'text',
        )})
          as wanted (interaction_id, client_id, seed)
      ), locked as (
        -- In one order, or two statements that meet in two codes would wait for each other. The client with it, as its
        -- foreign key would ask later: one that is being deleted is waited for, and then it is no row.
        select code.interaction_id, w.seed, c.legacy from oauth_codes code
        join wanted w on w.interaction_id = code.interaction_id and w.client_id = code.client_id
        join oauth_clients c on c.client_id = code.client_id and ${isInUse}
          and ${isNotFromBefore(sql`code.created_at`)}
        join users u on u.id = code.user_id and u.suspended_at is null
        where code.redeemed_at is null and code.expires_at > now() and code.failures < ${MAX_CODE_FAILURES}
        order by code.interaction_id for update of code for key share of c
      ), redeemed as (
        update oauth_codes code set redeemed_at = now() from locked l where code.interaction_id = l.interaction_id
        returning code.interaction_id, l.seed, l.legacy, code.client_id, code.user_id, code.kind, code.scopes
      ), granted as (
        insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at,
          last_used_at, expires_at)
        select interaction_id, client_id, user_id, kind, scopes, seed, ${FIRST_GENERATION}::int, now(), now(), now(),
          now() + make_interval(days => ${CHAIN_DAYS.inAll})
        from redeemed
        returning id, rotated_at, user_id, client_id
      ), ended as (
        update oauth_grants g set revoked_at = now(), revocation_reason = 'REAUTHORIZED'
        from redeemed r
        where r.kind = 'SCOPED' and not r.legacy and g.user_id = r.user_id and g.client_id = r.client_id
          and g.kind = 'UNRESTRICTED' and g.revoked_at is null
        returning g.id
      ), recorded as (
        insert into oauth_revocations (kind, subject, revoked, changed_at)
        select 'GRANT', id::text, true, clock_timestamp() from ended
        on conflict (kind, subject) do update set revoked = true, changed_at = excluded.changed_at
        returning pg_notify(${REVOCATIONS_CHANNEL}, '')
      )
      select ${selectColumns(OAuthGrant, ['id', 'rotatedAt'], 'granted')}, exists (select from recorded) as "hasEndedOthers",
        exists (
          select from oauth_grants g
          where g.user_id = granted.user_id and g.client_id = granted.client_id and g.revoked_at is null
          offset ${MANY_GRANTS}
        ) as "isOneOfMany"
      from granted`,
  );
  const made = new Map(found.map((grant) => [grant.id, grant]));
  return codes.map((code) => {
    const { interactionId: id } = code;
    const [grant, first] = [made.get(id), wanted.get(id)];
    if (!grant || first?.code !== code) return undefined;
    const { clientId, userId } = code;
    const rotatedAt = instantOf(grant.rotatedAt);
    return {
      id,
      clientId,
      userId,
      seed: first.seed,
      generation: FIRST_GENERATION,
      rotatedAt,
      hasEndedOthers: grant.hasEndedOthers,
      isOneOfMany: grant.isOneOfMany,
    };
  });
}

const SEED_BYTES = 32;

/** 256 random bits each: without them the server's key alone derives no refresh token. Drawn in one go, which takes as long as one. */
function newSeeds(count: number): readonly string[] {
  const bytes = randomBytes(count * SEED_BYTES);
  return Array.from({ length: count }, (_, index) =>
    bytes.toString('base64url', index * SEED_BYTES, (index + 1) * SEED_BYTES),
  );
}
