/** A schema over rows with whatever a type over rows may have, and rows for it: as bytes, and as objects. */
import { buildSchema, execute, type GraphQLObjectType, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { newId, publicId, publicOwnedId } from '../../src/core/id.ts';
import type { Shown } from '../../src/database/row-copier.ts';
import { PartRows } from '../../src/database/wire/part-rows.ts';
import type { GraphQLContext } from '../../src/graphql/context.ts';
import { compileQuery } from '../../src/graphql/plan.ts';
import { ROW, SHOWN } from '../../src/graphql/selection.ts';
import { buildSchemas } from '../../src/schema.ts';
import type { Random } from './random-documents.ts';
import { nastyText, type TypeName, wireRows, wireShape } from './wire-rows.ts';

type Values = Readonly<Record<string, unknown>>;

const schema = buildSchema(/* GraphQL */ `
  scalar DateTime
  enum Color { RED GREEN }
  type Query { rows: [Row!]!, maybe: [Row], row: Row, must: Row! }
  type Row {
    id: ID!, other: ID, name: String!, note: String, count: Int!, number: Int, flag: Boolean, at: DateTime!, ended: DateTime
    color: Color, label: String!, later: Int!, one: Part, must: Part!, many: [Part!]!, some: [Part!], self: Row!
    flat: Flat, flats: [Flat!]!, uid: String!, otherUid: String
  }
  type Part { id: ID!, other: ID, name: String!, note: String, count: Int!, number: Int, flag: Boolean, at: DateTime!, color: Color, one: Part, many: [Part!], uid: String!, otherUid: String }
  type Flat { id: ID!, other: ID, name: String!, note: String, count: Int!, number: Int, at: DateTime!, color: Color, label: String!, uid: String!, otherUid: String }
`);
// The product's own, in the place of one that takes anything.
Object.assign(schema.getType('DateTime') as object, {
  serialize: (buildSchemas().forTokens.schema.getType('DateTime') as unknown as { serialize: unknown }).serialize,
});

const COLUMNS = ['name', 'note', 'count', 'number', 'flag', 'at', 'ended', 'color'];
const UUIDS: Readonly<Record<string, string>> = { uid: 'id', otherUid: 'otherId' };
/** As nasty as a suffix may be. */
const SUFFIX = '@"é👋\\\n"';
const PARTS = ['one', 'must', 'many', 'some', 'flat', 'flats'];
for (const name of ['Row', 'Part', 'Flat']) {
  const type = schema.getType(name) as GraphQLObjectType;
  Object.assign(type.extensions, { [ROW]: {} });
  for (const field of Object.values(type.getFields())) {
    const shown = shownBy(field.name);
    if (shown) Object.assign(field.extensions, { [SHOWN]: shown });
    field.resolve = (row: Values) => valueOf(row, field.name);
  }
}

function shownBy(field: string): Shown | undefined {
  if (field === 'id') return { id: 'user', columns: ['id'] };
  if (field === 'other') return { id: 'booking', columns: ['id', 'otherId'] };
  if (field in UUIDS) return { uuid: UUIDS[field] as string, suffix: SUFFIX };
  if (PARTS.includes(field)) return { part: field };
  return COLUMNS.includes(field) ? { column: field } : undefined;
}

function valueOf(row: Values, field: string): unknown {
  if (field === 'id') return publicId('user', row['id'] as string);
  if (field === 'other' && row['otherId'] === null) return null;
  if (field === 'other')
    return publicOwnedId('booking', { ownerId: row['id'] as string, id: row['otherId'] as string });
  if (field in UUIDS) {
    const id = row[UUIDS[field] as string] as string | null;
    return id && `${id}${SUFFIX}`;
  }
  if (field === 'label') return `${row['name'] as string} ${row['count'] as number}`;
  if (field === 'later') return Promise.resolve(row['count']);
  return field === 'self' ? row : row[field];
}

const TYPES: Readonly<Record<string, TypeName>> = {
  id: 'uuid',
  otherId: 'uuid',
  name: 'text',
  note: 'varchar',
  count: 'int4',
  number: 'int2',
  flag: 'bool',
  at: 'timestamptz',
  ended: 'timestamptz',
  color: 'text',
  one: 'json',
  must: 'json',
  many: 'json',
  some: 'json',
  flat: 'texts',
  flats: 'texts',
};

/** The types of parts that are arrays. */
const IN_ARRAYS = {
  id: 'UuidType',
  otherId: 'UuidType',
  name: 'TextType',
  note: 'TextType',
  count: 'IntegerType',
  number: 'SmallIntType',
  at: 'InstantType',
  color: 'TextType',
};

export interface Rows {
  readonly wire: object[];
  readonly objects: Values[];
}

/** All rows of one list have the same columns, in an order of its own and in either format. */
export function randomRows(random: Random, count: number, change: (row: Values) => Values = (row) => row): Rows {
  const objects = Array.from({ length: count }, () => change(randomRow(random)));
  const names = Object.keys(TYPES).toSorted(() => random() - 0.5);
  const columns = Object.entries(IN_ARRAYS).toSorted(() => random() - 0.5);
  const rowsOf = (isList: boolean) => new PartRows(columns, isList);
  const parts = new Map([
    ['flat', rowsOf(false)],
    ['flats', rowsOf(true)],
  ]);
  const texts = wireShape(
    names.map((name) => [name, TYPES[name] as TypeName]),
    parts,
  );
  const shape = random() < 0.5 ? (texts.inBinary ?? texts) : texts;
  const asTexts = (row: unknown) => columns.map(([name]) => asText((row as Values)[name] ?? null));
  const inArrays = (row: Values): Values => ({
    ...row,
    flat: row['flat'] && asTexts(row['flat']),
    flats: (row['flats'] as Values[] | null)?.map(asTexts) ?? null,
  });
  const wire = wireRows(
    shape,
    objects.map(inArrays).map((row) => names.map((name) => asText(row[name]))),
  );
  return { wire, objects };
}

function randomRow(random: Random): Values {
  return {
    ...randomPart(random, 2),
    at: randomTime(random, ' ', '+00'),
    ended: maybe(random, randomTime(random, ' ', '+00')),
    must: randomPart(random, 1),
    many: randomParts(random, 2),
    some: maybe(random, randomParts(random, 1)),
    flat: maybe(random, randomFlat(random)),
    flats: Array.from({ length: Math.floor(random() * 4) }, () => randomFlat(random)),
  };
}

function randomFlat(random: Random): Values {
  return { ...randomPart(random, 0), at: randomTime(random, ' ', '+00') };
}

export function randomPart(random: Random, depth: number): Values {
  return {
    id: newId(),
    otherId: maybe(random, newId()),
    name: nastyText(random),
    note: maybe(random, nastyText(random)),
    count: Math.floor(random() * 2_000),
    number: maybe(random, -Math.floor(random() * 2_000)),
    flag: maybe(random, random() < 0.5),
    at: randomTime(random, 'T', '+00:00'),
    color: maybe(random, random() < 0.5 ? 'RED' : 'GREEN'),
    one: depth > 0 && random() < 0.7 ? randomPart(random, depth - 1) : null,
    ...(depth > 0 && { many: randomParts(random, depth - 1) }),
  };
}

function randomParts(random: Random, depth: number): Values[] {
  return Array.from({ length: Math.floor(random() * 4) }, () => randomPart(random, depth));
}

function randomTime(random: Random, between: string, zone: string): string {
  const two = (most: number) => String(Math.floor(random() * most) + 1).padStart(2, '0');
  const fraction = random() < 0.1 ? `.${two(98)}` : '';
  return `20${two(98)}-${two(12)}-${two(28)}${between}${two(22)}:${two(58)}:${two(58)}${fraction}${zone}`;
}

function maybe<Value>(random: Random, value: Value): Value | null {
  return random() < 0.3 ? null : value;
}

function asText(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'object') return value && asJson(value);
  return typeof value === 'number' ? String(value) : (value as string);
}

/** As PostgreSQL does it: rows in an array follow each other on lines of their own. */
function asJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asJson).join(', \n ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${asJson(member)}`);
  return `{${members.join(',')}}`;
}

type Root = Readonly<Record<string, unknown>>;

/** By a plan. */
export async function written(source: string, root: Root): Promise<string | undefined> {
  const document = parse(source);
  const fragments = Object.fromEntries(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) field.resolve = () => root[field.name];
  const plan = compileQuery(schema, fragments, document.definitions[0] as OperationDefinitionNode);
  return plan?.run({ context: {} as GraphQLContext, variables: {} });
}

/** By the executor; undefined where it has an error to tell of. */
export async function executed(source: string, root: Root): Promise<string | undefined> {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) field.resolve = () => root[field.name];
  const { data, errors } = await execute({ schema, document: parse(source) });
  return errors ? undefined : JSON.stringify(data);
}
