import { randomBytes } from 'node:crypto';
import { retagId } from '../../core/id.ts';
import { equalsInConstantTime, sha256Hex } from '../../core/secret.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import type { GrantGeneration } from '../issue-tokens.ts';
import { MAX_CODE_FAILURES, type StoredCode } from '../protocol/code-exchange.ts';
import { interactionIdOfCode } from '../protocol/credentials.ts';
import { CHAIN_DAYS, FIRST_GENERATION } from '../protocol/refresh.ts';
import { REVOCATIONS_CHANNEL } from '../record-revocations.ts';

export interface FoundCode extends StoredCode {
  readonly interactionId: string;
  readonly userId: string;
  readonly kind: string;
  readonly scopes: readonly string[];
  /** The database's clock when it was read. */
  readonly now: Temporal.Instant;
}

type CodeRow = Pick<FoundCode, 'interactionId' | 'clientId' | 'userId' | 'redirectUri' | 'kind' | 'scopes'> &
  Pick<FoundCode, 'codeChallenge' | 'failures'> & {
    readonly codeHash: string;
    readonly expiresAt: string;
    readonly redeemedAt: string | null;
    readonly now: string;
  };

/** The row of a code, used or not; undefined when nobody was given this code. */
export async function findCode(em: Em, code: string): Promise<FoundCode | undefined> {
  const interactionId = interactionIdOfCode(code);
  if (interactionId === undefined) return undefined;
  const found = await row(
    em,
    sql<CodeRow>`
      select interaction_id as "interactionId", code_hash as "codeHash", client_id as "clientId", user_id as "userId",
        redirect_uri as "redirectUri", kind, scopes, code_challenge as "codeChallenge", failures,
        expires_at as "expiresAt", redeemed_at as "redeemedAt", now() as now
      from oauth_codes where interaction_id = ${interactionId}`,
  );
  if (!found || !equalsInConstantTime(sha256Hex(code), found.codeHash)) return undefined;
  const { codeHash: _, expiresAt, redeemedAt, now, ...rest } = found;
  return {
    ...rest,
    expiresAt: Temporal.Instant.from(expiresAt),
    redeemedAt: redeemedAt === null ? null : Temporal.Instant.from(redeemedAt),
    now: Temporal.Instant.from(now),
  };
}

/** A grant that a code was just exchanged for. */
export interface NewGrant extends GrantGeneration {
  /** Whether unrestricted grants of the user ended by it. */
  readonly hasEndedOthers: boolean;
}

/**
 * Spends the code and makes its grant, in one statement: whatever the caller has seen before, here it is decided who was
 * first. Undefined when the code is not to be had any more.
 *
 * The user's unrestricted grants of a client that has left its legacy state end with it (specification §3: they stay
 * valid until the user authorizes again).
 */
export async function redeemCode(em: Em, { interactionId, clientId }: FoundCode): Promise<NewGrant | undefined> {
  const seed = randomBytes(32).toString('base64url');
  const found = await row(
    em,
    sql<{ userId: string; rotatedAt: string; ended: number }>`
      with redeemed as (
        update oauth_codes code set redeemed_at = now()
        from oauth_clients client, users
        where code.interaction_id = ${interactionId} and code.client_id = ${clientId}
          and code.redeemed_at is null and code.expires_at > now() and code.failures < ${MAX_CODE_FAILURES}
          and client.client_id = code.client_id and client.status = 'APPROVED'
          and users.id = code.user_id and users.suspended_at is null
        returning code.client_id, code.user_id, code.kind, code.scopes, client.legacy
      ), granted as (
        insert into oauth_grants (id, client_id, user_id, kind, scopes, seed, generation, rotated_at, created_at,
          last_used_at, expires_at)
        select ${retagId('grant', interactionId)}, client_id, user_id, kind, scopes, ${seed}, ${FIRST_GENERATION},
          now(), now(), now(), now() + make_interval(days => ${CHAIN_DAYS.inAll})
        from redeemed
        returning user_id, rotated_at
      ), ended as (
        update oauth_grants g set revoked_at = now(), revocation_reason = 'REAUTHORIZED'
        from redeemed r
        where r.kind = 'SCOPED' and not r.legacy and g.user_id = r.user_id and g.client_id = r.client_id
          and g.kind = 'UNRESTRICTED' and g.revoked_at is null
        returning g.id
      ), recorded as (
        insert into oauth_revocations (kind, subject, revoked, changed_at)
        select 'GRANT', id, true, clock_timestamp() from ended
        on conflict (kind, subject) do update set revoked = true, changed_at = excluded.changed_at
        returning pg_notify(${REVOCATIONS_CHANNEL}, '')
      )
      select user_id as "userId", rotated_at as "rotatedAt", (select count(*)::int from recorded) as ended from granted`,
  );
  if (!found) return undefined;
  return {
    id: retagId('grant', interactionId),
    clientId,
    userId: found.userId,
    seed,
    generation: FIRST_GENERATION,
    rotatedAt: Temporal.Instant.from(found.rotatedAt),
    hasEndedOthers: found.ended > 0,
  };
}

/** A wrong attempt by somebody who has the code; enough of them burn it. */
export async function countCodeFailure(em: Em, interactionId: string): Promise<void> {
  await changed(
    em,
    sql`update oauth_codes set failures = failures + 1
        where interaction_id = ${interactionId} and redeemed_at is null and failures < ${MAX_CODE_FAILURES}`,
  );
}
