/**
 * Finds what an operation needs of the rows below a field: the columns that its selected fields say they read, and no
 * more.
 */
import {
  type FieldNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  getNamedType,
  type InlineFragmentNode,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { Hanging } from '../core/caches.ts';
import { type Entity, type Part, Selection } from '../database/columns.ts';

/** The key of an object type's `extensions`: the entity that its rows are of. */
export const ROW = 'gatehouse.row';
/** The key of a field's `extensions`: the columns of its row that it reads. */
export const COLUMNS = 'gatehouse.row.columns';
/** The key of a field's `extensions`: the parts of its row that it reads (`NeededPart[]`). */
export const PARTS = 'gatehouse.row.parts';

/** The key of a field's `extensions`: what it shows as it is (`Shown`), so that it can be written without its resolver. */
export const SHOWN = 'gatehouse.row.shown';

/** Columns of a part that a field reads. A field that shows the part reads what is selected below it as well. */
export interface NeededPart {
  readonly part: Part;
  readonly columns: readonly string[];
  readonly isShown: boolean;
}

// A document that comes again is the same tree, so each of its lists is looked through once. Conditions (`@skip`) depend
// on variables and are passed over: a column too many is read rather than one too few.
const KNOWN = new WeakMap<Entity, Hanging<FieldNode, Selection>>();

/** The selection of the rows of this entity below a field: directly, or below the nodes and edges of its connection. */
export function selectionOf<E extends Entity>(info: GraphQLResolveInfo, entity: E): Selection<E> {
  const [node, ...others] = info.fieldNodes;
  if (!node || others.length > 0) return collect(info, entity);
  const known = KNOWN.getOrInsertComputed(entity, () => new Hanging(({ bytes }) => bytes));
  return known.of(node, info.operation, () => collect(info, entity)) as unknown as Selection<E>;
}

function collect<E extends Entity>(info: GraphQLResolveInfo, entity: E): Selection<E> {
  const found = new Found(info, entity);
  for (const { selectionSet } of info.fieldNodes) found.add(selectionSet, getNamedType(info.returnType));
  return found.selection() as Selection<E>;
}

/**
 * The columns and parts that were found so far of the rows of one entity. A part that several fields read holds what
 * all of them need.
 */
class Found {
  readonly #info: GraphQLResolveInfo;
  readonly #entity: Entity;
  readonly #columns = new Set<string>();
  readonly #parts = new Map<string, { readonly part: Part; readonly below: Found }>();

  constructor(info: GraphQLResolveInfo, entity: Entity) {
    this.#info = info;
    this.#entity = entity;
  }

  selection(): Selection {
    const parts = [...this.#parts.values()].map(({ part, below }) => ({ part, of: below.selection() }));
    return new Selection(this.#entity, this.#columns, parts);
  }

  add(selectionSet: SelectionSetNode | undefined, type: GraphQLNamedType): void {
    if (!selectionSet || !isCompositeType(type)) return;
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) this.#addField(selection, type);
      else this.#addFragment(selection, type);
    }
  }

  #addFragment(selection: FragmentSpreadNode | InlineFragmentNode, type: GraphQLNamedType): void {
    const { fragments, schema } = this.#info;
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
    const condition = fragment?.typeCondition && schema.getType(fragment.typeCondition.name.value);
    // An interface has no columns of its own: a field of it is that of the type which stands here.
    this.add(fragment?.selectionSet, condition && !isAbstractType(condition) ? condition : type);
  }

  #addField({ name, selectionSet }: FieldNode, type: GraphQLCompositeType): void {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;
    if (!field) return;
    const below = getNamedType(field.type);
    if (type.extensions[ROW] !== this.#entity) return this.add(selectionSet, below);
    for (const column of (field.extensions[COLUMNS] ?? []) as readonly string[]) this.#columns.add(column);
    for (const needed of (field.extensions[PARTS] ?? []) as readonly NeededPart[]) {
      const { below: found } = this.#part(needed.part);
      for (const column of needed.columns) found.#columns.add(column);
      if (needed.isShown) found.add(selectionSet, below);
    }
  }

  #part(part: Part): { readonly below: Found } {
    const known = this.#parts.get(part.name) ?? { part, below: new Found(this.#info, part.entity) };
    this.#parts.set(part.name, known);
    return known;
  }
}
