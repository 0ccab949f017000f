import type { OwnedId } from '../../core/id.ts';
import type { Page, PageRequest, TimeRange } from '../../core/page.ts';
import { type RowOf, type Selection, selectColumns } from '../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../database/each.ts';
import type { Apart, Narrowed } from '../../database/pages.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import { isKeptFor } from '../event-types/private-links.ts';
import { type OwnedTable, pagesHangingOn } from '../levels/owned.queries.ts';
import { type GroupAdministrator, isNoAdministrators, ORGANIZATION } from '../organizations/group.ts';
import { TEAM } from '../teams/team-role.ts';
import { Webhook, WebhookDelivery } from './webhook.entity.ts';
import type { PausedReason, WebhookStatus } from './webhook.rules.ts';

export type WebhookTable = OwnedTable<typeof Webhook>;

/** The webhooks of users and organizations. */
export const WEBHOOKS: WebhookTable = {
  entity: Webhook,
  kind: 'webhook',
  owner: 'ownerId',
  only: sql<boolean>`item.event_type_id is null`,
};

/** The webhooks of event types, which belong to the event type's owner. */
export const EVENT_TYPE_WEBHOOKS: WebhookTable = {
  entity: Webhook,
  kind: 'eventTypeWebhook',
  owner: 'ownerId',
  // Addresses can hold keys.
  secret: sql<boolean>`true`,
  only: sql<boolean>`item.event_type_id is not null`,
};

/** SQL: whether a user lets an app in at the moment; with a list of scopes, whether as far as one of them goes. */
export type IsLetIn = (
  userId: RawBuilder<unknown>,
  clientId: RawBuilder<unknown>,
  scopes?: RawBuilder<readonly string[]>,
) => RawBuilder<boolean>;

/** A webhook that nobody answers for: an organization's, or of an event type of a team. */
export interface PausedWebhook extends OwnedId {
  readonly url: string;
  /** Null: it is the organization's. */
  readonly eventTypeId: string | null;
  readonly reason: PausedReason;
}

/** A webhook of a group that pauses as its setter is suspended, for readers who need not be in the group. */
export interface SuspendedWebhook extends OwnedId {
  readonly url: string;
  readonly eventTypeId: string | null;
  /** The id of the team or of the organization that owns the webhook; the other one is null. */
  readonly team: string | null;
  readonly organization: string | null;
  readonly groupName: string;
}

/** The most webhooks that are named at once; when those are taken over, the next ones are. */
export const MAX_PAUSED_NAMED = 100;

/** A page of the webhooks of each event type, oldest first. Addresses can hold keys: none of a person who stands above the viewer. */
export function eventTypeWebhookPages(
  em: Em,
  viewerId: string,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof Webhook>,
): Promise<Map<string, Page<RowOf<typeof Webhook>>>> {
  const table = { entity: Webhook, parent: 'eventTypeId' } as const;
  return pagesHangingOn(em, table, eventTypes, request, selection, { condition: isKeptFor(viewerId) });
}

const DELIVERIES = { entity: WebhookDelivery, kind: 'webhookDelivery', owner: 'ownerId' } as const;

/** SQL: whether the message `item` is to such a webhook `w`. */
const isTo = (condition: RawBuilder<boolean>) => sql<boolean>`exists (
  select from webhooks w where w.owner_id = item.owner_id and w.id = item.webhook_id and ${condition}
)`;

/** The messages to webhooks of users and organizations. */
export const DELIVERIES_TO_WEBHOOKS: OwnedTable<typeof WebhookDelivery> = {
  ...DELIVERIES,
  only: isTo(sql<boolean>`w.event_type_id is null`),
};

/** The messages to webhooks of event types, which are shown with those alone. */
export const DELIVERIES_OF_EVENT_TYPES: OwnedTable<typeof WebhookDelivery> = {
  ...DELIVERIES,
  only: isTo(sql<boolean>`w.event_type_id is not null`),
  secret: sql<boolean>`true`,
};

/** A page of the messages to each webhook, oldest first. The request's key has two columns. */
export function deliveryPages(
  em: Em,
  webhooks: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof WebhookDelivery>,
  by?: Narrowed<Apart, TimeRange>,
): Promise<Map<string, Page<RowOf<typeof WebhookDelivery>>>> {
  const table = { entity: WebhookDelivery, parent: 'webhookId', time: 'createdAt' } as const;
  return pagesHangingOn(em, table, webhooks, request, selection, by);
}

/**
 * SQL: why a webhook pauses, which stands under `alias` in the statement around it; null: somebody answers for it. It is
 * decided anew whenever something is sent or shown: a webhook acts by the right of the one user who set it, and of the app
 * with which they did. Without that right it pauses until somebody who may set webhooks there takes it over.
 */
export function pausedReason(isLetIn: IsLetIn, alias = 'w'): RawBuilder<PausedReason | null> {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  const setBy = of('set_by_id');
  const isSuspended = sql`exists (select from users setter where setter.id = ${setBy} and setter.suspended_at is not null)`;
  return sql<PausedReason | null>`case
    when ${setBy} is null then 'NO_OWNER'
    when ${of('user_id')} is not null and ${of('user_id')} <> ${setBy} then 'ROLE_LOST'
    when ${of('team_id')} is not null and ${isNoAdministrators(TEAM.standing(of('team_id'), setBy))} then 'ROLE_LOST'
    when ${of('organization_id')} is not null and ${isNoAdministrators(ORGANIZATION.standing(of('organization_id'), setBy))} then 'ROLE_LOST'
    when ${isSuspended} then 'SUSPENDED'
    when ${of('client_id')} is not null and not ${isLetIn(setBy, of('client_id'))} then 'APP_ACCESS_LOST'
  end`;
}

/** SQL: whether the webhook `item` has one of these statuses; `statusOf` tells the one of a row in the same way. */
export function hasStatus(statuses: readonly WebhookStatus[], isLetIn: IsLetIn): RawBuilder<boolean> {
  return sql<boolean>`case
    when item.is_active then case when ${pausedReason(isLetIn, 'item')} is null then 'ACTIVE' else 'PAUSED' end
    when item.disabled_at is null then 'INACTIVE' else 'DISABLED'
  end = any(${statuses}::text[])`;
}

/** Why each of these webhooks pauses, in their order; null: it does not. */
export async function findPausedReasons(
  em: Em,
  webhooks: readonly OwnedId[],
  isLetIn: IsLetIn,
): Promise<(PausedReason | null | undefined)[]> {
  const each = eachOf({ owner_id: webhooks.map(({ ownerId }) => ownerId), id: webhooks.map(({ id }) => id) });
  const found = await rows(
    em,
    sql<ForEach<{ reason: PausedReason | null }>>`select ${FOUND_FOR}, ${pausedReason(isLetIn)} as reason
      from ${each} join webhooks w on w.owner_id = wanted.owner_id and w.id = wanted.id`,
  );
  return inPlace(found, webhooks.length).map((one) => one?.reason);
}

/** SQL behind `from`: the webhooks `w` of teams `t` and organizations `g` that pause because this user, who has set them, is suspended. */
export function pausedBySuspension(userId: string, isLetIn: IsLetIn): RawBuilder<unknown> {
  return sql`
    webhooks w left join teams t on t.id = w.team_id left join organizations g on g.id = w.organization_id
    where w.set_by_id = ${userId} and w.user_id is null and w.is_active and ${pausedReason(isLetIn)} = 'SUSPENDED'`;
}

/** The first of them, oldest first. */
export function findPausedBySuspension(em: Em, userId: string, isLetIn: IsLetIn): Promise<SuspendedWebhook[]> {
  return rows(
    em,
    sql<SuspendedWebhook>`
      select ${selectColumns(Webhook, ['ownerId', 'id', 'url', 'eventTypeId'], 'w')}, w.team_id as team,
        w.organization_id as organization, coalesce(t.name, g.name) as "groupName"
      from ${pausedBySuspension(userId, isLetIn)} order by w.id limit ${MAX_PAUSED_NAMED}::int`,
  );
}

/**
 * Finds the paused webhooks of a group, and of the teams of an organization: none for callers who do not administer it,
 * since addresses can hold keys. Oldest first.
 */
export async function findPausedWebhooks(
  em: Em,
  { group, groupId, actorId }: GroupAdministrator,
  isLetIn: IsLetIn,
): Promise<PausedWebhook[]> {
  const isOfTeams = sql`w.team_id in (select t.id from teams t where t.organization_id = ${groupId})`;
  const isGroups =
    group.kind === 'team' ? sql`w.team_id = ${groupId}` : sql`(w.organization_id = ${groupId} or ${isOfTeams})`;
  return rows(
    em,
    sql<PausedWebhook>`
      select * from (
        select ${selectColumns(Webhook, ['ownerId', 'id', 'url', 'eventTypeId'], 'w')}, ${pausedReason(isLetIn)} as reason
        from webhooks w where ${isGroups} and not ${isNoAdministrators(group.standing(sql`${groupId}`, sql`${actorId}`))}
      ) found where reason is not null order by id limit ${MAX_PAUSED_NAMED}::int`,
  );
}
