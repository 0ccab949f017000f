import type { OwnedId } from '../../core/id.ts';
import type { RowOf, Selection } from '../../database/columns.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf, pagesBelow } from '../../graphql/connection.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { SMALL } from '../../graphql/limits/price.ts';
import { among, apart, type GivenFilter, listFilter, within } from '../../graphql/list-filter.ts';
import { rowType } from '../../graphql/row.ts';
import { INHERIT } from '../../scopes/declare.ts';
import { WebhookDelivery as WebhookDeliveryEntity } from './webhook.entity.ts';
import { deliveryPages } from './webhook.queries.ts';
import {
  type Attempt,
  DAYS_KEPT,
  DELIVERY_STATUSES,
  DISABLED_AFTER,
  MAX_ATTEMPTS,
  MAX_ATTEMPTS_KEPT,
  MAX_PAUSED,
  PAUSED_REASONS,
  WEBHOOK_STATUSES,
  WEBHOOK_TRIGGERS,
} from './webhook.rules.ts';

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
    ROUTING_FORM_SUBMITTED:
      'A response to a routing form of the organization, or of a team in it, was stored. For webhooks of organizations alone.',
  }),
});

export const WebhookStatus = builder.enumType('WebhookStatus', {
  description: 'Whether a webhook is told of anything.',
  values: describedValues(WEBHOOK_STATUSES, {
    ACTIVE: 'It is told of its triggers.',
    PAUSED:
      'Nobody answers for it: see `pausedReason`. Its messages are kept, and sent once somebody takes it over, or who has set it may again.',
    INACTIVE: 'Somebody has set it to be told nothing.',
    DISABLED: `For ${DISABLED_AFTER.days} days nothing that was sent there was taken, in ${DISABLED_AFTER.attempts} attempts or more, so it is told nothing until an update makes it active.`,
  }),
});

export const WebhookPausedReason = builder.enumType('WebhookPausedReason', {
  description:
    'Why a webhook pauses. It acts by the right of the person who has set its address, and of the app with which they did.',
  values: describedValues(PAUSED_REASONS, {
    NO_OWNER: 'The webhook has no owner any more: somebody must take it over.',
    ROLE_LOST:
      'The person who set its address no longer administers the team or organization: somebody must take it over.',
    SUSPENDED:
      'The person who set its address is suspended. It goes on once they are reinstated, or once somebody takes it over.',
    APP_ACCESS_LOST:
      'The app that set its address no longer has access for that person. It goes on once the app is authorized again, or once somebody takes it over.',
  }),
});

const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'What has become of a message.',
  values: describedValues(DELIVERY_STATUSES, {
    PENDING: 'It is yet to be delivered, at `nextAttemptAt`.',
    DELIVERED: 'The receiver has answered with a 2xx status.',
    FAILED: `It was tried ${MAX_ATTEMPTS} times over a day, or its webhook is not active any more.`,
    PAUSED: `Its webhook is paused. The message is kept for ${DAYS_KEPT} days, and sent once the webhook goes on.`,
    WITHHELD: 'It was not sent, since the person who set the webhook’s address could no longer read what it is about.',
    EXPIRED: `It was kept for ${DAYS_KEPT} days while its webhook paused, or ${MAX_PAUSED} others were, and has been deleted unsent.`,
  }),
});

// Whatever leads to these, a webhook of whichever kind, has been judged: they cost nothing besides.
const WebhookAttempt = builder.objectRef<Attempt>('WebhookAttempt').implement({
  description: 'One try to deliver a message.',
  fields: (t) => ({
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      requires: INHERIT,
      description: 'When its answer was there, or was given up.',
    }),
    status: t.exposeInt('status', {
      nullable: true,
      requires: INHERIT,
      description: 'The HTTP status of the answer. Null: there was none.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      requires: INHERIT,
      description: 'Why there was no answer. Null: there was one.',
    }),
    latencyInMilliseconds: t.exposeInt('latencyInMs', {
      requires: INHERIT,
      description: 'How long it took, from its beginning to the end of the answer.',
    }),
  }),
});

export const WebhookDelivery = rowType(WebhookDeliveryEntity, 'WebhookDelivery', {
  description: `A message to a webhook, with what has become of it. It is kept for ${DAYS_KEPT} days.`,
  fields: (t) => ({
    id: t.ownedId(['ownerId', 'id'], 'webhookDelivery', {
      requires: INHERIT,
      description: 'The `webhook-id` that the receiver is sent: the same at each attempt.',
    }),
    trigger: t.column('trigger', { type: WebhookTrigger, requires: INHERIT, description: 'What it tells of.' }),
    status: t.column('status', {
      type: WebhookDeliveryStatus,
      requires: INHERIT,
      description: 'Whether it was delivered, waits or was given up.',
    }),
    attempts: t.column('attempts', {
      type: [WebhookAttempt],
      price: { max: MAX_ATTEMPTS_KEPT, weight: SMALL },
      requires: INHERIT,
      description: `Each try, in their order: the last ${MAX_ATTEMPTS_KEPT} at most.`,
    }),
    nextAttemptAt: t.column('nextAttemptAt', {
      requires: INHERIT,
      description: 'When it is tried the next time. Null: no more.',
    }),
    createdAt: t.column('createdAt', { requires: INHERIT }),
  }),
});

/** Pages of them, below webhooks of every kind. */
export const WebhookDeliveries = connectionOf(WebhookDelivery);

export const DeliveryFilter = listFilter('WebhookDelivery', {
  statuses: apart('status', among('status', WebhookDeliveryStatus, 'With one of these statuses.')),
  triggers: apart('trigger', among('trigger', WebhookTrigger, 'About one of these.')),
  createdAt: within('createdAt', 'Made in this period.'),
});

interface WantedDeliveries {
  readonly given: GivenFilter | null | undefined;
  readonly selection: Selection<typeof WebhookDeliveryEntity>;
}

type DeliveryRow = RowOf<typeof WebhookDeliveryEntity>;

export const loadDeliveries = pagesBelow(
  { columns: ['TIME', 'UUID'], keyOf: ({ createdAt, id }: DeliveryRow) => [createdAt, id] },
  (context, webhooks: readonly OwnedId[], request, { given, selection }: WantedDeliveries) =>
    deliveryPages(context.em, webhooks, request, selection, DeliveryFilter.narrowedBy(given, context)),
);
