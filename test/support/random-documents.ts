/** Documents made from a schema at random, as greedy as the limits let them be, and changed a little at a time. */
import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
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
  Kind,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** 0 up to, not including, 1. */
export type Random = () => number;

/** Values that arguments of a name may get: ids and names of rows that are there. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** A generator that a figure begins: the same figure, the same documents. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Writes operations over what `opens` lets through: fields that this caller may select. */
export class RandomDocuments {
  readonly #schema: GraphQLSchema;
  readonly #random: Random;
  readonly #known: KnownValues;
  readonly #opens: (type: GraphQLNamedType, field: GraphQLField<unknown, unknown>) => boolean;
  #aliases = 0;

  constructor(
    schema: GraphQLSchema,
    random: Random,
    known: KnownValues,
    opens: (type: GraphQLNamedType, field: GraphQLField<unknown, unknown>) => boolean,
  ) {
    this.#schema = schema;
    this.#random = random;
    this.#known = known;
    this.#opens = opens;
  }

  /** A new operation: queries mostly, now and then introspection. */
  write(): string {
    this.#aliases = 0;
    const root = this.#schema.getQueryType();
    if (!root) throw new Error('The schema has no queries.');
    if (this.#random() < 0.1) return `{ ${this.#introspection()} }`;
    const roots = Array.from({ length: 1 + Math.floor(this.#random() ** 3 * 19) }, () =>
      this.#field(root, this.#pick(this.#fieldsOf(root)), 1),
    );
    return `{ ${roots.join(' ')} }`;
  }

  /** The operation with one part of it written anew, doubled under an alias, or left out. */
  mutate(query: string): string {
    const document = parse(query);
    const fields: FieldNode[] = [];
    visit(document, { Field: (field) => void fields.push(field) });
    const chosen = this.#pick(fields);
    const chance = this.#random();
    this.#aliases = (query.match(/\ba\d+:/g) ?? []).length;
    const changed = visit(document, {
      SelectionSet: (node): SelectionSetNode | undefined => {
        if (!node.selections.includes(chosen)) return undefined;
        const others = node.selections.filter((one) => one !== chosen);
        if (chance < 0.2 && others.length > 0) return { ...node, selections: others };
        if (chance < 0.7) {
          const alias = { kind: Kind.NAME, value: `a${this.#aliases++}` } as const;
          return { ...node, selections: [...node.selections, { ...chosen, alias }] };
        }
        return undefined;
      },
      IntValue: (node) => (chance > 0.7 && this.#random() < 0.5 ? { ...node, value: String(this.#size()) } : undefined),
    });
    return chance > 0.9 ? this.#joined(print(changed)) : print(changed);
  }

  #joined(query: string): string {
    const added = this.write().trim().slice(1, -1);
    return `${query.trimEnd().slice(0, -1)} ${this.#renamed(added)} }`;
  }

  #renamed(selection: string): string {
    return selection.replaceAll(/\ba(\d+):/g, (_, index: string) => `b${index}:`);
  }

  #fieldsOf(type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
    return Object.values(type.getFields()).filter((field) => this.#opens(type, field));
  }

  #field(parent: GraphQLObjectType, field: GraphQLField<unknown, unknown>, depth: number): string {
    const type = getNamedType(field.type);
    const needsAlias = field.args.length > 0 || this.#random() < 0.1;
    const alias = needsAlias && this.#aliases < 30 ? `a${this.#aliases++}: ` : '';
    const below = isCompositeType(type) ? this.#selection(type, depth + 1) : '';
    void parent;
    return `${alias}${field.name}${this.#arguments(field.args)}${below}`;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (!isObjectType(type)) return ' { __typename }';
    const fields = this.#fieldsOf(type);
    const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
    const objects = fields.filter((field) => isCompositeType(getNamedType(field.type)));
    const greed = this.#random();
    const chosenLeaves = leaves.filter(() => this.#random() < greed);
    const chosenObjects = depth < 12 ? objects.filter(() => this.#random() < 1.6 / (objects.length + depth / 3)) : [];
    const parts = [
      ...chosenLeaves.map((field) => `${field.name}${this.#arguments(field.args)}`),
      ...chosenObjects.map((field) => this.#field(type, field, depth)),
    ];
    return ` { ${parts.length > 0 ? [...new Set(parts)].join(' ') : '__typename'} }`;
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const given = args
      .filter((argument) => isNonNullType(argument.type) || argument.name in this.#known || argument.name === 'first')
      .filter((argument) => isNonNullType(argument.type) || this.#random() < 0.7)
      .map((argument) => `${argument.name}: ${this.#value(argument.name, argument.type)}`);
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  #value(name: string, type: GraphQLInputType): string {
    const known = this.#known[name];
    if (known) return JSON.stringify(this.#pick(known));
    const inner = getNullableType(type);
    if (isListType(inner)) return `[${this.#value(name, inner.ofType)}]`;
    if (isEnumType(inner)) return this.#pick(inner.getValues()).name;
    if (isInputObjectType(inner)) {
      const fields = Object.values(inner.getFields());
      const required = inner.isOneOf ? [this.#pick(fields)] : fields.filter((field) => isNonNullType(field.type));
      return `{ ${required.map((field) => `${field.name}: ${this.#value(field.name, field.type)}`).join(', ')} }`;
    }
    const named = getNamedType(inner).name;
    if (named === 'Int') return String(this.#size());
    return named === 'Boolean' ? 'true' : '"none"';
  }

  /** Page sizes: the largest mostly, now and then one that is none. */
  #size(): number {
    return this.#pick([100, 100, 100, 50, 25, 10, 1, 0, 101]);
  }

  #introspection(): string {
    const inner = (lists: number): string =>
      lists === 0
        ? 'name description'
        : `name description ${this.#pick(['fields', 'inputFields', 'enumValues', 'possibleTypes'])} { name description ${this.#pick(['', `type { ${inner(lists - 1)} ofType { ${inner(lists - 1)} } }`])} }`;
    return this.#random() < 0.5
      ? `__schema { types { ${inner(2)} } }`
      : Array.from(
          { length: 5 },
          (_, i) => `i${i}: __type(name: "${this.#pick(['Mutation', 'Query', 'EventType'])}") { ${inner(3)} }`,
        ).join(' ');
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }
}
