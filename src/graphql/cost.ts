/**
 * What an operation costs: how many objects its answer may hold. Each object counts 1 (or the weight that its field
 * declares), times the sizes of all lists around it. An upper bound, and the same whoever asks.
 *
 * Compiled once for an operation: what does not depend on variables is a number by then, and an operation whose page
 * sizes are written in it is nothing else.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
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
import { fixedSize, type PageSize, pageSizeOf, scaled } from './page-size.ts';

/** The key of a field's `extensions` for what costs more than an object: a call to another service, a search. */
export const WEIGHT = 'gatehouse.cost.weight';

/** What a list without pages is taken to hold: hosts, attendees, locations. */
const UNPAGED_LIST_SIZE = 10;
const MUTATION_WEIGHT = 10;
const ONE = fixedSize(1);
const UNPAGED = fixedSize(UNPAGED_LIST_SIZE);

/** What a selection set costs: `fixed`, and for each part its size times what one item of it costs. */
interface Sum {
  fixed: number;
  readonly parts: { readonly times: PageSize; readonly each: number; readonly below: Sum }[];
}

const NOTHING: Sum = { fixed: 0, parts: [] };

interface Plan {
  readonly total: Sum;
  /** The sums that depend on variables, inner ones first */
  readonly open: readonly Sum[];
}

const PLANS = new WeakMap<GraphQLSchema, WeakMap<OperationDefinitionNode, Plan>>();

/** The cost of an operation of a valid document, with the variables as they were sent. */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: unknown,
): number {
  const { total, open } = planOf(schema, document, operation);
  if (open.length === 0) return total.fixed;
  const costs = new Map<Sum, number>();
  const costOfSum = (sum: Sum): number => costs.get(sum) ?? sum.fixed;
  for (const sum of open) {
    let cost = sum.fixed;
    for (const { times, each, below } of sum.parts) cost += times.with(variables) * (each + costOfSum(below));
    costs.set(sum, cost);
  }
  return costOfSum(total);
}

function planOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Plan {
  const plans = PLANS.get(schema) ?? new WeakMap<OperationDefinitionNode, Plan>();
  PLANS.set(schema, plans);
  const plan = plans.get(operation) ?? new Planner(schema, document, operation).plan();
  plans.set(operation, plan);
  return plan;
}

class Planner {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #sums = new Map<SelectionSetNode, Map<string, Sum>>();
  readonly #open: Sum[] = [];

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#operation = operation;
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
    }
  }

  plan(): Plan {
    const { operation, selectionSet } = this.#operation;
    const root = this.#schema.getRootType(operation);
    const total = root ? this.#sumOf(selectionSet, root, undefined) : NOTHING;
    return { total, open: this.#open };
  }

  /** `page` is the size of the page that this is the connection of. Each selection set is summed once for each size. */
  #sumOf(selectionSet: SelectionSetNode, type: GraphQLNamedType, page: PageSize | undefined): Sum {
    const sums = this.#sums.get(selectionSet) ?? new Map<string, Sum>();
    this.#sums.set(selectionSet, sums);
    const key = `${type.name} ${page?.key}`;
    const known = sums.get(key);
    if (known) return known;

    const sum: Sum = { fixed: 0, parts: [] };
    sums.set(key, sum);
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        this.#addField(sum, selection, type, page);
      } else {
        const fragment =
          selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection;
        const condition = fragment?.typeCondition && this.#schema.getType(fragment.typeCondition.name.value);
        if (fragment) addPart(sum, ONE, 0, this.#sumOf(fragment.selectionSet, condition ?? type, page));
      }
    }
    if (sum.parts.length > 0) this.#open.push(sum);
    return sum;
  }

  #addField(sum: Sum, field: FieldNode, parent: GraphQLNamedType, page: PageSize | undefined): void {
    // Introspection is found elsewhere and has limits of its own.
    const definition =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[field.name.value] : undefined;
    if (!definition) return;
    const type = getNamedType(definition.type);
    const ownPage = pageSizeOf(field, definition, this.#operation);
    const lists = listsIn(definition);
    const below =
      field.selectionSet && isCompositeType(type)
        ? this.#sumOf(field.selectionSet, type, lists === 0 ? ownPage : undefined)
        : NOTHING;
    const items = lists === 0 ? ONE : (ownPage ?? page ?? UNPAGED);
    const isMutation = parent === this.#schema.getMutationType();
    addPart(sum, scaled(items, UNPAGED_LIST_SIZE ** Math.max(0, lists - 1)), weightOf(definition, isMutation), below);
  }
}

function addPart(sum: Sum, times: PageSize, each: number, below: Sum): void {
  if (times.fixed !== undefined && below.parts.length === 0) sum.fixed += times.fixed * (each + below.fixed);
  else sum.parts.push({ times, each, below });
}

function weightOf({ type, extensions }: GraphQLField<unknown, unknown>, isMutation: boolean): number {
  const declared = extensions[WEIGHT];
  if (typeof declared === 'number') return declared;
  if (isMutation) return MUTATION_WEIGHT;
  return isCompositeType(getNamedType(type)) ? 1 : 0;
}

function listsIn({ type }: GraphQLField<unknown, unknown>): number {
  let lists = 0;
  for (let inner = getNullableType(type); isListType(inner); inner = getNullableType(inner.ofType)) lists += 1;
  return lists;
}
