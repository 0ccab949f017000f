import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `size` random bytes. An argument of whatever makes a secret, so that a test can choose them. */
export type RandomBytes = (size: number) => Uint8Array;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 248 is the largest multiple of 62 in a byte; a byte above it is thrown away, or the first characters would be likelier. */
const FAIR_BYTES = 248;
/** Two characters for each value of them, as codes, so that 32 bits are three steps and not six. */
const PAIRS = Buffer.from(
  Array.from(BASE62, (first) => Array.from(BASE62, (second) => first + second))
    .flat()
    .join(''),
);
const PAIR_VALUES = BASE62.length ** 2;
const CHARACTERS_A_GROUP = 6;

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
  const groups = Math.floor(bytes.byteLength / 4);
  const text = Buffer.allocUnsafe(groups * CHARACTERS_A_GROUP);
  for (let group = 0; group < groups; group += 1) {
    writeGroup(text, group * CHARACTERS_A_GROUP, view.getUint32(group * 4));
  }
  return text.toString('latin1');
}

/** Six characters that a typing or cutting error changes. It proves nothing about who wrote the text. */
export function checksum(text: string): string {
  const characters = Buffer.allocUnsafe(CHARACTERS_A_GROUP);
  writeGroup(characters, 0, crc32(text));
  return characters.toString('latin1');
}

function writeGroup(text: Uint8Array, at: number, value: number): void {
  const upper = Math.floor(value / PAIR_VALUES);
  writePair(text, at, Math.floor(upper / PAIR_VALUES));
  writePair(text, at + 2, upper % PAIR_VALUES);
  writePair(text, at + 4, value % PAIR_VALUES);
}

function writePair(text: Uint8Array, at: number, value: number): void {
  text[at] = PAIRS[2 * value] ?? 0;
  text[at + 1] = PAIRS[2 * value + 1] ?? 0;
}

/**
 * SHA-256 of bytes, or of a text's in UTF-8, 64 hexadecimal digits: how a secret or a code is stored.
 * A plain hash is enough because what it hides holds 256 random bits; a password needs a slow one.
 */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** SHA-256 in base64url without padding, 43 characters: what PKCE compares (RFC 7636 §4.2). */
export function sha256Base64url(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url');
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
  let message = `${Buffer.byteLength(label)}:${label}`;
  for (const text of texts) message += `${Buffer.byteLength(text)}:${text}`;
  return hmacOf(key, message);
}

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Texts of this size are written into a shared buffer; a longer one gets memory of its own. */
const USUAL_BYTES = 1_024;

interface HmacKey {
  /** The key's first block, and room for a text behind it. */
  readonly inner: Buffer;
  /** Its second block, and room for the hash of the first one and the text. */
  readonly outer: Buffer;
}

const HMAC_KEYS = new WeakMap<Uint8Array, HmacKey>();

/** RFC 2104 as its two hashes: an object that does the same takes three times as long to make and let go. */
function hmacOf(key: Uint8Array, text: string): Buffer {
  const { inner, outer } = HMAC_KEYS.get(key) ?? newHmacKey(key);
  const bytes = Buffer.byteLength(text);
  const first = bytes <= USUAL_BYTES ? inner : Buffer.concat([inner.subarray(0, BLOCK_BYTES)], BLOCK_BYTES + bytes);
  first.write(text, BLOCK_BYTES);
  outer.write(hash('sha256', first.subarray(0, BLOCK_BYTES + bytes), 'latin1'), BLOCK_BYTES, 'latin1');
  return Buffer.from(hash('sha256', outer, 'latin1'), 'latin1');
}

function newHmacKey(key: Uint8Array): HmacKey {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key);
  const made = {
    inner: Buffer.concat([block.map((byte) => byte ^ 0x36)], BLOCK_BYTES + USUAL_BYTES),
    outer: Buffer.concat([block.map((byte) => byte ^ 0x5c)], BLOCK_BYTES + HASH_BYTES),
  };
  HMAC_KEYS.set(key, made);
  return made;
}
