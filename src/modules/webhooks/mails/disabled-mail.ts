import { publicOwnedId } from '../../../core/id.ts';
import { linkTo, type MailContent } from '../../../core/mail-content.ts';
import { type Em, row } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import type { AdmittedNotice } from '../../../limits/held-notices.ts';
import { mailsToResponsible, type ResponsibleMailSettings } from '../../levels/responsible-mails.ts';
import { Webhook } from '../webhook.entity.ts';
import { DISABLED_AFTER, WEBHOOKS_PATH } from '../webhook.rules.ts';

/** The event that a webhook was disabled, which names it. */
export interface Disabled {
  /** The id of the event. */
  readonly id: string;
  readonly ownerId: string;
  readonly webhookId: string;
}

/**
 * The mails to the owner of a webhook that was disabled: a user, or the owners and administrators of a group. None for
 * one that is gone.
 */
export async function disabledMails(
  em: Em,
  { id, ownerId, webhookId }: Disabled,
  settings: ResponsibleMailSettings,
): Promise<readonly AdmittedNotice[]> {
  const columns = ['url', 'eventTypeId', 'disabledReason', 'disabledAt'] as const;
  const webhook = await row(em, selectFrom(Webhook, { ownerId, id: webhookId }).select(columns));
  if (webhook?.disabledAt == null) return [];
  const kind = webhook.eventTypeId === null ? 'webhook' : 'eventTypeWebhook';
  const publicId = publicOwnedId(kind, { ownerId, id: webhookId });
  const page = `${settings.publicUrl}${WEBHOOKS_PATH}/${publicId}`;
  const content = disabledMailContent(publicId, webhook.url, webhook.disabledReason ?? '', page);
  const news = { id, ownerId, news: 'WEBHOOK_DISABLED', content } as const;
  return mailsToResponsible(em, news, settings);
}

/** The webhook's page says what to do. The mail names only where the address leads: the rest of it may be a key. */
export function disabledMailContent(id: string, url: string, reason: string, page: string): MailContent {
  const { days, attempts } = DISABLED_AFTER;
  return {
    subject: 'A webhook was disabled',
    parts: [
      `We disabled the webhook ${id}, which sends messages to ${new URL(url).origin}: in ${days} days and at least ${attempts} attempts, not one message was accepted there.`,
      reason,
      linkTo(
        'It no longer gets any messages. Once the receiver works again, turn the webhook on and resend the failed messages:',
        page,
        'See webhook',
      ),
    ],
  };
}
