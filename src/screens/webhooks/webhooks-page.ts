import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { holderOf } from '../../modules/webhooks/webhook.commands.ts';
import { type PausedReason, statusOf, type WebhookStatus } from '../../modules/webhooks/webhook.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeOf, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, nothingYet, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { counted } from '../kit/when.ts';
import { type PageLevel, settingOf } from '../teams/page-level.ts';
import {
  type EventTypeChoice,
  isOfTeam,
  offeredTriggers,
  type ShownWebhook,
  type TypedWebhook,
  triggerFields,
  urlField,
  webhookPath,
} from './webhook-form.ts';

export interface WebhooksPage {
  readonly viewer: Viewer;
  readonly level: PageLevel;
  readonly webhooks: Page<ShownWebhook>;
  /** The webhooks that pause, as nobody answers for them. */
  readonly paused: ReadonlyMap<string, PausedReason>;
  /** The titles of event types, for webhooks that are about one, by its id. */
  readonly titles: ReadonlyMap<string, string>;
  /** The event types that a new one can be about. */
  readonly eventTypes: Page<EventTypeChoice>;
  readonly typed: TypedWebhook;
  /** With this, the form makes one webhook, however often it is sent. */
  readonly idempotencyKey: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** The addresses that are notified of what happens to a user, and a form for more. */
export function webhooksPage(page: WebhooksPage): Html {
  const { viewer, level, webhooks, eventTypes, done } = page;
  const { place, path } = level;
  const mistakes = aboutFields(['url', 'triggers', 'eventTypeId'], page.mistakes);
  const title = titleOf(place);
  // A team is told of its event types alone.
  const canAdd = !isOfTeam(level) || eventTypes.rows.length > 0;
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    ${place ? html`<p class="aside top"><a href="${place.path}"><bdi>${place.shown.name}</bdi></a></p>` : ''}
    <h1>${title}</h1>
    <p class="aside top">A webhook is an address of ${place ? 'a server' : 'your own server'}. When something happens to ${toWhat(place)}, we send a signed
      message there.</p>
    ${
      webhooks.rows.length === 0
        ? nothingYet(
            html`<p>${canAdd ? 'There are no webhooks yet. Add one, then send it a test.' : html`The team has no event types yet. <a href="${place?.path}/event-types">Add one</a> first, then add a webhook for its bookings.`}</p>`,
          )
        : html`<ul class="rows">${webhooks.rows.map((one) => html`<li>${rowOf(one, page)}</li>`)}</ul>`
    }
    ${pager(webhooks, ({ id }) => [id], { path })}
    ${canAdd ? addForm({ ...page, mistakes }) : ''}`;
  const head = SEND_ONCE_HEAD;
  return layout({
    title: formTitle(title, mistakes),
    content,
    corner: viewer,
    setting: settingOf(level, 'webhooks'),
    shape: 'sheet',
    head,
  });
}

/** The title of the list. */
export function titleOf(place: PageLevel['place']): string {
  return place ? `Webhooks of ${isolated(place.shown.name)}` : 'Your webhooks';
}

function toWhat(place: PageLevel['place']): string {
  if (!place) return 'your bookings';
  return place.kind.group.kind === 'team' ? 'a booking of the team' : `the members and teams of ${place.shown.name}`;
}

function addForm({ level, eventTypes, typed, idempotencyKey, csrf, mistakes }: WebhooksPage): Html {
  const { path } = level;
  return html`<article>
      <h2>Add a webhook</h2>
      <form method="post" action="${path}" novalidate data-once>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${urlField(typed.url, mistakes)}
        ${eventTypes.rows.length === 0 ? '' : eventTypeField(eventTypes.rows, typed.eventTypeId, level, mistakes)}
        ${triggerFields(offeredTriggers(holderOf(level.owner, isOfTeam(level))), typed.triggers, mistakes)}
        <button type="submit">Add</button>
      </form>
      ${furtherTypes(eventTypes, path)}
    </article>`;
}

/** The list to choose from has so many; the others are a page further. */
function furtherTypes(eventTypes: Page<EventTypeChoice>, path: string): Html | '' {
  if (!eventTypes.hasNextPage && !eventTypes.hasPreviousPage) return '';
  return html`<p class="aside">The list doesn’t have all event types. See others:</p>
      ${pager(eventTypes, ({ id }) => [id], { path, parameter: 'types' })}`;
}

function eventTypeField(
  eventTypes: readonly EventTypeChoice[],
  chosen: string,
  level: PageLevel,
  mistakes: readonly Mistake[],
): Html {
  const options = eventTypes.map((eventType) => {
    const id = publicOwnedId('eventType', eventType);
    return html`<option value="${id}" ${id === chosen ? html`selected` : ''}>Bookings of ${eventType.title}</option>`;
  });
  const isWrong = mistakes.some(({ path }) => path?.[0] === 'eventTypeId');
  return html`<div class="field"><label for="eventTypeId">About</label>
          <select id="eventTypeId" name="eventTypeId" ${isWrong ? html`aria-describedby="eventTypeId-mistake" aria-invalid="true"` : ''}>
            <option value="">${isOfTeam(level) ? 'Choose an event type' : 'All bookings and days out of office'}</option>
            ${options}
          </select>${mistakeOf('eventTypeId', mistakes)}</div>`;
}

function rowOf(webhook: ShownWebhook, { titles, paused, level: { place } }: WebhooksPage): Html {
  return html`<h2><a href="${webhookPath(webhook)}"><bdi>${shortened(webhook.url)}</bdi></a> ${statusMark(statusOf(webhook, paused.get(webhook.id) ?? null))}</h2>
          <p class="facts"><span>${aboutOf(webhook, titles, place)}</span> <span>${counted(webhook.triggers.length, 'trigger')}</span></p>`;
}

/** Says what it is about. */
export function aboutOf(
  { eventTypeId }: ShownWebhook,
  titles: ReadonlyMap<string, string>,
  place: PageLevel['place'],
): Html {
  if (eventTypeId !== null) return html`Bookings of <bdi>${titles.get(eventTypeId) ?? 'an event type'}</bdi>`;
  return place ? html`Everything that happens to its members and teams` : html`All bookings and days out of office`;
}

const MARKS: Readonly<Record<WebhookStatus, Html | ''>> = {
  ACTIVE: '',
  PAUSED: html`<mark class="pending">Paused: take it over</mark>`,
  INACTIVE: html`<mark class="pending">Off</mark>`,
  DISABLED: html`<mark class="rejected">Turned off</mark>`,
};

export function statusMark(status: WebhookStatus): Html | '' {
  return MARKS[status];
}

/** Addresses can be longer than a screen; the page of each has all of it. */
function shortened(url: string): string {
  return url.length > 80 ? `${url.slice(0, 79)}…` : url;
}
