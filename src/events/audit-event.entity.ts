import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';

/** SQL: whether an event is about a client itself, and about none of its secrets. */
export const OF_CLIENT = "left(type, 7) = 'CLIENT_' and left(type, 14) <> 'CLIENT_SECRET_'";

/** The audit log, append-only. The key starts with the time, so that months can become partitions. */
export const AuditEvent = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  indexes: [
    { name: 'audit_events_user_id_idx', properties: ['userId', 'occurredAt', 'id'] },
    { name: 'audit_events_client_id_idx', properties: ['clientId', 'occurredAt', 'id'] },
    // Finds what was done with a client, among all that its users did there; the condition is that of
    // `findClientHistory`.
    {
      name: 'audit_events_client_history_idx',
      expression: `create index audit_events_client_history_idx on audit_events (client_id, occurred_at, id) where ${OF_CLIENT}`,
    },
  ],
  properties: {
    occurredAt: p.type(InstantType).primary(),
    id: p.uuid().primary(),
    type: p.text(),
    /** The user whom it concerns. */
    userId: p.uuid().nullable(),
    /** The user who did it, when that is somebody else. */
    actorId: p.uuid().nullable(),
    clientId: p.text().nullable(),
    grantId: p.uuid().nullable(),
    address: p.text().nullable(),
    detail: p.json<Record<string, unknown>>(),
  },
});
