import type { OwnedId } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import type { RowOf } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import { type Em, sql } from '../../database/sql.ts';
import { isKeptFor } from '../event-types/private-links/private-link.queries.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import { pagesHangingOn } from '../levels/pages-below.queries.ts';
import { Webhook } from './webhook.entity.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';

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
  only: sql<boolean>`item.event_type_id is not null`,
};

/** A page of the webhooks of each event type, oldest first. Addresses can hold keys: none of a person who stands above the viewer. */
export function eventTypeWebhookPages(
  em: Em,
  viewerId: string,
  eventTypes: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof Webhook>,
): Promise<Map<string, Page<RowOf<typeof Webhook>>>> {
  const table = { entity: Webhook, parent: 'eventTypeId' } as const;
  return pagesHangingOn(em, table, eventTypes, request, selection, isKeptFor(viewerId));
}

/** A page of the messages to each webhook, oldest first. */
export function deliveryPages(
  em: Em,
  webhooks: readonly OwnedId[],
  request: PageRequest,
  selection: Selection<typeof WebhookDelivery>,
): Promise<Map<string, Page<RowOf<typeof WebhookDelivery>>>> {
  return pagesHangingOn(em, { entity: WebhookDelivery, parent: 'webhookId' }, webhooks, request, selection);
}
