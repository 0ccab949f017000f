/** Queries made from the schema at random, with whatever the language has: most are valid, some are not. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { KnownValues, Random } from '../support/random-documents.ts';

/** Argument lists that find something, by the field's name; and values of arguments of a name, good and bad. */
export interface Known {
  readonly lists: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly values: KnownValues;
}

export interface RandomQuery {
  readonly query: string;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

const ALIASES = ['__proto__', 'constructor', 'then', 'toJSON', 'hasOwnProperty', 'length', 'data', 'errors', '_'];
const GOOD_PAGES = [
  {},
  {},
  { first: 1 },
  { first: 2 },
  { first: 100 },
  { last: 2 },
  { first: 3, last: null, after: null },
];
const NAMES = ['One', 'Two', 'Three'];
const TEXTS = [
  '',
  'none',
  'a "quoted" text',
  'back\\slash',
  'line\nbreak',
  'Grüße 👋🏽',
  '\u2028\u2029',
  '\ud83d',
  '\0',
  '__proto__',
];

interface Variable {
  readonly definition: string;
  readonly value: unknown;
  readonly isSent: boolean;
}

export class RandomQueries {
  readonly #schema: GraphQLSchema;
  readonly #random: Random;
  readonly #known: Known;
  readonly #usedAliases = new Set<string>();
  #variables: Variable[] = [];
  #sentVariables: Variable[] = [];
  #named = 0;
  #fragments: string[] = [];
  #fragmentsOf = new Map<string, string[]>();
  #aliases = 0;
  #size = 0;
  /** Whether this query may have a mistake in it, so that most have none. */
  #isCareful = true;

  constructor(schema: GraphQLSchema, random: Random, known: Known) {
    this.#schema = schema;
    this.#random = random;
    this.#known = known;
  }

  write(): RandomQuery {
    this.#isCareful = this.#chance(0.75);
    const root = this.#schema.getQueryType();
    if (!root) throw new Error('The schema has no queries.');
    [this.#fragments, this.#sentVariables, this.#aliases, this.#named] = [[], [], 0, 0];
    this.#usedAliases.clear();
    const bodies = [this.#operation(root)];
    while (this.#chance(0.1)) bodies.push(this.#operation(root));
    const isNamed = bodies.length > 1 || this.#chance(0.3);
    const operations = bodies.map(({ head, body }, index) =>
      isNamed ? `query ${NAMES[index] ?? `N${index}`}${head} ${body}` : head === '' ? body : `query${head} ${body}`,
    );
    const query = [...operations, ...this.#fragments].join(this.#pick([' ', '\n', '\r\n', ',', ' # a comment\n']));
    const name = this.#operationName(isNamed);
    const variables = this.#sent();
    return {
      query,
      ...(name !== undefined && { operationName: name }),
      ...(variables !== undefined && { variables }),
    };
  }

  #operation(root: GraphQLObjectType): { readonly head: string; readonly body: string } {
    [this.#variables, this.#fragmentsOf, this.#size] = [[], new Map(), 0];
    const body = this.#selection(root, 1);
    this.#sentVariables.push(...this.#variables.filter(({ isSent }) => isSent));
    const definitions = this.#variables.map(({ definition }) => definition).join(', ');
    return { head: definitions === '' ? '' : `(${definitions})`, body };
  }

  #operationName(isNamed: boolean): unknown {
    if (isNamed && this.#chance(this.#isCareful ? 0.95 : 0.5)) return 'One';
    return this.#pick(this.#isCareful ? [undefined, null] : [undefined, null, '', 'Two', 'Nobody', 7]);
  }

  #sent(): unknown {
    const sent = this.#sentVariables;
    if (sent.length === 0) return this.#pick([undefined, undefined, null, {}, { unused: [1, { a: null }] }]);
    const values = Object.fromEntries(
      sent.map(({ definition, value }) => [/\$(\w+)/.exec(definition)?.[1] ?? '', value]),
    );
    return this.#isCareful || this.#chance(0.8) ? values : this.#pick<unknown>([null, [], 'text', 1]);
  }

  #selection(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields());
    const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
    const objects = fields.filter((field) => isCompositeType(getNamedType(field.type)));
    const parts = leaves.filter(() => this.#chance(0.3)).map((field) => this.#field(field, depth));
    const most = depth === 1 ? 3 : depth < 6 && this.#size < 25 ? 1.4 : 0;
    for (const field of objects) {
      if (this.#chance(most / objects.length)) parts.push(this.#field(field, depth));
    }
    if (this.#chance(0.2)) parts.push(this.#chance(0.3) ? `${this.#alias()}: __typename` : '__typename');
    // The same key again: what is below both is one object.
    if (parts.length > 0 && this.#chance(0.2)) parts.push(this.#pick(parts));
    const whole = parts.length > 0 ? parts : ['__typename'];
    return `{ ${this.#wrapped(type, this.#shuffled(whole)).join(' ')} }`;
  }

  /** Some of it in fragments, with conditions and without. */
  #wrapped(type: GraphQLObjectType, parts: readonly string[]): string[] {
    if (!this.#chance(0.25)) return [...parts];
    const at = Math.floor(this.#random() * (parts.length + 1));
    const [inside, outside] = [parts.slice(0, at), parts.slice(at)];
    const known = this.#fragmentsOf.get(type.name) ?? [];
    if (known.length > 0 && this.#chance(0.5)) return [`...${this.#pick(known)}`, ...parts];
    if (inside.length === 0) return [...outside, `... on ${type.name} { __typename }`];
    const body = `{ ${inside.join(' ')} }`;
    if (this.#chance(0.4)) {
      const name = `F${this.#fragments.length}`;
      this.#fragments.push(`fragment ${name} on ${type.name} ${body}`);
      this.#fragmentsOf.set(type.name, [...known, name]);
      return [`...${name}${this.#directive()}`, ...outside, ...(this.#chance(0.3) ? [`...${name}`] : [])];
    }
    const condition = this.#chance(0.5)
      ? ` on ${this.#isCareful ? type.name : this.#pick([type.name, 'Query', 'Nothing'])}`
      : '';
    return [...outside, `...${condition}${this.#directive()} ${body}`];
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    this.#size += 1;
    const type = getNamedType(field.type);
    // Two of one name with different arguments do not go together.
    const alias = field.args.length > 0 || this.#chance(0.08) ? `${this.#alias()}: ` : '';
    const below = isObjectType(type) ? ` ${this.#selection(type, depth + 1)}` : '';
    return `${alias}${field.name}${this.#arguments(field)}${this.#directive()}${below}`;
  }

  #alias(): string {
    this.#aliases += 1;
    const odd = this.#pick(ALIASES);
    // Two different fields under one key would make the document wrong.
    if (this.#chance(0.7) || (this.#isCareful && this.#usedAliases.has(odd))) return `a${this.#aliases}`;
    this.#usedAliases.add(odd);
    return odd;
  }

  #directive(): string {
    if (!this.#chance(this.#isCareful ? 0.004 : 0.03)) return '';
    const name = this.#pick(['include', 'skip']);
    const value = this.#chance(0.5);
    if (this.#chance(0.5)) return ` @${name}(if: ${value})`;
    const variable = `v${this.#named++}`;
    this.#variables.push({ definition: `$${variable}: Boolean!`, value: this.#sentValue(value), isSent: true });
    return ` @${name}(if: $${variable})`;
  }

  #arguments({ name, args }: GraphQLField<unknown, unknown>): string {
    const list = this.#isCareful ? this.#goodList(name, args) : this.#anyList(args);
    const given = args.flatMap((argument) =>
      argument.name in list ? [`${argument.name}: ${this.#argument(argument, list[argument.name])}`] : [],
    );
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  #goodList(name: string, args: readonly GraphQLArgument[]): Readonly<Record<string, unknown>> {
    const others = args.filter((argument) => isInputObjectType(argument.type) && this.#chance(0.5));
    const objects = Object.fromEntries(
      others.map((argument) => [argument.name, this.#value(argument.name, argument.type)]),
    );
    const pages = args.some((argument) => argument.name === 'first') ? GOOD_PAGES : [{}];
    const known = this.#known.lists[name];
    return { ...objects, ...this.#pick(pages), ...(known ? this.#pick(known) : this.#required(args)) };
  }

  /** The arguments that an unknown field must be given. */
  #required(args: readonly GraphQLArgument[]): Readonly<Record<string, unknown>> {
    const needed = args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
    return Object.fromEntries(
      needed.map(({ name, type }) => {
        const isId = getNamedType(type).name === 'ID';
        if (!isId) return [name, this.#value(name, type)];
        return [name, isListType(getNullableType(type)) ? ['none'] : 'none'];
      }),
    );
  }

  #anyList(args: readonly GraphQLArgument[]): Readonly<Record<string, unknown>> {
    const given = args.filter(
      ({ name, type }) => isNonNullType(type) || this.#chance(name in this.#known.values ? 0.4 : 0.1),
    );
    return Object.fromEntries(given.map(({ name, type }) => [name, this.#value(name, type)]));
  }

  #argument(argument: GraphQLArgument, value: unknown): string {
    if (!this.#chance(0.35)) return literal(value);
    const name = `v${this.#named++}`;
    const fallback = this.#chance(0.2)
      ? ` = ${literal(this.#isCareful ? value : this.#value(argument.name, argument.type))}`
      : '';
    const isRequired = isNonNullType(argument.type);
    this.#variables.push({
      definition: `$${name}: ${String(argument.type)}${fallback}`,
      value: this.#sentValue(plain(value)),
      isSent: this.#isCareful ? fallback === '' || this.#chance(0.5) : isRequired || this.#chance(0.7),
    });
    return `$${name}`;
  }

  #sentValue(value: unknown): unknown {
    if (this.#isCareful || this.#chance(0.8)) return value;
    return this.#pick<unknown>([null, 'text', 7, 1.5, true, [], {}, [null], { a: 1 }, TEXTS[5]]);
  }

  /** Enum values are marked, so that they are written without quotes. */
  #value(name: string, type: GraphQLInputType): unknown {
    const known = this.#known.values[name];
    const inner = getNullableType(type);
    if (inner === type && !this.#isCareful && this.#chance(0.05)) return null;
    if (known && !this.#isCareful && this.#chance(0.9)) return this.#pick(known);
    if (isListType(inner)) {
      return Array.from({ length: Math.floor(this.#random() * 3) }, () => this.#value(name, inner.ofType));
    }
    if (isEnumType(inner)) return new EnumName(this.#pick(inner.getValues()).name);
    if (isInputObjectType(inner)) {
      const fields = Object.values(inner.getFields());
      const isOne = inner.isOneOf && (this.#isCareful || this.#chance(0.8));
      const given = isOne ? [this.#pick(fields)] : fields.filter((one) => isNonNullType(one.type) || this.#chance(0.3));
      return Object.fromEntries(given.map((one) => [one.name, this.#value(one.name, one.type)]));
    }
    switch (getNamedType(inner).name) {
      case 'BookingResponses':
        return this.#isCareful ? {} : this.#pick<unknown>([{}, { topic: 'a' }, TEXTS[0]]);
      case 'Int':
        return this.#pick(this.#isCareful ? [1, 2, 3, 10, 25, 100] : [0, -1, 1, 2, 101, 2_147_483_647]);
      case 'Boolean':
        return this.#chance(0.5);
      case 'DateTime':
        return this.#pick(['2026-12-01T09:00:00Z', '2027-01-04T10:30:00.250+01:00', '2026-12-02T00:00:00Z']);
      default:
        return this.#pick(TEXTS);
    }
  }

  #shuffled(parts: readonly string[]): string[] {
    return parts
      .map((part) => [this.#random(), part] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, part]) => part);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }
}

class EnumName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** As it stands in JSON. */
function plain(value: unknown): unknown {
  if (value instanceof EnumName) return value.name;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** As it stands in a document. */
function literal(value: unknown): string {
  if (value instanceof EnumName) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${literal(inner)}`)
    .join(', ')} }`;
}

/** In blocks where that says the same. */
function textLiteral(text: string): string {
  return text.startsWith('Gr') ? `"""${text}"""` : JSON.stringify(text);
}
