/**
 * Values in PostgreSQL's binary format (PostgreSQL §55.7, Bind), for the types that most rows are made of: as bytes, ids and
 * times cost the server less than as texts, and so do the answers that are written from them. What is decoded is what `pg`
 * makes of the text.
 */
import { BYTES, NO_ID, textAt } from '../../core/id.ts';

export type Decode = (bytes: Buffer, start: number, end: number) => unknown;

/** `pg_type.oid` */
export const BINARY: Readonly<Record<number, Decode>> = {
  16: (bytes, start) => bytes[start] === 1,
  21: (bytes, start) => bytes.readInt16BE(start),
  23: (bytes, start) => bytes.readInt32BE(start),
  25: text,
  114: (bytes, start, end) => JSON.parse(text(bytes, start, end)) as unknown,
  1009: texts,
  1043: text,
  1184: instantText,
  2950: uuid,
};

function text(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end);
}

/** Where the first element of an array begins: behind how many dimensions there are, and the length of each. */
export function elementsOf(bytes: Buffer, start: number): number {
  return start + 12 + 8 * bytes.readInt32BE(start);
}

/** An array of texts, or of as many texts each. */
function texts(bytes: Buffer, start: number): unknown[] {
  const lengths = Array.from({ length: bytes.readInt32BE(start) }, (_, index) =>
    bytes.readInt32BE(start + 12 + 8 * index),
  );
  let at = elementsOf(bytes, start);
  const element = (): string | null => {
    const from = at + 4;
    const length = bytes.readInt32BE(at);
    at = from + Math.max(length, 0);
    return length < 0 ? null : text(bytes, from, at);
  };
  const list = ([count = 0, ...inner]: readonly number[]): unknown[] =>
    Array.from({ length: count }, () => (inner.length === 0 ? element() : list(inner)));
  return list(lengths);
}

/** The one that was read last: rows of one parent follow each other. */
const last = { bytes: Buffer.alloc(16), text: NO_ID };

function uuid(bytes: Buffer, start: number): string {
  if (!isLast(bytes, start)) {
    for (let index = 0; index < 16; index += 1) BYTES[index] = last.bytes[index] = bytes[start + index] as number;
    last.text = textAt(0);
  }
  return last.text;
}

function isLast(bytes: Buffer, start: number): boolean {
  // Compared from the end, as ids differ there and not in their beginnings.
  for (let index = 15; index >= 0; index -= 1) if (last.bytes[index] !== bytes[start + index]) return false;
  return true;
}

const MICROSECONDS_A_DAY = 86_400_000_000n;
/** PostgreSQL sends these for infinity. */
const [LAST, FIRST] = [2n ** 63n - 1n, -(2n ** 63n)];

/** Microseconds since the year 2000, as PostgreSQL writes them in UTC. */
function instantText(bytes: Buffer, start: number): string {
  if (putSecond(bytes, start, WRITTEN, 0, SPACE)) return WRITTEN.toString('latin1');
  const microseconds = bytes.readBigInt64BE(start);
  if (microseconds === LAST) return 'infinity';
  if (microseconds === FIRST) return '-infinity';
  const ofDay = ((microseconds % MICROSECONDS_A_DAY) + MICROSECONDS_A_DAY) % MICROSECONDS_A_DAY;
  const date = dateOf(Number((microseconds - ofDay) / MICROSECONDS_A_DAY));
  const [seconds, fraction] = [Number(ofDay / 1_000_000n), Number(ofDay % 1_000_000n)];
  const year = Math.floor(date / 10_000);
  const [yearText, era] = year > 0 ? [padded(year, 4), ''] : [padded(1 - year, 4), ' BC'];
  const inYear = date - year * 10_000;
  const day = [yearText, padded(Math.floor(inYear / 100), 2), padded(inYear % 100, 2)].join('-');
  const time = [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => padded(Math.floor(part), 2))
    .join(':');
  const rest = fraction === 0 ? '' : `.${padded(fraction, 6).replace(/0{1,5}$/, '')}`;
  return `${day} ${time}${rest}+00${era}`;
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

const [SPACE, MINUS, COLON] = [0x20, 0x2d, 0x3a] as const;
const WRITTEN = Buffer.from('2000-01-01 00:00:00+00');

/**
 * Writes the 19 characters of a whole second, with this one between date and time. @returns false for what is no such, or in a
 * year that is far away
 */
export function putSecond(from: Buffer, start: number, to: Uint8Array, at: number, between: number): boolean {
  const seconds = (from.readInt32BE(start) * 2 ** 32 + from.readUInt32BE(start + 4)) / 1e6;
  if (!(seconds >= FIRST_SECOND && seconds < LAST_SECOND) || !Number.isInteger(seconds)) return false;
  const day = Math.floor(seconds / 86_400);
  const second = (seconds - day * 86_400) | 0;
  const minute = (second / 60) | 0;
  const hour = (minute / 60) | 0;
  // Rows that follow each other are often of one day.
  if (day !== dayOf.date) writeDate(day);
  for (let index = 0; index < 10; index += 1) to[at + index] = dayOf.written[index] as number;
  to[at + 10] = between;
  putTwo(to, at + 11, hour);
  to[at + 13] = COLON;
  putTwo(to, at + 14, minute - 60 * hour);
  to[at + 16] = COLON;
  putTwo(to, at + 17, second - 60 * minute);
  return true;
}

/** Between them a number holds microseconds exactly. */
const [FIRST_SECOND, LAST_SECOND] = [1_800, 2_200].map((year) => (Date.UTC(year, 0) - Date.UTC(2000, 0)) / 1_000) as [
  number,
  number,
];

/** The day that was written last. */
const dayOf = { date: 0, written: Buffer.from('2000-01-01') };

function writeDate(day: number): void {
  const date = dateOf(day);
  const [year, month] = [Math.floor(date / 10_000), Math.floor(date / 100) % 100];
  putTwo(dayOf.written, 0, Math.floor(year / 100));
  putTwo(dayOf.written, 2, year % 100);
  dayOf.written[4] = MINUS;
  putTwo(dayOf.written, 5, month);
  dayOf.written[7] = MINUS;
  putTwo(dayOf.written, 8, date % 100);
  dayOf.date = day;
}

/** The two digits of each number below a hundred, one behind the other. */
export const PAIRS = Buffer.from(Array.from({ length: 100 }, (_, value) => padded(value, 2)).join(''));

function putTwo(to: Uint8Array, at: number, value: number): void {
  to[at] = PAIRS[2 * value] as number;
  to[at + 1] = PAIRS[2 * value + 1] as number;
}

/** The day that is so many after the first of 2000: 20260131. The year before the first is 0. */
export function dateOf(day: number): number {
  // Years begin in March here, so that the day that some lack is their last.
  const since = day + DAYS_FROM_MARCH_OF_0;
  const cycle = Math.floor(since / DAYS_OF_400_YEARS);
  const ofCycle = since - cycle * DAYS_OF_400_YEARS;
  const leapDays = Math.floor(ofCycle / 1_460) - Math.floor(ofCycle / 36_524) + Math.floor(ofCycle / 146_096);
  const year = Math.floor((ofCycle - leapDays) / 365);
  const ofYear = ofCycle - 365 * year - Math.floor(year / 4) + Math.floor(year / 100);
  const month = Math.floor((5 * ofYear + 2) / 153);
  const ofMonth = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const isNext = month >= 10 ? 1 : 0;
  return (cycle * 400 + year + isNext) * 10_000 + (month + 3 - 12 * isNext) * 100 + ofMonth;
}

const DAYS_OF_400_YEARS = 146_097;
const DAYS_FROM_MARCH_OF_0 = 730_425;
