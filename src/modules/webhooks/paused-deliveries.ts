/** Keeps messages untouched while nobody answers for their webhook, until somebody does, or for too long. */
import type { OwnedId } from '../../core/id.ts';
import { selectColumnsAs } from '../../database/columns.ts';
import { ago, changed, type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import { recordEvents } from '../../events/record-event.ts';
import { PLANNED, type PlannedDelivery } from './plan-deliveries.ts';
import { Webhook } from './webhook.entity.ts';
import { type IsLetIn, pausedReason } from './webhook.queries.ts';
import { DAYS_KEPT } from './webhook.rules.ts';

/** How many messages of one webhook are sent on their way at once. */
const RESUMED_AT_ONCE = 500;

/**
 * Keeps a message that was to be sent. Somebody may answer for the webhook at this very moment: their statement and this one wait for
 * each other.
 * @returns undefined; or after how many seconds it is to be tried after all
 */
export async function keepDelivery(
  em: Em,
  { ownerId, id }: OwnedId,
  webhook: OwnedId,
  isLetIn: IsLetIn,
): Promise<number | undefined> {
  const kept = await changed(
    em,
    sql`with paused as (
          select from webhooks w where w.owner_id = ${webhook.ownerId} and w.id = ${webhook.id} and ${pausedReason(isLetIn)} is not null
          for share of w)
        update webhook_deliveries d set status = 'PAUSED', next_attempt_at = null
        where d.owner_id = ${ownerId} and d.id = ${id} and d.status = 'PENDING' and exists (select from paused)`,
  );
  return kept > 0 ? undefined : 1;
}

/** Has the first messages that were kept for a webhook sent, oldest first, if somebody answers for it. @returns them; `isMore`: there may be others */
export async function resumeDeliveries(
  em: Em,
  { ownerId, id: webhookId }: OwnedId,
  isLetIn: IsLetIn,
): Promise<{ readonly deliveries: readonly PlannedDelivery[]; readonly isMore: boolean }> {
  const deliveries = await rows(
    em,
    sql<PlannedDelivery>`
      with webhook as (
        select w.* from webhooks w where w.owner_id = ${ownerId} and w.id = ${webhookId} and w.is_active and ${pausedReason(isLetIn)} is null),
      resumed as (
        update webhook_deliveries d set status = 'PENDING', failures = 0, next_attempt_at = now()
        where (d.owner_id, d.id) in (
          select k.owner_id, k.id from webhook_deliveries k
          where k.owner_id = ${ownerId} and k.webhook_id = ${webhookId} and k.status = 'PAUSED' and exists (select from webhook)
          order by k.id limit ${RESUMED_AT_ONCE}::int for update)
        returning d.owner_id, d.id, d.webhook_id)
      select ${PLANNED}
      from resumed d cross join webhook w order by d.id`,
  );
  return { deliveries, isMore: deliveries.length === RESUMED_AT_ONCE };
}

/** The webhooks that a user has set, for which messages are kept: they are let in again. */
export function findKeptOf(em: Em, userId: string): Promise<OwnedId[]> {
  return rows(
    em,
    sql<OwnedId>`select ${selectColumnsAs(Webhook, { ownerId: 'ownerId', id: 'id' }, 'w')} from webhooks w
      where w.set_by_id = ${userId} and exists (
        select from webhook_deliveries d where d.owner_id = w.owner_id and d.webhook_id = w.id and d.status = 'PAUSED')`,
  );
}

/**
 * A task: finds what was kept for webhooks that somebody answers for again, by whatever has happened: a role was given back, an app
 * let in again, a developer reinstated. It looks once at each webhook for which something is kept, and at none of its messages.
 */
export function resumingWebhooks(isLetIn: IsLetIn): (em: Em) => Promise<number> {
  return async (em) => {
    const resumable = await rows(
      em,
      sql<OwnedId>`
        with recursive kept(owner_id, id) as (
          (${nextKept(sql``)})
          union all select further.* from kept cross join lateral (${nextKept(sql`and (d.owner_id, d.webhook_id) > (kept.owner_id, kept.id)`)}) further)
        select ${selectColumnsAs(Webhook, { ownerId: 'ownerId', id: 'id' }, 'w')}
        from kept join webhooks w on w.owner_id = kept.owner_id and w.id = kept.id
        where w.is_active and ${pausedReason(isLetIn)} is null`,
    );
    await recordEvents(
      em,
      resumable.map(({ ownerId, id }) => ({ ownerId, event: { type: 'WEBHOOK_RESUMED', webhookId: id } as const })),
    );
    // Nothing more is to be done in this round.
    return 0;
  };
}

/** SQL: from one webhook for which something is kept to the next one, in the order of the index. */
function nextKept(isAfter: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select d.owner_id, d.webhook_id from webhook_deliveries d where d.status = 'PAUSED' ${isAfter}
    order by d.owner_id, d.webhook_id limit 1`;
}

/** A task: ends messages that were kept for too long. The list of deliveries shows them as expired for as long again. */
export function expirePausedDeliveries(em: Em, limit: number): Promise<number> {
  return changed(
    em,
    sql`update webhook_deliveries set status = 'EXPIRED', payload = ''
        where (owner_id, id) in (
          select owner_id, id from webhook_deliveries where status = 'PAUSED' and created_at < ${ago(DAYS_KEPT, 'days')}
          order by created_at limit ${limit}::int for update skip locked)`,
  );
}

/** A task: removes deliveries after DAYS_KEPT. Those kept for a paused webhook were not sent by then, and are shown for as long again. */
export function removeOldDeliveries(em: Em, limit: number): Promise<number> {
  const isOver = sql`created_at < case when status in ('PAUSED', 'EXPIRED') then ${ago(2 * DAYS_KEPT, 'days')} else ${ago(DAYS_KEPT, 'days')} end`;
  return changed(
    em,
    sql`delete from webhook_deliveries where (owner_id, id) in (
          select owner_id, id from webhook_deliveries where created_at < ${ago(DAYS_KEPT, 'days')} and ${isOver}
          order by created_at limit ${limit}::int for update skip locked)`,
  );
}
