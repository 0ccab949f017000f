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
import { buildSchemas } from '../../../src/schema.ts';
import type { TestCaller } from '../../support/api.ts';

const { schema } = buildSchemas().forTokens;
type Field = GraphQLField<unknown, unknown>;
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
    return [listed ? `${field.name}(first: 100) { nodes { ${inner} } }` : `${field.name} { ${inner} }`];
  });
  return ['__typename', ...selected].join(' ');
}

/** The object's own values, and nothing below it. */
function leavesOf(type: GraphQLObjectType): string {
  return fieldsOf(type)
    .flatMap((field) => (isLeafType(getNamedType(field.type)) ? [field.name] : []))
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
  const [name, type] = argument.split(': ');
  const declared = values.map((_, index) => `$v${index}: ${type}`).join(' ');
  const asked = values.map((_, index) => `f${index}: ${field}(${name}: $v${index} ${more}) { ...Shown }`).join(' ');
  const document = `query(${declared}) { ${door ? `door: ${door} { ${asked} }` : asked} } fragment Shown on ${of} { ${shows} }`;
  return [document, Object.fromEntries(values.map((value, index) => [`v${index}`, value]))];
}

/** As many at a time as cost nothing to speak of. */
export function* byDozens<Item>(all: readonly Item[], dozens = 3): Generator<readonly Item[]> {
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
    const selection = listed.name in DOORS ? leavesOf(listed) : selectionOf(listed);
    const document = `query($after: String) { door: ${door} { list: ${field.name}(first: 100, after: $after) {
      nodes { ${selection} } edges { cursor } pageInfo { hasNextPage endCursor } } } }`;
    let after: string | null = null;
    do {
      const data = await this.#ask(caller, document, { after });
      // Null where the role does not show it.
      const list = data?.door?.list;
      if (!list) return;
      for (const node of list.nodes as Node[]) {
        this.#read += 1;
        this.seen(node, caller);
        ids.getOrInsertComputed(listed.name, () => []).push(String(node['id'] ?? node['uid']));
      }
      after = list.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
    } while (after !== null);
    if (listed.name in DOORS) await this.#openDoors(caller, listed, ids.get(listed.name) ?? []);
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
    const asked = { field: field.name, of: type.name, shows: selectionOf(type), door };
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
    if (codes.length > 0) this.failures.push(`${codes.join(' ')}: ${document.slice(0, 200)}`);
    return data;
  }
}
