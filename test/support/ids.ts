import {
  firstIdAt,
  ID_TAGS,
  type IdKind,
  idOf,
  isOwnedKind,
  newId,
  newUserId,
  type OwnedId,
  type OwnedKind,
  ownedIdOf,
  type PlainKind,
  publicId,
  publicOwnedId,
} from '../../src/core/id.ts';
import { type RawBuilder, sql } from '../../src/database/sql.ts';

const KINDS = new Map(Object.entries(ID_TAGS).map(([kind, tag]) => [tag as string, kind as IdKind]));

const OPENED: Readonly<Record<string, string>> = { uid: ID_TAGS.booking, uis: ID_TAGS.seat, uir: ID_TAGS.reservation };

/** The id of the booking, the seat or the reservation that a uid opens; an id stays as it is. */
export function idOfUid(uid: string): string {
  const [, tag, body] = /^(uid|uis|uir)_.{4}([\w-]{43})[\w-]{22}$/.exec(uid) ?? [];
  return body === undefined ? uid : `${OPENED[tag ?? '']}_${body}`;
}

/** The UUID, as the tables have it, of an id or a uid that the API gave; of what belongs to somebody, that of the row itself. */
export function uuidOf(given: string): string {
  const publicId = idOfUid(given);
  const kind = kindOf(publicId);
  return idOf(kind as PlainKind, publicId) ?? ownedIdOf(kind as OwnedKind, publicId)?.id ?? fail(publicId);
}

/** Owner and row of an id, or of a uid, that the API gave to something that belongs to a user or a team. */
export function ownedUuidOf(given: string): OwnedId {
  const publicId = idOfUid(given);
  return ownedIdOf(kindOf(publicId) as OwnedKind, publicId) ?? fail(publicId);
}

/**
 * SQL: the n-th UUID of a series, which a hexadecimal digit names. Its last bit is set, so that a team may have it, and
 * users get theirs from `newUserId`.
 */
export function uuidNumbered(series: string, n: RawBuilder<unknown> = sql`n`): RawBuilder<string> {
  return sql<string>`(${series} || lpad(to_hex((${n})::bigint * 2 + 1), 31, '0'))::uuid`;
}

/** SQL: a new id for each row. */
export const NEW_ID = sql<string>`overlay(gen_random_uuid()::text placing '800' from 20 for 3)::uuid`;

/** The id of what was made in this millisecond. */
export function idMadeAt(epochMilliseconds: number): string {
  return firstIdAt(epochMilliseconds).slice(0, 13) + newId().slice(13);
}

const SHOWN_UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?!@gatehouse)/g;
/** A part of it that a long page is searched for in a fortieth of the time, as it begins with two fixed characters. */
const LIKE_UUID = /-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/;

/**
 * Callers are shown public ids alone, so an answer holds no UUID of ours: but for the UID of a calendar entry, and for what
 * they have sent themselves. @throws Error
 */
export function expectNoUuid(answer: string, sent: () => string): void {
  const shown = LIKE_UUID.test(answer) && answer.match(SHOWN_UUID);
  if (!shown) return;
  const known = sent();
  const leaked = shown.find((uuid) => !known.includes(uuid));
  if (leaked !== undefined) throw new Error(`The answer holds a UUID, ${leaked}; callers see public ids: ${answer}`);
}

/** Look-ups under another name than the kind of id that they take. */
const LOOK_UPS: Readonly<Record<string, IdKind>> = {
  calendarAccount: 'calendarAccount',
  eventTypeWebhookDelivery: 'webhookDelivery',
  outOfOfficeEntry: 'outOfOffice',
};

/**
 * The kind of id that an argument takes, as names say it: `scheduleId` and `scheduleIds` that of a schedule, and so do `id` and `ids`
 * of the look-ups `schedule` and `schedulesById`; undefined where they do not. `field` is left out for a field of an input.
 */
export function kindSaid(argument: string, field = ''): IdKind | undefined {
  const isLookUp = /^ids?$/.test(argument);
  const noun = isLookUp ? field.replace(/s?ById$/, '') : argument.replace(/(?:Ids?|Uid)$/, '');
  if (isLookUp && Object.hasOwn(LOOK_UPS, noun)) return LOOK_UPS[noun];
  const name = noun.replace(/^public(?=[A-Z])/, '');
  const kind = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return Object.hasOwn(ID_TAGS, kind) ? (kind as IdKind) : undefined;
}

/** A public id of what is not there; of what belongs to somebody, one of this owner's, or of nobody's. */
export function unknownId(kind: IdKind, ownerId: string = newUserId()): string {
  return isOwnedKind(kind) ? publicOwnedId(kind, { ownerId, id: newId() }) : publicId(kind, newId());
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Texts that are no id of the kind that `good` is of, by what is wrong with them. */
export function spoiltIds(good: string): Readonly<Record<string, string>> {
  const isOwned = isOwnedKind(kindOf(good));
  return {
    ...spoiltTexts(good),
    'of another kind': (isOwned ? (good.startsWith('bkg') ? 'sea' : 'bkg') : 'att') + good.slice(3),
    'of hexadecimal digits': good.slice(0, 4) + uuidOf(good).replaceAll('-', ''),
    'that is a UUID': uuidOf(good),
    'that is a UUID with the tag': good.slice(0, 4) + uuidOf(good),
    'that holds an owner and should not, or should and does not': isOwned
      ? good.slice(0, 4) + good.slice(-22)
      : good.slice(0, 4) + good.slice(4).repeat(2).slice(0, -1),
    'as they were once': `${good.slice(0, 4)}${isOwned ? `u${'0'.repeat(40)}` : '0'.repeat(20)}`,
    'of another cell': ofAnotherCell(good),
  };
}

/** Texts that are not what begins with a tag and ends with bits to spare: an id, or a uid. */
export function spoiltTexts(good: string): Readonly<Record<string, string>> {
  const last = BASE64URL[BASE64URL.indexOf(good.slice(-1)) + 1] ?? '';
  return {
    'without a tag': good.slice(4),
    'with a tag in capitals': good.slice(0, 3).toUpperCase() + good.slice(3),
    'that is a tag alone': good.slice(0, 4),
    'one character short': good.slice(0, -1),
    'one character long': `${good}A`,
    'whose last character has bits set that it has to spare': good.slice(0, -1) + last,
    'in the other base64': `${good.slice(0, 8)}+/${good.slice(10)}`,
    'with padding': `${good}==`,
    'with a space before it': ` ${good}`,
    'with a line break behind it': `${good}\n`,
    'with NUL': `${good.slice(0, 8)}\0${good.slice(9)}`,
    'with a letter of another script': `${good.slice(0, 8)}\u00e9${good.slice(9)}`,
    'of ten thousand characters': good + 'A'.repeat(10_000),
    'that is SQL': "' or '1' = '1",
    'that is an object in JavaScript': '__proto__',
    empty: '',
  };
}

/** The same id, but for one of the bits that name the cell. */
function ofAnotherCell(good: string): string {
  const bytes = Buffer.from(good.slice(4), 'base64url');
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 7) ^ 0x10, bytes.length - 7);
  return good.slice(0, 4) + bytes.toString('base64url');
}

function kindOf(publicId: string): IdKind {
  return KINDS.get(publicId.slice(0, 3)) ?? fail(publicId);
}

function fail(text: string): never {
  throw new Error(`${text} is no public id.`);
}
