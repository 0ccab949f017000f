import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import { holderOf } from '../../modules/webhooks/webhook.commands.ts';
import {
  DAYS_KEPT,
  DISABLED_AFTER,
  OVERLAP_HOURS,
  type PausedReason,
  statusOf,
} from '../../modules/webhooks/webhook.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, moment, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { type PageLevel, settingOf } from '../teams/page-level.ts';
import { type Deliveries, deliveriesPart } from './deliveries-part.ts';
import {
  offeredTriggers,
  type ShownWebhook,
  TRIGGER_WORDS,
  type TypedWebhook,
  triggerFields,
  urlField,
  webhookPath,
} from './webhook-form.ts';
import { aboutOf, statusMark, titleOf } from './webhooks-page.ts';

/** The forms of the page, each sent to an address of its own. */
export const WEBHOOK_ACTIONS = ['pause', 'resume', 'test', 'retry'] as const;
export type WebhookAction = (typeof WEBHOOK_ACTIONS)[number];

export interface WebhookPage {
  readonly viewer: Viewer;
  readonly level: PageLevel;
  readonly webhook: ShownWebhook;
  /** When it was last changed, as its form has seen it. */
  readonly updatedAt: string;
  /** The title of the event type that it is about. */
  readonly titles: ReadonlyMap<string, string>;
  /** The name of the app that has set its address; undefined: the user has. */
  readonly appName: string | undefined;
  /** Why it pauses, unless somebody answers for it. */
  readonly pausedReason: PausedReason | null;
  /** The secret before signs messages as well until then, where there is one. */
  readonly overlapsUntil: Temporal.Instant | undefined;
  readonly typed: TypedWebhook;
  readonly deliveries: Deliveries['deliveries'];
  readonly idempotencyKey: string;
  readonly csrf: Readonly<Record<WebhookAction | 'change' | 'takeOver', string>>;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** One webhook: how it goes, what was sent to it, and forms to try and to change it. */
export function webhookPage(page: WebhookPage): Html {
  const { viewer, level, webhook, titles, appName, done } = page;
  const mistakes = aboutFields(['url', 'triggers'], page.mistakes);
  const path = webhookPath(webhook);
  const { host } = new URL(webhook.url);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <p class="aside top"><a href="${level.path}">${titleOf(level.place)}</a></p>
    <h1>Webhook to <bdi>${host}</bdi> ${statusMark(statusOf(webhook, page.pausedReason))}</h1>
    <p class="facts"><span>${aboutOf(webhook, titles, level.place)}</span> <span>Added ${moment(instantOf(webhook.createdAt))}</span></p>
    ${appName === undefined ? '' : appNote(appName)}
    ${pausedPart(page, path)}
    ${statePart(page, path)}
    <article>
      ${webhook.isActive ? testForm(page, path) : ''}
      ${deliveriesPart({ ...page, isActive: webhook.isActive, csrf: page.csrf.retry, path })}
    </article>
    ${changeForm({ ...page, mistakes }, path)}
    ${secretPart(page, path)}
    <div class="actions">
      ${webhook.isActive ? pauseForm(page.csrf.pause, path) : ''}
      <a class="button quiet danger" href="${path}/delete">Delete this webhook …</a>
    </div>`;
  const title = `Webhook to ${isolated(host)}`;
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

function appNote(appName: string): Html {
  return html`<p class="aside">The app <bdi>${appName}</bdi> set this up. It gets what the app may read, as long as the app
      <a href="/settings/apps">has access</a>. If you change the address, the webhook becomes yours and gets a new secret.</p>`;
}

const PAUSED_WORDS: Readonly<Record<PausedReason, string>> = {
  NO_OWNER: 'Nobody answers for this webhook at the moment.',
  ROLE_LOST: 'Whoever set up this webhook is no longer an administrator here.',
  SUSPENDED: 'The account of whoever set up this webhook is suspended.',
  APP_ACCESS_LOST: 'The app that set up this webhook no longer has access.',
};

/** That nobody answers for it, where it leads, and the button to do so. */
function pausedPart({ webhook, pausedReason, csrf, idempotencyKey }: WebhookPage, path: string): Html | '' {
  if (pausedReason === null) return '';
  return html`<section class="warning" aria-labelledby="paused">
      <h2 id="paused">This webhook is paused</h2>
      <p>${PAUSED_WORDS[pausedReason]} Nothing is sent for now. Messages are kept for ${DAYS_KEPT} days.</p>
      <p>If you know where this address leads, take the webhook over. It gets a new secret, and the messages that were kept are sent
        there, as far as you can see what they are about:</p>
      <p><code>${webhook.url}</code></p>
      <form method="post" action="${path}/take-over" data-once>
        ${hiddenField('csrf', csrf.takeOver)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${hiddenField('shownUrl', webhook.url)}
        <p class="actions"><button type="submit">Take over</button></p>
      </form>
    </section>`;
}

/** Whether it is told anything and, if not, why and what to do. */
function statePart({ webhook, csrf }: WebhookPage, path: string): Html | '' {
  const form = (says: string) => html`<form method="post" action="${path}/resume">
        ${hiddenField('csrf', csrf.resume)}
        <p class="actions"><button type="submit">${says}</button></p>
      </form>`;
  const status = statusOf(webhook, null);
  if (status === 'ACTIVE') return '';
  if (status === 'INACTIVE') {
    return html`<section class="warning">
      <p>This webhook is off. Events in the meantime aren’t sent, not even later.</p>
      ${form('Turn on')}
    </section>`;
  }
  return html`<section class="warning" aria-labelledby="turned-off">
      <h2 id="turned-off">We turned this webhook off</h2>
      <p>In ${DISABLED_AFTER.days} days and at least ${DISABLED_AFTER.attempts} attempts, your server didn’t accept a single message
        ${webhook.disabledAt === null ? '' : html`(${moment(instantOf(webhook.disabledAt))})`}. ${webhook.disabledReason ?? ''}</p>
      <p>Once your server responds with a 2xx status again, turn the webhook on. Then resend the failed messages below.</p>
      ${form('Turn on again')}
    </section>`;
}

function pauseForm(csrf: string, path: string): Html {
  return html`<form method="post" action="${path}/pause">
        ${hiddenField('csrf', csrf)}
        <button type="submit" class="quiet">Turn this webhook off</button>
      </form>`;
}

function testForm({ level, webhook, idempotencyKey, csrf }: WebhookPage, path: string): Html {
  const offered = offeredTriggers(holderOf(level.owner, webhook.eventTypeId !== null));
  const [first] = webhook.triggers;
  const options = offered.map(
    (trigger) =>
      html`<option value="${trigger}" ${trigger === first ? html`selected` : ''}>${TRIGGER_WORDS[trigger]}</option>`,
  );
  return html`<h2>Send a test</h2>
      <p>We’ll send a message with <code>test</code> set to true and <code>data</code> set to null.</p>
      <form method="post" action="${path}/test" class="search" data-once>
        ${hiddenField('csrf', csrf.test)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        <label for="trigger">As if</label>
        <select id="trigger" name="trigger">${options}</select>
        <button type="submit">Send</button>
      </form>`;
}

function changeForm(
  { level, webhook, updatedAt, typed, idempotencyKey, csrf, mistakes }: WebhookPage,
  path: string,
): Html {
  return html`<article>
      <h2>Settings</h2>
      <form method="post" action="${path}" novalidate data-once>
        ${hiddenField('csrf', csrf.change)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${hiddenField('updatedAt', updatedAt)}
        ${urlField(typed.url, mistakes)}
        ${triggerFields(offeredTriggers(holderOf(level.owner, webhook.eventTypeId !== null)), typed.triggers, mistakes)}
        <button type="submit">Save</button>
      </form>
    </article>`;
}

function secretPart({ overlapsUntil }: WebhookPage, path: string): Html {
  return html`<article id="secret">
      <h2>Secret</h2>
      <p>Messages are signed as described by <a href="https://www.standardwebhooks.com">Standard Webhooks</a>. The secret is shown
        once: to whoever adds the webhook, makes it theirs or creates a new secret. If you don’t have it, create a new one.</p>
      ${
        overlapsUntil === undefined
          ? ''
          : html`<p>The secret was changed. Until ${moment(overlapsUntil)}, messages are also signed with the old one.</p>`
      }
      <a class="button quiet" href="${path}/secret">Create a new secret …</a>
      <p class="aside">The old one stays valid for another ${OVERLAP_HOURS} hours.</p>
    </article>`;
}
