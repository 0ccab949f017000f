import type { FieldRules } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path } from '../../core/text.ts';
import { OUTBOUND_ADDRESS_CODES, outboundAddressMistake } from '../../outbound/outbound-address.ts';
import type { WebhookTrigger } from './webhook.rules.ts';

export const WEBHOOK_FIELD_CODES = [...OUTBOUND_ADDRESS_CODES, 'DUPLICATE'] as const;

export interface WebhookInput {
  readonly url: string;
  readonly triggers: readonly WebhookTrigger[];
  readonly active: boolean;
}

/** `allowsPrivate`: whether addresses may be private ones (outbound/). */
export function webhookFields(allowsPrivate: boolean): FieldRules<WebhookInput> {
  return {
    url: { tidy: (url) => url.trim(), check: (path, url) => outboundAddressMistake(path, url, allowsPrivate) },
    triggers: { check: triggerMistake },
    active: {},
  };
}

function triggerMistake(path: Path, triggers: readonly WebhookTrigger[]): Mistake | undefined {
  if (triggers.length === 0) {
    return { code: 'REQUIRED', message: `The ${nameOf(path)} are empty; name at least one.`, path };
  }
  const twice = triggers.find((trigger, index) => triggers.indexOf(trigger) !== index);
  return twice && { code: 'DUPLICATE', message: `The trigger ${twice} is there twice; name it once.`, path };
}
