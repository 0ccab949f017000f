/**
 * compiled/ answers operations without an executor. One is compiled once, to one writer for each place of its answer;
 * to run it is to call the schema's own resolvers and to join texts.
 *
 * The contract: `compileQuery` takes a valid query or mutation and gives a plan, or undefined where it does not cover
 * it. A plan gives the JSON text that the executor's `data` would have, or it rejects, with anything at all. Then nothing
 * is known about the answer, and the executor has to be asked: mistakes, their places and their order are its business
 * alone. What mutations have given until then is in the context's `outcomes`, or they would be carried out twice. A plan
 * neither checks scopes nor limits; who runs it does, before.
 */
import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLString,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
  visit,
} from 'graphql';
import { lazily } from '../../core/lazily.ts';
import type { Shown } from '../../database/row-copier.ts';
import type { GraphQLContext } from '../context.ts';
import { ROW, SHOWN } from '../selection.ts';
import {
  type ItemsWriter,
  leafWriter,
  oneByOne,
  type RowField,
  RowWriter,
  type Run,
  type Text,
  type Writer,
  writeList,
  writeObject,
  writeOneAfterAnother,
} from '../write.ts';

/** The text of `data`. @throws whatever the executor has to look at */
export type QueryPlan = (run: Run) => Text;

/** Those of a document, by their names. */
export function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null) as Record<
    string,
    FragmentDefinitionNode
  >;
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** The names of the variables that `@skip` and `@include` of a document depend on. */
export function conditionsOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: given = [] }) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

export interface CompiledQuery {
  readonly run: QueryPlan;
  /** The plan's bytes on the heap, with what it learns of its rows when it runs. */
  readonly bytes: number;
}

/** The weight of one field's writers, texts, arguments and copies; `test/core/cache-weights.test.ts` compares it with the heap. */
const FIELD_BYTES = 2_000;

interface CompileOptions {
  /** With its fragments written out, the operation may have so many. */
  readonly mostFields?: number | undefined;
  /** The variables that `@skip` and `@include` depend on: the plan is for these values alone. */
  readonly conditions?: Readonly<Record<string, unknown>>;
}

/** Undefined: this operation is for the executor. */
export function compileQuery(
  schema: GraphQLSchema,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  operation: OperationDefinitionNode,
  options: CompileOptions = {},
): CompiledQuery | undefined {
  const root = schema.getRootType(operation.operation);
  if (!root || operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
  const writeRoot = operation.operation === OperationTypeNode.MUTATION ? writeOneAfterAnother : writeObject;
  try {
    const compiler = new Compiler(schema, fragments, operation, options);
    const write = compiler.objectWriter(root, [operation.selectionSet], writeRoot);
    return { run: (run) => write(undefined, run), bytes: FIELD_BYTES * compiler.fields };
  } catch (error) {
    if (error instanceof NotCovered) return undefined;
    throw error;
  }
}

class NotCovered extends Error {}

class Compiler {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly #operation: OperationDefinitionNode;
  readonly #conditions: Readonly<Record<string, unknown>>;
  #fieldsLeft: number;
  /** How many there are, each once for every place where it stands. */
  fields = 0;

  constructor(
    schema: GraphQLSchema,
    fragments: Readonly<Record<string, FragmentDefinitionNode>>,
    operation: OperationDefinitionNode,
    { mostFields = Number.POSITIVE_INFINITY, conditions = {} }: CompileOptions,
  ) {
    this.#fieldsLeft = mostFields;
    this.#conditions = conditions;
    this.#schema = schema;
    this.#fragments = fragments;
    this.#operation = operation;
  }

  objectWriter(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[], write = writeObject): Writer {
    const fields = this.#fields(type, selectionSets);
    return (value, run) => write(fields, value, run);
  }

  #fields(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): RowField[] {
    const nodes = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const selectionSet of selectionSets) this.#collect(type, selectionSet, nodes, spread);
    // Conditions may have left out all of them; writers need one.
    if (nodes.size === 0) throw new NotCovered();
    this.#fieldsLeft -= nodes.size;
    this.fields += nodes.size;
    if (this.#fieldsLeft < 0) throw new NotCovered();
    return [...nodes].map(([key, same], index) => this.#field(type, key, same, index === 0));
  }

  /** The fields of one object by their keys, in the order in which the answer has them (GraphQL §6.3.2). */
  #collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    into: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (this.#isLeftOut(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        into.set(key, [...(into.get(key) ?? []), selection]);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (spread.has(selection.name.value)) continue;
        spread.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments[selection.name.value] : selection;
      const condition = fragment?.typeCondition?.name.value;
      if (condition !== undefined && !this.#isOf(type, condition)) continue;
      if (fragment) this.#collect(type, fragment.selectionSet, into, spread);
    }
  }

  /** Whether `@skip` or `@include` leaves it out (GraphQL §3.13). */
  #isLeftOut({ directives = [] }: SelectionNode): boolean {
    return directives.some(({ name, arguments: [condition] = [] }) => {
      const value =
        condition?.value.kind === Kind.BOOLEAN ? condition.value.value : this.#conditionOf(condition?.value);
      if (typeof value !== 'boolean' || (name.value !== 'skip' && name.value !== 'include')) throw new NotCovered();
      return value === (name.value === 'skip');
    });
  }

  #conditionOf(value: ValueNode | undefined): unknown {
    return value?.kind === Kind.VARIABLE ? this.#conditions[value.name.value] : undefined;
  }

  #isOf(type: GraphQLObjectType, condition: string): boolean {
    const named = this.#schema.getType(condition);
    return named === type || (isAbstractType(named) && this.#schema.isSubType(named, type));
  }

  #field(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[], isFirst: boolean): RowField {
    const [node] = nodes as readonly [FieldNode, ...FieldNode[]];
    const before = `${isFirst ? '{' : ','}${JSON.stringify(key)}:`;
    if (node.name.value === '__typename') {
      const constant = JSON.stringify(type.name);
      return { ...CONSTANT, before, constant, write: () => constant };
    }
    const field = type.getFields()[node.name.value] ?? META_FIELDS[node.name.value];
    if (!field) throw new NotCovered();
    const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const rows = this.#rowWriter(getNamedType(field.type), below);
    return {
      before,
      resolve: field.resolve ?? defaultFieldResolver,
      argsOf: argumentsOf(field, node),
      infoOf: this.#infoOf(type, field, nodes),
      write: this.#writer(field.type, below, rows),
      type: field.type,
      shown: field.extensions[SHOWN] as Shown | undefined,
      below: rows,
    };
  }

  #infoOf(
    parentType: GraphQLObjectType,
    { name, type }: GraphQLField<unknown, GraphQLContext>,
    fieldNodes: readonly FieldNode[],
  ): (run: Run) => GraphQLResolveInfo {
    const info = {
      fieldName: name,
      fieldNodes,
      returnType: type,
      parentType,
      schema: this.#schema,
      fragments: this.#fragments,
      operation: this.#operation,
      rootValue: undefined,
      // No resolver asks where it stands: an answer that has to tell of a place is the executor's.
      path: { prev: undefined, key: name, typename: parentType.name },
      // Nor for variables: what it needs is in its arguments.
      get variableValues(): never {
        throw new TypeError('Resolvers are given no variables.');
      },
    } as unknown as GraphQLResolveInfo;
    return () => info;
  }

  /** Writes types over rows. */
  #rowWriter(type: GraphQLNamedOutputType, below: readonly SelectionSetNode[]): RowWriter | undefined {
    return isObjectType(type) && ROW in type.extensions ? new RowWriter(this.#fields(type, below)) : undefined;
  }

  #writer(type: GraphQLOutputType, below: readonly SelectionSetNode[], rows: RowWriter | undefined): Writer {
    if (isNonNullType(type)) {
      const write = this.#valueWriter(type.ofType, below, rows);
      return (value, run) => {
        if (value == null) throw new TypeError('A field that cannot be null is null.');
        return write(value, run);
      };
    }
    const write = this.#valueWriter(type, below, rows);
    return (value, run) => (value == null ? 'null' : write(value, run));
  }

  /** Writes values that are there. */
  #valueWriter(type: GraphQLOutputType, below: readonly SelectionSetNode[], rows: RowWriter | undefined): Writer {
    if (isListType(type)) {
      const write = this.#writer(type.ofType, below, rows);
      const items: ItemsWriter = rows?.items(write) ?? oneByOne(write);
      return (value, run) => writeList(items, value, run);
    }
    if (isLeafType(type)) return leafWriter(type);
    if (rows) return rows.write;
    if (isObjectType(type) && !type.isTypeOf) return this.objectWriter(type, below);
    throw new NotCovered();
  }
}

/** Each query has these fields, though no type declares them. */
const META_FIELDS: ReturnType<GraphQLObjectType['getFields']> = {
  __schema: SchemaMetaFieldDef,
  __type: TypeMetaFieldDef,
};

/** A field that needs no resolver. */
const CONSTANT = {
  resolve: () => null,
  argsOf: () => NO_ARGUMENTS,
  infoOf: () => ({}) as GraphQLResolveInfo,
  type: GraphQLString,
  shown: undefined,
  below: undefined,
};

const NO_ARGUMENTS: Record<string, unknown> = {};

/** The arguments of a field as its resolver gets them. @throws whatever the executor has to look at */
function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (run: Pick<Run, 'variables'>) => Record<string, unknown> {
  if (field.args.length === 0) return () => NO_ARGUMENTS;
  const given = node.arguments ?? [];
  if (given.every(({ value }) => isConstant(value))) {
    // A wrong value in a document is told of when it runs, and by the executor.
    const args = lazily(() => getArgumentValues(field, node, {}));
    return () => ({ ...args() });
  }
  const named = new Map(given.map(({ name, value }) => [name.value, variableIn(value)]));
  const names = field.args.flatMap(({ name }) => (named.has(name) ? [[name, named.get(name)] as const] : []));
  const others = field.args.filter(({ name }) => !named.has(name));
  const mayBeLeftOut = others.every((arg) => arg.defaultValue === undefined && !isRequiredArgument(arg));
  return ({ variables }) =>
    (mayBeLeftOut ? valuesOf(names, variables) : undefined) ?? getArgumentValues(field, node, variables);
}

/**
 * Variables are coerced already, to what the arguments take. Undefined where one of the arguments is no variable, or one
 * that was left out or is null: there may be a default, or it may have to be there.
 */
function valuesOf(
  names: readonly (readonly [argument: string, variable: string | undefined])[],
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const [argument, variable] of names) {
    if (variable === undefined || !Object.hasOwn(variables, variable) || variables[variable] == null) return undefined;
    values[argument] = variables[variable];
  }
  return values;
}

function variableIn(value: ValueNode): string | undefined {
  return value.kind === Kind.VARIABLE ? value.name.value : undefined;
}

function isConstant(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.every(isConstant);
  if (value.kind === Kind.OBJECT) return value.fields.every((field) => isConstant(field.value));
  return value.kind !== Kind.VARIABLE;
}
