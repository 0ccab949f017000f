import { randomFillSync } from 'node:crypto';

/**
 * The things that belong to a user, a team or an organization: their public id carries their owner, which is the key
 * that the row is sharded by.
 */
const OWNED_TAGS = {
  schedule: 'sch',
  outOfOffice: 'ooo',
  eventType: 'evt',
  privateLink: 'lnk',
  booking: 'bkg',
  seat: 'sea',
  reservation: 'rsv',
  reservedSlot: 'hld',
  verifiedEmail: 'vem',
  verifiedPhone: 'vph',
  workflow: 'wfl',
  calendarAccount: 'cac',
  calendar: 'cal',
  icsFeed: 'icf',
  conferencingApp: 'cfa',
  webhook: 'whk',
  eventTypeWebhook: 'ewh',
  webhookDelivery: 'whd',
  routingForm: 'frm',
  routingFormResponse: 'rsp',
} as const;
const PLAIN_TAGS = {
  user: 'usr',
  session: 'ses',
  organization: 'org',
  team: 'tea',
  membership: 'mem',
  invitation: 'inv',
  location: 'loc',
  workflowStep: 'wst',
  route: 'rte',
  attendee: 'att',
  secret: 'sec',
  interaction: 'int',
  grant: 'grt',
  auditEvent: 'aud',
  failedRequest: 'frq',
  stoppedThing: 'stp',
} as const;

/** The kinds of ids; the tag is the visible start of a public id, so that one kind is never taken for another. */
export const ID_TAGS = { ...PLAIN_TAGS, ...OWNED_TAGS };
export type OwnedKind = keyof typeof OWNED_TAGS;
export type PlainKind = keyof typeof PLAIN_TAGS;
export type IdKind = OwnedKind | PlainKind;

export function isOwnedKind(kind: string): kind is OwnedKind {
  return Object.hasOwn(OWNED_TAGS, kind);
}

/** The primary key of something that belongs to somebody, both as UUIDs. */
export interface OwnedId {
  readonly ownerId: string;
  readonly id: string;
}

/** No row has it (RFC 9562 §5.9): for a text that is no id, where it is looked for all the same. It sorts before every id. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The cell whose ids this service makes and reads. A cell is one PostgreSQL with the owners that belong together, and there is
 * one so far. Ten bits of every id name it, so that a request can be led to its owner's cell by an id alone, and what belongs to
 * somebody carries its owner's. An id of another cell names nothing here.
 */
const CELL = 0;
const [CELL_START, CELL_END] = [CELL >> 4, (CELL & 0x0f) << 4];

let lastTime = 0;
/** Which id of its millisecond the last one was, from a random beginning (RFC 9562 §6.2, method 1). */
let lastCount = 0;
const MAX_COUNT = 0xfff;
/** So far ahead of the clock ids stay in order; beyond that it has been set back. */
const MAX_AHEAD_MS = 1_000;

/**
 * A UUID of version 7 (RFC 9562 §5.7), as PostgreSQL writes it: 48 bits of milliseconds, so that new rows land at the
 * end of an index, 12 bits that count within one, ten that name the cell (§6.4), and 52 random bits. Of two
 * ids of one process, the later one is greater: attendees and events are in that order. Only a clock that is set back by more
 * than a second is followed. Ids are made in code, never by a sequence of the database (which would not survive sharding).
 */
export function newId(): string {
  return textOf(newBytes());
}

/** When an id was made, in epoch milliseconds, by the clock of the process that made it. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The least id of a millisecond, as a bound: ids that were made from then on are not less. */
export function firstIdAt(epochMilliseconds: number): string {
  const time = Math.min(Math.max(Math.ceil(epochMilliseconds), 0), 2 ** 48 - 1);
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${NO_ID.slice(13)}`;
}

/** Owners are told apart by the last bit of their ids, which tables check: a row that names its owner says which it is. */
export function newUserId(): string {
  const bytes = newBytes();
  bytes.writeUInt8(bytes.readUInt8(15) & 0xfe, 15);
  return textOf(bytes);
}

export function newTeamId(): string {
  const bytes = newBytes();
  bytes.writeUInt8(bytes.readUInt8(15) | 1, 15);
  return textOf(bytes);
}

/** Whether an owner is a team, and not a user. */
export function isTeam(ownerId: string): boolean {
  return Number.parseInt(ownerId.slice(-1), 16) % 2 === 1;
}

/** The two columns of a row that refer to its owner, of which one is null. */
export function userOrTeam(ownerId: string): { readonly userId: string | null; readonly teamId: string | null } {
  return isTeam(ownerId) ? { userId: null, teamId: ownerId } : { userId: ownerId, teamId: null };
}

/** How callers see an id: its tag and the 16 bytes in base64url (RFC 4648 §5), 26 characters. */
export function publicId(kind: PlainKind, id: string): string {
  return `${ID_TAGS[kind]}_${encodedId(id)}`;
}

/** How callers see the id of what belongs to somebody: its tag, then the owner's bytes and its own, 47 characters. */
export function publicOwnedId(kind: OwnedKind, { ownerId, id }: OwnedId): string {
  readBytes(ownerId, 0);
  readBytes(id, 16);
  return `${ID_TAGS[kind]}_${BYTES.toString('base64url', 0, 32)}`;
}

/** The UUID that a public id stands for; undefined for what is no id of this kind. */
export function idOf(kind: PlainKind, text: string): string | undefined {
  const body = bodyBehind(kind, text);
  return body === undefined ? undefined : decodedId(body);
}

/** Owner and UUID that a public id stands for; undefined for what is no id of this kind. */
export function ownedIdOf(kind: OwnedKind, text: string): OwnedId | undefined {
  const body = bodyBehind(kind, text);
  if (body === undefined || !OWNED.test(body)) return undefined;
  BYTES.write(body, 'base64url');
  return isOfThisCell(0) && isOfThisCell(16) ? { ownerId: textAt(0), id: textAt(16) } : undefined;
}

/** For a message, where a caller has sent what cannot be the id of such a thing: what it is, and how an id begins that is; else empty. */
export function wrongKindInWords(kind: IdKind, text: string): string {
  const tag = ID_TAGS[kind];
  if (text.startsWith(`${tag}_`)) return '';
  const found = kindTagged(text);
  const begins = `the id of a thing of that kind begins with ${tag}_`;
  if (!found) return ` It is no id: ${begins}.`;
  return ` It is the id of another kind of thing (${kindInWords(found)}): ${begins}.`;
}

/** The kind of thing whose ids begin as this text does, whatever stands behind the tag. */
export function kindTagged(text: string): IdKind | undefined {
  return text[3] === '_' ? KINDS.get(text.slice(0, 3)) : undefined;
}

/** `eventType` → `event type` */
export function kindInWords(kind: string): string {
  return kind === 'outOfOffice' ? 'out-of-office' : kind.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}

/** An id without a tag, 22 characters: for codes and tokens, which carry the id of their row and say themselves what they are. */
export function encodedId(id: string): string {
  readBytes(id, 0);
  return BYTES.toString('base64url', 0, 16);
}

/** The UUID that `encodedId` made this of; undefined for any other text, and for the id of another cell. */
export function decodedId(text: string): string | undefined {
  if (!PLAIN.test(text)) return undefined;
  BYTES.write(text, 'base64url');
  return isOfThisCell(0) ? textAt(0) : undefined;
}

/**
 * `publicId` and `publicOwnedId`, without texts: the UUIDs stand in these bytes, one or two of them, as texts or as 16 bytes
 * each, and what they make is written into others. @returns where it ends
 */
export function writePublicId(
  kind: IdKind,
  {
    bytes,
    starts,
    isBinary,
  }: { readonly bytes: Uint8Array; readonly starts: readonly number[]; readonly isBinary: boolean },
  to: Uint8Array,
  at: number,
): number {
  const tag = ID_TAGS[kind];
  let end = at;
  for (let index = 0; index < tag.length; index += 1) to[end++] = tag.charCodeAt(index);
  to[end++] = UNDERSCORE;
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] as number;
    if (!isBinary) readUuid(bytes, start, 16 * index);
    else for (let byte = 0; byte < 16; byte += 1) BYTES[16 * index + byte] = bytes[start + byte] as number;
  }
  const length = 16 * starts.length;
  let at6 = 0;
  for (; at6 + 2 < length; at6 += 3) {
    const bits = ((BYTES[at6] as number) << 16) | ((BYTES[at6 + 1] as number) << 8) | (BYTES[at6 + 2] as number);
    to[end++] = BASE64URL[bits >> 18] as number;
    to[end++] = BASE64URL[(bits >> 12) & 63] as number;
    to[end++] = BASE64URL[(bits >> 6) & 63] as number;
    to[end++] = BASE64URL[bits & 63] as number;
  }
  // One byte is left of 16, and two of 32.
  const rest = ((BYTES[at6] as number) << 8) | (at6 + 1 < length ? (BYTES[at6 + 1] as number) : 0);
  to[end++] = BASE64URL[rest >> 10] as number;
  to[end++] = BASE64URL[(rest >> 4) & 63] as number;
  if (at6 + 1 < length) to[end++] = BASE64URL[(rest << 2) & 63] as number;
  return end;
}

const KINDS: ReadonlyMap<string, IdKind> = new Map(Object.entries(ID_TAGS).map(([kind, tag]) => [tag, kind as IdKind]));
const UNDERSCORE = '_'.charCodeAt(0);
const BASE64URL = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');

// The last character holds fewer bits than a character can: only one way of writing each id is taken.
const PLAIN = /^[\w-]{21}[AQgw]$/;
const OWNED = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

function bodyBehind(kind: IdKind, text: string): string | undefined {
  const tag = `${ID_TAGS[kind]}_`;
  return text.startsWith(tag) ? text.slice(tag.length) : undefined;
}

function newBytes(): Buffer {
  const bytes = randomFillSync(Buffer.allocUnsafe(16));
  const now = Date.now();
  const isAnother = now > lastTime || now < lastTime - MAX_AHEAD_MS;
  if (isAnother || lastCount === MAX_COUNT) {
    lastTime = isAnother ? now : lastTime + 1;
    // It begins in the lower half, so that at least two thousand follow.
    lastCount = bytes.readUInt16BE(6) & (MAX_COUNT >> 1);
  } else {
    lastCount += 1;
  }
  bytes.writeUIntBE(lastTime, 0, 6);
  bytes.writeUInt16BE(0x7000 | lastCount, 6);
  bytes.writeUInt8(0x80 | CELL_START, 8);
  bytes.writeUInt8((bytes.readUInt8(9) & 0x0f) | CELL_END, 9);
  return bytes;
}

/** Whether the 16 bytes that stand there in `BYTES` name the cell: the ten bits behind those of the variant. */
function isOfThisCell(at: number): boolean {
  return ((BYTES[at + 8] as number) & 0x3f) === CELL_START && ((BYTES[at + 9] as number) & 0xf0) === CELL_END;
}

/** Ids are read for every look-up and written for every row of every list, so this takes no memory. */
export const BYTES = Buffer.alloc(32);
/** A UUID as it is written. */
const WRITTEN = Buffer.from(NO_ID, 'latin1');

/** By the code of a hexadecimal digit, its value; of any other character 255. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return value < 0 ? 255 : value;
});
/** Where the digits of each byte stand in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const [HYPHENS, HYPHEN] = [[8, 13, 18, 23], 0x2d];
/** The length of the text. */
const LENGTH = NO_ID.length;
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
function readBytes(id: string, at: number): void {
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
function readUuid(text: Uint8Array, from: number, at: number): void {
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
function textOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
