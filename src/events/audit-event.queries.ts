import { mapped, type Page, type PageRequest } from '../core/page.ts';
import { type ColumnOf, type RowOf, selectColumns } from '../database/columns.ts';
import { byTime, type Narrowed, NOT_NARROWED, pageOf } from '../database/pages.ts';
import { type Em, type RawBuilder, sql } from '../database/sql.ts';
import { type WithInstants, withInstants } from '../database/temporal-types.ts';
import { AuditEvent } from './audit-event.entity.ts';
import type { AuditEventType } from './record-audit.ts';

/**
 * Which events were caused by the user whom they concern, unless `actorId` names somebody else: always, never, or for
 * these reasons in their `detail`. The address in an event is that of the actor, so this decides who sees it. Anybody can
 * fail to sign in, anybody with access to the mailbox can follow the link of a mail, and tokens are revoked and used
 * twice from the servers of apps.
 */
const OWN_ACTS: Readonly<Record<AuditEventType, boolean | readonly string[]>> = {
  USER_SIGNED_UP: true,
  USER_SIGNED_IN: true,
  USER_SIGN_IN_FAILED: false,
  USER_SIGNED_OUT: true,
  USER_MADE_ADMINISTRATOR: false,
  USER_PASSWORD_CHANGED: true,
  USER_PASSWORD_RESET_REQUESTED: false,
  USER_PASSWORD_RESET: true,
  USER_EMAIL_VERIFIED: false,
  USER_EMAIL_CHANGE_REQUESTED: true,
  USER_EMAIL_CHANGED: false,
  USER_THINGS_STOPPED: false,
  USER_THING_REVIVED: true,
  USER_THING_DISCARDED: true,
  USER_SUSPENDED: false,
  USER_REINSTATED: false,
  SESSION_REVOKED: true,
  CLIENT_CREATED: true,
  CLIENT_UPDATED: true,
  CLIENT_REVISION_REQUESTED: true,
  CLIENT_RESUBMITTED: true,
  CLIENT_APPROVED: false,
  CLIENT_REJECTED: false,
  CLIENT_REVISION_ACCEPTED: false,
  CLIENT_REVISION_DECLINED: false,
  CLIENT_SUSPENDED: false,
  CLIENT_REINSTATED: false,
  CLIENT_DELETED: true,
  CLIENT_SECRET_CREATED: true,
  CLIENT_SECRET_DELETED: true,
  CONSENT_GIVEN: true,
  CONSENT_REFUSED: true,
  GRANT_REVOKED: ['REVOKED_BY_USER', 'REAUTHORIZED', 'PASSWORD_CHANGED'],
  ACCESS_TOKEN_REVOKED: false,
  CODE_REPLAYED: false,
  REFRESH_TOKEN_REUSED: false,
  SIGNING_KEY_ROTATED: false,
  UID_KEY_ROTATED: false,
};

/** The same as texts, for a statement: `TYPE`, or `TYPE REASON`. */
const OWN_ACT_NAMES: readonly string[] = Object.entries(OWN_ACTS).flatMap(([type, own]) =>
  typeof own === 'boolean' ? (own ? [type] : []) : own.map((reason) => `${type} ${reason}`),
);

/** An event, as the audit log lists it. */
export interface ListedAuditEvent extends WithInstants<EventRow, 'occurredAt'> {
  readonly type: AuditEventType;
  /** The row's key in its list, for its cursor. */
  readonly key: readonly [occurredAt: string, id: string];
}

/**
 * `actorId`: the user who did it, if that was somebody else; only another administrator is told of an administrator.
 * `address`: that of the actor; null unless that is the viewer, or an administrator looks.
 */
const LISTED = [
  'id',
  'type',
  'userId',
  'actorId',
  'clientId',
  'grantId',
  'address',
  'detail',
  'occurredAt',
] as const satisfies readonly ColumnOf<typeof AuditEvent>[];
const COLUMNS = selectColumns(AuditEvent, LISTED, 'seen');

type EventRow = Omit<RowOf<typeof AuditEvent>, 'type'> & { readonly type: AuditEventType };

/** SQL: who did something, and from where. */
interface Actor {
  readonly actorId: RawBuilder<unknown>;
  readonly address: RawBuilder<unknown>;
}

const EVERYTHING: Actor = { actorId: sql`actor_id`, address: sql`address` };

/**
 * Users see the address of what they did themselves; which administrator did something, and from where an app or a
 * stranger came, is not for them.
 */
const OWN: Actor = {
  actorId: sql`null::uuid`,
  address: sql`case when actor_id is null
    and (type = any(${OWN_ACT_NAMES}::text[]) or concat_ws(' ', type, detail ->> 'reason') = any(${OWN_ACT_NAMES}::text[]))
    then address end`,
};

/**
 * The audit log, newest first: all of it for an administrator, otherwise what concerns the viewer. The request's key has
 * two columns. Two lists, one of which is empty: with one condition for both, nobody's own events would have an index.
 */
export async function findAuditEvents(
  em: Em,
  viewerId: string,
  request: PageRequest,
  { condition }: Narrowed = NOT_NARROWED,
): Promise<Page<ListedAuditEvent>> {
  const page = byTime('NEWEST_FIRST', sql`occurred_at`, sql`id`, request);
  const isAdministrator = sql`exists (
    select from users a where a.id = ${viewerId} and a.is_administrator and a.suspended_at is null)`;
  const seenIf = (mayBeSeen: RawBuilder<unknown>, { actorId, address }: Actor) => sql`
    select id, type, user_id, ${actorId} as actor_id, client_id, grant_id, ${address} as address, detail, occurred_at from audit_events
    where ${mayBeSeen} and ${condition} and ${page.within} ${page.orderAndLimit}`;
  const found = await pageOf(
    em,
    request,
    sql<EventRow>`
      select ${COLUMNS}
      from (
        (${seenIf(isAdministrator, EVERYTHING)})
        union all (${seenIf(sql`user_id = ${viewerId} and not ${isAdministrator}`, OWN)})
      ) seen
      ${page.orderAndLimit}`,
  );
  return mapped(found, (event) => ({
    ...withInstants(event, ['occurredAt']),
    key: [event.occurredAt, event.id] as const,
  }));
}
