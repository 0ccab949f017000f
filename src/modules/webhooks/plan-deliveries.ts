import { newId, type OwnedId, publicOwnedId } from '../../core/id.ts';
import { selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { findBooking, withPeopleAt } from '../bookings/booking.queries.ts';
import { isListedFor } from '../bookings/lists/list-filter.queries.ts';
import { areReadThrough, hasBookingsOf, isTeamOf } from '../bookings/lists/listed-owners.queries.ts';
import { isReachedBy, REACH } from '../levels/reach.ts';
import { RoutingForm, RoutingFormResponse } from '../routing-forms/routing-form.entity.ts';
import { Webhook, WebhookDelivery } from './webhook.entity.ts';
import { type IsLetIn, pausedReason } from './webhook.queries.ts';
import { MAX_PAUSED, subjectOf, TRIGGERS } from './webhook.rules.ts';
import {
  aboutOf,
  detailsOf,
  type Found,
  payloadOf,
  RESPONSE_COLUMNS,
  type ResponseRow,
  type WebhookEvent,
} from './webhook-payload.ts';

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

/** SQL: what a message is about: its owner, its id (a booking's, an absence's, a response's), and the trigger. */
interface Subject {
  readonly ownerId: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly trigger: RawBuilder<unknown>;
}

const [USER, TEAM, ORGANIZATION, SET_BY] = [
  sql`w.user_id`,
  sql`w.team_id`,
  sql`w.organization_id`,
  sql`w.set_by_id`,
] as const;

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
      where ${event.type} = any(w.triggers) and w.is_active and (${pausedReason(isLetIn)} is not null or ${mayBeNotified(subject)})`,
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

/**
 * SQL: whether the webhook `w` is about the subject, and its setter may read that. Their rights count, not the scopes of their
 * app. The rules are those of the lists at the webhook's level, and they are asked anew when a message is written and each time
 * that it is sent.
 */
export function mayBeNotified(subject: Subject): RawBuilder<boolean> {
  const { ownerId, id, trigger } = subject;
  const isAbout = sql`(w.event_type_id is null or w.event_type_id = b.event_type_id)`;
  const isListed = sql`case
    when ${USER} is not null then ${isAbout} and ${isListedFor(USER, sql`b.owner_id`, sql`b.id`)}
    when ${TEAM} is not null then ${isCopy(sql`b.owner_id`, sql`b.event_type_id`)}
      or (${isAbout} and ${hasBookingsOf({ level: 'team', groupId: TEAM, actorId: SET_BY }, sql`b.owner_id`)})
    else ${hasBookingsOf({ level: 'organization', groupId: ORGANIZATION, actorId: SET_BY }, sql`b.owner_id`)} end`;
  const isAway = sql`(${USER} = ${ownerId} or ${isReachedBy(REACH.organization.PERSON, ORGANIZATION, ownerId)})`;
  const isForms = sql`(${ORGANIZATION} = ${ownerId} or ${isTeamOf(ownerId, ORGANIZATION)})`;
  return sql<boolean>`coalesce(case ${kindOf(trigger)}
    when 'BOOKING' then exists (select from bookings b where b.owner_id = ${ownerId} and b.id = ${id} and ${isListed})
    when 'SCHEDULE' then ${isAway} and exists (select from out_of_office o where o.user_id = ${ownerId} and o.id = ${id})
    else ${isForms} and exists (select from routing_form_responses r where r.owner_id = ${ownerId} and r.id = ${id}) end, false)`;
}

/**
 * SQL: whether a message to `w` has the data of its subject, and does not only say that something happened: the app that set the
 * address could read it then and can read it now. A team's list does not have the bookings of its members' copies of an event
 * type; for those, the organization's list decides.
 */
export function isDetailed(isLetIn: IsLetIn, { ownerId, trigger }: Subject): RawBuilder<boolean> {
  const data = kindOf(trigger);
  const [ofUser, ofTeam, ofOrganization] = ['', 'TEAM_', 'ORG_'].map(
    (prefix) => sql`${sql.lit(prefix)} || ${data} || '_READ'`,
  );
  const isTeams = sql`${TEAM} = ${ownerId}`;
  const scopes = sql<readonly string[]>`case
    when ${USER} is not null then array[${ofUser}]
    when ${isTeams} then array[${ofTeam}, ${ofOrganization}]
    else array[${ofOrganization}] end`;
  return sql<boolean>`coalesce(${data} = any(w.readable)
    and (w.client_id is null or ${isLetIn(SET_BY, sql`w.client_id`, scopes)})
    and (${TEAM} is null or ${areReadThrough(TEAM, SET_BY, ownerId)}), false)`;
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

/** SQL: the owners whose webhooks may be notified, and what these webhooks are about: the owner, or one event type. */
function concernedBy({ ownerId, id, trigger }: Subject): RawBuilder<unknown> {
  return sql`
    with booking as (select b.* from bookings b where b.owner_id = ${ownerId} and b.id = ${id} and ${kindOf(trigger)} = 'BOOKING'),
    persons(id) as (
      select unnest(coalesce(host_ids, array[owner_id])) from booking
      union select ${ownerId}::uuid where ${kindOf(trigger)} = 'SCHEDULE'
    )
    select id as owner_id, id as about from persons
    union select owner_id, event_type_id from booking
    union select e.parent_team_id, e.parent_id from booking
      join event_types e on e.owner_id = booking.owner_id and e.id = booking.event_type_id
    union select m.organization_id, m.organization_id from organization_memberships m where m.user_id = ${ownerId}::uuid and m.accepted
    union select t.organization_id, t.organization_id from teams t where t.id = ${ownerId}::uuid
    union select ${ownerId}::uuid, ${ownerId}::uuid where ${kindOf(trigger)} = 'ROUTING_FORM'`;
}

/** SQL: the kind of data that a trigger is about. */
function kindOf(trigger: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(${JSON.stringify(TRIGGERS)}::jsonb->>${trigger})`;
}

/** SQL: whether an event type is somebody's copy of the one of a team that `w` is about. */
function isCopy(ownerId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from event_types copy where copy.owner_id = ${ownerId} and copy.id = ${id}
    and copy.parent_team_id = ${TEAM} and copy.parent_id = w.event_type_id)`;
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
