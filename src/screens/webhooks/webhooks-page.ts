import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { statusOf, WEBHOOKS_PATH, type WebhookStatus } from '../../modules/webhooks/webhook.rules.ts';
import { developerTabs } from '../kit/developer-tabs.ts';
import { aboutFields, formTitle, hiddenField, mistakeOf, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { counted } from '../kit/when.ts';
import {
  type EventTypeChoice,
  offeredTriggers,
  type ShownWebhook,
  type TypedWebhook,
  triggerFields,
  urlField,
  webhookPath,
} from './webhook-form.ts';

export interface WebhooksPage {
  readonly viewer: Viewer;
  readonly webhooks: Page<ShownWebhook>;
  /** Of those that are about one event type, by the id of that. */
  readonly titles: ReadonlyMap<string, string>;
  /** Those that a new one can be about. */
  readonly eventTypes: readonly EventTypeChoice[];
  readonly typed: TypedWebhook;
  /** With this, the form makes one webhook, however often it is sent. */
  readonly idempotencyKey: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** The addresses that are told of what happens to a user, and a form for more. */
export function webhooksPage(page: WebhooksPage): Html {
  const { viewer, webhooks, titles, done } = page;
  const mistakes = aboutFields(['url', 'triggers', 'eventTypeId'], page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Your webhooks</h1>
    ${developerTabs('webhooks')}
    <p class="aside top">A webhook is an address of your own server. When something happens to your bookings, we send a signed
      message there.</p>
    ${
      webhooks.rows.length === 0
        ? html`<p class="empty">You have no webhooks yet. Add one, and send it a test.</p>`
        : html`<ul class="rows">${webhooks.rows.map((one) => html`<li>${rowOf(one, titles)}</li>`)}</ul>`
    }
    ${pager(webhooks, ({ id }) => [id], { path: WEBHOOKS_PATH })}
    ${addForm({ ...page, mistakes })}`;
  const head = SEND_ONCE_HEAD;
  return layout({ title: formTitle('Your webhooks', mistakes), content, corner: viewer, shape: 'sheet', head });
}

function addForm({ eventTypes, typed, idempotencyKey, csrf, mistakes }: WebhooksPage): Html {
  return html`<article>
      <h2>Add a webhook</h2>
      <form method="post" action="${WEBHOOKS_PATH}" novalidate data-once>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${urlField(typed.url, mistakes)}
        ${eventTypes.length === 0 ? '' : eventTypeField(eventTypes, typed.eventTypeId, mistakes)}
        ${triggerFields(offeredTriggers(false), typed.triggers, mistakes)}
        <button type="submit">Add</button>
      </form>
    </article>`;
}

function eventTypeField(eventTypes: readonly EventTypeChoice[], chosen: string, mistakes: readonly Mistake[]): Html {
  const options = eventTypes.map((eventType) => {
    const id = publicOwnedId('eventType', eventType);
    return html`<option value="${id}" ${id === chosen ? html`selected` : ''}>Bookings of ${eventType.title}</option>`;
  });
  const isWrong = mistakes.some(({ path }) => path?.[0] === 'eventTypeId');
  return html`<div class="field"><label for="eventTypeId">About</label>
          <select id="eventTypeId" name="eventTypeId" ${isWrong ? html`aria-describedby="eventTypeId-mistake" aria-invalid="true"` : ''}>
            <option value="">All bookings and absences</option>
            ${options}
          </select>${mistakeOf('eventTypeId', mistakes)}</div>`;
}

function rowOf(webhook: ShownWebhook, titles: ReadonlyMap<string, string>): Html {
  return html`<h2><a href="${webhookPath(webhook)}"><bdi>${shortened(webhook.url)}</bdi></a> ${statusMark(statusOf(webhook))}</h2>
          <p class="facts"><span>${aboutOf(webhook, titles)}</span> <span>${counted(webhook.triggers.length, 'trigger')}</span></p>`;
}

/** What it is told about. */
export function aboutOf({ eventTypeId }: ShownWebhook, titles: ReadonlyMap<string, string>): Html {
  if (eventTypeId === null) return html`All bookings and absences`;
  return html`Bookings of <bdi>${titles.get(eventTypeId) ?? 'an event type'}</bdi>`;
}

export function statusMark(status: WebhookStatus): Html | '' {
  if (status === 'ACTIVE') return '';
  return status === 'INACTIVE'
    ? html`<mark class="pending">Paused</mark>`
    : html`<mark class="rejected">Turned off</mark>`;
}

/** Addresses can be longer than a screen; the page of each has all of it. */
function shortened(url: string): string {
  return url.length > 80 ? `${url.slice(0, 79)}…` : url;
}
