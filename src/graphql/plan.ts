/**
 * A plan answers an operation without an executor. It is compiled once, to one writer for each place of its answer;
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
  type GraphQLFieldResolver,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLNamedOutputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLString,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  typeFromAST,
  type ValueNode,
  visit,
} from 'graphql';
import { answeredInstant } from '../core/instant.ts';
import { COMMA, OPEN_LIST, OUT } from '../core/json-text.ts';
import { lazily } from '../core/lazily.ts';
import { nextTurn, turnIsOver } from '../core/turns.ts';
import type { Ending } from '../database/deadline.ts';
import { RowCopier, type Shown, type WrittenAs } from '../database/row-copier.ts';
import type { GraphQLContext } from './context.ts';
import { OneOfMany } from './one-of-many.ts';
import { ROW, SHOWN } from './selection.ts';
import { isText } from './text-scalars.ts';

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

type Variables = Readonly<Record<string, unknown>>;

/** Reads a value as resolvers get it (GraphQL §3.10). @throws for a value that graphql-js has to look at */
type Coerce = (value: unknown) => unknown;

const NOTHING: Variables = {};

/**
 * Reads an operation's variables as its resolvers get them; undefined where something is wrong with them, which the
 * executor has to tell. An input has dozens of fields, and most requests give one or two of them: only those are looked
 * at.
 */
export function variablesOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): (sent: Variables) => Variables | undefined {
  if (variableDefinitions.length === 0) return () => NOTHING;
  // Each mistake repeats all of what was sent; one is enough to hand it on.
  const slowly = (sent: Variables) => getVariableValues(schema, variableDefinitions, sent, { maxErrors: 1 }).coerced;
  const variables = variableDefinitions.map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    const mayBeLeftOut = defaultValue === undefined && !isNonNullType(type);
    return { name: variable.name.value, coerce: isInputType(type) ? coercerOf(type) : notHere, mayBeLeftOut };
  });
  return (sent) => {
    const values = Object.create(null) as Record<string, unknown>;
    try {
      for (const { name, coerce, mayBeLeftOut } of variables) {
        if (Object.hasOwn(sent, name)) values[name] = coerce(sent[name]);
        else if (!mayBeLeftOut) return slowly(sent);
      }
    } catch {
      return slowly(sent);
    }
    return values;
  };
}

function notHere(): never {
  throw new TypeError('This is for graphql-js.');
}

const KNOWN = new WeakMap<GraphQLInputType, Coerce>();

function coercerOf(type: GraphQLInputType): Coerce {
  return KNOWN.getOrInsertComputed(type, () => {
    if (!isNonNullType(type)) {
      const coerce = coercerOfValues(type);
      return (value) => (value == null ? null : coerce(value));
    }
    const coerce = coercerOfValues(type.ofType);
    return (value) => coerce(value ?? notHere());
  });
}

/** Reads values that are there. */
function coercerOfValues(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) return coercerOf(type);
  if (isListType(type)) {
    const coerce = lazily(() => coercerOf(type.ofType));
    return (value) => (Array.isArray(value) ? value.map((item) => coerce()(item)) : notHere());
  }
  if (isInputObjectType(type)) return coercerOfObjects(type);
  return (value) => {
    const parsed: unknown = type.parseValue(value);
    return parsed === undefined ? notHere() : parsed;
  };
}

function coercerOfObjects(type: GraphQLInputObjectType): Coerce {
  const known = lazily(() => {
    const fields = Object.values(type.getFields());
    return {
      required: fields.filter((field) => isRequiredInputField(field)).map(({ name }) => name),
      fields: fields.map(({ name, type: of, defaultValue }) => ({ name, coerce: coercerOf(of), defaultValue })),
      places: new Map(fields.map(({ name }, place) => [name, place])),
      withDefault: fields.flatMap(({ defaultValue }, place) => (defaultValue === undefined ? [] : [place])),
    };
  });
  return (value) => {
    const { required, fields, places, withDefault } = known();
    if (typeof value !== 'object' || Array.isArray(value)) return notHere();
    const given = value as Variables;
    if (!required.every((name) => Object.hasOwn(given, name))) return notHere();
    if (type.isOneOf && Object.values(given).filter((one) => one !== undefined).length !== 1) return notHere();
    const found = Object.keys(given).map((name) => places.get(name) ?? notHere());
    const coerced: Record<string, unknown> = {};
    // In the order of the type, as resolvers have always got them.
    const wanted = withDefault.length === 0 ? found : [...new Set([...found, ...withDefault])];
    for (const place of wanted.toSorted((a, b) => a - b)) {
      const { name, coerce, defaultValue } = fields[place] ?? notHere();
      if (given[name] !== undefined) coerced[name] = coerce(given[name]);
      else if (defaultValue !== undefined) coerced[name] = defaultValue;
      if (type.isOneOf && coerced[name] === null) return notHere();
    }
    return coerced;
  };
}

/** One request, as the writers see it. */
export interface Run {
  readonly context: GraphQLContext;
  /** Ends it when nobody waits for the answer any more: then no more of it is resolved. */
  readonly ending?: Ending;
  /** Coerced already. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export type Text = string | Promise<string>;

/** A text, now or later; or what it is made of, once that is there. */
type Piece = Text | ToWrite;

/** Writes a value of the answer. @throws whatever the executor has to look at */
export type Writer = (value: unknown, run: Run) => Text;

export interface Field {
  /** The text before the value: a brace or a comma, and the key. */
  readonly before: string;
  readonly resolve: GraphQLFieldResolver<unknown, GraphQLContext>;
  readonly argsOf: (run: Run) => Record<string, unknown>;
  readonly infoOf: (run: Run) => GraphQLResolveInfo;
  readonly write: Writer;
  /** The value that it has in every answer (`__typename`). */
  readonly constant?: string;
}

/** Writes the JSON text of an object by the schema's own resolvers, in texts of which some come later. */
export function writeObject(fields: readonly Field[], source: unknown, run: Run): Text {
  if (source instanceof Error) throw source;
  run.ending?.throwIfOver();
  const texts = new Texts();
  try {
    for (const field of fields) {
      texts.add(field.before);
      texts.add(resolved(field, source, run));
    }
  } catch (error) {
    texts.abandon();
    throw error;
  }
  texts.add(fields.length === 0 ? '{}' : '}');
  return texts.joined();
}

function resolved({ resolve, argsOf, infoOf, write }: Field, source: unknown, run: Run): Piece {
  return pieceOf(resolve(source, argsOf(run), run.context, infoOf(run)), write, run);
}

/** Writes a value, or waits for one that is still being loaded. */
function pieceOf(value: unknown, write: Writer, run: Run): Piece {
  if (value instanceof OneOfMany) return new ToWrite(value, write, run);
  return isPromise(value) ? value.then((found) => write(found, run)) : write(value, run);
}

/** One of several values that come together, and the function that writes it. */
class ToWrite {
  readonly #value: OneOfMany<unknown>;
  readonly #write: Writer;
  readonly #run: Run;

  constructor(value: OneOfMany<unknown>, write: Writer, run: Run) {
    this.#value = value;
    this.#write = write;
    this.#run = run;
  }

  get values(): Promise<readonly unknown[]> {
    return this.#value.all;
  }

  written(values: readonly unknown[]): Text {
    return this.#write(values[this.#value.index], this.#run);
  }
}

/** Mutations are carried out one after the other, each with all that is selected below it (GraphQL §6.2.2). */
export async function writeOneAfterAnother(fields: readonly Field[], source: unknown, run: Run): Promise<string> {
  let text = '';
  for (const { before, resolve, argsOf, infoOf, write } of fields) {
    run.ending?.throwIfOver();
    text += before + (await write(await resolve(source, argsOf(run), run.context, infoOf(run)), run));
  }
  return `${text}}`;
}

/** How many items are written between two looks at the clock. */
const AT_ONCE = 16;

/** Some items of a list, each with the bracket or the comma before it. */
export type ItemsWriter = (list: readonly unknown[], from: number, to: number, run: Run) => Text;

export function oneByOne(write: Writer): ItemsWriter {
  return (list, from, to, run) => {
    const texts = new Texts();
    try {
      for (let index = from; index < to; index += 1) {
        texts.add(index === 0 ? '[' : ',');
        texts.add(pieceOf(list[index], write, run));
      }
    } catch (error) {
      texts.abandon();
      throw error;
    }
    return texts.joined();
  };
}

export function writeList(write: ItemsWriter, list: unknown, run: Run): Text {
  if (!Array.isArray(list)) throw new TypeError('A list is no list.');
  return list.length === 0 ? '[]' : writeItems(write, list, 0, new Texts(), run);
}

function writeItems(write: ItemsWriter, list: readonly unknown[], start: number, texts: Texts, run: Run): Text {
  try {
    for (let from = start; from < list.length; from += AT_ONCE) {
      if (from > start && turnIsOver()) {
        // A failure meanwhile is told of at the end; until then nobody waits for it, which would end the process.
        texts.abandon();
        return nextTurn().then(() => writeItems(write, list, from, texts, run));
      }
      texts.add(write(list, from, Math.min(from + AT_ONCE, list.length), run));
    }
  } catch (error) {
    texts.abandon();
    for (const item of list) if (isPromise(item)) item.then(undefined, () => undefined);
    throw error;
  }
  texts.add(']');
  return texts.joined();
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** A text made of pieces, of which some come later: what is loaded for all of them is then loaded together. */
class Texts {
  #text = '';
  #parts: Piece[] | undefined;

  add(piece: Piece): void {
    if (typeof piece !== 'string') {
      this.#parts ??= [];
      this.#parts.push(this.#text, piece);
      this.#text = '';
    } else {
      this.#text += piece;
    }
  }

  /** Not `join`, which would copy what has been written so far, at each level of the answer. */
  joined(): Text {
    const [parts, rest] = [this.#parts, this.#text];
    if (!parts) return rest;
    const values = valuesTogether(parts);
    if (values) return values.then((found) => joinedFrom(parts, found, rest));
    const texts = parts.map((part) =>
      part instanceof ToWrite ? part.values.then((found) => part.written(found)) : part,
    );
    const [before, only] = texts as [string, Promise<string>];
    if (texts.length === 2) return only.then((text) => before + text + rest);
    return Promise.all(texts as Promise<string>[]).then(
      (all) => all.reduce((joined, text) => joined + text, '') + rest,
    );
  }

  /** Nobody waits for what is under way, or not yet. */
  abandon(): void {
    for (const part of this.#parts ?? []) {
      if (part instanceof ToWrite) part.values.catch(() => undefined);
      else if (typeof part !== 'string') part.catch(() => undefined);
    }
  }
}

/** The promise with which all later pieces come; undefined if they do not come together. */
function valuesTogether(parts: readonly Piece[]): Promise<readonly unknown[]> | undefined {
  let values: Promise<readonly unknown[]> | undefined;
  for (const part of parts) {
    if (typeof part === 'string') continue;
    if (!(part instanceof ToWrite) || (values !== undefined && part.values !== values)) return undefined;
    values = part.values;
  }
  return values;
}

function joinedFrom(parts: readonly Piece[], values: readonly unknown[], rest: string): Text {
  const texts = new Texts();
  try {
    for (const part of parts) texts.add(part instanceof ToWrite ? part.written(values) : part);
  } catch (error) {
    texts.abandon();
    throw error;
  }
  texts.add(rest);
  return texts.joined();
}

/**
 * How rows are written: what a field shows as it is (`SHOWN`) is copied into the answer by the database's own copier, if it can.
 * Everything else is resolved as ever.
 */

/** A field of an object type over rows. */
export interface RowField extends Field {
  readonly shown: Shown | undefined;
  readonly type: GraphQLOutputType;
  /** How the rows of a part are written. */
  readonly below: RowWriter | undefined;
}

export class RowWriter {
  readonly #fields: readonly RowField[];
  readonly #copier: RowCopier;

  constructor(fields: readonly RowField[]) {
    this.#fields = fields;
    this.#copier = new RowCopier(
      fields.map(({ before, constant, shown, type, below }) => {
        const isList = isListType(isNonNullType(type) ? type.ofType : type);
        const as = isList ? undefined : writtenAs(getNamedType(type));
        const copier = below === undefined ? undefined : below.#copier;
        return { before, constant, shown, as, isList, isNullable: !isNonNullType(type), below: copier };
      }),
    );
  }

  readonly write = (row: unknown, run: Run): Text => {
    if (!this.#copier.copies(row)) return writeObject(this.#fields, row, run);
    return intoTexts((add) => void this.#writeRow(row, run, add));
  };

  /** For a list: rows follow each other in one text, up to what comes later; what cannot be copied is written by itself. */
  items(one: (row: unknown, run: Run) => Text): ItemsWriter {
    return (list, start, end, run) =>
      intoTexts((add) => {
        for (let index = start; index < end; index += 1) {
          OUT.byte(index === 0 ? OPEN_LIST : COMMA);
          const item = list[index];
          if (!this.#writeRow(item, run, add)) add(pieceOf(item, one, run));
        }
      });
  }

  /** @returns whether it is a row of which fields are copied; if not, nothing is written */
  #writeRow(row: unknown, run: Run, add: (piece: Piece) => void): boolean {
    let index = this.#copier.copy(row, 0);
    if (index < 0) return false;
    run.ending?.throwIfOver();
    for (; index < this.#fields.length; index = this.#copier.copy(row, index + 1)) {
      const field = this.#fields[index] as RowField;
      OUT.text(field.before);
      const text = resolved(field, row, run);
      if (typeof text === 'string') OUT.text(text);
      else add(text);
    }
    return true;
  }
}

/** How values of a type are copied; undefined for one that is written in a way of its own. */
export function writtenAs(type: GraphQLNamedType): WrittenAs | undefined {
  if (isEnumType(type)) {
    const write = leafWriter(type);
    return new Map(type.getValues().map(({ value }) => [value, write(value)]));
  }
  if (!isScalarType(type)) return undefined;
  return isText(type.name) ? 'TEXT' : SCALARS[type.name];
}

const SCALARS: Readonly<Record<string, WrittenAs>> = { Int: 'INTEGER', Boolean: 'BOOLEAN', DateTime: 'TIME' };

/** Collects the text that `write` writes to `OUT`, and the pieces that it adds: texts of their own, and values that come later. */
function intoTexts(write: (add: (piece: Piece) => void) => void): Text {
  const from = OUT.length;
  const texts = new Texts();
  try {
    write((text) => {
      texts.add(OUT.take(from));
      texts.add(text);
    });
    texts.add(OUT.take(from));
  } catch (error) {
    OUT.length = from;
    texts.abandon();
    throw error;
  }
  return texts.joined();
}

/** How values of a scalar or an enum are written: as the executor serializes them, then as JSON. */
export function leafWriter(type: GraphQLLeafType): (value: unknown) => string {
  const own = isEnumType(type) ? undefined : isText(type.name) ? ofText : WRITERS[type.name];
  return (value) => own?.(value) ?? serialized(type, value);
}

/** Writes values of the usual type of these scalars; undefined for others. */
const WRITERS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  ID: ofText,
  DateTime: (value) => (typeof value === 'number' ? `"${answeredInstant(value)}"` : undefined),
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  Int: (value) => (Number.isInteger(value) && value === ((value as number) | 0) ? String(value) : undefined),
};

function ofText(value: unknown): string | undefined {
  return typeof value === 'string' ? JSON.stringify(value) : undefined;
}

function serialized(type: GraphQLLeafType, value: unknown): string {
  if (value instanceof Error) throw value;
  const serialized: unknown = type.serialize(value);
  const text = serialized == null ? undefined : JSON.stringify(serialized);
  if (text === undefined) throw new TypeError(`${type.name} has no such value.`);
  return text;
}
