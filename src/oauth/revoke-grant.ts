import { type Em, type RawBuilder, rows, sql } from '../database/sql.ts';
import { type AuditRecord, recordAudit } from '../events/record-audit.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { recordRevocations } from './record-revocations.ts';

/** Why a grant ended before its time. */
export type RevocationReason =
  | 'REVOKED_BY_USER'
  | 'REVOKED_BY_CLIENT'
  | 'REAUTHORIZED'
  | 'CODE_REPLAYED'
  | 'REFRESH_TOKEN_REUSED'
  | 'USER_SUSPENDED'
  | 'PASSWORD_CHANGED';

/** Who ended it, for the audit log. */
export interface RevokedBy {
  readonly reason: RevocationReason;
  readonly actorId?: string | undefined;
  readonly address?: string | undefined;
}

interface EndedGrant {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
}

// The functions below end grants in the caller's transaction. When that has committed, `catchUp` of the feed makes this
// process refuse their tokens at once; the others hear of it by themselves.

/** Ends one grant. @returns whether it was alive until now */
export async function revokeGrant(em: Em, grantId: string, by: RevokedBy): Promise<boolean> {
  const ended = await revokeWhere(em, sql`id = ${grantId}`, by);
  return ended.length > 0;
}

/** Ends what a user granted to a client: one grant, or all of them. @returns how many were alive */
export async function revokeAuthorizedApp(
  em: Em,
  app: { readonly userId: string; readonly clientId: string; readonly grantId?: string | undefined },
  by: RevokedBy,
): Promise<number> {
  const one = app.grantId === undefined ? sql`` : sql`and id = ${app.grantId}`;
  const ended = await revokeWhere(em, sql`user_id = ${app.userId} and client_id = ${app.clientId} ${one}`, by);
  return ended.length;
}

/** Ends every grant of a user. @returns how many were alive */
export async function revokeGrantsOfUser(em: Em, userId: string, by: RevokedBy): Promise<number> {
  const ended = await revokeWhere(em, sql`user_id = ${userId}`, by);
  return ended.length;
}

const EVENT_TYPES: Partial<Record<RevocationReason, AuditRecord['type']>> = {
  CODE_REPLAYED: 'CODE_REPLAYED',
  REFRESH_TOKEN_REUSED: 'REFRESH_TOKEN_REUSED',
};

/** A code or a refresh token came from two sides, so one of them is a thief: ends the grant, logs it and tells the user. */
export async function endStolenGrant(
  em: Em,
  server: AuthorizationServer,
  { grantId, reason, address }: { grantId: string; reason: RevocationReason; address: string },
): Promise<void> {
  const hasEnded = await em.transactional((inner) => revokeGrant(inner, grantId, { reason, address }));
  if (!hasEnded) return;
  await server.revocations.catchUp();
  server.notices.userOfStolenGrant(em, grantId);
}

async function revokeWhere(em: Em, condition: RawBuilder<unknown>, by: RevokedBy): Promise<readonly EndedGrant[]> {
  const { reason, actorId, address } = by;
  const ended = await rows(
    em,
    sql<EndedGrant>`
      update oauth_grants set revoked_at = now(), revocation_reason = ${reason}
      where revoked_at is null and ${condition}
      returning id, client_id as "clientId", user_id as "userId"`,
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
