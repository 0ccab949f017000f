/** grants/ shows users their apps, and ends grants. It may import clients/ and revocations/. */
import { type RowOf, selectColumns } from '../../database/columns.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type AuditRecord, recordAudit } from '../../events/record-audit.ts';
import { recordRevocations } from '../revocations/revocations.ts';
import { OAuthGrant } from './oauth-grant.entity.ts';

/** Why a grant ended before its time. */
export type RevocationReason =
  | 'REVOKED_BY_USER'
  | 'REVOKED_BY_CLIENT'
  | 'REAUTHORIZED'
  | 'TOO_MANY'
  | 'CODE_REPLAYED'
  | 'REFRESH_TOKEN_REUSED'
  | 'USER_SUSPENDED'
  | 'PASSWORD_CHANGED'
  | 'ADDRESS_PROVEN';

/** The actor and the reason, for the audit log. */
export interface RevokedBy {
  readonly reason: RevocationReason;
  readonly actorId?: string | undefined;
  readonly address?: string | undefined;
}

/** The access that a user has given one app, or without `clientId` all apps. */
export interface UserAccess {
  readonly userId: string;
  readonly clientId?: string;
}

const ENDED = ['id', 'clientId', 'userId'] as const;

// The functions below end access in the caller's transaction. When that has committed, `catchUp` of the feed makes this
// process refuse the tokens at once; the others are notified by the database.

/**
 * Ends what a user has let an app do, or without `clientId` all apps: grants, and codes and consent pages on the way to
 * one, which would bring the access back after the user was told that it has ended. @returns whether there was any
 */
export async function endAccess(em: Em, access: UserAccess, by: RevokedBy): Promise<boolean> {
  await lockAccess(em, access.userId, 'TO_END');
  const pending = await endPending(em, access);
  const ended = await revokeWhere(em, isOf(access), by);
  return pending + ended.length > 0;
}

/** Ends one grant, and what is on the way to another one of the same user and app. @returns whether it was alive until now */
export async function endGrant(
  em: Em,
  { id, userId, clientId }: Required<UserAccess> & { readonly id: string },
  by: RevokedBy,
): Promise<boolean> {
  const access = { userId, clientId };
  await lockAccess(em, userId, 'TO_END');
  const alive = selectFrom(OAuthGrant, { id, ...access, revokedAt: null }).select('id');
  if (!(await row(em, alive))) return false;
  await endPending(em, access);
  const ended = await revokeWhere(em, sql`id = ${id} and ${isOf(access)}`, by);
  return ended.length > 0;
}

type EndedGrant = Pick<RowOf<typeof OAuthGrant>, (typeof ENDED)[number]>;

const EVENT_TYPES: Partial<Record<RevocationReason, AuditRecord['type']>> = {
  CODE_REPLAYED: 'CODE_REPLAYED',
  REFRESH_TOKEN_REUSED: 'REFRESH_TOKEN_REUSED',
};

/** Ends the grants of a condition: in one order, or two that meet in several grants would wait for each other. */
export async function revokeWhere(
  em: Em,
  condition: RawBuilder<unknown>,
  by: RevokedBy,
): Promise<readonly EndedGrant[]> {
  const { reason, actorId, address } = by;
  const ended = await rows(
    em,
    sql<EndedGrant>`
      update oauth_grants g set revoked_at = now(), revocation_reason = ${reason}
      where id in (select id from oauth_grants where revoked_at is null and ${condition} order by id for update)
        and revoked_at is null
      returning ${selectColumns(OAuthGrant, ENDED, 'g')}`,
  );
  await recordRevocations(
    em,
    'GRANT',
    ended.map(({ id }) => id),
  );
  for (const { id: grantId, clientId, userId } of ended) {
    const type = EVENT_TYPES[reason] ?? 'GRANT_REVOKED';
    await recordAudit(em, {
      type,
      userId,
      clientId,
      grantId,
      actorId: actorId ?? null,
      address: address ?? null,
      detail: { reason },
    });
  }
  return ended;
}

/**
 * Until the end of the transaction, keeps the end of a user's access apart from codes that are given out because of it:
 * those rest on grants that were alive a moment ago, and on no click that a revocation could find (storeDecision).
 */
export async function lockAccess(em: Em, userId: string, purpose: 'TO_END' | 'TO_REST_ON'): Promise<void> {
  const key = sql`hashtext('gatehouse: access'), hashtext(${userId})`;
  await row(
    em,
    purpose === 'TO_END' ? sql`select pg_advisory_xact_lock(${key})` : sql`select pg_advisory_xact_lock_shared(${key})`,
  );
}

/**
 * Ends consent pages, then codes; the grants come after them. In this order nothing slips through: each statement waits
 * for transactions that turn a page into a code, or a code into a grant, and the next statement sees what they made.
 */
async function endPending(em: Em, access: UserAccess): Promise<number> {
  const pages = await rows(
    em,
    sql<{ isOpen: boolean }>`
      delete from oauth_interactions where id in (
        select id from oauth_interactions where ${isOf(access)} order by id for update)
      returning decision is null and expires_at > now() as "isOpen"`,
  );
  const codes = await rows(
    em,
    sql<{ isOpen: boolean }>`
      delete from oauth_codes where redeemed_at is null and interaction_id in (
        select interaction_id from oauth_codes where redeemed_at is null and ${isOf(access)}
        order by interaction_id for update)
      returning expires_at > now() as "isOpen"`,
  );
  return [...pages, ...codes].filter(({ isOpen }) => isOpen).length;
}

function isOf({ userId, clientId }: UserAccess): RawBuilder<unknown> {
  return clientId === undefined ? sql`user_id = ${userId}` : sql`user_id = ${userId} and client_id = ${clientId}`;
}
