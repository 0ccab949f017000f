/** Rows as a PostgreSQL server sends them, made by hand. */
import type { Parts } from '../../src/database/wire/part-rows.ts';
import { WireShape } from '../../src/database/wire/wire-row.ts';
import type { Random } from './random-documents.ts';

/** `pg_type.oid` */
export const OID = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  texts: 1009,
  varchar: 1043,
  timestamptz: 1184,
  uuid: 2950,
} as const;
export type TypeName = keyof typeof OID;

const DECODERS: Readonly<Record<number, (text: string) => unknown>> = {
  [OID.bool]: (text) => text === 't',
  [OID.int2]: Number,
  [OID.int4]: Number,
  [OID.json]: (text) => JSON.parse(text),
  // Arrays of texts stand as JSON here.
  [OID.texts]: (text) => JSON.parse(text),
};

/** The shape that all rows of a statement with these columns share. */
export function wireShape(columns: readonly (readonly [name: string, type: TypeName])[], parts?: Parts): WireShape {
  return new WireShape(
    columns.map(([name, type]) => ({ name, oid: OID[type] })),
    (oid) => DECODERS[oid] ?? ((text) => text),
    parts,
  );
}

/** A value as PostgreSQL sends it in its binary format, by its text. */
export function inBinary(oid: number, text: string): Buffer {
  if (oid === OID.bool) return Buffer.from([text === 't' ? 1 : 0]);
  if (oid === OID.texts) return arrayInBinary(JSON.parse(text) as readonly unknown[]);
  if (oid === OID.uuid) return Buffer.from(text.replaceAll('-', ''), 'hex');
  const bytes = Buffer.alloc(8);
  if (oid === OID.int2) return bytes.subarray(bytes.writeInt16BE(Number(text)) - 2, 2);
  if (oid === OID.int4) return bytes.subarray(bytes.writeInt32BE(Number(text)) - 4, 4);
  if (oid !== OID.timestamptz) return Buffer.from(text);
  bytes.writeBigInt64BE(microseconds(text));
  return bytes;
}

/** As `array_send` does it: dimensions, whether there are nulls, the type of elements, of each dimension length and first index. */
function arrayInBinary(array: readonly unknown[]): Buffer {
  const [first] = array;
  const lengths = array.length === 0 ? [] : Array.isArray(first) ? [array.length, first.length] : [array.length];
  const elements = array.flat() as (string | null)[];
  const numbers = [
    lengths.length,
    Number(elements.includes(null)),
    OID.text,
    ...lengths.flatMap((length) => [length, 1]),
  ];
  return Buffer.concat([
    ...numbers.map(int4),
    ...elements.flatMap((text) => [int4(text === null ? -1 : Buffer.byteLength(text)), Buffer.from(text ?? '')]),
  ]);
}

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** From the beginning of 2000. */
function microseconds(text: string): bigint {
  if (text.endsWith('infinity')) return text.startsWith('-') ? -(2n ** 63n) : 2n ** 63n - 1n;
  const long = text.replace(/^\d{5}-/, (year) => `+0${year}`).replace(' ', 'T');
  const instant = Temporal.Instant.from(long);
  return (instant.epochNanoseconds - Temporal.Instant.from('2000-01-01T00:00Z').epochNanoseconds) / 1_000n;
}

/** One chunk, in which the rows stand one behind the other (PostgreSQL §55.7, DataRow). */
export function wireRows(shape: WireShape, rows: readonly (readonly (string | null)[])[]): object[] {
  const places: number[] = [];
  const pieces: Buffer[] = [];
  let length = 0;
  for (const row of rows) {
    places.push(length);
    for (const [index, value] of row.entries()) {
      const oid = shape.columns[index]?.oid ?? 0;
      const bytes = shape.isBinary && value !== null ? inBinary(oid, value) : Buffer.from(value ?? '');
      const header = Buffer.alloc(4);
      header.writeInt32BE(value === null ? -1 : bytes.length);
      pieces.push(header, bytes);
      length += 4 + bytes.length;
    }
  }
  const chunk = Buffer.concat(pieces);
  return places.map((at) => shape.row(chunk, at));
}

/** Texts that have to be escaped, or look like what is around them. */
export const NASTY_TEXTS: readonly string[] = [
  '',
  'plain',
  Array.from({ length: 0x1f }, (_, code) => String.fromCharCode(code + 1)).join(''),
  '\u007f\u0080\u009f\u00a0\u2028\u2029\ufeff\ufffd\uffff',
  '"',
  '\\',
  '\\"',
  '\\\\"}',
  '"}, {"name":"',
  '}, {',
  '], [',
  '{"name":null}',
  'null',
  'e\u0301 \u202e ﷺ',
  '👋🏽 👩‍👩‍👧‍👦 \u{10ffff}',
  '\\u0000 \\n',
  '</script><!--',
  'a\tb\r\nc\b\f',
];

/** A few of them, one behind the other. */
export function nastyText(random: Random): string {
  const pieces = Array.from(
    { length: Math.floor(random() * 4) },
    () => NASTY_TEXTS[Math.floor(random() * NASTY_TEXTS.length)],
  );
  return pieces.join('');
}
