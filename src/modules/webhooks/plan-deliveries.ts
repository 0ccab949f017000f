import { newId, type OwnedId, publicOwnedId } from '../../core/id.ts';
import { selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { findBooking } from '../bookings/booking.queries.ts';
import { withPeopleAt } from '../bookings/followed-booking.queries.ts';
import { RoutingForm } from '../routing-forms/routing-form.entity.ts';
import { RoutingFormResponse } from '../routing-forms/routing-form-response.entity.ts';
import { Webhook } from './webhook.entity.ts';
import { MAX_PAUSED } from './webhook.rules.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';
import {
  aboutOf,
  detailsOf,
  type Found,
  payloadOf,
  RESPONSE_COLUMNS,
  type ResponseRow,
  type WebhookEvent,
} from './webhook-payload.ts';
import { subjectOf } from './webhook-secret.rules.ts';
import { type IsLetIn, pausedReason } from './webhook-setter.queries.ts';
import { concernedBy, mayBeNotified, type Subject } from './webhook-visibility.queries.ts';

export interface WebhookSettings {
  /** Derives what signs messages; 32 bytes, for nothing else. */
  readonly webhooksKey: Uint8Array;
  readonly isLetIn: IsLetIn;
}

/** A message, and where it goes. */
export interface Delivery extends OwnedId {
  readonly webhookId: string;
}

/** A message that is to be delivered. */
export interface PlannedDelivery extends Delivery {
  /** The account that has set the webhook, in whose turns it is sent. */
  readonly setById: string | null;
  /** Whether the last message was accepted, and quickly. */
  readonly isQuick: boolean;
}

/** SQL: the same, of a message `d` and its webhook `w`. */
export const PLANNED = sql<PlannedDelivery>`
  ${selectColumnsAs(WebhookDelivery, { ownerId: 'ownerId', id: 'id', webhookId: 'webhookId' }, 'd')},
  ${selectColumnsAs(Webhook, { setById: 'setById' }, 'w')}, w.failing_since is null and not w.slow as "isQuick"`;

/** A message that was written before and is to be sent at once; nothing, if that is not so any more. */
export function planDelivery(em: Em, { ownerId, id }: OwnedId): Promise<PlannedDelivery[]> {
  return rows(
    em,
    sql<PlannedDelivery>`select ${PLANNED} from webhook_deliveries d
      join webhooks w on w.owner_id = d.owner_id and w.id = d.webhook_id
      where d.owner_id = ${ownerId} and d.id = ${id} and d.status = 'PENDING'`,
  );
}

/**
 * Writes the message of an event to each webhook that is to be notified of it, once for each: a second call changes
 * nothing. A message to a webhook that pauses is kept, whatever its setter might read: whoever takes it over is judged
 * then.
 * @returns the messages that are to be delivered
 */
export async function planDeliveries(
  em: Em,
  event: WebhookEvent,
  { webhooksKey, isLetIn }: WebhookSettings,
): Promise<PlannedDelivery[]> {
  const subject = subjectIn(event);
  const webhooks = await rows(
    em,
    sql<OwnedId>`
      select ${selectColumnsAs(Webhook, { ownerId: 'ownerId', id: 'id' }, 'w')} from (${concernedBy(subject)}) concerned
      join webhooks w on w.owner_id = concerned.owner_id and coalesce(w.event_type_id, w.owner_id) = concerned.about
      where ${event.type} = any(w.triggers) and w.active and (${pausedReason(isLetIn)} is not null or ${mayBeNotified(subject)})`,
  );
  if (webhooks.length === 0) return [];
  const details = detailsOf(event, await findFor(em, event));
  const messages = webhooks.map((webhook) => {
    const id = newId();
    const envelope = {
      id: publicOwnedId('webhookDelivery', { ownerId: webhook.ownerId, id }),
      subject: subjectOf(webhooksKey, webhook, aboutOf(event)),
    };
    return { id, webhook, payload: payloadOf(event, envelope, details) };
  });
  const kept = sql`(select count(*) from (select from webhook_deliveries k
    where k.owner_id = w.owner_id and k.webhook_id = w.id and k.status = 'PAUSED' limit ${MAX_PAUSED}::int) k)`;
  return rows(
    em,
    sql<PlannedDelivery>`
      with planned as (
        insert into webhook_deliveries as d
          (owner_id, id, webhook_id, event_id, about_owner_id, about_id, trigger, payload, status, attempts, next_attempt_at, created_at)
        select m.owner_id, m.id, m.webhook_id, ${event.id}::uuid, ${subject.ownerId}::uuid, ${subject.id}::uuid, ${event.type}::text,
          case when state.status = 'EXPIRED' then '' else m.payload end, state.status, '[]',
          case when state.status = 'PENDING' then now() end, now()
        from unnest(
          ${messages.map(({ webhook }) => webhook.ownerId)}::uuid[], ${messages.map(({ id }) => id)}::uuid[],
          ${messages.map(({ webhook }) => webhook.id)}::uuid[], ${messages.map(({ payload }) => payload)}::text[]
        ) as m(owner_id, id, webhook_id, payload)
        join webhooks w on w.owner_id = m.owner_id and w.id = m.webhook_id
        cross join lateral (
          select case when ${pausedReason(isLetIn)} is null then 'PENDING' when ${kept} < ${MAX_PAUSED}::int then 'PAUSED' else 'EXPIRED' end
        ) state(status)
        for key share of w
        on conflict (owner_id, webhook_id, event_id) do update set event_id = excluded.event_id
        returning d.owner_id, d.id, d.webhook_id, d.status)
      select ${PLANNED}
      from planned d join webhooks w on w.owner_id = d.owner_id and w.id = d.webhook_id where d.status = 'PENDING'`,
  );
}

function subjectIn(event: WebhookEvent): Subject {
  const of = (id: string) => ({
    ownerId: sql`${event.ownerId}::uuid`,
    id: sql`${id}::uuid`,
    trigger: sql`${event.type}::text`,
  });
  if (event.type === 'OUT_OF_OFFICE_CREATED') return of(event.outOfOfficeId);
  return of(event.type === 'ROUTING_FORM_SUBMITTED' ? event.responseId : event.booking.id);
}

async function findFor(em: Em, event: WebhookEvent): Promise<Found> {
  const { ownerId } = event;
  if ('booking' in event) {
    const booking = await findBooking(em, { ownerId, id: event.booking.id });
    return { booking: booking && withPeopleAt(event, booking) };
  }
  if (event.type !== 'ROUTING_FORM_SUBMITTED') return {};
  const response = sql<ResponseRow>`select ${selectColumns(RoutingFormResponse, RESPONSE_COLUMNS, 'r')}, ${selectColumns(RoutingForm, ['teamId'], 'f')}
    from routing_form_responses r join routing_forms f on f.owner_id = r.owner_id and f.id = r.form_id
    where r.owner_id = ${ownerId} and r.id = ${event.responseId}`;
  return { response: await row(em, response) };
}
