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
  type GraphQLArgument,
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { Hanging } from '../../core/caches.ts';
import { whole } from './cost-budget.ts';
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
    const { max = Number.POSITIVE_INFINITY, weight, characters, together } = priceOf(definition);
    const lists = listsIn(definition);
    if (!field.selectionSet || !isCompositeType(type)) {
      const each = characters ?? charactersOf(type);
      // Each value of a list is a value to complete, however short.
      sum.characters +=
        name + (lists === 0 ? each : (together ?? Math.max(each + PUNCTUATION, SHORTEST) * max ** lists));
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

/** Counts how often one response key is selected in one place, as execution sees it: with all fragments flattened. */
export class ResponseKeys {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The most often that any key was selected in any place read so far */
  repetitions = 0;
  /** The length of the longest alias, which an answer repeats for each object of a list. */
  aliasLength = 0;

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments;
  }

  /** Reads a selection set, and those written inside it. @returns the names of the fields selected here */
  read(selectionSet: SelectionSetNode): string[] {
    const names: string[] = [];
    const counts = new Map<string, number>();
    const flattened = new Set<string>();
    const flatten = ({ selections }: SelectionSetNode, isWrittenHere: boolean): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          names.push(selection.name.value);
          const key = (selection.alias ?? selection.name).value;
          this.aliasLength = Math.max(this.aliasLength, selection.alias?.value.length ?? 0);
          counts.set(key, (counts.get(key) ?? 0) + 1);
          // A selection inside a fragment is read where the fragment is defined.
          if (isWrittenHere && selection.selectionSet) this.read(selection.selectionSet);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          flatten(selection.selectionSet, isWrittenHere);
        } else if (!flattened.has(selection.name.value)) {
          flattened.add(selection.name.value);
          const fragment = this.#fragments.get(selection.name.value);
          if (fragment) flatten(fragment.selectionSet, false);
        }
      }
    };
    flatten(selectionSet, true);
    this.repetitions = Math.max(this.repetitions, ...counts.values());
    return names;
  }
}

/**
 * Counts what introspection costs: the schema is known, so the objects of the answer can be counted before it is made.
 * A field of one type is counted once, however often the document leads there.
 */

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Something that introspection shows: by its fields that are objects, what they lead to. */
type Shown = Readonly<Record<string, () => readonly Element[]>>;
type Element =
  | { readonly kind: 'schema'; readonly of: GraphQLSchema }
  | { readonly kind: 'type'; readonly of: GraphQLType }
  | { readonly kind: 'field'; readonly of: GraphQLField<unknown, unknown> }
  | { readonly kind: 'input'; readonly of: GraphQLArgument | GraphQLInputField }
  | { readonly kind: 'directive'; readonly of: GraphQLDirective }
  | { readonly kind: 'value'; readonly of: object };

/** They are small, but none waits for a database: an answer of them is made in one go. */
const WEIGHT = 3;

/** The cost of a root field of introspection, and of what it leads to; 0 for any other field. */
function introspectionCost(schema: GraphQLSchema, field: FieldNode, fragments: Fragments): number {
  const counter = new Counter(schema, fragments);
  if (field.name.value === '__schema') return counter.costOf(field, [{ kind: 'schema', of: schema }]);
  if (field.name.value !== '__type') return 0;
  const name = field.arguments?.find((argument) => argument.name.value === 'name')?.value;
  if (name?.kind === Kind.STRING) return counter.costOf(field, typesOf([schema.getType(name.value)]));
  // Which one a variable names is not known here: as if it were all.
  return counter.costOf(field, typesOf(Object.values(schema.getTypeMap())));
}

class Counter {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #known = new Map<SelectionSetNode, Map<object, number>>();

  constructor(schema: GraphQLSchema, fragments: Fragments) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  costOf({ selectionSet }: FieldNode, elements: readonly Element[]): number {
    let cost = elements.length * WEIGHT;
    for (const element of elements) if (selectionSet) cost += this.#below(selectionSet, element);
    return cost;
  }

  #below(selectionSet: SelectionSetNode, element: Element): number {
    const costs = this.#known.get(selectionSet) ?? new Map<object, number>();
    this.#known.set(selectionSet, costs);
    const known = costs.get(element.of);
    if (known !== undefined) return known;
    // Only the first round of a circle counts; validation refuses it.
    costs.set(element.of, 0);
    const shown = shownOf(element, this.#schema);
    let cost = 0;
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        const next = Object.hasOwn(shown, selection.name.value) ? shown[selection.name.value] : undefined;
        if (next) cost += this.costOf(selection, next());
      } else {
        const inner = selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection;
        if (inner) cost += this.#below(inner.selectionSet, element);
      }
    }
    costs.set(element.of, cost);
    return cost;
  }
}

function shownOf(element: Element, schema: GraphQLSchema): Shown {
  switch (element.kind) {
    case 'schema':
      return {
        types: () => typesOf(Object.values(schema.getTypeMap())),
        queryType: () => typesOf([schema.getQueryType()]),
        mutationType: () => typesOf([schema.getMutationType()]),
        subscriptionType: () => typesOf([schema.getSubscriptionType()]),
        directives: () => schema.getDirectives().map((of) => ({ kind: 'directive', of })),
      };
    case 'type':
      return shownOfType(element.of, schema);
    case 'field':
      return { args: () => inputsOf(element.of.args), type: () => typesOf([element.of.type]) };
    case 'input':
      return { type: () => typesOf([element.of.type]) };
    case 'directive':
      return { args: () => inputsOf(element.of.args) };
    case 'value':
      return {};
  }
}

function shownOfType(type: GraphQLType, schema: GraphQLSchema): Shown {
  if (isListType(type) || isNonNullType(type)) return { ofType: () => typesOf([type.ofType]) };
  if (isObjectType(type) || isInterfaceType(type)) {
    return {
      fields: () => Object.values(type.getFields()).map((of) => ({ kind: 'field', of })),
      interfaces: () => typesOf(type.getInterfaces()),
      possibleTypes: () => (isAbstractType(type) ? typesOf(schema.getPossibleTypes(type)) : []),
    };
  }
  if (isInputObjectType(type)) return { inputFields: () => inputsOf(Object.values(type.getFields())) };
  if (isEnumType(type)) return { enumValues: () => type.getValues().map((of) => ({ kind: 'value', of })) };
  return { possibleTypes: () => (isAbstractType(type) ? typesOf(schema.getPossibleTypes(type)) : []) };
}

function typesOf(types: readonly (GraphQLType | null | undefined)[]): Element[] {
  return types.filter((type) => type != null).map((of) => ({ kind: 'type', of }));
}

function inputsOf(inputs: readonly (GraphQLArgument | GraphQLInputField)[]): Element[] {
  return inputs.map((of) => ({ kind: 'input', of }));
}

/** Quotes, colon and comma around a name and its value. */
const PUNCTUATION = 6;

/** A name, a title, an address; what can be longer says so in the price of its field. */
const TEXT = 100;

/** The most characters of a value that is no object: of scalars of our own, as their rules have it. */
const CHARACTERS: Readonly<Record<string, number>> = {
  Boolean: 5,
  Int: 11,
  Float: 24,
  ID: 60,
  DateTime: 24,
  String: TEXT,
  /** 50 keys of 40 characters with values of 500 each. */
  Metadata: 27_500,
  BookingResponses: 20_000,
};

function charactersOf(type: GraphQLNamedType): number {
  if (isEnumType(type)) return Math.max(0, ...type.getValues().map(({ name }) => name.length));
  return CHARACTERS[type.name] ?? TEXT;
}
