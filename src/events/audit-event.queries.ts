import { cutPage, type Page, type PageRequest } from '../core/page.ts';
import { byTime } from '../database/by-time.ts';
import { type ColumnOf, type RowOf, selectColumns } from '../database/columns.ts';
import { type Em, type RawBuilder, rows, sql } from '../database/sql.ts';
import { type WithInstants, withInstants } from '../database/with-instants.ts';
import { AuditEvent } from './audit-event.entity.ts';
import { OWN_ACT_NAMES } from './own-acts.ts';
import type { AuditEventType } from './record-audit.ts';

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

export interface AuditFilter {
  readonly userId?: string | undefined;
  readonly clientId?: string | undefined;
}

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
  filter: AuditFilter,
  request: PageRequest,
): Promise<Page<ListedAuditEvent>> {
  const page = byTime('NEWEST_FIRST', sql`occurred_at`, sql`id`, request);
  const isAdministrator = sql`exists (
    select from users a where a.id = ${viewerId} and a.is_administrator and a.suspended_at is null)`;
  const pageOf = (mayBeSeen: RawBuilder<unknown>, { actorId, address }: Actor) => sql`
    select id, type, user_id, ${actorId} as actor_id, client_id, grant_id, ${address} as address, detail, occurred_at from audit_events
    where ${mayBeSeen}
      ${filter.userId === undefined ? sql`` : sql`and user_id = ${filter.userId}`}
      ${filter.clientId === undefined ? sql`` : sql`and client_id = ${filter.clientId}`}
      and ${page.within} ${page.orderAndLimit}`;
  const found = await rows(
    em,
    sql<EventRow>`
      select ${COLUMNS}
      from (
        (${pageOf(isAdministrator, EVERYTHING)})
        union all (${pageOf(sql`user_id = ${viewerId} and not ${isAdministrator}`, OWN)})
      ) seen
      ${page.orderAndLimit}`,
  );
  const listed = found.map((event) => ({
    ...withInstants(event, ['occurredAt']),
    key: [event.occurredAt, event.id] as const,
  }));
  return cutPage(listed, request);
}
