import { OVERLAP_HOURS, WEBHOOKS_PATH, webhookSecret } from '../../modules/webhooks/webhook.rules.ts';
import type { Visit } from '../kit/page.ts';
import { secretPage } from '../kit/page-parts.ts';
import { SCRIPTED_HEADERS, sendPage } from '../kit/page-response.ts';
import { sendError } from '../kit/problem-response.ts';
import type { WebhookActionsSettings } from './webhook-actions.ts';
import { type ShownWebhook, webhookPath } from './webhook-form.ts';

/** As much of a webhook as its secret hangs on, and its page. */
type Addressed = Pick<ShownWebhook, 'ownerId' | 'id' | 'eventTypeId' | 'url'>;

interface Answer {
  readonly title: string;
  readonly advice: string;
}

export const ADDED: Answer = {
  title: 'Webhook added',
  advice: 'Give it to your server, so it can check that messages come from us. Then send a test.',
};
export const ROTATED: Answer = {
  title: 'Your new secret',
  advice: `Switch your server to it within ${OVERLAP_HOURS} hours. Until then, messages are also signed with the old one.`,
};
export const TAKEN_OVER: Answer = {
  title: 'The webhook is yours, with a new secret',
  advice: 'An app had set the address before and knows the old secret, so the old secret no longer works.',
};

export const ANSWERED_FOR: Answer = {
  title: 'The webhook is yours, with a new secret',
  advice:
    'Whoever set it up before knows the old secret, so the old secret no longer works. If messages were kept, they are sent now.',
};

/** The one answer to a form that is a page: nothing may keep the secret until a next request could show it. */
export function sendSecret(
  { c, viewer }: Visit,
  webhook: Addressed,
  salt: string,
  { webhooksKey }: WebhookActionsSettings,
  answer: Answer,
): Response | Promise<Response> {
  const page = secretPage({
    viewer,
    ...answer,
    of: ['Address', webhook.url],
    secret: webhookSecret(webhooksKey, webhook, salt),
    onwardPath: webhookPath(webhook),
  });
  return sendPage(c, page, answer === ADDED ? 201 : 200, SCRIPTED_HEADERS);
}

/** The same for a text that is no id, for an unknown one, and for somebody else's. */
export function answerNone({ c }: Visit): Response | Promise<Response> {
  const message = 'You have no webhook at this address. It may have been deleted.';
  const advice = `Your webhooks are at ${WEBHOOKS_PATH}.`;
  return sendError(c, { status: 404, title: 'Webhook not found', message, advice, locale: 'en' });
}
