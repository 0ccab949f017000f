import type { OwnedId } from '../../core/id.ts';
import { macOf } from '../../core/secret.ts';
import { signatureOf } from '../bookings/conferencing/callback-signature.rules.ts';

/** The kinds of data in a message: apps need the READ scope of it, of the level of the webhook. */
export type ReadableData = 'BOOKING' | 'SCHEDULE' | 'ROUTING_FORM';

/** The triggers of webhooks, and the kind of data in each message. */
export const TRIGGERS = {
  BOOKING_CREATED: 'BOOKING',
  BOOKING_REQUESTED: 'BOOKING',
  BOOKING_CONFIRMED: 'BOOKING',
  BOOKING_REJECTED: 'BOOKING',
  BOOKING_CANCELLED: 'BOOKING',
  BOOKING_RESCHEDULED: 'BOOKING',
  BOOKING_ABSENCE_MARKED: 'BOOKING',
  MEETING_STARTED: 'BOOKING',
  MEETING_ENDED: 'BOOKING',
  RECORDING_READY: 'BOOKING',
  TRANSCRIPT_READY: 'BOOKING',
  OUT_OF_OFFICE_CREATED: 'SCHEDULE',
  ROUTING_FORM_SUBMITTED: 'ROUTING_FORM',
} as const satisfies Readonly<Record<string, ReadableData>>;

/** Grows with each change that could break a receiver; a new field could not. */
export const PAYLOAD_VERSION = 1;

export type WebhookTrigger = keyof typeof TRIGGERS;
export const WEBHOOK_TRIGGERS = Object.keys(TRIGGERS) as WebhookTrigger[];
/** The holder of a webhook: a user, an organization, or one event type. */
export type WebhookHolder = 'USER' | 'ORGANIZATION' | 'EVENT_TYPE';
/** The kinds of data that the webhooks of each holder can have. */
export const NOTIFIED_ABOUT: Readonly<Record<WebhookHolder, readonly ReadableData[]>> = {
  USER: ['BOOKING', 'SCHEDULE'],
  ORGANIZATION: ['BOOKING', 'SCHEDULE', 'ROUTING_FORM'],
  EVENT_TYPE: ['BOOKING'],
};

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'PAUSED', 'WITHHELD', 'EXPIRED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The reason that nothing is sent to an active webhook: the user who set it may no longer do so. */
export const PAUSED_REASONS = ['NO_OWNER', 'ROLE_LOST', 'SUSPENDED', 'APP_ACCESS_LOST'] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

export const WEBHOOK_STATUSES = ['ACTIVE', 'PAUSED', 'INACTIVE', 'DISABLED'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** One try to deliver a message. */
export interface Attempt {
  /** RFC 3339 */
  readonly endedAt: string;
  readonly latencyInMs: number;
  /** The status of the answer; without one, `error` says why. */
  readonly status?: number | undefined;
  readonly error?: string | undefined;
}

/** How long is waited before each further attempt: soon at first, then longer and longer, over a day. */
export const PAUSES_IN_SECONDS = [10, 60, 300, 1_800, 7_200, 18_000, 28_800, 36_000] as const;
export const MAX_ATTEMPTS = PAUSES_IN_SECONDS.length + 1;
/** A message that is tried again by hand keeps this many of its last attempts. */
export const MAX_ATTEMPTS_KEPT = 20;
/** A webhook is disabled that has only failed for so long, and so often. */
export const DISABLED_AFTER = { days: 3, attempts: 20 } as const;
/** A receiver that takes longer than this to answer is slow: its messages do not stand in the way of those to others. */
export const SLOW_AFTER_MS = 500;
/** How long two secrets are valid while one is changed for the other. */
export const OVERLAP_HOURS = 24;
export const DAYS_KEPT = 30;
/** The most messages that are kept for a paused webhook. */
export const MAX_PAUSED = 10_000;
/** A user, an organization or an event type has this many at most. */
export const MAX_WEBHOOKS = 50;

/** The page of a user's webhooks; below it, by its id, that of each. */
export const WEBHOOKS_PATH = '/settings/webhooks';

/** The state of a webhook: one that was disabled is not active until somebody makes it so. */
export function statusOf(
  webhook: { readonly isActive: boolean; readonly disabledAt: string | null },
  pausedReason: PausedReason | null,
): WebhookStatus {
  if (webhook.isActive) return pausedReason === null ? 'ACTIVE' : 'PAUSED';
  return webhook.disabledAt === null ? 'INACTIVE' : 'DISABLED';
}

/** In words, for the person who mends the receiver. */
export function whyDisabled({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  return status === undefined
    ? `The last attempt had no answer. ${error ?? ''}`
    : `The last attempt was answered with the HTTP status ${status}.`;
}

/** Whether the receiver has taken the message. */
export function isTaken({ status = 0 }: Pick<Attempt, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** The salt that a webhook begins with: its answer is written by the id alone. */
export function firstSaltOf(id: string): string {
  return id;
}

/** The same as the receiver is given it, once (Standard Webhooks). */
export function webhookSecret(webhooksKey: Uint8Array, webhook: OwnedId, salt: string): string {
  return `whsec_${signingKeyOf(webhooksKey, webhook, salt).toString('base64')}`;
}

/** The headers of a message (Standard Webhooks), signed by the secret of each salt. */
export function signedHeaders(
  webhooksKey: Uint8Array,
  { webhook, salts }: { readonly webhook: OwnedId; readonly salts: readonly string[] },
  message: { readonly id: string; readonly sentAtInSeconds: number; readonly body: string },
): Record<string, string> {
  const { id, body } = message;
  const timestamp = String(message.sentAtInSeconds);
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': salts
      .map((salt) => signatureOf({ id, timestamp, body }, signingKeyOf(webhooksKey, webhook, salt)))
      .join(' '),
  };
}

/**
 * Tells a webhook which messages are about the same booking (or absence), without telling which it is: a booking's uid opens
 * it to everybody who has it.
 */
export function subjectOf(webhooksKey: Uint8Array, webhook: OwnedId, about: string): string {
  return macOf(webhooksKey, 'subject', webhook.ownerId, webhook.id, about).toString('base64url', 0, 16);
}

/**
 * The key that signs what a webhook is sent: 32 bytes, derived from the service's key, the webhook's id and a salt of it. No row
 * holds it, so who reads the database can sign nothing.
 */
function signingKeyOf(webhooksKey: Uint8Array, { ownerId, id }: OwnedId, salt: string): Buffer {
  return macOf(webhooksKey, 'signing', ownerId, id, salt);
}
