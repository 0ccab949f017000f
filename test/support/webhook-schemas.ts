import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { WEBHOOK_TRIGGERS, type WebhookTrigger } from '../../src/modules/webhooks/webhook.rules.ts';
import { webhookSchema } from '../../src/modules/webhooks/webhook-messages.ts';

/** In its strict mode, it refuses a schema in which anything is unknown or without effect. */
const ajv = formats.default(new Ajv2020({ strict: true, allErrors: true }));
const schemas = new Map<WebhookTrigger, ValidateFunction>();

/** The mistake in the body of a message to a webhook, by the schema of its trigger; undefined: none. */
export function messageMistake(body: string): string | undefined {
  const message = JSON.parse(body) as { readonly type?: WebhookTrigger };
  const trigger = WEBHOOK_TRIGGERS.find((one) => one === message.type);
  if (!trigger) return `There is no trigger ${message.type}.`;
  const isValid = schemas.getOrInsertComputed(trigger, () => ajv.compile(webhookSchema(trigger)));
  return isValid(message) ? undefined : `${trigger}: ${ajv.errorsText(isValid.errors, { dataVar: 'body' })}`;
}
