import type { OwnedId } from '../../core/id.ts';
import { macOf } from '../../core/secret.ts';
import { signatureOf } from '../bookings/conferencing/callback-signature.rules.ts';

/**
 * The key that signs what a webhook is sent: 32 bytes, derived from the service's key, the webhook's id and a salt of it. No row
 * holds it, so who reads the database can sign nothing.
 */
function signingKeyOf(webhooksKey: Uint8Array, { ownerId, id }: OwnedId, salt: string): Buffer {
  return macOf(webhooksKey, 'signing', ownerId, id, salt);
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
