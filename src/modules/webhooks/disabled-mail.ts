import { publicOwnedId } from '../../core/id.ts';
import { type Em, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { mailsToResponsible, type ResponsibleMail, type ResponsibleMailSettings } from '../levels/responsible-mails.ts';
import { Webhook } from './webhook.entity.ts';
import { DISABLED_AFTER, WEBHOOKS_PATH } from './webhook.rules.ts';

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
  const columns = ['userId', 'url', 'eventTypeId', 'disabledReason', 'disabledAt'] as const;
  const webhook = await row(em, selectFrom(Webhook, { ownerId, id: webhookId }).select(columns));
  if (webhook?.disabledAt == null) return [];
  const kind = webhook.eventTypeId === null ? 'webhook' : 'eventTypeWebhook';
  const publicId = publicOwnedId(kind, { ownerId, id: webhookId });
  const page = webhook.userId === null ? undefined : `${settings.publicUrl}${WEBHOOKS_PATH}/${publicId}`;
  const text = textOf(publicId, webhook.url, webhook.disabledReason ?? '', page);
  const news = { id, ownerId, news: 'WEBHOOK_DISABLED', subject: 'A webhook was disabled', text } as const;
  return mailsToResponsible(em, news, settings);
}

/** What to do stands on its page; a group’s has none. Of the address, only where it leads: the rest of it may be a key. */
function textOf(id: string, url: string, reason: string, page: string | undefined): string {
  const { days, attempts } = DISABLED_AFTER;
  return [
    `The webhook ${id}, which sends messages to ${new URL(url).origin}, was disabled: for ${days} days nothing that was sent there was taken, in ${attempts} attempts or more.`,
    reason,
    page === undefined
      ? 'It is told nothing any more. Once the receiver answers again, make it active by an update of the webhook (active: true), and have messages that were given up sent once more.'
      : `It is told nothing any more. Once the receiver answers again, turn it on, and send once more what was given up: ${page}`,
  ].join('\n\n');
}
