import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { expect } from 'vitest';
import { buildSchemas } from '../../../src/schema.ts';
import type { TestCaller } from '../../support/api.ts';

const { schema } = buildSchemas().forTokens;
type Field = GraphQLField<unknown, unknown>;
// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
type Data = any;
type Node = Readonly<Record<string, unknown>>;

/** The groups that somebody belongs to: read from their own doors, once for each, and not below everything else. */
const DOORS: Readonly<Record<string, (id: string) => string>> = {
  Viewer: () => 'me',
  Team: (id) => `team(id: ${JSON.stringify(id)})`,
  Organization: (id) => `organization(id: ${JSON.stringify(id)})`,
};

function typeNamed(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`There is no type ${name}.`);
  return type;
}

function fieldsOf(type: GraphQLObjectType): Field[] {
  return Object.values(type.getFields());
}

function objectOf(type: GraphQLOutputType): GraphQLObjectType | undefined {
  const named = getNamedType(type);
  return isObjectType(named) ? named : undefined;
}

/** The type of the nodes of a connection. */
function listedIn(field: Field): GraphQLObjectType | undefined {
  const type = objectOf(field.type);
  return type?.name.endsWith('Connection') ? objectOf(type.getFields()['nodes']?.type ?? field.type) : undefined;
}

/** Everything that is shown of an object without being told more: its own fields and what lies below, connections too. */
export function selectionOf(
  type: GraphQLObjectType,
  { connections = true }: { connections?: boolean } = {},
  above: readonly string[] = [],
): string {
  const selected = fieldsOf(type).flatMap((field) => {
    const below = objectOf(field.type);
    if (field.args.some(isRequiredArgument)) return [];
    if (below === undefined) return isLeafType(getNamedType(field.type)) ? [field.name] : [];
    const listed = listedIn(field);
    const next = listed ?? below;
    if (listed && !connections) return [];
    if (next.name in DOORS || [type.name, ...above].includes(next.name)) return [];
    const inner = selectionOf(next, { connections }, [type.name, ...above]);
    return [listed ? `${field.name}(first: 2) { nodes { ${inner} } }` : `${field.name} { ${inner} }`];
  });
  return ['__typename', ...selected].join(' ');
}

/**
 * The same in parts that each cost little: the object with what there is one of, then each list below it by itself. Each part
 * names the object. With `pages`, the outermost lists can be read on from `$after`.
 */
export function partsOf(
  type: GraphQLObjectType,
  { first = 5, pages = false }: { readonly first?: number | undefined; readonly pages?: boolean } = {},
  above: readonly string[] = [],
): readonly [string, ...string[]] {
  const within = [type.name, ...above];
  const [range, info] = pages
    ? [`first: ${first}, after: $after`, 'totalCount pageInfo { hasNextPage endCursor }']
    : [`first: ${first}`, ''];
  const below = fieldsOf(type).flatMap((field) => {
    const next = listedIn(field) ?? objectOf(field.type);
    if (!next || field.args.some(isRequiredArgument) || next.name in DOORS || within.includes(next.name)) return [];
    const isOne = !listedIn(field) && !isListType(getNullableType(field.type));
    const around = (part: string) =>
      listedIn(field) ? `${field.name}(${range}) { nodes { ${part} } ${info} }` : `${field.name} { ${part} }`;
    const [own = '', ...others] = partsOf(next, { first }, within).map(around);
    return [{ one: isOne ? own : undefined, many: isOne ? others : [own, ...others] }];
  });
  const names = fieldsOf(type).flatMap(({ name }) => (name === 'id' || name === 'uid' ? [name] : []));
  return [
    ['__typename', leavesOf(type), ...below.flatMap(({ one }) => one ?? [])].join(' '),
    ...below.flatMap(({ many }) => many.map((part) => ['__typename', ...names, part].join(' '))),
  ];
}

/** Everything that somebody is shown behind a door, asked for in parts; a list that costs too much in shorter pages. */
export async function askForParts(caller: TestCaller, type: GraphQLObjectType, door: string): Promise<Data> {
  let shown: Data;
  for (const part of partsOf(type).keys()) shown = merged(shown, await askForPart(caller, type, door, part));
  return shown;
}

async function askForPart(
  caller: TestCaller,
  type: GraphQLObjectType,
  door: string,
  part: number,
  [first, ...smaller]: readonly number[] = [20, 5, 1],
): Promise<Data> {
  const selection = partsOf(type, { first, pages: true })[part] ?? '';
  const document = `${selection.includes('$after') ? 'query($after: String) ' : ''}{ door: ${door} { ${selection} } }`;
  let shown: Data;
  let count: number | undefined;
  let after: string | null = null;
  do {
    const { data, codes } = await caller.ask(document, after === null ? {} : { after });
    if (codes.includes('COST_LIMIT_EXCEEDED') && smaller.length > 0)
      return askForPart(caller, type, door, part, smaller);
    expect(codes).toEqual([]);
    const page = Object.values<Data>(data.door ?? {}).find((value) => value?.pageInfo);
    if (page && after === null) count = page.totalCount;
    const before = Object.values<Data>(shown?.door ?? {}).find((value) => value?.pageInfo);
    if (before) before.nodes.push(...page.nodes);
    else shown = data;
    after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  const listed = Object.values<Data>(shown?.door ?? {}).find((value) => value?.pageInfo);
  expect(listed?.nodes.length).toBe(count);
  return shown;
}

function merged(one: Data, other: Data): Data {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return other ?? one;
  if (Array.isArray(one)) {
    const length = Math.max(one.length, other.length);
    return Array.from({ length }, (_, n) => merged(one[n], other[n]));
  }
  const names = [...Object.keys(one), ...Object.keys(other)];
  return Object.fromEntries(names.map((name) => [name, merged(one[name], other[name])]));
}

/** The object's own values, and nothing below it. */
function leavesOf(type: GraphQLObjectType): string {
  return fieldsOf(type)
    .flatMap((field) =>
      isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument) ? [field.name] : [],
    )
    .join(' ');
}

/** A field that is asked of many things in one operation. */
interface AskedOfMany {
  readonly field: string;
  /** Its type. */
  readonly of: string;
  readonly shows: string;
  /** Where it stands, if not at the root. */
  readonly door?: string;
  /** Literals of other arguments. */
  readonly more?: string;
}

/** A document that asks `field` of each of these, and its variables: the same document for as many others. */
export function named(
  { field, of, shows, door, more = '' }: AskedOfMany,
  argument: `${string}: ${string}`,
  values: readonly (string | readonly string[])[],
): [string, Record<string, string | readonly string[]>] {
  const [path = '', type] = argument.split(': ');
  // A member of an input: `by.id`.
  const [name, member] = path.split('.');
  const passed = (index: number) => (member === undefined ? `$v${index}` : `{ ${member}: $v${index} }`);
  const declared = values.map((_, index) => `$v${index}: ${type}`).join(' ');
  const asked = values
    .map((_, index) => `f${index}: ${field}(${name}: ${passed(index)} ${more}) { ...Shown }`)
    .join(' ');
  const document = `query(${declared}) { ${door ? `door: ${door} { ${asked} }` : asked} } fragment Shown on ${of} { ${shows} }`;
  return [document, Object.fromEntries(values.map((value, index) => [`v${index}`, value]))];
}

/** As many at a time as cost nothing to speak of. */
export function* byDozens<Item>(all: readonly Item[], dozens = 1 / 2): Generator<readonly Item[]> {
  for (let at = 0; at < all.length; at += 12 * dozens) yield all.slice(at, at + 12 * dozens);
}

/** One caller's way through all lists and look-ups; what is read is handed to `seen`, what fails is an error. */
export class Reader {
  readonly failures: string[] = [];
  readonly seen: (node: Node, by: TestCaller) => void;
  #read = 0;

  constructor(seen: (node: Node, by: TestCaller) => void) {
    this.seen = seen;
  }

  /** How many objects were read. */
  get count(): number {
    return this.#read;
  }

  /** The caller's own, and of the groups that are named. */
  async read(caller: TestCaller, groups: readonly (readonly ['Team' | 'Organization', string])[] = []): Promise<void> {
    for (const [name, id] of [['Viewer', ''] as const, ...groups]) await this.#readDoor(caller, name, id);
  }

  async #readDoor(caller: TestCaller, name: string, id: string): Promise<void> {
    const type = typeNamed(name);
    const door = DOORS[name]?.(id) ?? '';
    const own = fieldsOf(type).filter((field) => !field.args.some(isRequiredArgument) && listedIn(field) === undefined);
    const selected = own.map((field) => {
      const below = objectOf(field.type);
      if (below === undefined) return field.name;
      return below.name in DOORS ? '' : `${field.name} { ${selectionOf(below)} }`;
    });
    await this.#ask(caller, `{ door: ${door} { __typename ${selected.join(' ')} } }`);
    const ids = new Map<string, string[]>();
    for (const field of fieldsOf(type)) {
      const listed = listedIn(field);
      if (listed) await this.#readList(caller, door, field, listed, ids);
    }
    for (const field of fieldsOf(type)) await this.#lookUp(caller, door, field, ids);
  }

  async #readList(
    caller: TestCaller,
    door: string,
    field: Field,
    listed: GraphQLObjectType,
    ids: Map<string, string[]>,
  ): Promise<void> {
    const things = new Map<string, Node>();
    for (const part of listed.name in DOORS ? [leavesOf(listed)] : partsOf(listed)) {
      for (const node of await this.#readPart(caller, `${door} { list: ${field.name}`, part)) {
        const id = String(node['id'] ?? node['uid']);
        things.set(id, { ...things.get(id), ...node });
      }
    }
    this.#read += things.size;
    for (const thing of things.values()) this.seen(thing, caller);
    ids.set(listed.name, [...(ids.get(listed.name) ?? []), ...things.keys()]);
    if (listed.name in DOORS) await this.#openDoors(caller, listed, ids.get(listed.name) ?? []);
  }

  /** All pages of a list, with this much of each object; where they cost too much, smaller ones. */
  async #readPart(
    caller: TestCaller,
    list: string,
    part: string,
    [size, ...smaller]: readonly number[] = [20, 5, 1],
  ): Promise<readonly Node[]> {
    const document = `query($after: String) { door: ${list}(first: ${size}, after: $after) {
      nodes { ${part} } edges { cursor } pageInfo { hasNextPage endCursor } totalCount isMoreThan } } }`;
    const shown: Node[] = [];
    let after: string | null = null;
    do {
      const { data, codes } = await caller.ask(document, { after });
      if (codes.includes('COST_LIMIT_EXCEEDED') && smaller.length > 0)
        return this.#readPart(caller, list, part, smaller);
      this.#note(document, codes);
      // Null where the role does not show it.
      const page = data?.door?.list;
      if (!page) break;
      shown.push(...(page.nodes as Node[]));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      if (after === null && (page.totalCount !== shown.length || page.isMoreThan !== null))
        this.failures.push(`${list} shows ${shown.length} and counts ${page.totalCount}`);
    } while (after !== null);
    return shown;
  }

  /** Each of the groups that a list has shown, by its own door. */
  async #openDoors(caller: TestCaller, type: GraphQLObjectType, ids: readonly string[]): Promise<void> {
    const door = type.name.toLowerCase();
    for (const some of byDozens(ids)) {
      await this.#ask(caller, ...named({ field: door, of: type.name, shows: leavesOf(type) }, 'id: ID!', some));
    }
  }

  /** Each of the objects that a list has shown, by its id. */
  async #lookUp(caller: TestCaller, door: string, field: Field, ids: ReadonlyMap<string, string[]>): Promise<void> {
    const type = objectOf(field.type);
    const [argument, ...others] = field.args.filter(isRequiredArgument);
    if (!type || !argument || others.length > 0 || type.name in DOORS) return;
    const asked = { field: field.name, of: type.name, shows: partsOf(type)[0], door };
    for (const some of byDozens(ids.get(type.name) ?? [])) {
      const values = isListType(getNullableType(argument.type)) ? [some] : some;
      const data = await this.#ask(caller, ...named(asked, `${argument.name}: ${String(argument.type)}`, values));
      if (
        Object.values(data?.door ?? {})
          .flat()
          .includes(null)
      )
        this.failures.push(`${door} ${field.name} does not find what its list shows`);
    }
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- documents of every shape
  async #ask(caller: TestCaller, document: string, variables: Record<string, unknown> = {}): Promise<any> {
    const { data, codes } = await caller.ask(document, variables);
    this.#note(document, codes);
    return data;
  }

  #note(document: string, codes: readonly unknown[]): void {
    if (codes.length > 0) this.failures.push(`${codes.join(' ')}: ${document.slice(0, 200)}`);
  }
}
