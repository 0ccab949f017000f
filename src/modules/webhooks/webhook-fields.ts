import type { FieldRules } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';
import { nameOf, type Path } from '../../core/text.ts';
import { OUTBOUND_ADDRESS_CODES, outboundAddressMistake } from '../../outbound/guarded-addresses.ts';
import { NOTIFIED_ABOUT, TRIGGERS, type WebhookHolder, type WebhookTrigger } from './webhook.rules.ts';

export const WEBHOOK_FIELD_CODES = [...OUTBOUND_ADDRESS_CODES, 'DUPLICATE', 'NOT_POSSIBLE'] as const;

export interface WebhookInput {
  readonly url: string;
  readonly triggers: readonly WebhookTrigger[];
  readonly active: boolean;
}

export interface WebhookFieldOptions {
  /** Whether addresses may be private ones (outbound/). */
  readonly allowsPrivate: boolean;
  readonly holder: WebhookHolder;
}

/** The rule of the address alone, whoever says where messages go. */
export function urlField(allowsPrivate: boolean): FieldRules<Pick<WebhookInput, 'url'>> {
  return { url: { tidy: (url) => url.trim(), check: (path, url) => outboundAddressMistake(path, url, allowsPrivate) } };
}

export function webhookFields({ allowsPrivate, holder }: WebhookFieldOptions): FieldRules<WebhookInput> {
  return {
    ...urlField(allowsPrivate),
    triggers: { check: (path, triggers) => triggerMistake(path, triggers) ?? strangeMistake(path, triggers, holder) },
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

const NOTIFIED_OF: Readonly<Record<WebhookHolder, string>> = {
  USER: 'A user’s webhook is told of their bookings and absences',
  ORGANIZATION: 'An organization’s webhook is told of bookings, absences and responses to forms',
  EVENT_TYPE: "An event type's webhook is told of its bookings",
};

function strangeMistake(path: Path, triggers: readonly WebhookTrigger[], holder: WebhookHolder): Mistake | undefined {
  const strange = triggers.find((trigger) => !NOTIFIED_ABOUT[holder].includes(TRIGGERS[trigger]));
  if (strange === undefined) return undefined;
  const message = `${NOTIFIED_OF[holder]}, and ${strange} is about none; leave it out.`;
  return { code: 'NOT_POSSIBLE', message, path };
}
