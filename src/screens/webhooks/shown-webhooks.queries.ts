import { type OwnedId, ownedIdOf } from '../../core/id.ts';
import { type Page, type PageRequest, pageRequest } from '../../core/page.ts';
import { type Entity, Selection } from '../../database/columns.ts';
import { rows as allOf, anyOf, type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import { EventType } from '../../modules/event-types/event-type.entity.ts';
import { EVENT_TYPES } from '../../modules/event-types/event-type.queries.ts';
import { EVERYBODYS_OWN, findOwned, type OwnedTable, ownedPage } from '../../modules/levels/owned.queries.ts';
import { WebhookDelivery } from '../../modules/webhooks/webhook.entity.ts';
import {
  deliveryPages,
  EVENT_TYPE_WEBHOOKS,
  findPausedReasons,
  type IsLetIn,
  WEBHOOKS,
} from '../../modules/webhooks/webhook.queries.ts';
import type { PausedReason } from '../../modules/webhooks/webhook.rules.ts';
import { OAuthClient } from '../../oauth/clients/oauth-client.entity.ts';
import { findPageLevel, type PageLevel } from '../teams/page-level.ts';
import { SHOWN_DELIVERY, type ShownDelivery } from './deliveries-part.ts';
import { type EventTypeChoice, SHOWN, type ShownWebhook } from './webhook-form.ts';

const { entity, kind, owner } = WEBHOOKS;
/** All of an owner, those about one event type among them. */
const ALL = { entity, kind, owner };
const TITLE = new Selection(EventType, ['ownerId', 'id', 'title']);
const MAX_CHOICES = 100;
const DELIVERIES_A_PAGE = 20;

/** A page of an owner's webhooks, in the order in which they were added. */
export function listWebhooks(em: Em, ownerId: string, request: PageRequest): Promise<Page<ShownWebhook>> {
  return ownedPage(em, ALL, ownerId, request, SHOWN);
}

export interface FoundWebhook {
  readonly level: PageLevel;
  readonly webhook: ShownWebhook;
}

/** A webhook by its public id of either kind, before its user or an administrator of the group that it is of. */
export async function findWebhook(em: Em, session: FoundSession, text: string): Promise<FoundWebhook | undefined> {
  for (const [table, kind] of KINDS) {
    const named = ownedIdOf(table.kind, text);
    const level = named && (await findPageLevel(em, session, 'webhooks', { ownerId: named.ownerId, kind }));
    if (!named || !level) continue;
    const webhook = await findNamed(em, table, named, SHOWN);
    return webhook && { level, webhook };
  }
  return undefined;
}

/** The groups that have each kind of webhook: an organization its own, a team those of its event types. */
const KINDS = [
  [WEBHOOKS, 'organization'],
  [EVENT_TYPE_WEBHOOKS, 'team'],
] as const;

async function findNamed<E extends Entity>(em: Em, table: OwnedTable<E>, named: OwnedId, selection: Selection<E>) {
  const [found] = await findOwned(em, table, EVERYBODYS_OWN, [{ ...named, parentId: named.ownerId }], selection);
  return found;
}

/** The event types that a new webhook can be about: some of them, after a cursor, and in any case the one that is chosen. */
export async function findEventTypes(
  em: Em,
  ownerId: string,
  { after, chosen }: { readonly after: string | undefined; readonly chosen: string },
): Promise<Page<EventTypeChoice>> {
  const page = await ownedPage(em, EVENT_TYPES, ownerId, pageRequest({ first: MAX_CHOICES, after }), TITLE);
  const named = ownedIdOf('eventType', chosen);
  if (named?.ownerId !== ownerId || page.rows.some(({ id }) => id === named.id)) return page;
  const further = await findNamed(em, EVENT_TYPES, named, TITLE);
  // At its beginning: the last one has the cursor of the page.
  return further ? { ...page, rows: [further, ...page.rows] } : page;
}

/** The titles of the event types that these are about, by their ids. */
export async function findTitles(
  em: Em,
  ownerId: string,
  webhooks: readonly ShownWebhook[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(webhooks.flatMap(({ eventTypeId }) => eventTypeId ?? []))];
  if (ids.length === 0) return new Map();
  const lookUps = ids.map((id) => ({ ownerId, id, parentId: ownerId }));
  const found = await findOwned(em, EVENT_TYPES, EVERYBODYS_OWN, lookUps, TITLE);
  return new Map(found.flatMap((one) => (one ? [[one.id, one.title] as const] : [])));
}

/** Which of these webhooks pause, as nobody answers for them, and why. */
export async function findPaused(
  em: Em,
  webhooks: readonly OwnedId[],
  isLetIn: IsLetIn,
): Promise<ReadonlyMap<string, PausedReason>> {
  if (webhooks.length === 0) return new Map();
  const reasons = await findPausedReasons(em, webhooks, isLetIn);
  return new Map(webhooks.flatMap(({ id }, place) => (reasons[place] ? [[id, reasons[place]] as const] : [])));
}

/** The name by which people know the app that has set the address. */
export async function findAppName(em: Em, { clientId }: ShownWebhook): Promise<string | undefined> {
  if (clientId === null) return undefined;
  return (await row(em, selectFrom(OAuthClient, { clientId }).select('name')))?.name ?? clientId;
}

/** The messages to a webhook, newest first; `before` is the cursor of the last one that was seen. */
export async function listDeliveries(
  em: Em,
  webhook: OwnedId,
  before: string | undefined,
): Promise<Page<ShownDelivery>> {
  const request = pageRequest({ last: DELIVERIES_A_PAGE, before }, ['TIME', 'UUID']);
  const page = (await deliveryPages(em, [webhook], request, SHOWN_DELIVERY)).get(webhook.id);
  const { rows: found = [], hasNextPage = false, hasPreviousPage = false } = page ?? {};
  const tests = await findTests(em, webhook.ownerId, found);
  const rows = found.map((one) => ({ ...one, isTest: tests.has(one.id) })).toReversed();
  return { rows, hasNextPage: hasPreviousPage, hasPreviousPage: hasNextPage };
}

/** Which of these messages tell of nothing. That stands in front of all that is told. */
async function findTests(em: Em, ownerId: string, deliveries: readonly { id: string }[]): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set();
  const ids = deliveries.map(({ id }) => id);
  const isTest = sql<boolean>`left(payload, 200) like '%,"test":true,"occurredAt":%'`;
  const tests = selectFrom(WebhookDelivery, { ownerId }).where('id', '=', anyOf(ids)).where(isTest).select('id');
  return new Set((await allOf(em, tests)).map(({ id }) => id));
}
