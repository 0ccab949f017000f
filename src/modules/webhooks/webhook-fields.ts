import type { FieldRules } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path } from '../../core/text.ts';
import { OUTBOUND_ADDRESS_CODES, outboundAddressMistake } from '../../outbound/outbound-address.ts';
import { EVENT_TYPE_TRIGGERS, type WebhookTrigger } from './webhook.rules.ts';

export const WEBHOOK_FIELD_CODES = [...OUTBOUND_ADDRESS_CODES, 'DUPLICATE', 'NOT_POSSIBLE'] as const;

export interface WebhookInput {
  readonly url: string;
  readonly triggers: readonly WebhookTrigger[];
  readonly active: boolean;
}

export interface WebhookFieldOptions {
  /** Whether addresses may be private ones (outbound/). */
  readonly allowsPrivate: boolean;
  /** Whether it is told of one event type alone. */
  readonly isOfEventType: boolean;
}

export function webhookFields({ allowsPrivate, isOfEventType }: WebhookFieldOptions): FieldRules<WebhookInput> {
  return {
    url: { tidy: (url) => url.trim(), check: (path, url) => outboundAddressMistake(path, url, allowsPrivate) },
    triggers: {
      check: (path, triggers) =>
        triggerMistake(path, triggers) ?? (isOfEventType ? strangeMistake(path, triggers) : undefined),
    },
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

function strangeMistake(path: Path, triggers: readonly WebhookTrigger[]): Mistake | undefined {
  const strange = triggers.find((trigger) => !EVENT_TYPE_TRIGGERS.includes(trigger));
  if (strange === undefined) return undefined;
  const message = `An event type's webhook is told of its bookings, and ${strange} is about none; leave it out.`;
  return { code: 'NOT_POSSIBLE', message, path };
}
