import type { OwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, row } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { type Owner, own, ownOfGroup } from '../../modules/levels/reach.ts';
import { ORGANIZATION } from '../../modules/organizations/group.ts';
import { TEAM } from '../../modules/teams/team-role.ts';
import { holderOf } from '../../modules/webhooks/create-webhook.ts';
import { takeOverWebhook } from '../../modules/webhooks/take-over-webhook.ts';
import { Webhook } from '../../modules/webhooks/webhook.entity.ts';
import { EVENT_TYPE_WEBHOOKS, WEBHOOKS } from '../../modules/webhooks/webhook.queries.ts';
import { NOTIFIED_ABOUT } from '../../modules/webhooks/webhook.rules.ts';
import { webhookSecret } from '../../modules/webhooks/webhook-secret.rules.ts';
import { isLetIn } from '../grants/let-in.queries.ts';

export interface WebhookRevival {
  /** The key that secrets of webhooks are derived from. */
  readonly webhooksKey: Uint8Array;
  /** Whether messages may go to private addresses: in development. */
  readonly allowPrivateNetwork: boolean;
}

/**
 * Has a user answer again for a webhook for which nobody does, as whoever takes one over. @returns its new secret
 * @throws Problem as takeOverWebhook does
 */
export async function reviveWebhook(
  em: Em,
  userId: string,
  webhook: OwnedId,
  url: string,
  { webhooksKey, allowPrivateNetwork }: WebhookRevival,
): Promise<string> {
  const { id, ownerId } = webhook;
  const columns = ['teamId', 'organizationId', 'eventTypeId'] as const;
  const found = await row(em, selectFrom(Webhook, { ownerId, id }).select(columns));
  if (!found) throw new Problem('NOT_FOUND', 'The webhook was deleted meanwhile.', ['stoppedThingId']);
  const isOfEventType = found.eventTypeId !== null;
  const owner = ownerOf(userId, ownerId, found);
  const readable = NOTIFIED_ABOUT[holderOf(owner, isOfEventType)];
  const director = { allowsPrivate: allowPrivateNetwork, userId, clientId: null, readable };
  const table = isOfEventType ? EVENT_TYPE_WEBHOOKS : WEBHOOKS;
  const salt = await takeOverWebhook(em, table, owner, { id, url }, director, isLetIn);
  return webhookSecret(webhooksKey, webhook, salt);
}

/** A group's as its administrator, who they have to be at this moment. */
function ownerOf(
  userId: string,
  ownerId: string,
  { teamId, organizationId }: { readonly teamId: string | null; readonly organizationId: string | null },
): Owner {
  if (teamId === null && organizationId === null) return own(userId);
  return ownOfGroup({ group: teamId === null ? ORGANIZATION : TEAM, groupId: ownerId, actorId: userId });
}
