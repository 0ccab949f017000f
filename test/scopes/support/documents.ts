/** Random documents that are valid for a schema, and rewritings that do not change what they select. */
import { type Arbitrary, boolean, constantFrom, type GeneratorValue, gen, integer } from 'fast-check';
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

export interface Selection {
  /** A field's name, or `undefined` for a fragment on `on` */
  readonly field: string | undefined;
  readonly on: string;
  readonly below: readonly Selection[];
}

type Pick = <Value>(values: readonly Value[]) => Value;

/** A random selection on the query root, with fragments and conditions wherever the schema allows them. */
export const selections = (schema: GraphQLSchema): Arbitrary<readonly Selection[]> =>
  gen().map((value) => selectionsOn(schema.getQueryType() ?? undefined, schema, pickWith(value), 5));

function pickWith(value: GeneratorValue): Pick {
  return (values) => values[value(integer, { min: 0, max: values.length - 1 })] as (typeof values)[number];
}

function selectionsOn(
  type: GraphQLNamedType | undefined,
  schema: GraphQLSchema,
  pick: Pick,
  depth: number,
): Selection[] {
  if (type === undefined || !isCompositeType(type)) return [];
  const count = pick([1, 2, 3]);
  return Array.from({ length: count }, () => selectionOn(type, schema, pick, depth));
}

function selectionOn(type: GraphQLNamedType, schema: GraphQLSchema, pick: Pick, depth: number): Selection {
  const leaf = { field: '__typename', on: type.name, below: [] };
  if (depth === 0) return leaf;
  if (pick([true, false, false])) {
    const on = pick(conditionsOn(type, schema));
    return { field: undefined, on, below: selectionsOn(schema.getType(on), schema, pick, depth - 1) };
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return leaf;
  const field = pick([...Object.values(type.getFields()), undefined]);
  if (field === undefined) return leaf;
  return { field: field.name, on: type.name, below: selectionsOn(getNamedType(field.type), schema, pick, depth - 1) };
}

/** The types that share an object type with this one. */
function conditionsOn(type: GraphQLNamedType, schema: GraphQLSchema): string[] {
  const objectsOf = (of: GraphQLNamedType) =>
    isAbstractType(of) ? schema.getPossibleTypes(of) : isObjectType(of) ? [of] : [];
  const objects = new Set(objectsOf(type));
  return Object.values(schema.getTypeMap())
    .filter((other) => !other.name.startsWith('__') && objectsOf(other).some((object) => objects.has(object)))
    .map(({ name }) => name);
}

export function print(below: readonly Selection[]): string {
  const one = ({ field, on, below: inner }: Selection) =>
    `${field ?? `... on ${on}`}${inner.length > 0 ? ` { ${print(inner)} }` : ''}`;
  return below.map(one).join(' ');
}

/**
 * A way to write the same selection: aliases, another order, conditions that are ignored, fields wrapped in inline
 * fragments, and selections moved into named fragments.
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
