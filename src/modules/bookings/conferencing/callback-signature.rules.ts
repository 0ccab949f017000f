import { createHmac } from 'node:crypto';
import { equalsInConstantTime } from '../../../core/secret.ts';

/** A message as it came, with the headers of the Standard Webhooks scheme; a missing one is empty. */
interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970, in digits. */
  readonly timestamp: string;
  /** `v1,<base64>`, several ones with spaces between them while a secret is changed. */
  readonly signatures: string;
  readonly body: string;
}

const TOLERANCE_IN_SECONDS = 300;
const MOST_SIGNATURES = 10;

/** Whether the secret signs its id, timestamp and body by one of its signatures. */
export function isSigned({ id, timestamp, signatures, body }: SignedMessage, key: Uint8Array): boolean {
  if (id === '' || timestamp === '') return false;
  const expected = signatureOf({ id, timestamp, body }, key);
  return signatures.split(' ', MOST_SIGNATURES).some((signature) => equalsInConstantTime(signature, expected));
}

/** Signs a message with a secret: `v1,<base64>`. */
export function signatureOf({ id, timestamp, body }: Omit<SignedMessage, 'signatures'>, key: Uint8Array): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Whether it was sent within five minutes of `now` (epoch milliseconds): what is older may be replayed. */
export function isRecent({ timestamp }: Pick<SignedMessage, 'timestamp'>, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - now / 1_000) <= TOLERANCE_IN_SECONDS;
}

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** The key in a secret as Standard Webhooks writes it, `whsec_` and 24 to 64 bytes in base64; undefined for any other text. */
export function keyOfSecret(secret: string): Uint8Array | undefined {
  const key = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64');
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}
