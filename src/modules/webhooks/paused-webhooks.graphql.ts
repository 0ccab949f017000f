/**
 * Offers those who stay, when somebody goes or is given a lower role, the webhooks that nobody answers for any more.
 */
import { publicId, publicOwnedId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUserId } from '../../graphql/context.ts';
import { SMALL, URL_TEXT } from '../../graphql/limits/price.ts';
import { INHERIT, reads } from '../../scopes/declare.ts';
import { type GroupLevel, LEVELS } from '../levels/level.graphql.ts';
import { WebhookPausedReason } from './webhook-delivery.graphql.ts';
import { findPausedWebhooks, MAX_PAUSED_NAMED, type PausedWebhook } from './webhook-setter.queries.ts';

const PausedWebhookType = builder.objectRef<PausedWebhook>('PausedWebhook').implement({
  description: 'A webhook that nobody answers for. Look at its address, and take it over if you know where it leads.',
  fields: (t) => ({
    webhookId: t.id({
      nullable: true,
      requires: INHERIT,
      description:
        'Of a webhook of the organization (`whk_…`), for `organizationWebhookTakeOver`. Null: it is one of an event type.',
      resolve: (webhook) => (webhook.eventTypeId === null ? publicOwnedId('webhook', webhook) : null),
    }),
    eventTypeWebhookId: t.id({
      nullable: true,
      requires: INHERIT,
      description:
        'Of a webhook of a team’s event type (`ewh_…`), for `teamEventTypeWebhookTakeOver`. Null: it is one of the organization.',
      resolve: (webhook) => (webhook.eventTypeId === null ? null : publicOwnedId('eventTypeWebhook', webhook)),
    }),
    teamId: t.id({
      nullable: true,
      requires: INHERIT,
      description: 'The team of the event type (`tea_…`). Null: it is a webhook of the organization.',
      resolve: ({ ownerId, eventTypeId }) => (eventTypeId === null ? null : publicId('team', ownerId)),
    }),
    url: t.field({
      type: 'URL',
      price: URL_TEXT,
      requires: INHERIT,
      description: 'Where its messages will go if it is taken over.',
      resolve: ({ url }) => url,
    }),
    pausedReason: t.field({
      type: WebhookPausedReason,
      requires: INHERIT,
      description: 'Why nobody answers for it.',
      resolve: ({ reason }) => reason,
    }),
  }),
});

const [webhooks, eventTypes] = [reads('WEBHOOK'), reads('EVENT_TYPE')];
const REQUIRES = {
  team: { team: eventTypes.team },
  organization: { organization: [...webhooks.organization, ...eventTypes.organization] },
} as const;

/** The mutations by which somebody goes or stands lower afterwards. */
const OFFERING: readonly (readonly [GroupLevel, string])[] = [
  ['team', 'TeamMembershipDeletePayload'],
  ['team', 'TeamMembershipUpdatePayload'],
  ['organization', 'OrganizationMembershipDeletePayload'],
  ['organization', 'OrganizationMembershipUpdatePayload'],
  ['organization', 'OrganizationUserDeletePayload'],
];

/**
 * The group that the mutation was about, which these payloads hold beside the fields that they show: as `done`, the way resources
 * name it, or as its id.
 */
interface Done {
  readonly done?: { readonly ownerId: string };
  readonly groupId?: string;
}

for (const [level, payload] of OFFERING) {
  builder.objectField(payload as never, 'pausedWebhooks', (t) =>
    t.field({
      type: [PausedWebhookType],
      nullable: true,
      price: { max: MAX_PAUSED_NAMED, weight: SMALL },
      requires: REQUIRES[level],
      description: `The webhooks of the ${level === 'team' ? 'team’s event types' : 'organization, and of event types of its teams,'} that nobody answers for now: \`…WebhookTakeOver\` makes one yours. Messages are kept for them until then. The first ${MAX_PAUSED_NAMED}, oldest first; none unless you administer the ${level}.`,
      resolve: (parent, _args, context) => {
        const { done, groupId = done?.ownerId } = parent as Done;
        if (groupId === undefined) return undefined;
        const { group } = LEVELS[level];
        return findPausedWebhooks(context.em, { group, groupId, actorId: requireUserId(context) }, context.isLetIn);
      },
    }),
  );
}
