import { publicId, publicOwnedId } from '../../core/id.ts';
import { inLanguages } from '../../core/language.ts';
import { linkTo, listOf, type MailContent } from '../../core/mail-content.ts';
import { oneLine } from '../../core/text.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { AdmittedNotice } from '../../limits/held-notices.ts';
import { mailsToEach, mailsToResponsible, type ResponsibleMailSettings } from '../levels/responsible-mails.ts';
import { rolesFrom } from '../organizations/role.rules.ts';
import { PAUSED_MAIL_DE } from './paused-mail-words.de.rules.ts';
import { PAUSED_MAIL_EN } from './paused-mail-words.en.rules.ts';
import { Webhook } from './webhook.entity.ts';
import { type IsLetIn, pausedBySuspension } from './webhook.queries.ts';
import { DAYS_KEPT, DISABLED_AFTER, WEBHOOKS_PATH } from './webhook.rules.ts';

/** A webhook that pauses, and the group on whose page somebody can take it over. */
export interface NotifiedPaused {
  readonly url: string;
  readonly groupKind: 'team' | 'organization';
  readonly groupId: string;
  readonly groupName: string;
}

/** The event of a suspension, whose user has set webhooks. */
interface SuspendedSetter {
  /** The id of the event. */
  readonly id: string;
  /** The user. */
  readonly ownerId: string;
}

const MAX_RECEIVERS = 100;

/**
 * One mail to each who may take over webhooks that pause as a user was suspended: the owners and administrators of their teams and
 * organizations. None once the user is reinstated, or somebody has taken them over.
 */
export async function pausedMails(
  em: Em,
  { id, ownerId }: SuspendedSetter,
  isLetIn: IsLetIn,
  settings: ResponsibleMailSettings,
): Promise<readonly AdmittedNotice[]> {
  const byReceiver = Map.groupBy(await findNotified(em, ownerId, isLetIn), ({ userId }) => userId);
  const mails = [...byReceiver.values()].slice(0, MAX_RECEIVERS).flatMap((notified) => {
    const [first] = notified;
    return first ? [{ ...first, content: pausedMailContent(notified, first.locale, settings.publicUrl) }] : [];
  });
  return mailsToEach(em, { id, news: 'WEBHOOKS_PAUSED' }, mails, settings);
}

/** The most webhooks, and the most groups, that a mail names. */
const MAX_NAMED = 20;

const wordsFor = inLanguages(PAUSED_MAIL_EN, { de: PAUSED_MAIL_DE });

/** Writes such a mail. It names only where the addresses lead: the rest of them may be a key. */
export function pausedMailContent(notified: readonly NotifiedPaused[], locale: string, publicUrl: string): MailContent {
  const words = wordsFor(locale);
  const items = notified
    .slice(0, MAX_NAMED)
    .map(({ url, groupName }) => words.ofGroup(new URL(url).host, oneLine(groupName)));
  const more = notified.length - items.length;
  const groups = new Map(notified.map((one) => [one.groupId, one]));
  const links = [...groups.values()].slice(0, MAX_NAMED).map(({ groupKind, groupId, groupName }) => ({
    href: `${publicUrl}/settings/teams/${publicId(groupKind, groupId)}`,
    label: oneLine(groupName),
  }));
  return {
    subject: words.subject(notified.length),
    locale,
    parts: [
      words.why(notified.length),
      listOf(more > 0 ? [...items, words.further(more)] : items),
      words.kept(DAYS_KEPT),
      { kind: 'LINKS', lead: words.takeOver, links },
    ],
  };
}

/** The event that a webhook was disabled, which names it. */
interface Disabled {
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

interface NotifiedUser extends NotifiedPaused {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly locale: string;
}

/** A mail names no more than these. */
const MAX_NOTIFIED = 2_000;

/**
 * Finds the people to notify. For a team in an organization, its administrators are led to the organization's page,
 * since they need not be in the team.
 */
function findNotified(em: Em, userId: string, isLetIn: IsLetIn): Promise<NotifiedUser[]> {
  const roles = rolesFrom('ADMIN');
  return rows(
    em,
    sql<NotifiedUser>`
      select u.id as "userId", u.name, u.email, u.locale, w.url, r.kind as "groupKind", r.led as "groupId",
        case when r.kind = 'team' then t.name else o.name end as "groupName"
      from (select w.owner_id, w.id, w.url, w.team_id, coalesce(t.organization_id, w.organization_id) as roof
        from ${pausedBySuspension(userId, isLetIn)}) w
      cross join lateral (
        select distinct on (user_id) user_id, kind, led from (
          select m.user_id, 'organization' as kind, m.organization_id as led from organization_memberships m
            where m.organization_id = w.roof and m.accepted and m.role = any(${roles}::text[])
          union all
          select m.user_id, 'team', m.team_id from team_memberships m
            where m.team_id = w.team_id and m.accepted and m.role = any(${roles}::text[])
        ) led order by user_id, kind
      ) r
      join users u on u.id = r.user_id and u.email_verified_at is not null and u.suspended_at is null
      left join organizations o on o.id = w.roof
      left join teams t on t.id = w.team_id
      order by u.id, r.kind, r.led, w.owner_id, w.id
      limit ${MAX_NOTIFIED}::int`,
  );
}
