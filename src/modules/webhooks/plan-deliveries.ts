import { newId, type OwnedId, publicOwnedId } from '../../core/id.ts';
import { selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { findBooking } from '../bookings/booking.queries.ts';
import { ORGANIZATION } from '../organizations/group.ts';
import { RoutingForm } from '../routing-forms/routing-form.entity.ts';
import { RoutingFormResponse } from '../routing-forms/routing-form-response.entity.ts';
import { TEAM } from '../teams/team-role.ts';
import { Webhook } from './webhook.entity.ts';
import { type ReadableData, TRIGGERS } from './webhook.rules.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';
import {
  aboutOf,
  detailsOf,
  type Found,
  payloadOf,
  TOLD_OF_RESPONSE,
  type ToldResponse,
  type WebhookEvent,
} from './webhook-payload.ts';
import { subjectOf } from './webhook-secret.rules.ts';
import type { IsLetIn } from './webhook-setter.queries.ts';

export interface WebhookSettings {
  /** Derives what signs messages; 32 bytes, for nothing else. */
  readonly webhooksKey: Uint8Array;
  readonly isLetIn: IsLetIn;
}

/** A message that is to be delivered. */
export interface PlannedDelivery extends OwnedId {
  readonly webhookId: string;
  /** Whether nothing that was sent there was taken of late. */
  readonly isFailing: boolean;
}

interface Listening extends OwnedId {
  readonly isFailing: boolean;
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
  const details = detailsOf(event, await findFor(em, event));
  const messages = webhooks.map((webhook) => {
    const id = newId();
    const subject = subjectOf(settings.webhooksKey, webhook, aboutOf(event));
    const envelope = { id: publicOwnedId('webhookDelivery', { ownerId: webhook.ownerId, id }), subject };
    const isTold = webhook.readable.includes(TRIGGERS[event.type]);
    return { id, webhook, payload: payloadOf(event, envelope, isTold ? details : null) };
  });
  const planned = await rows(
    em,
    sql<Omit<PlannedDelivery, 'isFailing'>>`
      insert into webhook_deliveries as d
        (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, next_attempt_at, created_at)
      select m.owner_id, m.id, m.webhook_id, ${event.id}::uuid, ${event.type}::text, m.payload, 'PENDING', '[]', now(), now()
      from unnest(
        ${messages.map(({ webhook }) => webhook.ownerId)}::uuid[], ${messages.map(({ id }) => id)}::uuid[],
        ${messages.map(({ webhook }) => webhook.id)}::uuid[], ${messages.map(({ payload }) => payload)}::text[]
      ) as m(owner_id, id, webhook_id, payload)
      join webhooks w on w.owner_id = m.owner_id and w.id = m.webhook_id
      for key share of w
      on conflict (owner_id, webhook_id, event_id) do update set event_id = excluded.event_id
      returning ${selectColumnsAs(WebhookDelivery, { ownerId: 'ownerId', id: 'id', webhookId: 'webhookId' }, 'd')}`,
  );
  const failing = new Set(webhooks.filter(({ isFailing }) => isFailing).map(({ id }) => id));
  return planned.map((delivery) => ({ ...delivery, isFailing: failing.has(delivery.webhookId) }));
}

async function findFor(em: Em, event: WebhookEvent): Promise<Found> {
  const { ownerId } = event;
  if ('booking' in event) return { booking: await findBooking(em, { ownerId, id: event.booking.id }) };
  if (event.type !== 'ROUTING_FORM_SUBMITTED') return {};
  const response = sql<ToldResponse>`select ${selectColumns(RoutingFormResponse, TOLD_OF_RESPONSE, 'r')}, ${selectColumns(RoutingForm, ['teamId'], 'f')}
    from routing_form_responses r join routing_forms f on f.owner_id = r.owner_id and f.id = r.form_id
    where r.owner_id = ${ownerId} and r.id = ${event.responseId}`;
  return { response: await row(em, response) };
}

/**
 * Of the owner and of the hosts of a booking, of the event type and of the one that manages it; of their organizations. Of a user's
 * absence, of theirs. Of a response to a form, the organization's, or that of the form's team.
 */
function findListening(em: Em, event: WebhookEvent, { isLetIn }: WebhookSettings): Promise<Listening[]> {
  const { ownerId } = event;
  const eventTypeId = 'booking' in event ? event.booking.eventTypeId : null;
  const ownerIds = [...new Set([ownerId, ...('booking' in event ? event.booking.hostIds : [])])];
  return rows(
    em,
    sql<Listening>`
      with owners as (select unnest(${ownerIds}::uuid[]) as id),
      concerned(owner_id, about) as (
        select id, id from owners
        union select ${ownerId}::uuid, ${eventTypeId}::uuid
        union select e.parent_team_id, e.parent_id from event_types e where e.owner_id = ${ownerId} and e.id = ${eventTypeId}
        union select m.organization_id, m.organization_id
          from organization_memberships m join owners on owners.id = m.user_id where m.accepted
        union select t.organization_id, t.organization_id from teams t join owners on owners.id = t.id
      )
      select ${selectColumnsAs(Webhook, { ownerId: 'ownerId', id: 'id' }, 'w')}, w.failing_since is not null as "isFailing", ${readable(isLetIn)} as readable
      from concerned
      join webhooks w on w.owner_id = concerned.owner_id and coalesce(w.event_type_id, w.owner_id) = concerned.about
      where ${event.type} = any(w.triggers) and ${isToBeTold(isLetIn)}`,
  );
}

/** SQL: whether `w`, a webhook, is to be told of anything: what an app has set, while its user lets it in and is in charge. */
export function isToBeTold(isLetIn: IsLetIn): RawBuilder<boolean> {
  const [teamId, organizationId, userId] = [sql`w.team_id`, sql`w.organization_id`, sql`w.set_by_id`];
  const isSuspended = sql`exists (select from users u where u.id = w.set_by_id and u.suspended_at is not null)`;
  return sql<boolean>`(w.active
    and not ((w.user_id is not null or w.client_id is not null) and ${isSuspended})
    and (w.client_id is null or (${isLetIn(userId, sql`w.client_id`)} and case
      when w.team_id is not null then coalesce(${TEAM.standing(teamId, userId)} <> 'MEMBER', false)
      when w.organization_id is not null then coalesce(${ORGANIZATION.standing(organizationId, userId)} <> 'MEMBER', false)
      else true end)))`;
}

/** SQL: what messages of `w`, a webhook, can tell now: what could be read by who set its address and, if that was an app, still can. */
export function readable(isLetIn: IsLetIn): RawBuilder<readonly ReadableData[]> {
  const [ofTeam, ofOrganization] = [sql`'TEAM_' || data || '_READ'`, sql`'ORG_' || data || '_READ'`];
  const scopes = sql<readonly string[]>`case
    when w.team_id is not null then array[${ofTeam}, ${ofOrganization}]
    when w.organization_id is not null then array[${ofOrganization}]
    else array[data || '_READ'] end`;
  const mayStill = isLetIn(sql`w.set_by_id`, sql`w.client_id`, scopes);
  return sql`array(select data from unnest(w.readable) data where w.client_id is null or ${mayStill})`;
}
