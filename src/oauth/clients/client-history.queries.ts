import { instantOf } from '../../core/instant.ts';
import { selectColumns } from '../../database/columns.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { AuditEvent, OF_CLIENT } from '../../events/audit-event.entity.ts';
import type { AuditEventType } from '../../events/record-audit.ts';

/** An event of a client, caused by its developer or an administrator. */
export interface ClientEvent {
  readonly type: AuditEventType;
  readonly occurredAt: Temporal.Instant;
  /** The actor's name; null when their account is gone. */
  readonly by: string | null;
  /** The reason that an administrator gave. */
  readonly reason: string | null;
  /** The fields that an edit changed at once, without a review. */
  readonly changedAtOnce: readonly string[];
}

interface EventRow extends Omit<ClientEvent, 'occurredAt'> {
  readonly occurredAt: string;
}

const MOST_EVENTS_SHOWN = 30;
const COLUMNS = selectColumns(AuditEvent, ['type', 'occurredAt'], 'e');

/**
 * Finds the events of a client, the newest first, at most 30; the caller has seen that the viewer may. An index has
 * these events alone: each consent of a user is an event of the client too.
 */
export async function findClientHistory(
  em: Em,
  { clientId }: { readonly clientId: string },
): Promise<readonly ClientEvent[]> {
  const found = await rows(
    em,
    sql<EventRow>`
      select ${COLUMNS}, u.name as by, e.detail ->> 'reason' as reason,
        array(select jsonb_object_keys(coalesce(e.detail -> 'immediate', '{}')) order by 1) as "changedAtOnce"
      from (
        select * from audit_events where client_id = ${clientId} and ${sql.raw(OF_CLIENT)}
        order by occurred_at desc, id desc limit ${MOST_EVENTS_SHOWN}
      ) e left join users u on u.id = coalesce(e.actor_id, e.user_id)
      order by e.occurred_at desc, e.id desc`,
  );
  return found.map((event) => ({ ...event, occurredAt: instantOf(event.occurredAt) }));
}
