import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
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

/** What a connection lists. */
function listedIn(field: Field): GraphQLObjectType | undefined {
  const type = objectOf(field.type);
  return type?.name.endsWith('Connection') ? objectOf(type.getFields()['nodes']?.type ?? field.type) : undefined;
}

/** Everything that is shown of an object without being told more: its own fields and what lies below, lists too. */
export function selectionOf(type: GraphQLObjectType, above: readonly string[] = []): string {
  const selected = fieldsOf(type).flatMap((field) => {
    const below = objectOf(field.type);
    if (field.args.some(isRequiredArgument)) return [];
    if (below === undefined) return isLeafType(getNamedType(field.type)) ? [field.name] : [];
    const listed = listedIn(field);
    const next = listed ?? below;
    if (next.name in DOORS || [type.name, ...above].includes(next.name)) return [];
    const inner = selectionOf(next, [type.name, ...above]);
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
    let after: string | null = null;
    do {
      const page = `${field.name}(first: 100, after: ${JSON.stringify(after)})`;
      const inner = `{ nodes { ${selection} } edges { cursor } pageInfo { hasNextPage endCursor } }`;
      const data = await this.#ask(caller, `{ door: ${door} { list: ${page} ${inner} } }`);
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
    const door = DOORS[type.name];
    const one = (id: string, index: number) => `d${index}: ${door?.(id)} { ${leavesOf(type)} }`;
    for (let from = 0; from < ids.length; from += 40) {
      await this.#ask(
        caller,
        `{ ${ids
          .slice(from, from + 40)
          .map(one)
          .join('\n')} }`,
      );
    }
  }

  /** Each of the objects that a list has shown, by its id. */
  async #lookUp(caller: TestCaller, door: string, field: Field, ids: ReadonlyMap<string, string[]>): Promise<void> {
    const type = objectOf(field.type);
    const [argument, ...others] = field.args.filter(isRequiredArgument);
    if (!type || !argument || others.length > 0 || type.name in DOORS) return;
    const wanted = ids.get(type.name) ?? [];
    for (let from = 0; from < wanted.length; from += 40) {
      const one = (id: string, index: number) =>
        `l${index}: ${field.name}(${argument.name}: ${JSON.stringify(id)}) { ${selectionOf(type)} }`;
      const data = await this.#ask(
        caller,
        `{ door: ${door} { ${wanted
          .slice(from, from + 40)
          .map(one)
          .join('\n')} } }`,
      );
      const missing = Object.entries(data?.door ?? {}).filter(([, found]) => found === null);
      if (missing.length > 0) this.failures.push(`${door} ${field.name} does not find what its list shows`);
    }
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- documents of every shape
  async #ask(caller: TestCaller, document: string): Promise<any> {
    const { data, codes } = await caller.ask(document);
    if (codes.length > 0) this.failures.push(`${codes.join(' ')}: ${document.slice(0, 200)}`);
    return data;
  }
}
