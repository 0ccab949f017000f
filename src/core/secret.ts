import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `size` random bytes. An argument of whatever makes a secret, so that a test can choose them. */
export type RandomBytes = (size: number) => Uint8Array;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 248 is the largest multiple of 62 in a byte; a byte above it is thrown away, or the first characters would be likelier. */
const FAIR_BYTES = 248;
/** Two characters for each value of them, so that 32 bits are three steps and not six. */
const PAIRS = Array.from(BASE62, (first) => Array.from(BASE62, (second) => first + second)).flat();

/** `length` random characters of [0-9A-Za-z], each worth 5.95 bits: 43 of them hold 256 bits. */
export function randomBase62(length: number, random: RandomBytes = randomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < FAIR_BYTES) text += BASE62[byte % BASE62.length];
    }
  }
  return text;
}

/** Every 4 bytes become 6 characters of [0-9A-Za-z]: one text for one value, no digit to spare. `bytes` must hold whole groups of 4. */
export function base62Of(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let offset = 0; offset + 4 <= bytes.byteLength; offset += 4) text += base62OfUint32(view.getUint32(offset));
  return text;
}

/** Six characters that a typing or cutting error changes. It proves nothing about who wrote the text. */
export function checksum(text: string): string {
  return base62OfUint32(crc32(text));
}

function base62OfUint32(value: number): string {
  const upper = Math.floor(value / PAIRS.length);
  const [first, second] = [Math.floor(upper / PAIRS.length), upper % PAIRS.length];
  return `${PAIRS[first]}${PAIRS[second]}${PAIRS[value % PAIRS.length]}`;
}

/**
 * SHA-256 of the text's UTF-8 bytes, 64 hexadecimal digits: how a secret or a code is stored.
 * A plain hash is enough because what it hides holds 256 random bits; a password needs a slow one.
 */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** SHA-256 in base64url without padding, 43 characters: what PKCE compares (RFC 7636 §4.2). */
export function sha256Base64url(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Compares in a time that does not tell where two texts differ; only their lengths, which are no secret. */
export function equalsInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * HMAC-SHA256 of several texts for one purpose. Each text is preceded by its length, so that no two lists give the same
 * bytes (`ab`,`c` and `a`,`bc`), and the label keeps what is derived for one purpose from serving another.
 */
export function macOf(key: Uint8Array, label: string, ...texts: readonly string[]): Buffer {
  const message = [label, ...texts].map((text) => `${Buffer.byteLength(text)}:${text}`).join('');
  return createHmac('sha256', key).update(message).digest();
}
