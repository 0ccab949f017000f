/**
 * Which problem codes a mutation can give, read from the sources: every code that stands in a function that its command
 * can reach. What a list of codes (`…_CODES`) says is what is examined, so it counts for nothing here.
 */
import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { PROBLEM_CODES, type ProblemCode } from '../../src/core/problem-code.ts';
import type { Sources } from './import-graph.ts';

/** The codes that can be reached from one mutation, each with the way to it. */
export type Reached = ReadonlyMap<ProblemCode, string>;

interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** The names and codes that a function, a class or a constant mentions. */
interface Mentions {
  readonly codes: ReadonlySet<ProblemCode>;
  readonly names: ReadonlySet<string>;
}

interface Module {
  readonly declarations: ReadonlyMap<string, Node>;
  /** By their local names: the file and the name there. */
  readonly imports: ReadonlyMap<string, readonly [path: string, name: string]>;
  readonly calls: readonly Node[];
}

const LIST_OF_CODES = /_CODES$|^ERRORS$/;

export class CodeSearch {
  readonly #modules: ReadonlyMap<string, Module>;
  readonly #mentions = new WeakMap<Node, Mentions>();

  constructor(sources: Sources) {
    this.#modules = new Map([...sources].map(([path, text]) => [path, readModule(path, text)]));
  }

  /** By the name of a mutation, which may hold `*` where it is put together, what it can give. */
  mutations(): ReadonlyMap<string, Reached> {
    const found = new Map<string, Reached>();
    for (const [path, { calls }] of this.#modules) {
      for (const call of calls) {
        const [first, second] = call['arguments'] as readonly [Node, Node?];
        if (nameOf(call['callee']) === 'mutation' && second) {
          const name = textOf(first) ?? nameAtLevels(first);
          if (name === undefined) continue;
          const ofKey = property(second, 'onceByKey') ? this.#ofKey() : [];
          found.set(name, new Map([...ofKey, ...this.#reach(path, [property(second, 'resolve')])]));
        }
        if (nameOf(call['callee']) === 'bookingChange' && property(first, 'verb')) this.#addChange(path, first, found);
        if (['resource', 'resourceOf'].includes(nameOf(call['callee']) ?? '')) this.#addResource(path, first, found);
      }
    }
    return found;
  }

  /** Adds the mutations of a change of a booking, at each level. */
  #addChange(path: string, options: Node, found: Map<string, Reached>): void {
    const verb = textOf(property(options, 'verb') ?? options) ?? '';
    const right = ['actingOn', 'requireRight'].map(identifier);
    const ofRight = this.#reach('src/modules/bookings/change/booking-changes.graphql.ts', right);
    found.set(`*Booking${verb}`, new Map([...ofRight, ...this.#reach(path, [property(options, 'run')])]));
  }

  #addResource(path: string, options: Node, found: Map<string, Reached>): void {
    // `resource` itself hands on what it was given: that is read where it is called.
    if (!property(options, 'reads')) return;
    for (const [verb, owner] of [
      ['create', 'newOwner'],
      ['update', 'namedOwner'],
      ['delete', 'namedOwner'],
    ] as const) {
      const operation = property(options, verb);
      if (!operation) continue;
      const kind = this.#kindOf(path, property(options, 'owned') ?? property(options, 'store'));
      const noun = kind.charAt(0).toUpperCase() + kind.slice(1);
      const reached = this.#reach(path, [property(operation, 'run')]);
      const ofOwner = this.#ofOwner(path, property(options, 'store'), owner);
      const name = `${noun}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
      const ofKey = verb === 'create' ? this.#ofKey() : [];
      found.set(`*${name}`, new Map([...ofKey, ...ofOwner, ...reached]));
    }
  }

  /**
   * The codes of refusals of a thing's owner: by the store that is named, or as of everything that belongs to somebody.
   */
  #ofOwner(path: string, store: Node | undefined, owner: string): Reached {
    const [there, declaration] = this.#resolve(path, nameOf(store) ?? '') ?? [];
    if (there !== undefined && declaration) return this.#reach(there, [property(declaration, owner)]);
    return this.#reach('src/modules/levels/owned-store.graphql.ts', [identifier(owner)]);
  }

  /** The codes that every mutation with an idempotency key can give. */
  #ofKey(): Reached {
    return this.#reach('src/graphql/mutation.ts', [identifier('onceByKey')]);
  }

  #kindOf(path: string, owned: Node | undefined): string {
    const [, declaration] = this.#resolve(path, nameOf(owned) ?? '') ?? [];
    const kind = declaration && property(declaration, 'kind');
    if (!kind) throw new Error(`${path} has a resource whose kind cannot be read.`);
    return textOf(kind) ?? '';
  }

  #reach(path: string, from: readonly (Node | undefined)[]): Reached {
    const reached = new Map<ProblemCode, string>();
    const seen = new Set<Node>();
    const look = (file: string, node: Node, way: readonly string[]): void => {
      if (seen.has(node)) return;
      seen.add(node);
      const { codes, names } = this.#mentionsOf(node);
      for (const code of codes) if (!reached.has(code)) reached.set(code, way.join(' > '));
      for (const name of names) {
        const [there, declaration] = this.#resolve(file, name) ?? [];
        if (there !== undefined && declaration) look(there, declaration, [...way, name]);
      }
    };
    for (const node of from) if (node) look(path, node, []);
    return reached;
  }

  #resolve(path: string, name: string): readonly [string, Node] | undefined {
    if (LIST_OF_CODES.test(name)) return undefined;
    const module = this.#modules.get(path);
    const own = module?.declarations.get(name);
    if (own) return [path, own];
    const [there, exported] = module?.imports.get(name) ?? [];
    return there === undefined || exported === undefined ? undefined : this.#resolve(there, exported);
  }

  #mentionsOf(node: Node): Mentions {
    const known = this.#mentions.get(node);
    if (known) return known;
    const mentions = { codes: new Set<ProblemCode>(), names: new Set<string>() };
    collect(node, mentions);
    this.#mentions.set(node, mentions);
    return mentions;
  }
}

function readModule(path: string, text: string): Module {
  const declarations = new Map<string, Node>();
  const imports = new Map<string, readonly [string, string]>();
  const calls: Node[] = [];
  for (const statement of parseSync(path, text).program.body as unknown as Node[]) {
    if (statement.type === 'ImportDeclaration') addImports(path, statement, imports);
    const declared = (statement['declaration'] ?? statement) as Node;
    if (declared.type === 'FunctionDeclaration' || declared.type === 'ClassDeclaration') {
      declarations.set(nameOf(declared['id']) ?? '', declared);
    }
    if (declared.type === 'VariableDeclaration') {
      for (const { id, init } of declared['declarations'] as readonly { id: Node; init: Node | null }[]) {
        for (const name of namesBoundBy(id)) if (init) declarations.set(name, init);
      }
    }
    each(statement, (node) => {
      if (node.type === 'CallExpression') calls.push(node);
    });
  }
  return { declarations, imports, calls };
}

function addImports(path: string, statement: Node, imports: Map<string, readonly [string, string]>): void {
  const from = textOf(statement['source'] as Node) ?? '';
  if (!from.startsWith('.')) return;
  for (const { local, imported } of statement['specifiers'] as readonly { local: Node; imported?: Node }[]) {
    const name = nameOf(local) ?? '';
    imports.set(name, [posix.join(posix.dirname(path), from), nameOf(imported) ?? name]);
  }
}

/** Comparisons with a code give none, and types are nothing that runs. */
function collect(node: Node, into: { readonly codes: Set<ProblemCode>; readonly names: Set<string> }): void {
  if (/^TS(?!As|Satisfies|NonNull)/.test(node.type)) return;
  if (node.type === 'BinaryExpression' && ['===', '!=='].includes(String(node['operator']))) {
    const sides = [node['left'], node['right']] as Node[];
    for (const side of sides) if (side.type !== 'Literal') collect(side, into);
    return;
  }
  const text = node.type === 'Literal' ? node['value'] : undefined;
  if (typeof text === 'string' && Object.hasOwn(PROBLEM_CODES, text)) into.codes.add(text as ProblemCode);
  if (node.type === 'Identifier') into.names.add(String(node['name']));
  for (const [key, inner] of innerNodes(node)) {
    const isName =
      (key === 'property' && node.type === 'MemberExpression') || (key === 'key' && node.type === 'Property');
    if (!isName || node['computed'] === true || node['shorthand'] === true) collect(inner, into);
  }
}

function each(node: Node, run: (node: Node) => void): void {
  run(node);
  for (const [, inner] of innerNodes(node)) each(inner, run);
}

function* innerNodes(node: Node): Generator<readonly [string, Node]> {
  for (const [key, value] of Object.entries(node)) {
    for (const inner of [value].flat(1)) if (isNode(inner)) yield [key, inner];
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

function property(object: Node, name: string): Node | undefined {
  const properties = (object['properties'] ?? []) as readonly Node[];
  const found = properties.find((one) => nameOf(one['key']) === name);
  return found && (found['value'] as Node);
}

function namesBoundBy(pattern: Node): string[] {
  const names: string[] = [];
  each(pattern, (node) => {
    if (node.type === 'Identifier') names.push(String(node['name']));
  });
  return names;
}

function identifier(name: string): Node {
  return { type: 'Identifier', name };
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : undefined;
}

/** The text of a literal; in a template, `*` stands for each value. */
/** The names that `mutationName` makes at each level: `*VerifiedEmailCreate`. */
function nameAtLevels(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || nameOf(node['callee']) !== 'mutationName') return undefined;
  const [, noun, verb] = (node['arguments'] as readonly Node[]).map(textOf);
  return noun === undefined || verb === undefined ? undefined : `*${noun}${verb}`;
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('*');
}
