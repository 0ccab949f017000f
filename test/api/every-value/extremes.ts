import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { ID_TAGS, type IdKind, newId } from '../../../src/core/id.ts';
import { encodeCursor } from '../../../src/core/page.ts';
import { isText } from '../../../src/graphql/text-scalars.ts';
import { spoiltIds, unknownId } from '../../support/ids.ts';
import { spoiltUids, unknownUid } from '../../support/uids.ts';
import { type LeafPath, sampleOf } from '../every-mutation/input-leaves.ts';

/** One place where an input holds a value: a scalar, an enum, or a whole list. */
export interface InputPlace {
  readonly path: LeafPath;
  /** `BookingFieldInput.label`, or that of its elements: it takes the same wherever the type is used. */
  readonly coordinate: string;
  readonly type: GraphQLInputType;
}

export function placesOf(input: GraphQLInputObjectType, path: LeafPath = []): InputPlace[] {
  return Object.values(input.getFields()).flatMap(({ name, type }) =>
    placesAt(type, [...path, name], `${input.name}.${name}`),
  );
}

function placesAt(given: GraphQLInputType, path: LeafPath, coordinate: string): InputPlace[] {
  const type = getNullableType(given);
  if (isListType(type)) return [{ path, coordinate, type }, ...placesAt(type.ofType, [...path, 0], `${coordinate}[]`)];
  return isInputObjectType(type) ? placesOf(type, path) : [{ path, coordinate, type }];
}

/** The values of this place at its ends, and just beyond them. */
export function extremesOf({ path, type }: InputPlace): readonly unknown[] {
  if (isListType(type)) return listsOf(sampleOf(String(path.at(-1)), type.ofType));
  if (isEnumType(type)) return [...type.getValues().map(({ name }) => name), 'NOPE', '', 0, null];
  const name = String(path.findLast((step) => typeof step === 'string'));
  const scalar = (type as { name: string }).name;
  return [null, ...(BY_SCALAR[scalar] ?? TEXTS), ...(isText(scalar) ? textsFor(name) : [])];
}

/** Texts for a field of this name. */
export function textsOf(name: string): readonly string[] {
  return [...TEXTS.filter((one) => typeof one === 'string'), ...textsFor(name)];
}

function textsFor(name: string): readonly string[] {
  return TEXTS_BY_NAME.flatMap(([pattern, values]) => (pattern.test(name) ? values : []));
}

function listsOf(item: unknown): readonly unknown[] {
  return [[], [item, item], [null], [item, null], Array.from({ length: 1_500 }, () => item), item, [[item]], {}, null];
}

/** As long as a body lets it be. */
const LONG = 'x'.repeat(900_000);

const TEXTS: readonly unknown[] = [
  '',
  ' \t\n ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\ufeffa\uffff',
  'abc\u202egnp.exe',
  '\u2066isolated\u2069',
  'مرحبا بالعالم',
  'e\u0301 \u1e9b\u0323',
  `a${'\u0301'.repeat(60)}`,
  '👩‍👩‍👧‍👦 🏳️‍🌈',
  'İıſK',
  'line\r\nline\u2028line',
  '\u200b',
  '\' " \\ ; -- <!-- ${x} {{x}} %00 %s',
  'constructor',
  LONG,
  0,
  false,
  {},
];

const INSTANTS: readonly unknown[] = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '1582-10-10T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2031-01-07T00:00:00.123456789Z',
  '2031-01-07T00:00:00-23:59',
  '2031-01-07T00:00:00+24:00',
  '2031-02-29T00:00:00Z',
  '2999-12-31T23:59:59Z',
  '9999-12-31T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-23:59',
  '10000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-000000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  'infinity',
  LONG,
  0,
  8.64e15,
];

const keys = (count: number, key: (index: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), 'x']));

const RECORDS: readonly unknown[] = [
  {},
  keys(50, (index) => `${'k'.repeat(37)}${100 + index}`),
  keys(51, String),
  keys(5_000, String),
  { ['👍'.repeat(40)]: '👍'.repeat(500) },
  { ['👍'.repeat(41)]: 'x' },
  { key: '👍'.repeat(501) },
  { '': 'x' },
  { key: '' },
  { '\0': 'x' },
  { key: '\0' },
  { '\ud800': 'x' },
  { key: '\udc00' },
  { 'e\u0301': 'e\u0301', '\u00e9': 'x' },
  { ' key ': ' value ' },
  JSON.parse('{"__proto__":"x","constructor":"y","toString":"z"}'),
  { key: null },
  { key: 1 },
  { key: ['x'] },
  { key: { key: 'x' } },
  { key: LONG },
  [],
  '{}',
];

const KINDS = Object.keys(ID_TAGS) as IdKind[];

/** Texts that are no ids, of a kind with an owner and of one without. */
const NO_IDS = (['user', 'booking'] as const).flatMap((kind) => Object.values(spoiltIds(unknownId(kind))));
const TIME = '2031-01-07T00:00:00Z';
/** Cursors with keys that no list has. */
const CURSORS = [['x'], ['\0'], [TIME], [TIME, 'x'], [TIME, ''], [TIME, newId(), 'x'], [TIME, newId()], [newId()], []];

const BY_SCALAR: Readonly<Record<string, readonly unknown[]>> = {
  Boolean: [true, false, 'true', 1, []],
  Int: [0, 1, -1, 2_147_483_647, -2_147_483_648, 2_147_483_648, 0.5, '1', 1e308, true],
  DateTime: INSTANTS,
  Metadata: RECORDS,
  MetadataPatch: [...RECORDS, { key: null }],
  BookingResponses: RECORDS,
  ID: ['\0', '\ud800', ...KINDS.map((kind) => unknownId(kind)), ...NO_IDS, LONG, 0, -1, {}],
};

/** More, for texts that are read as something: by the names of their fields. */
const TEXTS_BY_NAME: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /email|guests/i,
    [
      `${'a'.repeat(64)}@example.test`,
      `${'a'.repeat(65)}@example.test`,
      `a@${'b'.repeat(63)}.test`,
      `a@${'b'.repeat(64)}.test`,
      `a@${`${'b'.repeat(60)}.`.repeat(4)}testing`,
      `a@${`${'b'.repeat(60)}.`.repeat(4)}testings`,
      'GRACE+Tag@EXAMPLE.test',
      '"quoted"@example.test',
      'grâce@example.test',
      'grace@exämple.test',
      'grace@xn--exmple-cua.test',
      'grace@[192.0.2.1]',
      'grace@example.test,eve@example.test',
    ],
  ],
  [
    /url|value/i,
    [
      `https://example.test/${'x'.repeat(2_027)}`,
      `https://example.test/${'x'.repeat(2_028)}`,
      'http://example.test',
      'https://example.test:65535/',
      'https://example.test:65536/',
      'https://user:password@example.test/',
      'https://exämple.test/ü?ü#ü',
      'https://[::1]/',
      'https://example.test\\@evil.test/',
      'https://EXAMPLE.test/%00',
      'javascript:alert(1)',
      'data:text/html,x',
    ],
  ],
  [/phone|value/i, ['+1234567', '+123456789012345', '+1234567890123456', '+0123456789', '0049 30 123', '+٤٩٣٠١٢٣٤٥٦']],
  [
    /timeZone/i,
    [
      'europe/berlin',
      'US/Pacific',
      'Asia/Calcutta',
      'Etc/GMT+12',
      'Etc/GMT-14',
      'etc/gmt+12',
      'EST5EDT',
      'GMT',
      'utc',
      'Z',
      '+01:00',
      '-23:59',
      'Factory',
      'posixrules',
      'Mars/Olympus',
      'Europe/Berlin[u-ca=iso8601]',
    ],
  ],
  [
    /date|^from$|^to$/i,
    [
      '0000-01-01',
      '0001-01-01',
      '1582-10-10',
      '1999-12-31',
      '2000-01-01',
      '2028-02-29',
      '2027-02-29',
      '2999-12-31',
      '3000-01-01',
      '9999-12-31',
      '10000-01-01',
      '+275760-09-13',
      '-000001-01-01',
      '2031-1-7',
    ],
  ],
  [/^(?:start|end)$/, ['00:00', '23:59', '24:00', '24:01', '23:60', '9:00', '09:00:00', '٠٩:٠٠', '-1:00']],
  [/locale/i, ['en', 'EN-gb', 'de-AT-1996-x-private', 'zh-Hant-TW-u-nu-hanidec', 'i-klingon', 'xx-xx-xx', 'e']],
  [/slug|username/i, ['a', 'a'.repeat(64), 'a'.repeat(65), 'team', 'a--b', '-a', 'ü', 'A']],
  [/color/i, ['#000000', '#FFFFFF', '#fff', '#00000g', '#00000000']],
  [/^(?:id|secretId|grant|file)$/, NO_IDS],
  [/uid/i, Object.values(spoiltUids(unknownUid('booking')))],
  [/^(?:after|before|refused_before)$/, CURSORS.map((key) => encodeCursor(key))],
  [/idempotencyKey/i, ['k'.repeat(15), 'k'.repeat(16), 'k'.repeat(255), 'k'.repeat(256), '\u00fc'.repeat(16)]],
];
