/**
 * How the text of a value is copied into an answer: from a column as PostgreSQL writes it, or from JSON that PostgreSQL made.
 * Each is what the executor would have written; where it might not be, `false` says that the value has to be looked at.
 */
import { type IdKind, putText, writePublicId } from '../../core/id.ts';
import { BACKSLASH, OUT, QUOTE } from '../../core/json-text.ts';
import { PAIRS, putSecond } from './binary.ts';

export type Copy = (from: Buffer, start: number, end: number) => boolean;

/** How a value is written in an answer; an enum's by what is written for each of its values. */
export type WrittenAs = 'TEXT' | 'INTEGER' | 'BOOLEAN' | 'TIME' | ReadonlyMap<unknown, string>;

/** `pg_type.oid` */
const [BOOL, INT2, INT4, TEXT, VARCHAR, TIMESTAMPTZ] = [16, 21, 23, 25, 1043, 1184] as const;

/** A column of this type, written so. Texts are the same in both of PostgreSQL's formats. */
export function columnCopy(oid: number, as: WrittenAs, isBinary = false): Copy | undefined {
  const isTextColumn = oid === TEXT || oid === VARCHAR;
  if (typeof as === 'object') return isTextColumn ? enumCopy(as, String) : undefined;
  if (as === 'TEXT') return isTextColumn ? copyText : undefined;
  return COPIES[as][isBinary ? 'binary' : 'text'][oid];
}

/** A value of JSON, by its first character. */
export function jsonCopy(as: WrittenAs): Copy {
  if (typeof as === 'object') return enumCopy(as, JSON.stringify);
  if (as === 'TEXT') return (from, start, end) => from[start] === QUOTE && copyAsItIs(from, start, end);
  if (as === 'INTEGER') return (from, start, end) => isShortInteger(from, start, end) && copyAsItIs(from, start, end);
  if (as === 'BOOLEAN') return (from, start, end) => isBoolean(from, start) && copyAsItIs(from, start, end);
  return timeCopy(LETTER_T, 1);
}

/** Copies a public id of UUIDs that begin there. */
export function copyId(kind: IdKind, bytes: Buffer, starts: readonly number[], isBinary = false): void {
  const to = OUT.reserve(64);
  to[OUT.length++] = QUOTE;
  OUT.length = writePublicId(kind, { bytes, starts, isBinary }, to, OUT.length);
  to[OUT.length++] = QUOTE;
}

/** The text of a UUID, with another text behind it. */
export function uuidCopy(suffix: string, stoodAs: 'BYTES' | 'TEXT' | 'JSON'): Copy {
  const after = Buffer.from(JSON.stringify(suffix).slice(1));
  return (from, start, end) => {
    OUT.byte(QUOTE);
    if (stoodAs === 'BYTES') OUT.length = putText(from, start, OUT.reserve(36), OUT.length);
    else if (stoodAs === 'TEXT') OUT.bytes(from, start, end);
    else OUT.bytes(from, start + 1, end - 1);
    return copyAsItIs(after, 0, after.length);
  };
}

/** @throws TypeError where the executor has to look at it */
export function writeNull(isNullable: boolean): boolean {
  if (!isNullable) throw new TypeError('A field that cannot be null is null.');
  OUT.bytes(NULL, 0, NULL.length);
  return true;
}

const NULL = Buffer.from('null');

function copyAsItIs(from: Buffer, start: number, end: number): boolean {
  OUT.bytes(from, start, end);
  return true;
}

/** Escapes as JSON.stringify does; PostgreSQL has no lone surrogates. */
function copyText(from: Buffer, start: number, end: number): boolean {
  const to = OUT.reserve(6 * (end - start) + 2);
  let { length } = OUT;
  to[length++] = QUOTE;
  for (let at = start; at < end; at += 1) {
    const byte = from[at] as number;
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
      to[length++] = byte;
    } else {
      const escape = ESCAPES[byte] as Buffer;
      for (let index = 0; index < escape.length; index += 1) to[length++] = escape[index] as number;
    }
  }
  to[length++] = QUOTE;
  OUT.length = length;
  return true;
}

const ESCAPES = Array.from({ length: 128 }, (_, code) =>
  Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);

/** `t` or, in the binary format, 1. */
function booleanCopy(yes: number): Copy {
  return (from, start) => {
    const word = from[start] === yes ? TRUE : FALSE;
    return copyAsItIs(word, 0, word.length);
  };
}

const [SPACE, MINUS, ZERO, NINE] = [0x20, 0x2d, 0x30, 0x39] as const;
const [LETTER_f, LETTER_t, LETTER_T, LETTER_Z] = [0x66, 0x74, 0x54, 0x5a] as const;
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** Whether an integer has 32 bits for certain. */
function isShortInteger(from: Buffer, start: number, end: number): boolean {
  if (end - start >= 10) return false;
  for (let at = from[start] === MINUS ? start + 1 : start; at < end; at += 1) {
    const byte = from[at] as number;
    if (byte < ZERO || byte > NINE) return false;
  }
  return true;
}

function isBoolean(from: Buffer, start: number): boolean {
  return from[start] === LETTER_t || from[start] === LETTER_f;
}

/** Whole seconds in UTC, as most of our times are: `2026-12-01 09:00:00+00` or, in JSON, `"2026-12-01T09:00:00+00:00"`. */
function timeCopy(between: number, quotes: 0 | 1): Copy {
  const zone = Buffer.from(quotes === 1 ? '+00:00"' : '+00');
  return (from, start, end) => {
    const [date, time, rest] = [start + quotes, start + quotes + 11, start + quotes + 19];
    if (end - start !== quotes + 19 + zone.length || from[date + 4] !== MINUS || from[date + 10] !== between)
      return false;
    for (let index = 0; index < zone.length; index += 1) if (from[rest + index] !== zone[index]) return false;
    const to = OUT.reserve(22);
    let { length } = OUT;
    to[length++] = QUOTE;
    for (let at = date; at < date + 10; at += 1) to[length++] = from[at] as number;
    to[length++] = LETTER_T;
    for (let at = time; at < rest; at += 1) to[length++] = from[at] as number;
    to[length++] = LETTER_Z;
    to[length++] = QUOTE;
    OUT.length = length;
    return true;
  };
}

/** As in `timeCopy`. */
function copyInstant(from: Buffer, start: number): boolean {
  const to = OUT.reserve(22);
  const { length } = OUT;
  if (!putSecond(from, start, to, length + 1, LETTER_T)) return false;
  to[length] = QUOTE;
  to[length + 20] = LETTER_Z;
  to[length + 21] = QUOTE;
  OUT.length = length + 22;
  return true;
}

function integerCopy(read: (from: Buffer, start: number) => number): Copy {
  return (from, start) => {
    const value = read(from, start);
    if (value < 0 || value >= 100) OUT.text(String(value));
    else OUT.bytes(PAIRS, value < 10 ? 2 * value + 1 : 2 * value, 2 * value + 2);
    return true;
  };
}

type ByOid = Readonly<Record<number, Copy>>;

const COPIES: Readonly<Record<'INTEGER' | 'BOOLEAN' | 'TIME', { readonly text: ByOid; readonly binary: ByOid }>> = {
  INTEGER: {
    text: { [INT2]: copyAsItIs, [INT4]: copyAsItIs },
    binary: {
      [INT2]: integerCopy((from, start) => from.readInt16BE(start)),
      [INT4]: integerCopy((from, start) => from.readInt32BE(start)),
    },
  },
  BOOLEAN: { text: { [BOOL]: booleanCopy(LETTER_t) }, binary: { [BOOL]: booleanCopy(1) } },
  TIME: { text: { [TIMESTAMPTZ]: timeCopy(SPACE, 0) }, binary: { [TIMESTAMPTZ]: copyInstant } },
};

/** Copies one of the few values that there are; any other is looked at. */
function enumCopy(values: ReadonlyMap<unknown, string>, textOf: (value: unknown) => string): Copy {
  const known = [...values].map(([value, written]) => [Buffer.from(textOf(value)), Buffer.from(written)] as const);
  return (from, start, end) => {
    for (const [text, written] of known) {
      if (isSame(text, from, start, end)) return copyAsItIs(written, 0, written.length);
    }
    return false;
  };
}

function isSame(text: Buffer, from: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index += 1) if (text[index] !== from[start + index]) return false;
  return true;
}
