import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { spoiltIds, unknownId } from '../../support/ids.ts';

/** Where in an input a value stands; lists are entered at their first element. */
export type LeafPath = readonly (string | number)[];

export interface Leaf {
  readonly path: LeafPath;
  /** The name of its scalar or enum. */
  readonly type: string;
}

/** Every scalar, enum and list of them that an input can hold, optional ones too. */
export function leavesOf(input: GraphQLInputObjectType, path: LeafPath = []): Leaf[] {
  return Object.values(input.getFields()).flatMap(({ name, type }) => leavesAt(type, [...path, name]));
}

function leavesAt(given: GraphQLInputType, path: LeafPath): Leaf[] {
  const type = isNonNullType(given) ? given.ofType : given;
  if (isListType(type)) return leavesAt(type.ofType, [...path, 0]);
  return isInputObjectType(type) ? leavesOf(type, path) : [{ path, type: getNamedType(type).name }];
}

type Json = Record<string, unknown>;

/** A copy of an input with another value at a path; objects on the way are made of what they must have. */
export function withLeaf(
  type: GraphQLInputObjectType,
  input: Json,
  [key = '', ...rest]: LeafPath,
  value: unknown,
): Json {
  const field = type.getFields()[key];
  if (!field) throw new Error(`${type.name} has no ${key}.`);
  const others = type.isOneOf ? {} : input;
  return { ...others, [key]: valueAt(field.type, input[key], rest, value) };
}

function valueAt(given: GraphQLInputType, current: unknown, path: LeafPath, value: unknown): unknown {
  if (path.length === 0) return value;
  const type = isNonNullType(given) ? given.ofType : given;
  if (isListType(type)) {
    const [first, ...others] = Array.isArray(current) ? current : [];
    return [valueAt(type.ofType, first, path.slice(1), value), ...others];
  }
  if (!isInputObjectType(type)) throw new Error('The path leads below a scalar.');
  return withLeaf(type, { ...smallest(type), ...(current as Json | undefined) }, path, value);
}

/** The least that an input object must have. */
function smallest(type: GraphQLInputObjectType): Json {
  const fields = Object.values(type.getFields());
  const required = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
  return Object.fromEntries(required.map(({ name, type: of }) => [name, sampleOf(name, of)]));
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  date: '2030-01-07',
  email: 'grace@example.test',
  end: '17:00',
  start: '09:00',
  timeZone: 'UTC',
};

/** A value that fits a type, by the name of its field. */
export function sampleOf(name: string, given: GraphQLInputType): unknown {
  const type = isNonNullType(given) ? given.ofType : given;
  if (isListType(type)) return [sampleOf(name, type.ofType)];
  if (isInputObjectType(type)) return smallest(type);
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (type.name === 'Int') return 10;
  if (type.name === 'Boolean') return true;
  return SAMPLES[name] ?? 'sample';
}

const TEXTS = [
  '',
  ' ',
  'a\0b',
  'a\u0007b',
  'a\r\nBcc: b@example.test',
  '\u202Egnp.exe',
  '👩‍👩‍👧‍👦'.repeat(40),
  '__proto__',
  "'; drop table users; --",
  '../../etc/passwd',
  '<script>alert(1)</script>',
  'x'.repeat(300_000),
  7,
  ['x'],
  { a: 1 },
];
/** Spoilt ids of things with an owner and without one; test/api/every-id.test.ts tries which kind a place takes. */
const SPOILT_IDS = (['user', 'eventType'] as const).flatMap((kind) => Object.values(spoiltIds(unknownId(kind))));
const NUMBERS = [0, -1, 1, 2_147_483_647, -2_147_483_648, 2 ** 53, 0.5, 1e308, '1', [1]];
const MANY = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key-${index}`, 'value']));

const METADATA = [
  MANY,
  { key: 'x'.repeat(501) },
  { ['k'.repeat(41)]: 'x' },
  { '': 'x' },
  { 'a\0b': 'x' },
  { key: 7 },
  JSON.parse('{"__proto__":"x","constructor":"y"}'),
  [],
  'x',
];

/** Values that no caller should send, by scalar; a scalar that is not listed gets the texts. */
const HOSTILE: Readonly<Record<string, readonly unknown[]>> = {
  Boolean: ['true', 1, []],
  DateTime: [
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-02-30T00:00:00Z',
    '2030-01-01T09:00:00',
    '2030-01-01',
    '+275760-09-13T00:00:00Z',
    '2030-06-30T23:59:60Z',
    'x'.repeat(300_000),
    0,
    8.64e15,
  ],
  ID: [...TEXTS, ...SPOILT_IDS],
  Int: NUMBERS,
  Metadata: METADATA,
  MetadataPatch: [{ key: null, other: 'x'.repeat(501) }, ...METADATA],
  BookingResponses: [
    MANY,
    { unknown: 'x' },
    { unknown: { deep: [[['x']]] } },
    JSON.parse('{"__proto__":["x"]}'),
    [],
    7,
  ],
};

/** Values that are wrong, or as strange as a value of this type may be; null too. */
export function hostileValues(type: string): readonly unknown[] {
  return [null, ...(HOSTILE[type] ?? TEXTS)];
}
