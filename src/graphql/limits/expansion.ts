import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode, type ValueNode } from 'graphql';

/** A selection set with everything below it, fragments expanded. */
export interface Extent {
  readonly selections: number;
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly valueDepth: number;
  /** Nesting of what would be lists below `__schema` or `__type` */
  readonly schemaLists: number;
  readonly introspectionLists: number;
  readonly introspectionAliases: number;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

const NOTHING: Extent = {
  selections: 0,
  depth: 0,
  aliases: 0,
  directives: 0,
  valueDepth: 0,
  schemaLists: 0,
  introspectionLists: 0,
  introspectionAliases: 0,
};

/** A schema lists these of itself: types have fields, fields have types, and so on. */
const SCHEMA_LISTS = new Set([
  'types',
  'directives',
  'fields',
  'args',
  'inputFields',
  'interfaces',
  'possibleTypes',
  'enumValues',
]);

/** Adds up what selection sets expand to; each fragment is measured once. Counts end at Infinity, over any limit. */
export class Expansion {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #known = new Map<string, Extent>();

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments;
  }

  of({ selections }: SelectionSetNode): Extent {
    const total: Writable<Extent> = { ...NOTHING };
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) add(total, this.#field(selection));
      else if (selection.kind === Kind.INLINE_FRAGMENT) add(total, this.of(selection.selectionSet));
      else add(total, this.#fragment(selection.name.value));
      total.directives += selection.directives?.length ?? 0;
      for (const { arguments: given = [] } of selection.directives ?? []) {
        for (const { value } of given) total.valueDepth = Math.max(total.valueDepth, depthOf(value));
      }
    }
    return total;
  }

  #field({ name: { value: name }, alias, arguments: given = [], selectionSet }: FieldNode): Extent {
    const below = selectionSet ? this.of(selectionSet) : NOTHING;
    const extent: Writable<Extent> = { ...below, selections: below.selections + 1, depth: below.depth + 1 };
    if (alias) extent.aliases += 1;
    for (const { value } of given) extent.valueDepth = Math.max(extent.valueDepth, depthOf(value));
    if (SCHEMA_LISTS.has(name)) extent.schemaLists += 1;
    if (name === '__schema' || name === '__type') {
      extent.introspectionLists = below.schemaLists;
      // Several types may be selected by name, but nobody needs the whole schema twice.
      extent.introspectionAliases = below.aliases + (alias && name === '__schema' ? 1 : 0);
    }
    return extent;
  }

  #fragment(name: string): Extent {
    const known = this.#known.get(name);
    if (known) return known;
    // Only the first round of a circle counts; validation refuses it for what it is.
    this.#known.set(name, NOTHING);
    const fragment = this.#fragments.get(name);
    const extent = fragment ? this.of(fragment.selectionSet) : NOTHING;
    this.#known.set(name, extent);
    return extent;
  }
}

function add(total: Writable<Extent>, part: Extent): void {
  total.selections += part.selections;
  total.aliases += part.aliases;
  total.directives += part.directives;
  total.introspectionAliases += part.introspectionAliases;
  total.depth = Math.max(total.depth, part.depth);
  total.valueDepth = Math.max(total.valueDepth, part.valueDepth);
  total.schemaLists = Math.max(total.schemaLists, part.schemaLists);
  total.introspectionLists = Math.max(total.introspectionLists, part.introspectionLists);
}

function depthOf(value: ValueNode): number {
  if (value.kind === Kind.LIST) return 1 + Math.max(0, ...value.values.map(depthOf));
  if (value.kind === Kind.OBJECT) return 1 + Math.max(0, ...value.fields.map((field) => depthOf(field.value)));
  return 0;
}
