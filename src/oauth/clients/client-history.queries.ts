import { instantOf } from '../../core/instant.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import type { AuditEventType } from '../../events/record-audit.ts';

/** What was done with a client, by its developer or an administrator. */
export interface ClientEvent {
  readonly type: AuditEventType;
  readonly occurredAt: Temporal.Instant;
  /** Who did it; null when their account is gone. */
  readonly by: string | null;
  /** What an administrator gave as the reason. */
  readonly reason: string | null;
  /** The fields that an edit changed at once, without a review. */
  readonly changedAtOnce: readonly string[];
}

interface EventRow extends Omit<ClientEvent, 'occurredAt'> {
  readonly occurredAt: string;
}

const MOST_EVENTS_SHOWN = 30;

/**
 * What was done with a client, the newest first, at most 30; the caller has seen that the viewer may. It is read from what
 * concerns the owner: of the client itself, each consent of a user is an event too.
 */
export async function findClientHistory(
  em: Em,
  { clientId, ownerId }: { readonly clientId: string; readonly ownerId: string },
): Promise<readonly ClientEvent[]> {
  const found = await rows(
    em,
    sql<EventRow>`
      select e.type, e.occurred_at as "occurredAt", u.name as by, e.detail ->> 'reason' as reason,
        array(select jsonb_object_keys(coalesce(e.detail -> 'immediate', '{}')) order by 1) as "changedAtOnce"
      from audit_events e left join users u on u.id = coalesce(e.actor_id, e.user_id)
      where e.user_id = ${ownerId} and e.client_id = ${clientId} and e.type like 'CLIENT\\_%' and e.type not like '%\\_SECRET\\_%'
      order by e.occurred_at desc, e.id desc limit ${MOST_EVENTS_SHOWN}`,
  );
  return found.map((event) => ({ ...event, occurredAt: instantOf(event.occurredAt) }));
}
