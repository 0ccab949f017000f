import { type OwnedId, publicOwnedId } from '../../core/id.ts';
import { selectColumns } from '../../database/columns.ts';
import { type Em, LATER, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { announcing, recording } from '../../events/record-event.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { keepDelivery } from './paused-deliveries.ts';
import { isDetailed, mayBeNotified, type WebhookSettings } from './plan-deliveries.ts';
import { Webhook, WebhookDelivery } from './webhook.entity.ts';
import { pausedReason } from './webhook.queries.ts';
import {
  type Attempt,
  type DeliveryStatus,
  DISABLED_AFTER,
  isTaken,
  MAX_ATTEMPTS_KEPT,
  PAUSES_IN_SECONDS,
  type PausedReason,
  SLOW_AFTER_MS,
  signedHeaders,
  whyDisabled,
} from './webhook.rules.ts';
import { withoutDetails } from './webhook-payload.ts';

export interface DeliverySettings extends WebhookSettings {
  readonly outbound: Outbound;
}

interface Message {
  readonly webhookId: string;
  readonly url: string;
  readonly payload: string;
  readonly failures: number;
  readonly salts: readonly string[];
  readonly isActive: boolean;
  readonly pausedReason: PausedReason | null;
  readonly mayBeNotified: boolean;
  readonly isDetailed: boolean;
  readonly sentAtInSeconds: number;
}

/** Notes what came of an attempt, once, however often it is called. @returns after how many seconds the next one is due; undefined: none is */
type Noting = (em: Em) => Promise<number | undefined>;

/**
 * Sends a message that waits to be delivered. If the process dies before it is noted, it is sent again. Who has set the webhook is
 * judged now: while nobody answers for it the message is kept, and what they may not read is left out.
 * @returns what notes it; undefined: there is nothing to send
 */
export async function attemptDelivery(
  em: Em,
  delivery: OwnedId,
  { outbound, webhooksKey, isLetIn }: DeliverySettings,
): Promise<Noting | undefined> {
  const subject = { ownerId: sql`d.about_owner_id`, id: sql`d.about_id`, trigger: sql`d.trigger` };
  const message = await row(
    em,
    sql<Message>`
      select ${selectColumns(WebhookDelivery, ['webhookId', 'payload'], 'd')}, w.url, d.failures,
        array[w.secret_salt] || case when w.previous_until > now() then array[w.previous_salt] else '{}' end as salts,
        ${selectColumns(Webhook, ['isActive'], 'w')}, ${pausedReason(isLetIn)} as "pausedReason",
        d.about_id is null or ${mayBeNotified(subject)} as "mayBeNotified", ${isDetailed(isLetIn, subject)} as "isDetailed",
        floor(extract(epoch from now()))::int as "sentAtInSeconds"
      from webhook_deliveries d
      join webhooks w on w.owner_id = d.owner_id and w.id = d.webhook_id
      where d.owner_id = ${delivery.ownerId} and d.id = ${delivery.id} and d.status = 'PENDING'`,
  );
  if (!message) return undefined;
  const { webhookId, failures } = message;
  const webhook = { ownerId: delivery.ownerId, id: webhookId };
  const noting =
    (what: Pick<Note, 'status' | 'outcome' | 'nextInSeconds'>): Noting =>
    (inner) =>
      note(inner, { delivery, webhookId, failures, ...what });
  if (!message.isActive) return noting({ status: 'FAILED' });
  if (message.pausedReason !== null) return (inner) => keepDelivery(inner, delivery, webhook, isLetIn);
  if (!message.mayBeNotified) return noting({ status: 'WITHHELD' });
  const { payload, sentAtInSeconds } = message;
  const body = message.isDetailed ? payload : withoutDetails(payload);
  const id = publicOwnedId('webhookDelivery', delivery);
  const headers = signedHeaders(webhooksKey, { webhook, salts: message.salts }, { id, sentAtInSeconds, body });
  const outcome = await outbound.call({ kind: 'WEBHOOK', method: 'POST', url: message.url, headers, body });
  if (isTaken(outcome)) return noting({ status: 'DELIVERED', outcome });
  const pause = PAUSES_IN_SECONDS[failures];
  // So that what failed together is not tried again together.
  const nextInSeconds = pause === undefined ? undefined : pause * (0.9 + 0.2 * Math.random());
  const status = nextInSeconds === undefined ? 'FAILED' : 'PENDING';
  return noting({ status, outcome, nextInSeconds });
}

/** Where the message goes, and what became of it. */
interface Note {
  readonly delivery: OwnedId;
  readonly webhookId: string;
  /** How many attempts had failed before. */
  readonly failures: number;
  readonly status: DeliveryStatus;
  readonly outcome?: Omit<Attempt, 'endedAt'>;
  readonly nextInSeconds?: number | undefined;
}

/**
 * One statement, the webhook's row before the message's in the order in which deleting a webhook locks them. That decides when a webhook has
 * only failed for long, and of all who find that at the same moment, one has it disabled.
 */
async function note(
  em: Em,
  { delivery, webhookId, failures, status, outcome, nextInSeconds }: Note,
): Promise<number | undefined> {
  const { ownerId, id } = delivery;
  const attempt = outcome
    ? sql`jsonb_build_array(${JSON.stringify(outcome)}::jsonb || jsonb_build_object('endedAt', now()))`
    : sql`'[]'::jsonb`;
  const last = sql`case when jsonb_array_length(attempts) < ${MAX_ATTEMPTS_KEPT}::int then attempts else attempts - 0 end`;
  const isDisabled = sql`judged where not judged.active`;
  // The first note may have been stored, though its answer was lost.
  const isThisOne = sql`d.owner_id = ${ownerId} and d.id = ${id} and d.status = 'PENDING' and d.failures = ${failures}::int`;
  await rows(
    em,
    sql`
      with judged as (${judging({ ownerId, id: webhookId }, outcome, sql`exists (select from webhook_deliveries d where ${isThisOne})`)}),
      noted as (
        update webhook_deliveries d set status = ${status}, attempts = (${last}) || ${attempt}, failures = failures + 1,
          next_attempt_at = now() + make_interval(secs => ${nextInSeconds ?? null}::float8)
        where ${isThisOne} and (select count(*) from judged) >= 0),
      recorded as (${recording(ownerId, { type: 'WEBHOOK_DISABLED', webhookId }, isDisabled)})
      ${announcing(isDisabled)}`,
  );
  return nextInSeconds;
}

/** SQL: what an attempt says of its webhook, with whether it is active afterwards; no row where it changes nothing. */
function judging({ ownerId, id }: OwnedId, outcome: Note['outcome'], isNew: RawBuilder<unknown>): RawBuilder<unknown> {
  const isThis = sql`w.owner_id = ${ownerId} and w.id = ${id} and ${isNew}`;
  if (!outcome) return sql`select true as active where false`;
  if (isTaken(outcome)) {
    const isSlow = sql`${outcome.latencyInMs > SLOW_AFTER_MS}::boolean`;
    return sql`update webhooks w set failing_since = null, failed_attempts = 0, slow = ${isSlow}
      where ${isThis} and (failing_since is not null or slow <> ${isSlow}) returning true as active`;
  }
  const { days, attempts } = DISABLED_AFTER;
  const isOver = sql`(failed_attempts + 1 >= ${attempts}::int and failing_since <= now() - make_interval(days => ${days}::int))`;
  return sql`update webhooks w set failed_attempts = failed_attempts + 1, failing_since = coalesce(failing_since, now()),
      is_active = coalesce(not ${isOver}, true), disabled_at = case when ${isOver} then now() end,
      disabled_reason = case when ${isOver} then ${whyDisabled(outcome)}::text end,
      updated_at = case when ${isOver} then ${LATER} else updated_at end
    where ${isThis} and w.is_active returning w.is_active as active`;
}
