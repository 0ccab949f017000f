import { type OwnedKind, publicId, publicOwnedId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { SMALL, URL_TEXT } from '../../graphql/limits/price.ts';
import { mutation, type PayloadFields } from '../../graphql/mutation.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { INHERIT, reads, writes } from '../../scopes/declare.ts';
import type { Requirement, ScopeLists } from '../../scopes/requirement.ts';
import { type Descriptions, enteringAt, type GroupLevel, LEVELS, levelsOf } from '../levels/level.graphql.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import {
  type Input,
  idField,
  type Named,
  namedOwner,
  pathFields,
  withinOrganization,
} from '../levels/owned-store.graphql.ts';
import type { Belonging, LevelName, Owner } from '../levels/reach.ts';
import { actionPayload, doneTo, mutationName, type Shown } from '../levels/resource-mutations.graphql.ts';
import { countRequested, REQUEST_DELIVERY_CODES, retryDelivery, testWebhook } from './request-delivery.ts';
import {
  ROTATE_WEBHOOK_SECRET_CODES,
  rotateWebhookSecret,
  TAKE_OVER_WEBHOOK_CODES,
  takeOverWebhook,
} from './webhook.commands.ts';
import type { WebhookDelivery as WebhookDeliveryEntity, Webhook as WebhookEntity } from './webhook.entity.ts';
import { directorOf, EventTypeWebhook, Webhook } from './webhook.graphql.ts';
import {
  DELIVERIES_OF_EVENT_TYPES,
  DELIVERIES_TO_WEBHOOKS,
  EVENT_TYPE_WEBHOOKS,
  findPausedWebhooks,
  MAX_PAUSED_NAMED,
  type PausedWebhook,
  WEBHOOKS,
} from './webhook.queries.ts';
import { OVERLAP_HOURS, type WebhookTrigger as Trigger, webhookSecret } from './webhook.rules.ts';
import { WebhookDelivery, WebhookPausedReason, WebhookTrigger } from './webhook-delivery.graphql.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Counts the messages that somebody asks for. */
    readonly requestedDeliveries: GuessLimit;
  }
}

interface Actions {
  readonly webhooks: Shown<typeof WebhookEntity>;
  /** The messages to them. */
  readonly deliveries: OwnedTable<typeof WebhookDeliveryEntity>;
  readonly scopes: ScopeLists;
  /** Describes the webhooks of each level. */
  readonly of: Descriptions;
}

declareActions({
  webhooks: { type: Webhook, owned: WEBHOOKS, belongsTo: 'GROUP', reads: reads('WEBHOOK') },
  deliveries: DELIVERIES_TO_WEBHOOKS,
  scopes: writes('WEBHOOK'),
  of: { user: 'of yours', organization: 'of an organization that you administer' },
});

declareActions({
  webhooks: { type: EventTypeWebhook, owned: EVENT_TYPE_WEBHOOKS, belongsTo: 'OWNER', reads: reads('EVENT_TYPE') },
  deliveries: DELIVERIES_OF_EVENT_TYPES,
  scopes: writes('EVENT_TYPE'),
  of: { user: 'of an event type of yours', team: 'of an event type of a team that you administer' },
});

/** Declares the other mutations of a webhook and its messages, at each level. */
function declareActions({ webhooks, deliveries, scopes, of }: Actions): void {
  const { owned: table, belongsTo } = webhooks;
  const { kind } = table;
  const messages = { ...webhooks, type: WebhookDelivery, owned: deliveries };
  for (const [level, whose] of levelsOf(of)) {
    const requires = enteringAt(level, scopes);
    const [one, message] = [
      { kind, belongsTo },
      { kind: 'webhookDelivery', belongsTo },
    ] as const;
    const name = mutationName(level, kind, '');
    const shown = actionPayload(level, webhooks);

    mutation(`${name}SecretRotate`, {
      description: `Gives a webhook ${whose} a new secret. For ${OVERLAP_HOURS} hours its messages are signed by both, so that a receiver has the time to change; rotated again, the older one ends at once. An app can do it for webhooks whose address it has set itself.`,
      requires,
      errors: ROTATE_WEBHOOK_SECRET_CODES,
      input: (t) => ({ ...pathFields(t, level), ...idField(t, kind) }),
      resolve: async (input: Input, context) => {
        const { owner, id } = await ownerAt(level, one, input, context);
        const { caller, webhooksKey, em } = context;
        const salt = await rotateWebhookSecret(em, table, owner, id, caller.kind === 'token' ? caller.clientId : null);
        return { ...doneTo(kind, owner, id), secret: webhookSecret(webhooksKey, { ownerId: owner.ownerId, id }, salt) };
      },
      payload: (t) => ({ ...shown(t), ...newSecret({ [level]: scopes[level] })(t) }),
    });

    mutation(`${name}TakeOver`, {
      description: `Takes over a webhook ${whose} that is paused because the person who set its address has lost the right to (\`pausedReason\`). It then acts with your rights, gets a new secret at once, and what was kept for it is sent as far as you may read it. Its address stays. If somebody else has taken it over by now, or its address is not \`url\`, nothing is changed.`,
      requires,
      errors: codesAt(level, TAKE_OVER_WEBHOOK_CODES),
      input: (t) => ({
        ...pathFields(t, level),
        ...idField(t, kind),
        url: t.field({
          type: 'URL',
          required: true,
          description: 'Where messages will go: its address, as you were shown it.',
        }),
      }),
      resolve: async ({ url, ...input }: Input, context) => {
        const { owner, id } = await ownerAt(level, one, input, context);
        const { webhooksKey, isLetIn, em } = context;
        const salt = await takeOverWebhook(
          em,
          table,
          owner,
          { id, url: String(url) },
          directorOf(context, owner),
          isLetIn,
        );
        return { ...doneTo(kind, owner, id), secret: webhookSecret(webhooksKey, { ownerId: owner.ownerId, id }, salt) };
      },
      payload: (t) => ({ ...shown(t), ...newSecret({ [level]: scopes[level] })(t) }),
    });

    mutation(`${name}Test`, {
      description: `Sends a message to a webhook ${whose} as a test: its \`test\` is true and its \`data\` null. It is retried like any other.`,
      requires,
      errors: codesAt(level, REQUEST_DELIVERY_CODES),
      input: (t) => ({
        ...pathFields(t, level),
        ...idField(t, kind),
        trigger: t.field({
          type: WebhookTrigger,
          required: true,
          description: 'The event that the test message claims to be about: its `type`.',
        }),
      }),
      resolve: async ({ trigger, ...input }: Input, context) => {
        const { owner, id } = await ownerAt(level, one, input, context);
        await countRequested(context.requestedDeliveries, requireUserId(context));
        const { webhooksKey, isLetIn } = context;
        const test = { trigger: trigger as Trigger, webhooksKey, isLetIn };
        const deliveryId = await testWebhook(context.em, table, owner, id, test);
        return doneTo('webhookDelivery', owner, deliveryId);
      },
      payload: actionPayload(level, messages),
    });

    mutation(`${name}DeliveryRetry`, {
      description: `Sends a message of a webhook ${whose} again, with the same id, if it was delivered or given up. Attempts start over.`,
      requires,
      errors: codesAt(level, REQUEST_DELIVERY_CODES),
      input: (t) => ({ ...pathFields(t, level), ...idField(t, 'webhookDelivery') }),
      resolve: async (input: Input, context) => {
        const { owner, id } = await ownerAt(level, message, input, context);
        await countRequested(context.requestedDeliveries, requireUserId(context));
        await retryDelivery(context.em, table, owner, id, context.isLetIn);
        return doneTo('webhookDelivery', owner, id);
      },
      payload: actionPayload(level, messages),
    });
  }
}

/** The other secret that a mutation gives a webhook, shown this once. */
function newSecret(requires: Requirement): PayloadFields<{ readonly secret: string }> {
  return (t) => ({
    secret: t.string({
      nullable: true,
      requires,
      description: 'What its messages are signed with from now on, `whsec_…`: shown by this answer alone.',
      resolve: ({ secret }) => secret,
    }),
  });
}

interface Thing {
  readonly kind: OwnedKind;
  readonly belongsTo: Belonging;
}

/** Finds the owner of the thing that an input names. @throws Problem NOT_FOUND */
async function ownerAt(level: LevelName, thing: Thing, input: Input, context: GraphQLContext): Promise<Named<Owner>> {
  return namedOwner(level, thing, await withinOrganization(level, input, context), context);
}

/** One's own is never FORBIDDEN. */
function codesAt<Code extends string>(
  level: LevelName,
  [first, ...others]: readonly [Code, ...Code[]],
): [Code, ...Code[]] {
  return [first, ...others.filter((code) => code !== 'FORBIDDEN' || level !== 'user')];
}

const PausedWebhookType = builder.objectRef<PausedWebhook>('PausedWebhook').implement({
  description:
    'A webhook that is paused because the person who set its address has lost the right to. Look at the address, and take it over if you know where it leads.',
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
  ['organization', 'OrganizationUserRemovePayload'],
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
