import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import type { Page } from '../../core/page.ts';
import { type RowOf, Selection } from '../../database/columns.ts';
import { WebhookDelivery } from '../../modules/webhooks/webhook.entity.ts';
import { type Attempt, DAYS_KEPT, type DeliveryStatus } from '../../modules/webhooks/webhook.rules.ts';
import { hiddenField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { moment, pager } from '../kit/page-parts.ts';
import { counted } from '../kit/when.ts';
import { TRIGGER_WORDS } from './webhook-form.ts';

const COLUMNS = ['ownerId', 'id', 'trigger', 'status', 'attempts', 'nextAttemptAt', 'createdAt'] as const;

/** The columns that the page reads of a message. */
export const SHOWN_DELIVERY = new Selection(WebhookDelivery, COLUMNS);
export interface ShownDelivery extends Pick<RowOf<typeof WebhookDelivery>, (typeof COLUMNS)[number]> {
  /** Whether it tells of nothing. */
  readonly isTest: boolean;
}

export interface Deliveries {
  /** Newest first. */
  readonly deliveries: Page<ShownDelivery>;
  readonly path: string;
  /** Whether the webhook is told anything: otherwise none can be sent again. */
  readonly isActive: boolean;
  readonly idempotencyKey: string;
  readonly csrf: string;
}

/** Lists the messages of a webhook, and what came of them. */
export function deliveriesPart(part: Deliveries): Html {
  const { deliveries, path } = part;
  return html`<h2 id="deliveries">Recent messages</h2>
      ${
        deliveries.rows.length === 0
          ? html`<p>No messages yet. We keep them here for ${DAYS_KEPT} days.</p>`
          : html`<ul class="rows">${deliveries.rows.map((one) => html`<li>${rowOf(one, part)}</li>`)}</ul>`
      }
      ${pager(deliveries, ({ createdAt, id }) => [createdAt, id], { path, parameter: 'before' })}`;
}

const MARKS: Readonly<Record<DeliveryStatus, (attempts: number) => Html>> = {
  DELIVERED: () => html`<mark>Delivered</mark>`,
  PENDING: (attempts) =>
    html`<mark class="pending">${attempts === 0 ? 'On its way' : 'Failed, will be retried'}</mark>`,
  FAILED: () => html`<mark class="rejected">Failed</mark>`,
  PAUSED: () => html`<mark class="pending">Kept while paused</mark>`,
  WITHHELD: () => html`<mark class="rejected">Not sent: not visible to whoever set up the webhook</mark>`,
  EXPIRED: () => html`<mark class="rejected">Deleted after ${DAYS_KEPT} days paused</mark>`,
};

const CAN_BE_SENT: ReadonlySet<DeliveryStatus> = new Set(['DELIVERED', 'FAILED', 'WITHHELD']);

function rowOf(delivery: ShownDelivery, part: Deliveries): Html {
  const { trigger, isTest, status, attempts, createdAt, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  const isWaiting = status === 'PENDING';
  return html`<h3>${isTest ? 'Test: ' : ''}${TRIGGER_WORDS[trigger]} ${MARKS[status](attempts.length)}</h3>
          <p class="facts"><span>${moment(instantOf(createdAt))}</span> <code>${trigger}</code>
            <span>${attempts.length === 0 ? 'Not tried yet' : counted(attempts.length, 'attempt')}</span>
            ${last ? html`<span>${answerOf(last)}</span>` : ''}
            ${isWaiting && last && nextAttemptAt ? html`<span>Next attempt: ${moment(instantOf(nextAttemptAt))}</span>` : ''}</p>
          ${attempts.length > 1 ? attemptsPart(attempts) : ''}
          ${!CAN_BE_SENT.has(status) || !part.isActive ? '' : retryForm(delivery, part)}`;
}

function attemptsPart(attempts: readonly Attempt[]): Html {
  return html`<details><summary>All attempts</summary>
            <ul>${attempts.map((one) => html`<li>${moment(instantOf(one.endedAt))}: ${answerOf(one)}</li>`)}</ul></details>`;
}

/** The receiver's answer, in short. */
function answerOf({ status, error, latencyInMs }: Attempt): string {
  const answer = status === undefined ? `No answer: ${error ?? 'unknown'}`.replace(/\.$/, '') : `Answered ${status}`;
  return `${answer}, after ${latencyInMs} ms`;
}

function retryForm(delivery: ShownDelivery, { path, csrf, idempotencyKey }: Deliveries): Html {
  return html`<form method="post" action="${path}/retry" data-once>
            ${hiddenField('csrf', csrf)}
            ${hiddenField('idempotencyKey', idempotencyKey)}
            ${hiddenField('delivery', publicOwnedId('webhookDelivery', delivery))}
            <button type="submit" class="link">Send again<span class="unseen">: ${TRIGGER_WORDS[delivery.trigger]}, ${moment(instantOf(delivery.createdAt))}</span></button>
          </form>`;
}
