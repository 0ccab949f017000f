/**
 * Declares the webhooks of users and organizations and those of event types: fields, lists, mutations, and the secret, which one
 * answer shows once.
 */
import { type OwnedId, ownedIdOf } from '../../core/id.ts';
import { URL_IN_WORDS } from '../../core/text.ts';
import type { RowOf, Selection } from '../../database/columns.ts';
import { batchedEach } from '../../graphql/batch.ts';
import type { InputBuilder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { SMALL, URL_TEXT } from '../../graphql/limits/price.ts';
import { containing, filterArgument, holding, listFilter } from '../../graphql/list-filter.ts';
import { addRowFields, rowType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { heldScopes } from '../../scopes/held-scopes.ts';
import type { ScopeLists } from '../../scopes/requirement.ts';
import { covers } from '../../scopes/scope-set.ts';
import { EventType as EventTypeEntity } from '../event-types/event-type.entity.ts';
import { EventType } from '../event-types/event-type.graphql.ts';
import { requireOwnId } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { resource } from '../levels/resource.graphql.ts';
import type { PayloadFields } from '../levels/resource-mutations.graphql.ts';
import {
  CREATE_WEBHOOK_CODES,
  createWebhook,
  type Director,
  UPDATE_WEBHOOK_CODES,
  updateWebhook,
} from './webhook.commands.ts';
import { WebhookDelivery as WebhookDeliveryEntity, Webhook as WebhookEntity } from './webhook.entity.ts';
import {
  DELIVERIES_OF_EVENT_TYPES,
  DELIVERIES_TO_WEBHOOKS,
  EVENT_TYPE_WEBHOOKS,
  eventTypeWebhookPages,
  findPausedReasons,
  hasStatus,
  type IsLetIn,
  WEBHOOKS,
} from './webhook.queries.ts';
import {
  firstSaltOf,
  MAX_WEBHOOKS,
  type ReadableData,
  type WebhookStatus as StatusName,
  statusOf,
  WEBHOOK_TRIGGERS,
  webhookSecret,
} from './webhook.rules.ts';
import {
  DeliveryFilter,
  loadDeliveries,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookPausedReason,
  WebhookStatus,
  WebhookTrigger,
} from './webhook-delivery.graphql.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Derives what signs messages to webhooks. */
    readonly webhooksKey: Uint8Array;
  }
}

type WebhookKind = 'webhook' | 'eventTypeWebhook';

/** The payload of a webhook that is made. */
function showingSecret(kind: WebhookKind, scopes: ScopeLists): PayloadFields {
  const description = 'What its messages are signed with, `whsec_…`: shown by this answer alone.';
  return secretField(kind, scopes, description, ({ id }) => firstSaltOf(id));
}

/** The payload of an update: it has a new secret if another user or app had set the address until now. */
function showingNewSecret(kind: WebhookKind, scopes: ScopeLists): PayloadFields {
  const description =
    'What its messages are signed with from now on, `whsec_…`, if its address was set by another user or app until now: shown by this answer alone. Null: its secret stays.';
  return secretField(kind, scopes, description, (_webhook, changed) => changed?.['newSalt']);
}

function secretField(
  kind: WebhookKind,
  scopes: ScopeLists,
  description: string,
  saltOf: (webhook: { readonly id: string }, changed?: Readonly<Record<string, string>>) => string | undefined,
): PayloadFields {
  return (t, level) => ({
    secret: t.string({
      nullable: true,
      requires: { [level]: scopes[level] },
      description,
      resolve: (payload, _args, { webhooksKey }) => {
        const webhook = ownedIdOf(kind, payload[`${kind}Id`] ?? '');
        const salt = webhook && saltOf(webhook, payload.row);
        return salt && webhookSecret(webhooksKey, webhook, salt);
      },
    }),
  });
}

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Whether addresses of webhooks may be private ones. */
    readonly allowPrivateNetwork: boolean;
    /** Whether apps that have set webhooks still have access. */
    readonly isLetIn: IsLetIn;
  }
}

/** One statement for all that are asked for in one turn. */
const loadPausedReason = batchedEach((context, webhooks: readonly OwnedId[], _args: undefined) =>
  findPausedReasons(
    context.em,
    webhooks.map(({ ownerId, id }) => ({ ownerId, id })),
    context.isLetIn,
  ),
);

/** The same shape for each kind of webhook; their fields take the scopes of what they belong to. */
function webhookType(name: string, kind: WebhookKind, data: ScopeLists, description: string) {
  return rowType(WebhookEntity, name, {
    description,
    fields: (t) => ({
      id: t.ownedId(['ownerId', 'id'], kind, { requires: data }),
      url: t.column('url', { type: 'URL', price: URL_TEXT, requires: data, description: 'Where messages are sent.' }),
      triggers: t.column('triggers', {
        type: [WebhookTrigger],
        price: { max: WEBHOOK_TRIGGERS.length, weight: SMALL },
        requires: data,
        description: 'The events that are sent to it.',
      }),
      isActive: t.column('isActive', { requires: data, description: 'Whether messages are sent to it.' }),
      status: t.from(['ownerId', 'id', 'isActive', 'disabledAt'], {
        type: WebhookStatus,
        requires: data,
        description: 'Whether messages are sent to it and, if not, who has decided that.',
        resolve: async (webhook, _args, context) =>
          statusOf(webhook, (await loadPausedReason(context, webhook, undefined)) ?? null),
      }),
      pausedReason: t.from(['ownerId', 'id'], {
        type: WebhookPausedReason,
        nullable: true,
        requires: data,
        description:
          'Why nothing is sent to it although it may be active: the person or the app that set it has lost the right to. Null if it is not paused.',
        resolve: (webhook, _args, context) => loadPausedReason(context, webhook, undefined),
      }),
      disabledAt: t.column('disabledAt', {
        requires: data,
        description: 'When the service has disabled it. Null: it has not.',
      }),
      disabledReason: t.column('disabledReason', {
        requires: data,
        description: 'The result of the last attempt before it was disabled. Null: it was not.',
      }),
      deliveries: t.from(['ownerId', 'id'], {
        type: WebhookDeliveries,
        nullable: true,
        requires: data,
        description: 'The messages to it, oldest first; `last` has the newest.',
        args: { ...filterArgument(DeliveryFilter), ...pageArguments() },
        resolve: (webhook, args, context, info) => {
          const selection = selectionOf(info, WebhookDeliveryEntity);
          return loadDeliveries(context, webhook, args, { given: args.filter, selection });
        },
      }),
      createdAt: t.column('createdAt', { requires: data }),
      updatedAt: t.column('updatedAt', { requires: data }),
    }),
  });
}

const SIGNED = 'by signed messages (Standard Webhooks).';
const data = reads('WEBHOOK');
const ofEventType = reads('EVENT_TYPE');
export const Webhook = webhookType('Webhook', 'webhook', data, `An address that is told of events, ${SIGNED}`);
export const EventTypeWebhook = webhookType(
  'EventTypeWebhook',
  'eventTypeWebhook',
  ofEventType,
  `An address that is told of the bookings of one event type, ${SIGNED}`,
);

const loadEventTypeWebhooks = pagesBelow(
  { columns: ['UUID'], keyOf: ({ id }: RowOf<typeof WebhookEntity>) => [id] },
  (context, eventTypes: readonly OwnedId[], request, selection: Selection<typeof WebhookEntity>) =>
    eventTypeWebhookPages(context.em, requireUserId(context), eventTypes, request, selection),
);

addRowFields(EventType, EventTypeEntity, (t) => ({
  webhooks: t.from(['ownerId', 'id'], {
    type: connectionOf(EventTypeWebhook),
    nullable: true,
    description:
      'The addresses that are told of its bookings, oldest first; none of somebody whose role in the organization stands above yours.',
    requires: ofEventType,
    args: pageArguments(),
    resolve: (eventType, page, context, info) =>
      loadEventTypeWebhooks(context, eventType, page, selectionOf(info, WebhookEntity)),
  }),
}));

const STAYS =
  'What is left out stays. So does its secret, unless its address was set by another user or app: then it gets a new one.';

resource({
  type: Webhook,
  owned: WEBHOOKS,
  belongsTo: 'GROUP',
  reads: data,
  writes: writes('WEBHOOK'),
  list: {
    name: 'webhooks',
    filter: listFilter('Webhook', {
      statuses: {
        type: [WebhookStatus],
        description: 'Of one of these. Any, if left out.',
        condition: (statuses: readonly StatusName[], { isLetIn }) => hasStatus(statuses, isLetIn),
      },
      triggers: holding('triggers', WebhookTrigger, 'Told of one of these.'),
      text: containing(['url'], 'its address'),
    }),
    describes: {
      user: 'The addresses that are told of what happens to you, in the order in which they were entered.',
      organization:
        'The addresses that are told of what happens to its members and teams, in the order in which they were entered. Null unless you administer it.',
    },
  },
  create: {
    input: newWebhookFields,
    errors: CREATE_WEBHOOK_CODES,
    run: (em, owner, input, context) => createWebhook(em, owner, input, directorOf(context, owner)),
    payload: showingSecret('webhook', writes('WEBHOOK')),
    describes: {
      user: `Creates a webhook that is sent what happens to you. You can have ${MAX_WEBHOOKS}.`,
      organization: `Creates a webhook that is sent what happens to the members and teams of an organization that you administer. It can have ${MAX_WEBHOOKS}.`,
    },
  },
  update: {
    input: webhookPatchFields,
    errors: UPDATE_WEBHOOK_CODES,
    run: (em, owner, id, patch, shown, context) =>
      updateWebhook(em, WEBHOOKS, owner, id, patch, shown, directorOf(context, owner)),
    payload: showingNewSecret('webhook', writes('WEBHOOK')),
    describes: {
      user: `Changes a webhook of yours. ${STAYS}`,
      organization: `Changes a webhook of an organization that you administer. ${STAYS}`,
    },
  },
  delete: {
    describes: {
      user: 'Deletes a webhook of yours with its deliveries.',
      organization: 'Deletes a webhook of an organization that you administer, with its deliveries.',
    },
  },
});

resource({
  type: EventTypeWebhook,
  owned: EVENT_TYPE_WEBHOOKS,
  belongsTo: 'OWNER',
  reads: ofEventType,
  writes: writes('EVENT_TYPE'),
  lookUp: {
    name: 'eventTypeWebhook',
    describes: {
      user: 'The webhook of an event type with this id. Null if it is not yours.',
      team: 'The webhook of an event type with this id. Null if it is not the team’s, and unless you administer it.',
      organization:
        'The webhook with this id, of one of the `eventTypes`. Null if the role of its owner stands above yours, and unless you administer the organization.',
    },
  },
  create: {
    input: (t) => ({ eventTypeId: t.id({ required: true }), ...newWebhookFields(t) }),
    errors: CREATE_WEBHOOK_CODES,
    run: (em, owner, { eventTypeId, ...input }, context) => {
      const eventType = requireOwnId('eventType', eventTypeId, owner.ownerId);
      return createWebhook(em, owner, input, directorOf(context, owner), eventType);
    },
    payload: showingSecret('eventTypeWebhook', writes('EVENT_TYPE')),
    describes: {
      user: `Creates a webhook for the bookings of an event type of yours. It can have ${MAX_WEBHOOKS}.`,
      team: `Creates a webhook for the bookings of an event type of a team that you administer; for a MANAGED one, those of its children. It can have ${MAX_WEBHOOKS}.`,
    },
  },
  update: {
    input: webhookPatchFields,
    errors: UPDATE_WEBHOOK_CODES,
    run: (em, owner, id, patch, shown, context) =>
      updateWebhook(em, EVENT_TYPE_WEBHOOKS, owner, id, patch, shown, directorOf(context, owner)),
    payload: showingNewSecret('eventTypeWebhook', writes('EVENT_TYPE')),
    describes: {
      user: `Changes a webhook of an event type of yours. ${STAYS}`,
      team: `Changes a webhook of an event type of a team that you administer. ${STAYS}`,
    },
  },
  delete: {
    describes: {
      user: 'Deletes a webhook of an event type of yours, with its deliveries.',
      team: 'Deletes a webhook of an event type of a team that you administer, with its deliveries.',
    },
  },
});

resource({
  type: WebhookDelivery,
  owned: DELIVERIES_TO_WEBHOOKS,
  belongsTo: 'GROUP',
  reads: data,
  writes: writes('WEBHOOK'),
  lookUp: {
    name: 'webhookDelivery',
    describes: {
      user: 'The message with this id, to one of the `webhooks`. Null if there is none.',
      organization:
        'The message with this id, to one of the `webhooks`. Null if there is none, and unless you administer it.',
    },
  },
});

const TO_EVENT_TYPE = 'The message with this id, to the webhook of an event type. Null if';
resource({
  type: WebhookDelivery,
  owned: DELIVERIES_OF_EVENT_TYPES,
  belongsTo: 'OWNER',
  reads: ofEventType,
  writes: writes('EVENT_TYPE'),
  lookUp: {
    name: 'eventTypeWebhookDelivery',
    describes: {
      user: `${TO_EVENT_TYPE} it is not yours.`,
      team: `${TO_EVENT_TYPE} it is not the team’s, and unless you administer it.`,
      organization: `${TO_EVENT_TYPE} it is of none of the \`eventTypes\`, if the role of its owner stands above yours, and unless you administer the organization.`,
    },
  },
});

const URL_DESCRIBED = `Where messages are sent: ${URL_IN_WORDS}, that leads to the public internet. No other webhook of the same user, organization or event type has it. If an app sets it, messages leave out the data that this app may not read.`;
const TRIGGERS_DESCRIBED = 'The events to send: at least one, each once. For an event type, only those about bookings.';

/** The input of a new webhook. */
function newWebhookFields(t: InputBuilder) {
  return {
    ...webhookPatchFields(t),
    url: t.field({ type: 'URL', required: true, description: URL_DESCRIBED }),
    triggers: t.field({ type: [WebhookTrigger], required: true, description: TRIGGERS_DESCRIBED }),
  };
}

/** The input of a change of a webhook. */
function webhookPatchFields(t: InputBuilder) {
  return {
    url: t.field({ type: 'URL', description: URL_DESCRIBED }),
    triggers: t.field({ type: [WebhookTrigger], description: TRIGGERS_DESCRIBED }),
    isActive: t.boolean({ description: 'Whether messages are sent to it. True by default.' }),
  };
}

const SCOPES: Readonly<Record<ReadableData, ScopeLists>> = {
  BOOKING: reads('BOOKING'),
  SCHEDULE: reads('SCHEDULE'),
  ROUTING_FORM: reads('ROUTING_FORM'),
};
const READABLE = Object.keys(SCOPES) as ReadableData[];

/** The caller as the one who says where messages go, with what they may read at this moment of this owner's things. */
export function directorOf(context: GraphQLContext, { administrator }: Owner): Director {
  const { caller, allowPrivateNetwork: allowsPrivate } = context;
  const userId = requireUserId(context);
  const level = administrator?.group.kind ?? 'user';
  const there = READABLE.filter((what) => SCOPES[what][level] !== undefined);
  if (caller.kind !== 'token') return { allowsPrivate, userId, clientId: null, readable: there };
  const mayRead = (what: ReadableData): boolean => {
    const scopes = SCOPES[what][level];
    return scopes !== undefined && covers(caller.held, heldScopes(scopes));
  };
  return { allowsPrivate, userId, clientId: caller.clientId, readable: there.filter(mayRead) };
}
