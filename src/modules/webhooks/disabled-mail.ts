import { publicOwnedId } from '../../core/id.ts';
import { type Em, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { mailsToResponsible, type ResponsibleMail, type ResponsibleMailSettings } from '../levels/responsible-mails.ts';
import { Webhook } from './webhook.entity.ts';
import { DISABLED_AFTER } from './webhook.rules.ts';

/** Which webhook was disabled, by the event that tells of it. */
export interface Disabled {
  /** Of the event. */
  readonly id: string;
  readonly ownerId: string;
  readonly webhookId: string;
}

/** What its owner is mailed about a webhook that was disabled: a user, or the owners and administrators of a group. None for one that is gone. */
export async function disabledMails(
  em: Em,
  { id, ownerId, webhookId }: Disabled,
  settings: ResponsibleMailSettings,
): Promise<readonly ResponsibleMail[]> {
  const columns = ['url', 'eventTypeId', 'disabledReason', 'disabledAt'] as const;
  const webhook = await row(em, selectFrom(Webhook, { ownerId, id: webhookId }).select(columns));
  if (webhook?.disabledAt == null) return [];
  const kind = webhook.eventTypeId === null ? 'webhook' : 'eventTypeWebhook';
  const text = textOf(publicOwnedId(kind, { ownerId, id: webhookId }), webhook.url, webhook.disabledReason ?? '');
  const news = { id, ownerId, news: 'WEBHOOK_DISABLED', subject: 'A webhook was disabled', text } as const;
  return mailsToResponsible(em, news, settings);
}

/** Of the address, only where it leads: the rest of it may be a key. */
function textOf(id: string, url: string, reason: string): string {
  const { days, attempts } = DISABLED_AFTER;
  return [
    `The webhook ${id}, which sends messages to ${new URL(url).origin}, was disabled: for ${days} days nothing that was sent there was taken, in ${attempts} attempts or more.`,
    reason,
    'It is told nothing any more. Once the receiver answers again, make it active by an update of the webhook (active: true), and have messages that were given up sent once more.',
  ].join('\n\n');
}
