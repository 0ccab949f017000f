import { newId, type OwnedId, publicOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { selectColumnsAs } from '../../database/columns.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { ago, type Em, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { announcing, recordEvent } from '../../events/record-event.ts';
import type { GuessLimit, GuessRule } from '../../limits/guess-limit.ts';
import { notFoundHere } from '../levels/change-owned.ts';
import { isOne } from '../levels/owned.queries.ts';
import type { Owner } from '../levels/reach.ts';
import { Webhook, WebhookDelivery } from './webhook.entity.ts';
import { type IsLetIn, pausedReason, type WebhookTable } from './webhook.queries.ts';
import { type Attempt, subjectOf, type WebhookTrigger } from './webhook.rules.ts';
import { testPayload } from './webhook-payload.ts';

export const REQUEST_DELIVERY_CODES = ['NOT_FOUND', 'FORBIDDEN', 'NOT_POSSIBLE', 'TOO_MANY_REQUESTS'] as const;

/** The most messages in an hour that a user may ask for, as each makes us call an address of their choice. */
export const REQUESTED_DELIVERIES: GuessRule = { name: 'webhook-send', guesses: 120, windowInSeconds: 60 * 60 };

/** A message that has waited for so long after its time has lost its job; one whose job comes late after all is sent twice, at worst. */
const OVERDUE_SINCE = ago(1, 'hours');

/** Counts a message that is asked for, for the user who asks. @throws Problem TOO_MANY_REQUESTS */
export async function countRequested(limit: GuessLimit, userId: string): Promise<void> {
  // The count belongs to the user alone, whatever network they are in.
  const seconds = await limit.count(userId, '');
  if (seconds === undefined) return;
  const { guesses } = REQUESTED_DELIVERIES;
  const message = `You’ve asked for ${guesses} messages within an hour, by tests and retries, which is the limit; try again in ${seconds} s.`;
  throw new Problem('TOO_MANY_REQUESTS', message);
}

/** Has a message of one of these webhooks delivered once more, which was delivered, given up, or forgotten. @throws Problem NOT_FOUND, FORBIDDEN, NOT_POSSIBLE */
export async function retryDelivery(
  em: Em,
  table: WebhookTable,
  owner: Owner,
  id: string,
  isLetIn: IsLetIn,
): Promise<void> {
  const { ownerId } = owner;
  await em.transactional(async (inner) => {
    const retried = await row(
      inner,
      sql<{ webhook: string }>`
        update webhook_deliveries d set status = 'PENDING', failures = 0, next_attempt_at = now()
        from webhooks item
        where d.owner_id = ${ownerId} and d.id = ${id}
          and (d.status <> 'PENDING' or d.next_attempt_at < ${OVERDUE_SINCE})
          and item.owner_id = d.owner_id and item.id = d.webhook_id and item.is_active
          and ${pausedReason(isLetIn, 'item')} is null and ${isOne(table)} and ${owner.isInCharge} and d.payload <> ''
        returning d.webhook_id as webhook`,
    );
    if (!retried) return refuseRetry(inner, table, owner, id, isLetIn);
    await recordWanted(inner, ownerId, retried.webhook, id);
  });
}

/** Sends a message without data, so that a receiver can be tried. @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, NOT_POSSIBLE */
export async function testWebhook(
  em: Em,
  table: WebhookTable,
  owner: Owner,
  webhookId: string,
  {
    trigger,
    webhooksKey,
    isLetIn,
  }: { readonly trigger: WebhookTrigger; readonly webhooksKey: Uint8Array; readonly isLetIn: IsLetIn },
): Promise<string> {
  const { ownerId } = owner;
  const webhook = { ownerId, id: webhookId };
  const id = newId();
  await em.transactional(async (inner) => {
    const subject = subjectOf(webhooksKey, webhook, id);
    const envelope = { id: publicOwnedId('webhookDelivery', { ownerId, id }), subject };
    const payload = testPayload(trigger, envelope, await databaseNow(inner));
    const written = await row(
      inner,
      sql`insert into webhook_deliveries
            (owner_id, id, webhook_id, event_id, trigger, payload, status, attempts, next_attempt_at, created_at)
          select item.owner_id, ${id}::uuid, item.id, ${newId()}::uuid, ${trigger}::text, ${payload}::text, 'PENDING', '[]', now(), now()
          from webhooks item
          where item.owner_id = ${ownerId} and item.id = ${webhookId} and item.is_active
            and ${pausedReason(isLetIn, 'item')} is null and ${isOne(table)} and ${owner.isInCharge}
          for key share of item
          returning id`,
    );
    if (!written) return refuseTest(inner, table, owner, webhook, isLetIn);
    await recordWanted(inner, ownerId, webhookId, id);
  });
  return id;
}

interface GivenUpDelivery extends OwnedId {
  readonly trigger: WebhookTrigger;
  /** RFC 3339 */
  readonly createdAt: string;
  readonly url: string;
  /** Null: it was never tried, as its webhook was to be notified no more. */
  readonly last: Attempt | null;
}

/** The deliveries that were given up last come first. */
export function findGivenUpDeliveries(em: Em, limit: number): Promise<GivenUpDelivery[]> {
  return rows(
    em,
    sql<GivenUpDelivery>`
      select ${selectColumnsAs(WebhookDelivery, { ownerId: 'ownerId', id: 'id', trigger: 'trigger', createdAt: 'createdAt' }, 'd')},
        w.url, d.attempts->-1 as last
      from webhook_deliveries d join webhooks w on w.owner_id = d.owner_id and w.id = d.webhook_id
      where d.status = 'FAILED' order by d.created_at desc, d.id desc limit ${limit}::int`,
  );
}

const COUNT = sql<number>`count(*)::int`;

export async function countGivenUpDeliveries(em: Em): Promise<number> {
  const counted = await row(em, selectFrom(WebhookDelivery, { status: 'FAILED' }).select(COUNT.as('count')));
  return counted?.count ?? 0;
}

/** Has messages that were given up sent once more, one or without an id all, of webhooks that are active. @returns how many */
export async function retryGivenUpDeliveries(em: Em, delivery: OwnedId | undefined): Promise<number> {
  const isWanted = delivery ? sql`d.owner_id = ${delivery.ownerId} and d.id = ${delivery.id}` : sql`true`;
  const retried = await row(
    em,
    sql<{ count: number }>`
      with again as (
        update webhook_deliveries d set status = 'PENDING', failures = 0, next_attempt_at = now()
        from webhooks w
        where d.status = 'FAILED' and ${isWanted} and w.owner_id = d.owner_id and w.id = d.webhook_id and w.is_active
        returning d.owner_id, d.id, d.webhook_id),
      recorded as (
        insert into domain_events (owner_id, id, type, data, occurred_at)
        select owner_id, id, 'WEBHOOK_DELIVERY_WANTED', jsonb_build_object('webhookId', webhook_id, 'deliveryId', id), clock_timestamp()
        from again),
      announced as (${announcing()})
      select (select count(*)::int from again) as count from announced`,
  );
  return retried?.count ?? 0;
}

async function refuseRetry(em: Em, table: WebhookTable, owner: Owner, id: string, isLetIn: IsLetIn): Promise<never> {
  await owner.refuse(em);
  const { ownerId } = owner;
  const found = await row(
    em,
    sql<{ isWaiting: boolean; isExpired: boolean; isPaused: boolean }>`
      select d.status = 'PENDING' and d.next_attempt_at >= ${OVERDUE_SINCE} as "isWaiting", d.status = 'EXPIRED' as "isExpired",
        ${pausedReason(isLetIn, 'item')} is not null as "isPaused"
      from webhook_deliveries d join webhooks item on item.owner_id = d.owner_id and item.id = d.webhook_id
      where d.owner_id = ${ownerId} and d.id = ${id} and ${isOne(table)}`,
  );
  if (!found) throw notFoundHere('webhookDelivery', { ownerId, id });
  const path = ['webhookDeliveryId'];
  if (found.isExpired) {
    throw new Problem(
      'NOT_POSSIBLE',
      'The message was kept for too long while the webhook paused, and is deleted.',
      path,
    );
  }
  if (found.isPaused) throw paused(path);
  if (!found.isWaiting) throw notActive(path);
  throw new Problem('NOT_POSSIBLE', 'The message is to be delivered still: look at its nextAttemptAt.', path);
}

function paused(path: readonly string[]): Problem {
  return new Problem(
    'NOT_POSSIBLE',
    'The webhook pauses, as nobody answers for it, so nothing is sent to it; take it over first.',
    path,
  );
}

function notActive(path: readonly string[]): Problem {
  return new Problem(
    'NOT_POSSIBLE',
    'The webhook is not active, so nothing is sent to it; make it active first.',
    path,
  );
}

function recordWanted(em: Em, ownerId: string, webhookId: string, deliveryId: string): Promise<void> {
  return recordEvent(em, ownerId, { type: 'WEBHOOK_DELIVERY_WANTED', webhookId, deliveryId });
}

async function refuseTest(
  em: Em,
  table: WebhookTable,
  owner: Owner,
  webhook: OwnedId,
  isLetIn: IsLetIn,
): Promise<never> {
  await owner.refuse(em);
  const isPaused = sql<boolean>`${pausedReason(isLetIn, 'item')} is not null`;
  const found = await row(em, selectFrom(Webhook, webhook).where(isOne(table)).select(isPaused.as('isPaused')));
  if (!found) throw notFoundHere(table.kind, webhook);
  const path = [`${table.kind}Id`];
  throw found.isPaused ? paused(path) : notActive(path);
}
