/** UUIDs as texts and as bytes, without a text or a buffer in between. */

export const NIL = '00000000-0000-0000-0000-000000000000';

/** Ids are read for every look-up and written for every row of every list, so this takes no memory. */
export const BYTES = Buffer.alloc(32);
/** A UUID as it is written. */
const WRITTEN = Buffer.from(NIL, 'latin1');

/** By the code of a hexadecimal digit, its value; of any other character 255. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return value < 0 ? 255 : value;
});
/** Where the digits of each byte stand in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const [HYPHENS, HYPHEN] = [[8, 13, 18, 23], 0x2d];
/** The length of the text. */
const LENGTH = NIL.length;
const HEXADECIMAL = Buffer.from('0123456789abcdef', 'latin1');

/** The UUID of the 16 bytes that stand there in `BYTES`. */
export function textAt(at: number): string {
  putText(BYTES, at, WRITTEN, 0);
  return WRITTEN.toString('latin1', 0, LENGTH);
}

/** Writes the text of the 16 bytes that stand there. @returns where it ends */
export function putText(from: Uint8Array, start: number, to: Uint8Array, at: number): number {
  for (let index = 0; index < 16; index += 1) {
    const byte = from[start + index] as number;
    const place = at + (PLACES[index] as number);
    to[place] = HEXADECIMAL[byte >> 4] as number;
    to[place + 1] = HEXADECIMAL[byte & 15] as number;
  }
  for (const place of HYPHENS) to[at + place] = HYPHEN;
  return at + LENGTH;
}

/** Writes the 16 bytes of a UUID into `BYTES` from `at` on. @throws Error for any other text */
export function readBytes(id: string, at: number): void {
  if (id.length !== LENGTH) throw new Error(`${id} is no UUID.`);
  let wrong = 0;
  for (let index = 0; index < 16; index += 1) {
    const place = PLACES[index] as number;
    const high = DIGITS[id.charCodeAt(place)] ?? 255;
    const low = DIGITS[id.charCodeAt(place + 1)] ?? 255;
    wrong |= (high | low) & 0xf0;
    BYTES[at + index] = (high << 4) | low;
  }
  if (wrong !== 0) throw new Error(`${id} is no UUID.`);
}

/** Writes the 16 bytes of a UUID whose text stands among other bytes. */
export function readUuid(text: Uint8Array, from: number, at: number): void {
  let wrong = 0;
  for (let index = 0; index < 16; index += 1) {
    const place = from + (PLACES[index] as number);
    const high = DIGITS[text[place] as number] as number;
    const low = DIGITS[text[place + 1] as number] as number;
    wrong |= (high | low) & 0xf0;
    BYTES[at + index] = (high << 4) | low;
  }
  if (wrong !== 0) throw new Error('Something else stands where a UUID should.');
}

/** How PostgreSQL writes the 16 bytes. */
export function textOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
