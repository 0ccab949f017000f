import { ago } from '../../database/expressions.ts';
import { sweepOf } from '../../database/sweep.ts';
import { DAYS_KEPT } from './webhook.rules.ts';
import { WebhookDelivery } from './webhook-delivery.entity.ts';

export const removeOldDeliveries = sweepOf(WebhookDelivery, 'createdAt', ago(DAYS_KEPT, 'days'));
