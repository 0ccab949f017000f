/** A copy is what the executor would have written; a value that might not be is left to it. */
import { type GraphQLLeafType, isEnumType, isLeafType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { NO_ID, publicId, publicOwnedId } from '../../../src/core/id.ts';
import { OUT } from '../../../src/core/json-text.ts';
import { dateOf } from '../../../src/database/wire/binary.ts';
import {
  type Copy,
  copyId,
  columnCopy as copyOfColumn,
  jsonCopy as copyOfJson,
  uuidCopy,
} from '../../../src/database/wire/copies.ts';
import { leafWriter, writtenAs } from '../../../src/graphql/plan.ts';
import { TEXT_SCALARS } from '../../../src/graphql/text-scalars.ts';
import { buildSchemas } from '../../../src/schema.ts';
import { randomFrom } from '../../support/random-documents.ts';
import { inBinary, NASTY_TEXTS, nastyText, OID, type TypeName } from '../../support/wire-rows.ts';

const types = buildSchemas().forTokens.schema.getTypeMap();
const leaf = (name: string): GraphQLLeafType => types[name] as GraphQLLeafType;
const STATUS = leaf('BookingStatus');

function columnCopy(oid: number, type: GraphQLLeafType, isBinary?: boolean): Copy | undefined {
  const as = writtenAs(type);
  return as && copyOfColumn(oid, as, isBinary);
}

function jsonCopy(type: GraphQLLeafType): Copy | undefined {
  const as = writtenAs(type);
  return as && copyOfJson(as);
}

/** Undefined where it is not copied, or the executor has to tell of it. */
function copied(copy: Copy | undefined, text: string | Buffer): string | undefined {
  // The bytes around a value are not of it.
  const [before, value] = [Buffer.from('},"'), Buffer.from(text)];
  const bytes = Buffer.concat([before, value, Buffer.from('\0\0\0\u0001"')]);
  try {
    return copy?.(bytes, before.length, before.length + value.length) ? OUT.take(0) : undefined;
  } catch {
    return undefined;
  } finally {
    OUT.length = 0;
  }
}

function written(type: GraphQLLeafType, value: unknown): string | undefined {
  try {
    return leafWriter(type)(value);
  } catch {
    return undefined;
  }
}

const random = randomFrom(26);
const TEXTS = [...NASTY_TEXTS, ...Array.from({ length: 200 }, () => nastyText(random)), 'PENDING', 'pending', 'Ä'];
const SHORT_INTS = ['0', '-1', '7', '10', '99', '100', '999', '1000', '9999', '10000', '-9999', '32767', '-32768'];
const INTS = [...SHORT_INTS, '999999999', '-99999999', '2147483647', '-2147483648'];
const TIMES = [
  '2026-12-01 09:00:00+00',
  '0999-01-31 23:59:59+00',
  '0001-01-01 00:00:00+00',
  '9999-12-31 23:59:59+00',
  '2026-12-01 09:00:00.5+00',
  '2026-12-01 09:00:00.25+00',
  '2026-12-01 09:00:00.123+00',
  '2026-12-01 09:00:00+01',
  '2026-12-01 09:00:00-11',
  '2026-12-01 09:00:00+05:30',
  '1890-01-01 00:00:00+00:53:28',
  '10000-01-01 00:00:00+00',
  '294276-12-31 23:59:59+00',
  '0044-03-15 12:00:00+00 BC',
  'infinity',
  '-infinity',
];
/** As `to_json` writes them. */
const JSON_TIMES = TIMES.map((time) => time.replace(' ', 'T').replace(/([+-]\d\d)( BC)?$/, '$1:00$2'));

interface Column {
  readonly texts: readonly string[];
  readonly decode: (text: string) => unknown;
  /** So many are copied at least: the usual ones. */
  readonly copied: number;
}
const COLUMNS: readonly (readonly [TypeName, string, Column])[] = [
  ['text', 'String', { texts: TEXTS, decode: String, copied: TEXTS.length }],
  ['varchar', 'TimeZone', { texts: TEXTS, decode: String, copied: TEXTS.length }],
  ['varchar', 'String', { texts: TEXTS, decode: String, copied: TEXTS.length }],
  ['int4', 'Int', { texts: INTS, decode: Number, copied: INTS.length }],
  ['int2', 'Int', { texts: SHORT_INTS, decode: Number, copied: SHORT_INTS.length }],
  ['bool', 'Boolean', { texts: ['t', 'f'], decode: (text) => text === 't', copied: 2 }],
  ['timestamptz', 'DateTime', { texts: TIMES, decode: String, copied: 4 }],
  ['text', STATUS.name, { texts: ['PENDING', 'pending', '', 'ÄNDERUNG', '"'], decode: String, copied: 1 }],
];

describe('a column', () => {
  test.each(COLUMNS)('%s as %s', (column, typeName, { texts, decode, copied: least }) => {
    const type = leaf(typeName);
    const copy = columnCopy(OID[column], type);
    const found = texts.map((text) => copied(copy, text));
    const done = found.filter((text) => text !== undefined);
    expect(done.length).toBeGreaterThanOrEqual(least);
    expect(found).toEqual(texts.map((text, index) => found[index] && written(type, decode(text))));
  });

  test.each(COLUMNS)('%s as %s, in the binary format', (column, typeName, { texts, decode, copied: least }) => {
    const type = leaf(typeName);
    const copy = columnCopy(OID[column], type, true);
    const known = texts.filter((text) => !text.endsWith('BC') && !text.startsWith('294276'));
    const found = known.map((text) => copied(copy, inBinary(OID[column], text)));
    // Some years are too far away for a number, and those of other zones are the same instants in UTC.
    expect(found.filter((text) => text !== undefined).length).toBeGreaterThanOrEqual(Math.min(least, found.length));
    expect(found).toEqual(known.map((text, index) => found[index] && written(type, decode(text))));
  });

  test.each([
    '1799-12-31 23:59:59',
    '1800-01-01 00:00:00',
    '1900-03-01 00:00:00',
    '1999-12-31 23:59:59',
    '2000-02-29 12:34:56',
    '2100-02-28 23:00:01',
    '2199-12-31 23:59:59',
    '2200-01-01 00:00:00',
  ])('of a time in the binary format: %s', (text) => {
    const copy = columnCopy(OID.timestamptz, leaf('DateTime'), true);
    const isNear = text > '1800' && text < '2200-01-01 00:00:00';
    expect(copied(copy, inBinary(OID.timestamptz, `${text}+00`))).toBe(
      isNear ? `"${text.replace(' ', 'T')}Z"` : undefined,
    );
    expect(copied(copy, inBinary(OID.timestamptz, `${text}.000001+00`))).toBeUndefined();
  });

  test('every day of four centuries is the one of the calendar', () => {
    const first = Date.UTC(1799, 0);
    for (let day = 0; day < 146_097; day += 1) {
      const date = new Date(first + day * 86_400_000);
      expect(dateOf((date.getTime() - Date.UTC(2000, 0)) / 86_400_000)).toBe(
        Number(date.toISOString().slice(0, 10).replaceAll('-', '')),
      );
    }
  });

  test('of another type is not copied: it is decoded, and may be refused', () => {
    const copiedTypes = Object.entries(OID).flatMap(([column, oid]) =>
      Object.values(types)
        .filter((type) => isLeafType(type) && columnCopy(oid, type) !== undefined)
        .map((type) => `${column} ${isEnumType(type) ? 'enum' : type.name}`),
    );
    const texts = Object.keys(TEXT_SCALARS).flatMap((name) => [`text ${name}`, `varchar ${name}`]);
    expect([...new Set(copiedTypes)].toSorted()).toEqual(
      [
        ...texts,
        'bool Boolean',
        'int2 Int',
        'int4 Int',
        'text String',
        'text enum',
        'timestamptz DateTime',
        'varchar String',
        'varchar enum',
      ].toSorted(),
    );
  });
});

/** JSON of whatever type in a field of whatever other: right for some, wrong for others. */
const JSON_TEXTS = [
  ...[...TEXTS, ...JSON_TIMES.map(String)].map((text) => JSON.stringify(text)),
  ...INTS,
  '1.5',
  '1e5',
  '-0.1',
  '12345678901',
  'true',
  'false',
  '[]',
  '{}',
  '["a"]',
  '{"a": "}"}',
];

describe('a value of JSON', () => {
  test.each([
    ['String', TEXTS.length],
    ['URL', TEXTS.length],
    ['LocalTime', TEXTS.length],
    ['Int', 5],
    ['Boolean', 2],
    ['DateTime', 4],
    [STATUS.name, 1],
  ] as const)('as %s', (name, least) => {
    const type = leaf(name);
    const found = JSON_TEXTS.map((text) => copied(jsonCopy(type), text));
    expect(found.filter((text) => text !== undefined).length).toBeGreaterThanOrEqual(least);
    expect(found).toEqual(JSON_TEXTS.map((text, index) => found[index] && written(type, JSON.parse(text))));
  });

  test('as JSON or an id of unknown make is not copied', () => {
    expect(['Metadata', 'BookingResponses', 'ID'].map((name) => jsonCopy(leaf(name)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test('every character, and characters of every length side by side', () => {
  const copy = columnCopy(OID.text, leaf('String'));
  for (let code = 1; code < 0x11_0000; code += code < 0x300 ? 1 : 479) {
    if (code >= 0xd8_00 && code < 0xe0_00) continue;
    const text = `${String.fromCodePoint(code)}"é${String.fromCodePoint(code)}`;
    expect(copied(copy, text)).toBe(JSON.stringify(text));
  }
});

const long = (length: number): string => `\u0001"é${'x'.repeat(length)}👋`;

test('texts longer than what answers are written to, and short ones again', () => {
  const copies = { column: columnCopy(OID.text, leaf('String')), json: jsonCopy(leaf('String')) };
  for (const length of [64 * 1024 - 8, 64 * 1024, 64 * 1024 + 1, 3_000_000, 0, 70_000, 0]) {
    const text = long(length);
    expect(copied(copies.column, text) === JSON.stringify(text)).toBe(true);
    expect(copied(copies.json, JSON.stringify(text)) === JSON.stringify(text)).toBe(true);
  }
  // The memory of a long answer is given back.
  expect(OUT.reserve(0).length).toBeLessThan(1_000_000);
});

const bytes = (pieces: readonly string[]) => Buffer.from(`x${pieces.join('\0\0\0$')}`);
const id = (index: number) =>
  `${(0x0192aabb + index * 7_919).toString(16).padStart(8, '0')}${NO_ID.slice(8, 24)}${(2 ** 48 - 1 - index * 65_537).toString(16)}`;

test('ids', () => {
  for (let index = 0; index < 100; index += 1) {
    copyId('user', bytes([id(index)]), [1]);
    expect(OUT.take(0)).toBe(JSON.stringify(publicId('user', id(index))));
    copyId('booking', bytes([id(index), id(index + 1)]), [1, 41]);
    expect(OUT.take(0)).toBe(JSON.stringify(publicOwnedId('booking', { ownerId: id(index), id: id(index + 1) })));
  }
  const ofBytes = Buffer.concat([Buffer.from('x'), inBinary(OID.uuid, id(3)), inBinary(OID.uuid, id(4))]);
  copyId('booking', ofBytes, [1, 17], true);
  expect(OUT.take(0)).toBe(JSON.stringify(publicOwnedId('booking', { ownerId: id(3), id: id(4) })));
  expect(() => copyId('user', bytes([id(1).replace('a', 'g')]), [1])).toThrow('UUID');
  OUT.length = 0;
});

test.each(['BYTES', 'TEXT', 'JSON'] as const)('UUIDs that stand as %s take as much room as they need', (stoodAs) => {
  const uuid = '0192aabb-ccdd-7eef-8123-456789abcdef';
  const from = stoodAs === 'BYTES' ? inBinary(OID.uuid, uuid) : Buffer.from(stoodAs === 'JSON' ? `"${uuid}"` : uuid);
  const copy = uuidCopy('@"é"', stoodAs);
  const text = JSON.stringify(`${uuid}@"é"`);
  // Wherever the room that there is ends.
  for (let left = 1; left <= 60; left += 1) {
    const filled = OUT.reserve(0).length - left;
    OUT.bytes(Buffer.alloc(filled, 'x'), 0, filled);
    copy(from, 0, from.length);
    expect(OUT.take(filled)).toBe(text);
    OUT.take(0);
  }
});
