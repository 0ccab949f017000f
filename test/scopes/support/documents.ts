/** Random documents that are valid for a schema, and rewritings that do not change what they select. */
import { type Arbitrary, boolean, constantFrom, type GeneratorValue, gen, integer } from 'fast-check';
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { pickFrom } from './pick.ts';

export interface Selection {
  /** A field's name, or `undefined` for a fragment */
  readonly field: string | undefined;
  /** The type it is selected on, or the fragment's condition */
  readonly on: string;
  readonly below: readonly Selection[];
  /** For a fragment that the document defines once and spreads in several places */
  readonly shared?: string;
}

/** Random selections on the query root, with fragments wherever the schema allows them, some of them shared. */
export const selections = (schema: GraphQLSchema): Arbitrary<readonly Selection[]> =>
  gen().map((value) => new Generator(schema, value).onRoot());

/** The same, with as many values side by side as such a document can have: what one selects may pay for another. */
export const denseSelections = (schema: GraphQLSchema): Arbitrary<readonly Selection[]> =>
  gen().map((value) => new Generator(schema, value).dense());

class Generator {
  readonly #schema: GraphQLSchema;
  readonly #value: GeneratorValue;
  readonly #composites: readonly GraphQLNamedType[];
  readonly #shared: Selection[] = [];

  constructor(schema: GraphQLSchema, value: GeneratorValue) {
    this.#schema = schema;
    this.#value = value;
    this.#composites = Object.values(schema.getTypeMap()).filter(
      (type) => isCompositeType(type) && !type.name.startsWith('__'),
    );
  }

  onRoot(): Selection[] {
    // Each may spread those before it, so that there are no circles.
    for (let index = 0; index < 4; index += 1) {
      const on = this.#pick(this.#composites);
      this.#shared.push({ field: undefined, on: on.name, below: this.#selectionsOn(on, 3), shared: `Shared${index}` });
    }
    return this.#selectionsOn(this.#schema.getQueryType() ?? undefined, 6);
  }

  dense(): Selection[] {
    return this.#denseOn(this.#schema.getQueryType() ?? undefined, 5);
  }

  #denseOn(type: GraphQLNamedType | undefined, depth: number): Selection[] {
    if (type === undefined || !isCompositeType(type)) return [];
    const leaf = { field: '__typename', on: type.name, below: [] };
    if (isAbstractType(type)) {
      const objects = this.#objectsOf(type);
      return objects.length === 0 ? [leaf] : [this.#conditionOn(this.#pick(objects).name, depth)];
    }
    const fields = Object.values((type as GraphQLObjectType).getFields()).filter(
      (field) => depth > 0 || !isCompositeType(getNamedType(field.type)),
    );
    if (fields.length === 0) return [leaf];
    return Array.from({ length: this.#pick([1, 2, 2, 3]) }, () => {
      const field = this.#pick(fields);
      return { field: field.name, on: type.name, below: this.#denseOn(getNamedType(field.type), depth - 1) };
    });
  }

  #conditionOn(name: string, depth: number): Selection {
    return { field: undefined, on: name, below: this.#denseOn(this.#schema.getType(name), depth) };
  }

  #selectionsOn(type: GraphQLNamedType | undefined, depth: number): Selection[] {
    if (type === undefined || !isCompositeType(type)) return [];
    return Array.from({ length: this.#pick([1, 2, 3]) }, () => this.#selectionOn(type, depth));
  }

  #selectionOn(type: GraphQLNamedType, depth: number): Selection {
    const leaf = { field: '__typename', on: type.name, below: [] };
    if (depth === 0) return leaf;
    const kind = this.#pick(['field', 'field', 'field', 'inline', 'shared']);
    if (kind === 'field') return this.#fieldOn(type, depth) ?? leaf;
    if (kind === 'shared') {
      return this.#pick([leaf, ...this.#shared.filter(({ on }) => this.#overlap(type, this.#schema.getType(on)))]);
    }
    const others = this.#composites.filter((other) => this.#overlap(type, other));
    // An interface that nothing implements.
    if (others.length === 0) return leaf;
    const on = this.#pick(others);
    return { field: undefined, on: on.name, below: this.#selectionsOn(on, depth - 1) };
  }

  #fieldOn(type: GraphQLNamedType, depth: number): Selection | undefined {
    if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
    const field = this.#pick(Object.values(type.getFields()));
    return { field: field.name, on: type.name, below: this.#selectionsOn(getNamedType(field.type), depth - 1) };
  }

  #overlap(type: GraphQLNamedType, other: GraphQLNamedType | undefined): boolean {
    const objects = new Set(this.#objectsOf(type));
    return other !== undefined && this.#objectsOf(other).some((object) => objects.has(object));
  }

  #objectsOf(type: GraphQLNamedType): readonly GraphQLObjectType[] {
    if (isAbstractType(type)) return this.#schema.getPossibleTypes(type);
    return isObjectType(type) ? [type] : [];
  }

  #pick<Value>(values: readonly Value[]): Value {
    return pickFrom(this.#value, values);
  }
}

/** The document as it was generated: its operation is called `Chosen`. */
export function print(selected: readonly Selection[]): string {
  const shared = new Map<string, string>();
  const write = (below: readonly Selection[]): string => below.map(one).join(' ');
  const one = (selection: Selection): string => {
    const { field, on, below, shared: name } = selection;
    const inner = below.length > 0 ? `{ ${write(below)} }` : '';
    if (name === undefined) return `${field ?? `... on ${on}`} ${inner}`;
    shared.set(name, `fragment ${name} on ${on} ${inner}`);
    return `...${name}`;
  };
  const operation = `query Chosen { ${write(selected)} }`;
  return [operation, ...shared.values()].join('\n');
}

/**
 * A way to write the same selection: aliases, another order, conditions that are ignored, fields wrapped in inline
 * fragments, selections moved into named fragments, and shared fragments written out wherever they were spread.
 */
export const rewriting: Arbitrary<(selected: readonly Selection[]) => string> = gen().map((value) => (selected) => {
  const rewriter = new Rewriter(value);
  const operation = rewriter.write(selected);
  return [...rewriter.fragments, 'query Other { other: __typename }', `query Chosen { ${operation} }`].join('\n');
});

class Rewriter {
  readonly fragments: string[] = [];
  readonly #value: GeneratorValue;

  constructor(value: GeneratorValue) {
    this.#value = value;
  }

  write(selected: readonly Selection[]): string {
    return selected
      .map((one) => ({ text: this.#one(one), key: this.#value(integer) }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ text }) => text)
      .join(' ');
  }

  #one({ field, on, below }: Selection): string {
    const condition = this.#coin() ? '@include(if: false)' : '';
    const inner = below.length === 0 ? '' : `{ ${this.write(below)} }`;
    const alias = this.#coin() ? `${this.#value(constantFrom, '__proto__', 'constructor', 'a', 'me')}: ` : '';
    const text = field === undefined ? this.#fragment(on, condition, inner) : `${alias}${field} ${condition} ${inner}`;
    return this.#coin() && field !== undefined ? `... on ${on} { ${text} }` : text;
  }

  #fragment(on: string, condition: string, inner: string): string {
    if (this.#coin()) return `... on ${on} ${condition} ${inner}`;
    this.fragments.push(`fragment F${this.fragments.length} on ${on} ${inner}`);
    return `...F${this.fragments.length - 1} ${condition}`;
  }

  #coin(): boolean {
    return this.#value(boolean);
  }
}
