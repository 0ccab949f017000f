import { type OwnedKind, publicId, publicOwnedId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { SMALL, URL_TEXT } from '../../graphql/limits/price.ts';
import { mutation, type PayloadFields } from '../../graphql/mutation.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { INHERIT, reads, writes } from '../../scopes/declare.ts';
import type { Requirement, ScopeLists } from '../../scopes/requirement.ts';
import { type Descriptions, enteringAt, type GroupLevel, LEVELS, levelsOf } from '../levels/level.graphql.ts';
import {
  type Input,
  idField,
  type Named,
  namedOwner,
  pathFields,
  withinOrganization,
} from '../levels/owned-store.graphql.ts';
import type { Belonging, LevelName, Owner } from '../levels/reach.ts';
import { mutationName } from '../levels/resource-mutations.graphql.ts';
import { countRequested, REQUEST_DELIVERY_CODES, retryDelivery, testWebhook } from './request-delivery.ts';
import {
  ROTATE_WEBHOOK_SECRET_CODES,
  rotateWebhookSecret,
  TAKE_OVER_WEBHOOK_CODES,
  takeOverWebhook,
} from './webhook.commands.ts';
import { directorOf } from './webhook.graphql.ts';
import {
  EVENT_TYPE_WEBHOOKS,
  findPausedWebhooks,
  MAX_PAUSED_NAMED,
  type PausedWebhook,
  WEBHOOKS,
  type WebhookTable,
} from './webhook.queries.ts';
import { OVERLAP_HOURS, type WebhookTrigger as Trigger, webhookSecret } from './webhook.rules.ts';
import { WebhookPausedReason, WebhookTrigger } from './webhook-delivery.graphql.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Counts the messages that somebody asks for. */
    readonly requestedDeliveries: GuessLimit;
  }
}

interface Actions {
  readonly table: WebhookTable;
  readonly belongsTo: Belonging;
  readonly scopes: ScopeLists;
  /** Describes the webhooks of each level. */
  readonly of: Descriptions;
}

declareActions({
  table: WEBHOOKS,
  belongsTo: 'GROUP',
  scopes: writes('WEBHOOK'),
  of: { user: 'of yours', organization: 'of an organization that you administer' },
});

declareActions({
  table: EVENT_TYPE_WEBHOOKS,
  belongsTo: 'OWNER',
  scopes: writes('EVENT_TYPE'),
  of: { user: 'of an event type of yours', team: 'of an event type of a team that you administer' },
});

/** Declares the other mutations of a webhook and its messages, at each level. */
function declareActions({ table, belongsTo, scopes, of }: Actions): void {
  const { kind } = table as { kind: 'webhook' | 'eventTypeWebhook' };
  for (const [level, whose] of levelsOf(of)) {
    const requires = enteringAt(level, scopes);
    const [one, message] = [
      { kind, belongsTo },
      { kind: 'webhookDelivery', belongsTo },
    ] as const;
    const name = mutationName(level, kind, '');

    mutation(`${name}SecretRotate`, {
      description: `Gives a webhook ${whose} a new secret. For ${OVERLAP_HOURS} hours its messages are signed by both, so that a receiver has the time to change; rotated again, the older one ends at once. An app can do it for webhooks whose address it has set itself.`,
      requires,
      errors: ROTATE_WEBHOOK_SECRET_CODES,
      input: (t) => ({ ...pathFields(t, level), ...idField(t, kind) }),
      resolve: async (input: Input, context) => {
        const { owner, id } = await ownerAt(level, one, input, context);
        const { caller, webhooksKey, em } = context;
        const salt = await rotateWebhookSecret(em, table, owner, id, caller.kind === 'token' ? caller.clientId : null);
        const webhook = { ownerId: owner.ownerId, id };
        return { [`${kind}Id`]: publicOwnedId(kind, webhook), secret: webhookSecret(webhooksKey, webhook, salt) };
      },
      payload: newSecretPayload(kind, { [level]: scopes[level] }),
    });

    mutation(`${name}TakeOver`, {
      description: `Makes a webhook ${whose} yours that pauses, since nobody answers for it (\`pausedReason\`). It gets a new secret at once, and what was kept for it is sent, as far as you may read it. Its address stays: if somebody else answers for it by now, or it has another address than \`url\`, nothing is changed.`,
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
        const webhook = { ownerId: owner.ownerId, id };
        return { [`${kind}Id`]: publicOwnedId(kind, webhook), secret: webhookSecret(webhooksKey, webhook, salt) };
      },
      payload: newSecretPayload(kind, { [level]: scopes[level] }),
    });

    mutation(`${name}Test`, {
      description: `Sends a message to a webhook ${whose} as a test: its \`test\` is true and its \`data\` null. It is retried like any other.`,
      requires,
      errors: codesAt(level, REQUEST_DELIVERY_CODES),
      input: (t) => ({
        ...pathFields(t, level),
        ...idField(t, kind),
        trigger: t.field({ type: WebhookTrigger, required: true, description: 'As what it is sent: its `type`.' }),
      }),
      resolve: async ({ trigger, ...input }: Input, context) => {
        const { owner, id } = await ownerAt(level, one, input, context);
        await countRequested(context.requestedDeliveries, requireUserId(context));
        const { webhooksKey, isLetIn } = context;
        const test = { trigger: trigger as Trigger, webhooksKey, isLetIn };
        const deliveryId = await testWebhook(context.em, table, owner, id, test);
        return { webhookDeliveryId: publicOwnedId('webhookDelivery', { ownerId: owner.ownerId, id: deliveryId }) };
      },
      payload: (t) => ({ webhookDeliveryId: t.exposeID('webhookDeliveryId', { nullable: true, requires: INHERIT }) }),
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
        return { webhookDeliveryId: publicOwnedId('webhookDelivery', { ownerId: owner.ownerId, id }) };
      },
      payload: (t) => ({ webhookDeliveryId: t.exposeID('webhookDeliveryId', { nullable: true, requires: INHERIT }) }),
    });
  }
}

/** The payload of a mutation that gives a webhook another secret: that, shown this once. */
function newSecretPayload(kind: 'webhook' | 'eventTypeWebhook', requires: Requirement): PayloadFields<NewSecret> {
  return (t) => ({
    [`${kind}Id`]: t.id({ nullable: true, requires: INHERIT, resolve: (payload) => payload[`${kind}Id`] }),
    secret: t.string({
      nullable: true,
      requires,
      description: 'What its messages are signed with from now on, `whsec_…`: shown by this answer alone.',
      resolve: ({ secret }) => secret,
    }),
  });
}

type NewSecret = Readonly<Record<string, string>>;

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
