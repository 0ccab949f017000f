import { publicOwnedId } from '../../core/id.ts';
import { requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { entering, INHERIT, writes } from '../../scopes/declare.ts';
import { requireOwnId } from '../levels/not-found-here.ts';
import { own } from '../levels/reach.ts';
import { REQUEST_DELIVERY_CODES, retryDelivery, testWebhook } from './request-delivery.ts';
import { ROTATE_WEBHOOK_SECRET_CODES, rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { WebhookTrigger } from './webhook.graphql.ts';
import { OVERLAP_HOURS } from './webhook.rules.ts';
import { webhookSecret } from './webhook-secret.rules.ts';

const write = writes('WEBHOOK', ['USER']);

mutation('webhookSecretRotate', {
  description: `Gives a webhook of yours a new secret. For ${OVERLAP_HOURS} hours its messages are signed by both, so that a receiver has the time to change; rotated again, the older one ends at once.`,
  requires: entering('USER', write),
  errors: ROTATE_WEBHOOK_SECRET_CODES,
  input: (t) => ({ webhookId: t.id({ required: true }) }),
  resolve: async ({ webhookId }, context) => {
    const owner = own(requireUserId(context));
    const id = requireOwnId('webhook', webhookId, owner.ownerId);
    const salt = await rotateWebhookSecret(context.em, owner, id);
    return { webhookId, secret: webhookSecret(context.webhooksKey, { ownerId: owner.ownerId, id }, salt) };
  },
  payload: (t) => ({
    webhookId: t.exposeID('webhookId', { nullable: true, requires: INHERIT }),
    secret: t.exposeString('secret', {
      nullable: true,
      requires: write,
      description: 'What its messages are signed with from now on, `whsec_…`: shown by this answer alone.',
    }),
  }),
});

mutation('webhookTest', {
  description:
    'Sends a message to a webhook of yours that tells of nothing: `test` in it is true, `data` null. It is tried again like any other.',
  requires: entering('USER', write),
  errors: REQUEST_DELIVERY_CODES,
  input: (t) => ({
    webhookId: t.id({ required: true }),
    trigger: t.field({ type: WebhookTrigger, required: true, description: 'As what it is sent: its `type`.' }),
  }),
  resolve: async ({ webhookId, trigger }, context) => {
    const ownerId = requireUserId(context);
    const webhook = { ownerId, id: requireOwnId('webhook', webhookId, ownerId) };
    const deliveryId = await testWebhook(context.em, webhook, trigger, context.webhooksKey);
    return { webhookDeliveryId: publicOwnedId('webhookDelivery', { ownerId, id: deliveryId }) };
  },
  payload: (t) => ({ webhookDeliveryId: t.exposeID('webhookDeliveryId', { nullable: true, requires: INHERIT }) }),
});

mutation('webhookDeliveryRetry', {
  description:
    'Sends a message of yours once more, with the same id, which was delivered or given up: from its first attempt on.',
  requires: entering('USER', write),
  errors: REQUEST_DELIVERY_CODES,
  input: (t) => ({ webhookDeliveryId: t.id({ required: true }) }),
  resolve: async ({ webhookDeliveryId }, context) => {
    const ownerId = requireUserId(context);
    const id = requireOwnId('webhookDelivery', webhookDeliveryId, ownerId);
    await retryDelivery(context.em, { ownerId, id });
    return { webhookDeliveryId };
  },
  payload: (t) => ({ webhookDeliveryId: t.exposeID('webhookDeliveryId', { nullable: true, requires: INHERIT }) }),
});
