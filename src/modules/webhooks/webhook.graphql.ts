import { type OwnedId, ownedIdOf } from '../../core/id.ts';
import { URL_IN_WORDS } from '../../core/text.ts';
import type { RowOf } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import type { InputBuilder } from '../../graphql/builder.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { SMALL, URL_TEXT } from '../../graphql/limits/price.ts';
import { rowType } from '../../graphql/row.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { heldScopes } from '../../scopes/held-scopes.ts';
import { covers } from '../../scopes/scope-set.ts';
import { deleteOwned } from '../levels/change-owned.ts';
import { resource } from '../levels/resource.graphql.ts';
import { CREATE_WEBHOOK_CODES, createWebhook, type Director } from './create-webhook.ts';
import { UPDATE_WEBHOOK_CODES, updateWebhook } from './update-webhook.ts';
import { Webhook as WebhookEntity } from './webhook.entity.ts';
import { deliveryPages, WEBHOOKS } from './webhook.queries.ts';
import {
  type Attempt,
  DAYS_KEPT,
  DELIVERY_STATUSES,
  MAX_ATTEMPTS,
  MAX_ATTEMPTS_KEPT,
  MAX_WEBHOOKS,
  type ReadableData,
  WEBHOOK_TRIGGERS,
} from './webhook.rules.ts';
import { WebhookDelivery as WebhookDeliveryEntity } from './webhook-delivery.entity.ts';
import { firstSaltOf, webhookSecret } from './webhook-secret.rules.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Whether addresses of webhooks may be private ones. */
    readonly allowPrivateNetwork: boolean;
    /** Derives what signs messages to webhooks. */
    readonly webhooksKey: Uint8Array;
  }
}

const data = reads('WEBHOOK', ['USER']);

export const WebhookTrigger = builder.enumType('WebhookTrigger', {
  description: 'What a webhook can be told of.',
  values: describedValues(WEBHOOK_TRIGGERS, {
    BOOKING_CREATED: 'A booking was made, and is accepted.',
    BOOKING_REQUESTED: 'A booking was asked for, and waits for a host to confirm it.',
    BOOKING_CONFIRMED: 'A host has confirmed a booking.',
    BOOKING_REJECTED: 'A host has declined a booking.',
    BOOKING_CANCELLED: 'A booking, or one seat in it, was cancelled.',
    BOOKING_RESCHEDULED: 'A booking has moved: it is a new one, which names the one before.',
    BOOKING_ABSENCE_MARKED: 'A host has noted who did not come.',
    MEETING_STARTED: 'The meeting of a booking has begun in its conferencing app.',
    MEETING_ENDED: 'The meeting of a booking has ended in its conferencing app.',
    RECORDING_READY: 'There is a recording of a meeting.',
    TRANSCRIPT_READY: 'There is a transcript of a meeting.',
    OUT_OF_OFFICE_CREATED: 'Somebody is out of office.',
  }),
});

const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'What has become of a message.',
  values: describedValues(DELIVERY_STATUSES, {
    PENDING: 'It is to be delivered still, at `nextAttemptAt`.',
    DELIVERED: 'The receiver has answered with a 2xx status.',
    GIVEN_UP: `It was tried ${MAX_ATTEMPTS} times over a day, or its webhook is to be told of nothing any more.`,
  }),
});

const WebhookAttempt = builder.objectRef<Attempt>('WebhookAttempt').implement({
  description: 'One try to deliver a message.',
  fields: (t) => ({
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      requires: data,
      description: 'When its answer was there, or was given up.',
    }),
    status: t.exposeInt('status', {
      nullable: true,
      requires: data,
      description: 'The HTTP status of the answer. Null: there was none.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      requires: data,
      description: 'Why there was no answer. Null: there was one.',
    }),
    latencyInMilliseconds: t.exposeInt('latencyInMs', {
      requires: data,
      description: 'How long it took, from its beginning to the end of the answer.',
    }),
  }),
});

const WebhookDelivery = rowType(WebhookDeliveryEntity, 'WebhookDelivery', {
  description: `A message to a webhook, with what has become of it. It is kept for ${DAYS_KEPT} days.`,
  fields: (t) => ({
    id: t.ownedId(['userId', 'id'], 'webhookDelivery', {
      requires: data,
      description: 'The `webhook-id` that the receiver is sent: the same at each attempt.',
    }),
    trigger: t.column('trigger', { type: WebhookTrigger, requires: data, description: 'What it tells of.' }),
    status: t.column('status', {
      type: WebhookDeliveryStatus,
      requires: data,
      description: 'What has become of it.',
    }),
    attempts: t.column('attempts', {
      type: [WebhookAttempt],
      price: { max: MAX_ATTEMPTS_KEPT, weight: SMALL },
      requires: data,
      description: `Each try, in their order: the last ${MAX_ATTEMPTS_KEPT} at most.`,
    }),
    nextAttemptAt: t.column('nextAttemptAt', {
      requires: data,
      description: 'When it is tried the next time. Null: no more.',
    }),
    createdAt: t.column('createdAt', { requires: data }),
  }),
});

type DeliveryRow = RowOf<typeof WebhookDeliveryEntity>;

const loadDeliveries = pagesBelow(
  { columns: ['UUID'], keyOf: ({ id }: DeliveryRow) => [id] },
  (context, webhooks: readonly OwnedId[], request, selection: Selection<typeof WebhookDeliveryEntity>) =>
    deliveryPages(context.em, webhooks, request, selection),
);

const Webhook = rowType(WebhookEntity, 'Webhook', {
  description: 'An address that is told of events, by signed messages (Standard Webhooks).',
  fields: (t) => ({
    id: t.ownedId(['userId', 'id'], 'webhook', { requires: data }),
    url: t.column('url', { type: 'URL', price: URL_TEXT, requires: data, description: 'Where messages are sent.' }),
    triggers: t.column('triggers', {
      type: [WebhookTrigger],
      price: { max: WEBHOOK_TRIGGERS.length, weight: SMALL },
      requires: data,
      description: 'What it is told of.',
    }),
    active: t.column('active', { requires: data, description: 'Whether it is told of anything.' }),
    deliveries: t.from(['userId', 'id'], {
      type: connectionOf(WebhookDelivery),
      nullable: true,
      requires: data,
      description: 'The messages to it, oldest first; `last` has the newest.',
      args: pageArguments(),
      resolve: ({ userId, id }, page, context, info) =>
        loadDeliveries(context, { ownerId: userId, id }, page, selectionOf(info, WebhookDeliveryEntity)),
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

resource({
  type: Webhook,
  owned: WEBHOOKS,
  belongsTo: 'PERSON',
  reads: data,
  writes: writes('WEBHOOK', ['USER']),
  list: {
    name: 'webhooks',
    describes: { user: 'The addresses that are told of what happens to you, in the order in which they were entered.' },
  },
  lookUp: { name: 'webhook', describes: { user: 'One of them. Null for what is not yours.' } },
  create: {
    input: newWebhookFields,
    errors: CREATE_WEBHOOK_CODES,
    run: (em, owner, input, context) => createWebhook(em, owner, input, directorOf(context)),
    payload: (t) => ({
      secret: t.string({
        nullable: true,
        requires: writes('WEBHOOK', ['USER']),
        description: 'What its messages are signed with, `whsec_…`: shown by this answer alone.',
        resolve: ({ webhookId }, _args, { webhooksKey }) => {
          const made = webhookId === undefined ? undefined : ownedIdOf('webhook', webhookId);
          return made && webhookSecret(webhooksKey, made, firstSaltOf(made.id));
        },
      }),
    }),
    describes: { user: `Has an address told of what happens to you. You can have ${MAX_WEBHOOKS}.` },
  },
  update: {
    input: webhookPatchFields,
    errors: UPDATE_WEBHOOK_CODES,
    run: (em, owner, id, patch, shown, context) => updateWebhook(em, owner, id, patch, shown, directorOf(context)),
    describes: { user: 'Changes a webhook of yours. What is left out stays; its secret stays in any case.' },
  },
  delete: {
    run: (em, owner, id) => deleteOwned(em, WEBHOOKS, owner, id),
    describes: { user: 'Tells an address of nothing any more, and forgets its deliveries.' },
  },
});

const URL_DESCRIBED = `Where messages are sent: ${URL_IN_WORDS}, that leads to the public internet. Unique among yours. An app that sets it has messages sent without the data that it may not read.`;
const TRIGGERS_DESCRIBED = 'What it is to be told of: at least one, each once.';

/** What a webhook can be made with. */
function newWebhookFields(t: InputBuilder) {
  return {
    ...webhookPatchFields(t),
    url: t.field({ type: 'URL', required: true, description: URL_DESCRIBED }),
    triggers: t.field({ type: [WebhookTrigger], required: true, description: TRIGGERS_DESCRIBED }),
  };
}

/** What of a webhook can be changed. */
function webhookPatchFields(t: InputBuilder) {
  return {
    url: t.field({ type: 'URL', description: URL_DESCRIBED }),
    triggers: t.field({ type: [WebhookTrigger], description: TRIGGERS_DESCRIBED }),
    active: t.boolean({ description: 'Whether it is told of anything. A new one is, unless said otherwise.' }),
  };
}

const SCOPES: Readonly<Record<ReadableData, string>> = { BOOKING: 'BOOKING_READ', SCHEDULE: 'SCHEDULE_READ' };
const READABLE = Object.keys(SCOPES) as ReadableData[];

/** Who says where messages go, with what they may read at this moment. */
function directorOf({ caller, allowPrivateNetwork: allowsPrivate }: GraphQLContext): Director {
  if (caller.kind !== 'token') return { allowsPrivate, clientId: null, readable: READABLE };
  const mayRead = (what: ReadableData): boolean => covers(caller.held, heldScopes([SCOPES[what]]));
  return { allowsPrivate, clientId: caller.clientId, readable: READABLE.filter(mayRead) };
}
