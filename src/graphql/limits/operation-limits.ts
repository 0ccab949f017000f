import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from 'graphql';
import { pageSizeMistake } from '../../core/page.ts';
import type { Place } from '../../limits/large-work.ts';
import { costOf, ResponseKeys } from './cost.ts';
import { type Cost, CostBudget } from './cost-budget.ts';
import {
  CHARACTERS,
  DOCUMENT_RULES,
  type DocumentSize,
  LIMITS,
  type Limits,
  limitError,
  TOKENS,
  VARIABLE_DEPTH,
  VARIABLES,
} from './limits.ts';

/**
 * Checks operations against the limits, for Yoga's pipeline and for anything beside it. What a document costs, but for its
 * variables, is found once for each of its operations.
 */
export class OperationLimits {
  readonly #limits: Limits;
  readonly #singleMutations: ReadonlySet<string>;

  /** `singleMutations`: an operation may select one of them, once. */
  constructor(singleMutations: readonly string[], limits: Limits = LIMITS) {
    this.#limits = limits;
    this.#singleMutations = new Set(singleMutations);
  }

  /** Parses no more than is allowed. @throws GraphQLError */
  parse(text: string): DocumentNode {
    const { characters, tokens } = this.#limits;
    if (text.length > characters) throw limitError(CHARACTERS, characters, text.length);
    try {
      return parse(text, { maxTokens: tokens });
    } catch (error) {
      // The parser's own error has neither a code nor advice.
      const isTooLong = error instanceof GraphQLError && error.message.includes(`more that ${tokens} tokens`);
      throw isTooLong ? limitError(TOKENS, tokens) : error;
    }
  }

  /** Checks a document by itself: the caller and the variables do not matter. It need not be valid yet. */
  documentError(document: DocumentNode): GraphQLError | undefined {
    const size = sizeOf(document, this.#singleMutations);
    for (const [name, rule] of Object.entries(DOCUMENT_RULES)) {
      const [found, allowed] = [size[name as keyof DocumentSize], this.#limits.document[name as keyof DocumentSize]];
      if (found > allowed) return limitError(rule, allowed, found);
    }
    return undefined;
  }

  variablesError(variables: unknown): GraphQLError | undefined {
    const {
      variableValues,
      document: { valueDepth },
    } = this.#limits;
    // The variables are one object around all values.
    const excess = valueExcess(variables, variableValues, valueDepth + 1);
    if (excess === undefined) return undefined;
    return excess === 'SIZE' ? limitError(VARIABLES, variableValues) : limitError(VARIABLE_DEPTH, valueDepth);
  }

  /** The cost of an operation of a valid document. */
  cost(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: unknown): Cost {
    return { requested: costOf(schema, document, operation, variables), limit: this.#limits.cost };
  }

  /** Why an operation that costs too much does, where it is a page that no list has. */
  pageError(document: DocumentNode, operation: OperationDefinitionNode, variables: unknown): GraphQLError | undefined {
    return oversizedPage(document, operation, variables);
  }

  /** The budget of an operation that runs. */
  budget(place?: Place): CostBudget {
    return new CostBudget(this.#limits.cost, place);
  }
}

/**
 * How large a document is, before anybody validates it: counted on its syntax alone, each fragment once, so that what
 * fans out (2^400 selections in 40 kB) or runs in a circle takes no longer than its text is long.
 */

/** Measures a document that was parsed within a token limit: the walk goes as deep as the parser did. */
function sizeOf(document: DocumentNode, singleMutations: ReadonlySet<string>): DocumentSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const expansion = new Expansion(fragments);
  const keys = new ResponseKeys(fragments);
  for (const fragment of fragments.values()) keys.read(fragment.selectionSet);
  const sizes = operations.map((operation) => {
    const root = keys.read(operation.selectionSet);
    const singles =
      operation.operation === OperationTypeNode.MUTATION ? root.filter((name) => singleMutations.has(name)).length : 0;
    return { operation, extent: expansion.of(operation.selectionSet), rootFields: root.length, singles };
  });
  return {
    depth: largest(sizes, ({ extent }) => extent.depth),
    selections: largest(sizes, ({ extent }) => extent.selections),
    aliases: largest(sizes, ({ extent }) => extent.aliases),
    directives: largest(sizes, ({ extent, operation }) => extent.directives + (operation.directives?.length ?? 0)),
    valueDepth: largest(sizes, ({ extent }) => extent.valueDepth),
    introspectionLists: largest(sizes, ({ extent }) => extent.introspectionLists),
    introspectionAliases: largest(sizes, ({ extent }) => extent.introspectionAliases),
    rootFields: largest(sizes, ({ rootFields }) => rootFields),
    singleMutations: largest(sizes, ({ singles }) => singles),
    repetitions: keys.repetitions,
    aliasLength: keys.aliasLength,
  };
}

function largest<Item>(items: readonly Item[], sizeOfItem: (item: Item) => number): number {
  return Math.max(0, ...items.map(sizeOfItem));
}

/** A selection set with everything below it, fragments expanded. */
interface Extent {
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
class Expansion {
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

/**
 * Whether a JSON value holds more than `maxValues` values, or more than `maxDepth` lists and objects inside one another.
 * Level by level, so that it stops at the limit and never recurses.
 */
function valueExcess(value: unknown, maxValues: number, maxDepth: number): 'SIZE' | 'DEPTH' | undefined {
  let left = maxValues;
  let containers = [value].filter(isContainer);
  for (let depth = 1; containers.length > 0; depth += 1) {
    if (depth > maxDepth) return 'DEPTH';
    const inner: object[] = [];
    for (const container of containers) {
      const values: unknown[] = Array.isArray(container) ? container : Object.values(container);
      left -= values.length;
      if (left < 0) return 'SIZE';
      for (const one of values) if (isContainer(one)) inner.push(one);
    }
    containers = inner;
  }
  return undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const SIZES: readonly string[] = ['first', 'last'];

/**
 * Finds, in an operation that costs too much, a page which no list has, and says where it is asked for. The operation's
 * cost is beside the point then.
 */
function oversizedPage(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: unknown,
): GraphQLError | undefined {
  const definitions = document.definitions.filter((one) => one === operation || one.kind === Kind.FRAGMENT_DEFINITION);
  let error: GraphQLError | undefined;
  visit(
    { ...document, definitions },
    {
      Field(field) {
        error = errorOf(field, (value) => valueOf(value, operation, variables));
        return error && BREAK;
      },
    },
  );
  return error;
}

function errorOf(field: FieldNode, valueOfNode: (value: ValueNode) => unknown): GraphQLError | undefined {
  for (const { name, value } of field.arguments ?? []) {
    const size = SIZES.includes(name.value) ? valueOfNode(value) : undefined;
    const mistake = typeof size === 'number' ? pageSizeMistake(name.value, size) : undefined;
    if (mistake === undefined) continue;
    const { code, message, path } = mistake;
    return new GraphQLError(message, { nodes: field, extensions: { code, argument: path, http: { status: 400 } } });
  }
  return undefined;
}

function valueOf(value: ValueNode, operation: OperationDefinitionNode, variables: unknown): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind !== Kind.VARIABLE) return undefined;
  const name = value.name.value;
  const sent = Object.hasOwn(Object(variables), name) ? (variables as Record<string, unknown>)[name] : undefined;
  if (sent !== undefined) return sent;
  const declared = operation.variableDefinitions?.find((one) => one.variable.name.value === name)?.defaultValue;
  return declared?.kind === Kind.INT ? Number(declared.value) : undefined;
}
