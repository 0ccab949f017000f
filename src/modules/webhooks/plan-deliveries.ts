import { isTeam, newId, type OwnedId, publicOwnedId } from '../../core/id.ts';
import { selectColumnsAs } from '../../database/columns.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import { findBooking } from '../bookings/booking.queries.ts';
import { Webhook } from './webhook.entity.ts';
import { type ReadableData, TRIGGERS } from './webhook.rules.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';
import { aboutOf, detailsOf, payloadOf, type WebhookEvent } from './webhook-payload.ts';
import { subjectOf } from './webhook-secret.rules.ts';

/** SQL: whether a user lets an app in at the moment; with a scope, whether as far as that goes. */
export type IsLetIn = (
  userId: RawBuilder<unknown>,
  clientId: RawBuilder<unknown>,
  scope?: RawBuilder<string>,
) => RawBuilder<boolean>;

export interface WebhookSettings {
  /** Derives what signs messages; 32 bytes, for nothing else. */
  readonly webhooksKey: Uint8Array;
  readonly isLetIn: IsLetIn;
}

/** A message that is to be delivered. */
export interface PlannedDelivery extends OwnedId {
  readonly webhookId: string;
}

interface Listening extends OwnedId {
  readonly readable: readonly ReadableData[];
}

/**
 * Writes the message of an event to each webhook that is to be told of it, once for each: again, it changes nothing.
 * @returns the messages that are to be delivered
 */
export async function planDeliveries(
  em: Em,
  event: WebhookEvent,
  settings: WebhookSettings,
): Promise<PlannedDelivery[]> {
  const webhooks = await findListening(em, event, settings);
  if (webhooks.length === 0) return [];
  const isAboutBooking = 'booking' in event;
  const booking = isAboutBooking ? await findBooking(em, { ownerId: event.ownerId, id: event.booking.id }) : undefined;
  const details = detailsOf(event, booking);
  const messages = webhooks.map((webhook) => {
    const id = newId();
    const subject = subjectOf(settings.webhooksKey, webhook, aboutOf(event));
    const envelope = { id: publicOwnedId('webhookDelivery', { ownerId: webhook.ownerId, id }), subject };
    const isTold = webhook.readable.includes(TRIGGERS[event.type]);
    return { id, webhook, payload: payloadOf(event, envelope, isTold ? details : null) };
  });
  return rows(
    em,
    sql<PlannedDelivery>`
      insert into webhook_deliveries as d
        (user_id, id, webhook_id, event_id, trigger, payload, status, attempts, next_attempt_at, created_at)
      select m.user_id, m.id, m.webhook_id, ${event.id}::uuid, ${event.type}::text, m.payload, 'PENDING', '[]', now(), now()
      from unnest(
        ${messages.map(({ webhook }) => webhook.ownerId)}::uuid[], ${messages.map(({ id }) => id)}::uuid[],
        ${messages.map(({ webhook }) => webhook.id)}::uuid[], ${messages.map(({ payload }) => payload)}::text[]
      ) as m(user_id, id, webhook_id, payload)
      on conflict (user_id, webhook_id, event_id) do update set event_id = excluded.event_id
      returning ${selectColumnsAs(WebhookDelivery, { ownerId: 'userId', id: 'id', webhookId: 'webhookId' }, 'd')}`,
  );
}

/** Of the hosts of a booking, and of whose event type it is; of a user's own absence, theirs. */
function findListening(em: Em, event: WebhookEvent, { isLetIn }: WebhookSettings): Promise<Listening[]> {
  const owner = isTeam(event.ownerId) ? [] : [event.ownerId];
  const userIds = new Set('booking' in event ? [...owner, ...event.booking.hostIds] : owner);
  return rows(
    em,
    sql<Listening>`
      select ${selectColumnsAs(Webhook, { ownerId: 'userId', id: 'id' }, 'w')}, ${readable(isLetIn)} as readable
      from webhooks w join users u on u.id = w.user_id
      where w.user_id = any(${[...userIds]}::uuid[]) and ${event.type} = any(w.triggers)
        and ${isToBeTold(isLetIn)}`,
  );
}

/** SQL: whether `w`, a webhook of `u`, is to be told of anything. */
export function isToBeTold(isLetIn: IsLetIn): RawBuilder<boolean> {
  return sql<boolean>`(w.active and u.suspended_at is null
    and (w.client_id is null or ${isLetIn(sql`w.user_id`, sql`w.client_id`)}))`;
}

/** SQL: what messages of `w`, a webhook, can tell now: what could be read by who set its address and, if that was an app, still can. */
export function readable(isLetIn: IsLetIn): RawBuilder<readonly ReadableData[]> {
  const mayStill = isLetIn(sql`w.user_id`, sql`w.client_id`, sql<string>`data || '_READ'`);
  return sql`array(select data from unnest(w.readable) data where w.client_id is null or ${mayStill})`;
}
