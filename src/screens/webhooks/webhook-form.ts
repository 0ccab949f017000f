import { html } from 'hono/html';
import { type OwnedId, publicOwnedId } from '../../core/id.ts';
import type { Mistake, Problem } from '../../core/problem.ts';
import { type RowOf, Selection } from '../../database/columns.ts';
import { Webhook } from '../../modules/webhooks/webhook.entity.ts';
import {
  NOTIFIED_ABOUT,
  TRIGGERS,
  WEBHOOK_TRIGGERS,
  WEBHOOKS_PATH,
  type WebhookHolder,
  type WebhookTrigger,
} from '../../modules/webhooks/webhook.rules.ts';
import { checkBox, mistakeOf, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import type { PageLevel } from '../teams/page-level.ts';

const COLUMNS = [
  'ownerId',
  'id',
  'url',
  'triggers',
  'isActive',
  'eventTypeId',
  'clientId',
  'secretSalt',
  'previousUntil',
  'disabledAt',
  'disabledReason',
  'createdAt',
  'updatedAt',
] as const;

/** The columns that the pages read of a webhook. */
export const SHOWN = new Selection(Webhook, COLUMNS);
export type ShownWebhook = Pick<RowOf<typeof Webhook>, (typeof COLUMNS)[number]>;

export interface EventTypeChoice extends OwnedId {
  readonly title: string;
}

/** The path of one webhook; its id says whether it is about one event type. */
export function webhookPath(webhook: Pick<ShownWebhook, 'ownerId' | 'id' | 'eventTypeId'>): string {
  return `${WEBHOOKS_PATH}/${publicOwnedId(webhook.eventTypeId === null ? 'webhook' : 'eventTypeWebhook', webhook)}`;
}

/** Says what happens, in a person's words. */
export const TRIGGER_WORDS: Readonly<Record<WebhookTrigger, string>> = {
  BOOKING_CREATED: 'A booking is made',
  BOOKING_REQUESTED: 'A booking is requested',
  BOOKING_CONFIRMED: 'A booking is confirmed',
  BOOKING_REJECTED: 'A booking is declined',
  BOOKING_CANCELLED: 'A booking, or a seat in it, is cancelled',
  BOOKING_RESCHEDULED: 'A booking is rescheduled',
  BOOKING_ABSENCE_MARKED: 'A no-show is marked',
  MEETING_STARTED: 'A meeting starts',
  MEETING_ENDED: 'A meeting ends',
  RECORDING_READY: 'A recording is ready',
  TRANSCRIPT_READY: 'A transcript is ready',
  OUT_OF_OFFICE_CREATED: 'Someone is out of office',
  ROUTING_FORM_SUBMITTED: 'A routing form is answered',
};

/** The triggers that a webhook of this holder can have. */
export function offeredTriggers(holder: WebhookHolder): readonly WebhookTrigger[] {
  const subjects = NOTIFIED_ABOUT[holder];
  return WEBHOOK_TRIGGERS.filter((trigger) => subjects.includes(TRIGGERS[trigger]));
}

/** A team has no webhooks but those of its event types. */
export function isOfTeam({ place }: Pick<PageLevel, 'place'>): boolean {
  return place?.kind.group.kind === 'team';
}

/** A form as it was typed, or as a stored webhook fills it. */
export interface TypedWebhook {
  readonly url: string;
  readonly triggers: readonly WebhookTrigger[];
  /** The public id of a new one's event type; empty for all that is the owner's. */
  readonly eventTypeId: string;
}

export const NEW_WEBHOOK: TypedWebhook = {
  url: '',
  triggers: ['BOOKING_CREATED', 'BOOKING_CONFIRMED', 'BOOKING_CANCELLED', 'BOOKING_RESCHEDULED'],
  eventTypeId: '',
};

export function formOf({ url, triggers }: ShownWebhook): TypedWebhook {
  return { url, triggers, eventTypeId: '' };
}

export function typedIn(form: URLSearchParams): TypedWebhook {
  const ticked = form.getAll('triggers');
  return {
    url: form.get('url') ?? '',
    triggers: WEBHOOK_TRIGGERS.filter((trigger) => ticked.includes(trigger)),
    eventTypeId: form.get('eventTypeId') ?? '',
  };
}

export function urlField(url: string, mistakes: readonly Mistake[]): Html {
  const hint = 'Your server has to accept POST requests there, over https.';
  const placeholder = 'https://app.example/hooks';
  return textField(
    { name: 'url', label: 'Address', type: 'url', autocomplete: 'off', value: url, placeholder, hint },
    mistakes,
  );
}

/** The boxes for the messages to send, in words, each with the `type` that its messages have. */
export function triggerFields(
  offered: readonly WebhookTrigger[],
  chosen: readonly WebhookTrigger[],
  mistakes: readonly Mistake[],
): Html {
  const isWrong = mistakes.some(({ path }) => path?.[0] === 'triggers');
  return html`<div id="triggers" class="scope-fields" tabindex="-1">
          <fieldset ${isWrong ? html`aria-describedby="triggers-mistake"` : ''}>
            <legend>Send a message when</legend>
            ${mistakeOf('triggers', mistakes)}
            ${offered.map((trigger) =>
              checkBox({
                name: 'triggers',
                value: trigger,
                label: html`${TRIGGER_WORDS[trigger]} <code>${trigger}</code>`,
                isChecked: chosen.includes(trigger),
              }),
            )}
          </fieldset>
        </div>`;
}

/** Words the mistakes in a form for its page. */
export function mistakesOf(problem: Problem | undefined): readonly Mistake[] {
  return (problem?.mistakes ?? []).map(inWords);
}

/** Words a command's mistake, which is meant for programs, for people. */
function inWords(mistake: Mistake): Mistake {
  const { code, path } = mistake;
  const message = MESSAGES[`${code} ${path?.[0]}`] ?? mistake.message;
  return path?.[0] === 'url'
    ? { ...mistake, message: message.replace(/^The URL /, 'The address ') }
    : { ...mistake, message };
}

const MESSAGES: Readonly<Record<string, string>> = {
  'REQUIRED url': 'Enter the address of your server.',
  'REQUIRED triggers': 'Tick at least one.',
  'NOT_POSSIBLE triggers': `A webhook of one event type only gets its bookings. Untick “${TRIGGER_WORDS.OUT_OF_OFFICE_CREATED}”.`,
  'NOT_FOUND eventTypeId': 'This event type no longer exists. Choose another one.',
  'NOT_POSSIBLE webhookDeliveryId': 'This message is still on its way. You can see below when we’ll try next.',
  'NOT_FOUND webhookDeliveryId': 'This message no longer exists.',
};
