import { publicOwnedId } from '../../core/id.ts';
import { sha256Hex } from '../../core/secret.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type MailLimit, ownAccount } from '../../limits/mail-limit.ts';
import type { Admission, Mail } from '../../mail/mailer.ts';
import { rolesFrom } from '../organizations/role.rules.ts';
import { Webhook } from './webhook.entity.ts';
import { DISABLED_AFTER } from './webhook.rules.ts';

export interface WebhookMailSettings {
  readonly publicUrl: string;
  readonly mailLimit: MailLimit;
}

/** Which webhook was disabled, by the event that tells of it. */
export interface Disabled {
  /** Of the event. */
  readonly id: string;
  readonly ownerId: string;
  readonly webhookId: string;
}

interface DisabledMail {
  readonly mail: Mail & { readonly messageId: string };
  readonly admission: Admission;
}

/** More administrators than these need not be told. */
const MAX_RECEIVERS = 20;

/** What its owner is mailed about a webhook that was disabled: a user, or the owners and administrators of a group. None for one that is gone. */
export async function disabledMails(
  em: Em,
  { id: eventId, ownerId, webhookId }: Disabled,
  { publicUrl, mailLimit }: WebhookMailSettings,
): Promise<readonly DisabledMail[]> {
  const columns = ['url', 'eventTypeId', 'disabledReason', 'disabledAt'] as const;
  const webhook = await row(em, selectFrom(Webhook, { ownerId, id: webhookId }).select(columns));
  if (webhook?.disabledAt == null) return [];
  const receivers = await findReceivers(em, ownerId);
  const counted = receivers.map(({ email }) => ({ to: email, ...ownAccount('WEBHOOK_DISABLED') }));
  const decisions = await mailLimit.admit(em, counted);
  const kind = webhook.eventTypeId === null ? 'webhook' : 'eventTypeWebhook';
  const content = {
    subject: 'A webhook was disabled',
    text: textOf(publicOwnedId(kind, { ownerId, id: webhookId }), webhook.url, webhook.disabledReason ?? ''),
  };
  const host = new URL(publicUrl).hostname;
  return receivers.flatMap(({ name, email }, index) => {
    const admission = decisions[index];
    if (admission?.limit !== undefined || !admission) return [];
    const messageId = `<${eventId}.${sha256Hex(email.toLowerCase()).slice(0, 16)}@${host}>`;
    return [{ mail: { to: { name, address: email }, ...content, messageId }, admission }];
  });
}

/** At verified addresses: another may be anybody's. */
function findReceivers(em: Em, ownerId: string): Promise<{ name: string; email: string }[]> {
  const roles = rolesFrom('ADMIN');
  return rows(
    em,
    sql<{ name: string; email: string }>`
      select u.name, u.email from users u
      where u.email_verified_at is not null and u.suspended_at is null and u.id in (
        select ${ownerId}::uuid
        union select m.user_id from team_memberships m where m.team_id = ${ownerId} and m.accepted and m.role = any(${roles}::text[])
        union select m.user_id from organization_memberships m
          where m.organization_id = ${ownerId} and m.accepted and m.role = any(${roles}::text[]))
      order by u.id limit ${MAX_RECEIVERS}::int`,
  );
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
