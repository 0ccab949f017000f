import { newId } from '../core/id.ts';
import { changed, type Em, type RawBuilder, sql } from '../database/sql.ts';

/** Everything that the audit log records. To add one: a line here, and `recordAudit` where it happens. */
export const AUDIT_EVENT_TYPES = [
  'USER_SIGNED_UP',
  'USER_SIGNED_IN',
  'USER_SIGN_IN_FAILED',
  'USER_SIGNED_OUT',
  'USER_MADE_ADMINISTRATOR',
  'USER_PASSWORD_CHANGED',
  'USER_PASSWORD_RESET_REQUESTED',
  'USER_PASSWORD_RESET',
  'USER_EMAIL_VERIFIED',
  'USER_EMAIL_CHANGE_REQUESTED',
  'USER_EMAIL_CHANGED',
  'USER_THINGS_STOPPED',
  'USER_THING_REVIVED',
  'USER_THING_DISCARDED',
  'USER_SUSPENDED',
  'USER_REINSTATED',
  'SESSION_REVOKED',
  'CLIENT_CREATED',
  'CLIENT_UPDATED',
  'CLIENT_REVISION_REQUESTED',
  'CLIENT_RESUBMITTED',
  'CLIENT_APPROVED',
  'CLIENT_REJECTED',
  'CLIENT_REVISION_ACCEPTED',
  'CLIENT_REVISION_DECLINED',
  'CLIENT_SUSPENDED',
  'CLIENT_REINSTATED',
  'CLIENT_DELETED',
  'CLIENT_SECRET_CREATED',
  'CLIENT_SECRET_DELETED',
  'CONSENT_GIVEN',
  'CONSENT_REFUSED',
  'GRANT_REVOKED',
  'ACCESS_TOKEN_REVOKED',
  'CODE_REPLAYED',
  'REFRESH_TOKEN_REUSED',
  'SIGNING_KEY_ROTATED',
  'UID_KEY_ROTATED',
] as const;
export type AuditEventType = (typeof AUDIT_EVENT_TYPES)[number];

/** An event of the audit log. `detail` never holds a secret, a code or a token. */
export interface AuditRecord {
  readonly type: AuditEventType;
  /** The user whom it concerns. */
  readonly userId?: string | null;
  /** The user who did it, when that is somebody else. */
  readonly actorId?: string | null;
  readonly clientId?: string | null;
  readonly grantId?: string | null;
  /** The network address that the request came from. */
  readonly address?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Appends to the audit log, in the transaction of what it records: both happen or neither does; nothing where `when` is false. */
export async function recordAudit(em: Em, record: AuditRecord, when: RawBuilder<unknown> = sql`true`): Promise<void> {
  const { type, userId = null, clientId = null, grantId = null, address = null, detail = {} } = record;
  const actorId = record.actorId === userId ? null : (record.actorId ?? null);
  await changed(
    em,
    sql`insert into audit_events (occurred_at, id, type, user_id, actor_id, client_id, grant_id, address, detail)
        select clock_timestamp(), ${newId()}, ${type}, ${userId}, ${actorId}, ${clientId}, ${grantId},
          ${address}, ${JSON.stringify(detail)}::jsonb
        where ${when}`,
  );
}
