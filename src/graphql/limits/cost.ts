/**
 * Counts the cost of an operation: how much its answer may hold. Each object counts 1 (or the weight that its field declares),
 * or 1 for each 1,000 characters that its own fields can have, times the sizes of all lists around it. The cost is the same
 * for every caller.
 *
 * It is compiled once for an operation: the parts that do not depend on variables are a number by then, and an operation
 * whose page sizes are written in it is nothing else.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { Hanging } from '../../core/caches.ts';
import { charactersOf, PUNCTUATION } from './characters.ts';
import { whole } from './cost-budget.ts';
import { introspectionCost } from './introspection-cost.ts';
import { daysOf, fixedSize, itemsAskedFor, type PageSize, pageSizeOf, scaled } from './page-size.ts';
import { priceOf } from './price.ts';

const MUTATION_WEIGHT = 10;
/** As many characters as one object may have; one with more counts as several. */
const CHARACTERS_OF_ONE = 1_000;
const SHORTEST = 20;
const ONE = fixedSize(1);

/** The cost of a selection set: `fixed`, and for each part its size times the cost of one item of it. */
interface Sum {
  fixed: number;
  /** The most that the fields of one object have which are no objects themselves, with their names. */
  characters: number;
  readonly parts: { readonly times: PageSize; readonly each: number; readonly below: Sum }[];
}

const NOTHING: Sum = { fixed: 0, characters: 0, parts: [] };

interface Plan {
  readonly total: Sum;
  /** The sums that depend on variables, inner ones first */
  readonly open: readonly Sum[];
}

const PLANS = new WeakMap<GraphQLSchema, Hanging<OperationDefinitionNode, Plan>>();
const [SUM_BYTES, PART_BYTES] = [150, 250];

function bytesOf({ total, open }: Plan): number {
  const sums = new Set([total, ...open]);
  // The set grows while it is read.
  let bytes = 0;
  for (const { parts } of sums) {
    bytes += SUM_BYTES + PART_BYTES * parts.length;
    for (const { below } of parts) sums.add(below);
  }
  return bytes;
}

/** The cost of an operation of a valid document, with the variables as they were sent. */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: unknown,
): number {
  const { total, open } = planOf(schema, document, operation);
  if (open.length === 0) return whole(total.fixed);
  const costs = new Map<Sum, number>();
  const costOfSum = (sum: Sum): number => costs.get(sum) ?? sum.fixed;
  for (const sum of open) {
    let cost = sum.fixed;
    for (const { times, each, below } of sum.parts) cost += times.with(variables) * (each + costOfSum(below));
    costs.set(sum, cost);
  }
  return whole(costOfSum(total));
}

/** The cost of one item of a field, for a list that finds out how long it is only when it runs. */
export function costOfItem(
  { schema, operation, fragments, fieldNodes, returnType }: GraphQLResolveInfo,
  weight: number,
): number {
  const planner = new Planner(schema, Object.values(fragments), operation);
  return fieldNodes.reduce((sum, field) => sum + planner.costOfItem(field, getNamedType(returnType), weight), 0);
}

function planOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Plan {
  const plans = PLANS.getOrInsertComputed(schema, () => new Hanging(bytesOf));
  return plans.of(operation, document, () => new Planner(schema, fragmentsIn(document), operation).plan());
}

function fragmentsIn({ definitions }: DocumentNode): FragmentDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
}

class Planner {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #sums = new Map<SelectionSetNode, Map<string, Sum>>();
  readonly #open: Sum[] = [];

  constructor(schema: GraphQLSchema, fragments: readonly FragmentDefinitionNode[], operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#operation = operation;
    for (const fragment of fragments) this.#fragments.set(fragment.name.value, fragment);
  }

  plan(): Plan {
    const { operation, selectionSet } = this.#operation;
    const root = this.#schema.getRootType(operation);
    const total = root ? this.#sumOf(selectionSet, root, undefined) : NOTHING;
    return { total, open: this.#open };
  }

  costOfItem({ selectionSet }: FieldNode, type: GraphQLNamedType, weight: number): number {
    const { fixed, characters } = selectionSet ? this.#sumOf(selectionSet, type, undefined) : NOTHING;
    return fixed + Math.max(weight, characters / CHARACTERS_OF_ONE);
  }

  /** `page` is the size of the page that this is the connection of. Each selection set is summed once for each size. */
  #sumOf(selectionSet: SelectionSetNode, type: GraphQLNamedType, page: PageSize | undefined): Sum {
    const sums = this.#sums.get(selectionSet) ?? new Map<string, Sum>();
    this.#sums.set(selectionSet, sums);
    const key = `${type.name} ${page?.key}`;
    const known = sums.get(key);
    if (known) return known;

    const sum: Sum = { fixed: 0, characters: 0, parts: [] };
    sums.set(key, sum);
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        this.#addField(sum, selection, type, page);
      } else {
        const fragment =
          selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection;
        const condition = fragment?.typeCondition && this.#schema.getType(fragment.typeCondition.name.value);
        if (fragment) {
          const below = this.#sumOf(fragment.selectionSet, condition ?? type, page);
          addPart(sum, ONE, 0, below);
          sum.characters += below.characters;
        }
      }
    }
    if (sum.parts.length > 0) this.#open.push(sum);
    return sum;
  }

  #addField(sum: Sum, field: FieldNode, parent: GraphQLNamedType, page: PageSize | undefined): void {
    const name = (field.alias ?? field.name).value.length + PUNCTUATION;
    const definition =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[field.name.value] : undefined;
    if (!definition) {
      sum.fixed += introspectionCost(this.#schema, field, this.#fragments);
      sum.characters += name + parent.name.length;
      return;
    }
    const type = getNamedType(definition.type);
    const { max = Number.POSITIVE_INFINITY, weight, characters } = priceOf(definition);
    const lists = listsIn(definition);
    if (!field.selectionSet || !isCompositeType(type)) {
      const most = max ** lists;
      const each = characters ?? charactersOf(type);
      // Each value of a list is a value to complete, however short.
      sum.characters += name + (lists === 0 ? each : Math.max(each + PUNCTUATION, SHORTEST) * most);
      if (weight !== undefined) sum.fixed += weight;
      return;
    }
    const ownPage = sizeOf(field, definition, this.#operation);
    const below = this.#sumOf(field.selectionSet, type, lists === 0 ? ownPage : undefined);
    const items = lists === 0 ? ONE : (ownPage ?? page ?? fixedSize(max));
    const own = weight ?? (parent === this.#schema.getMutationType() ? MUTATION_WEIGHT : 1);
    const each = Math.max(own, below.characters / CHARACTERS_OF_ONE);
    addPart(sum, scaled(items, max ** Math.max(0, lists - 1)), each, below);
  }
}

/** Finds the size of a field in its arguments. */
function sizeOf(...of: Parameters<typeof pageSizeOf>): PageSize | undefined {
  return pageSizeOf(...of) ?? daysOf(...of) ?? itemsAskedFor(...of);
}

function addPart(sum: Sum, times: PageSize, each: number, below: Sum): void {
  if (times.fixed !== undefined && below.parts.length === 0) sum.fixed += times.fixed * (each + below.fixed);
  else sum.parts.push({ times, each, below });
}

function listsIn({ type }: GraphQLField<unknown, unknown>): number {
  let lists = 0;
  for (let inner = getNullableType(type); isListType(inner); inner = getNullableType(inner.ofType)) lists += 1;
  return lists;
}
