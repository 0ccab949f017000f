import {
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  typeFromAST,
} from 'graphql';
import { type FilledBy, Hanging, hasRoomFor, isFull } from '../../core/caches.ts';
import { lazily } from '../../core/lazily.ts';
import { apartFromCaller } from '../../database/deadline.ts';
import { Place } from '../../limits/large-work.ts';
import { type CompiledOperation, compileChosen } from '../../scopes/compile.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { askingOf, type GraphQLContext } from '../context.ts';
import type { Announce, Announcements } from '../deprecation.ts';
import { BYTES_OF_ONE } from '../limits/cost-budget.ts';
import type { Documents } from '../limits/documents.ts';
import { type CompiledQuery, compileQuery, conditionsOf, fragmentsOf, type QueryPlan } from './compile.ts';

/** A schema with what its fields require. */
export interface GuardedSchema {
  readonly schema: GraphQLSchema;
  readonly rules: SchemaRules;
}

/** An operation of a valid document, with what it requires of its caller. */
export interface KnownOperation {
  readonly operationName: string | undefined;
  readonly required: CompiledOperation;
  /** Its answers say this about deprecated parts that it uses; undefined where it uses none. */
  readonly announce: Announce | undefined;
  /** Whether it asks for the schema alone (`Introspection`). */
  readonly isIntrospection: boolean;
  /** How it is answered without the executor, if it can be. */
  readonly query: PlannedQuery | undefined;
}

/** A query, or a mutation. */
export interface PlannedQuery {
  readonly isMutation: boolean;
  readonly breaker: CircuitBreaker;
  readonly run: QueryPlan;
  /** The operation's bytes on the heap. */
  readonly bytes: number;
  /** The variables as resolvers get them; undefined when the executor has to say what is wrong with them. */
  readonly variablesOf: (sent: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | undefined;
}

const FAILURES = 3;
const EVERY = 10;

/**
 * A circuit breaker for one plan. What it fails to answer the executor does once more, so one that has failed several times in a row
 * (a document that always leads to an error) is tried now and then only.
 */
export class CircuitBreaker {
  #failures = 0;
  #passed = 0;

  get letsThrough(): boolean {
    if (this.#failures < FAILURES) return true;
    this.#passed += 1;
    return this.#passed % EVERY === 0;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
  }
}

const OPERATION_BYTES = 500;

type Variables = Readonly<Record<string, unknown>>;

/**
 * Operations of valid documents. Each has a plan from its second time on (what comes once is not worth one), which is kept as
 * long as the document is, if there is room for it: the executor answers what has none.
 */
export class QueryPlans {
  readonly schema: GraphQLSchema;
  readonly #guarded: GuardedSchema;
  readonly #documents: Documents;
  readonly #announcements: Pick<Announcements, 'of'> | undefined;
  readonly #arePlansMade: boolean;
  readonly #known = new Hanging<OperationDefinitionNode, KnownOperation>(
    ({ query }) => OPERATION_BYTES + (query?.bytes ?? 0),
  );

  /** `arePlansMade`: otherwise, the executor answers all. */
  constructor(
    guarded: GuardedSchema,
    documents: Documents,
    announcements?: Pick<Announcements, 'of'>,
    arePlansMade = true,
  ) {
    this.#guarded = guarded;
    this.#documents = documents;
    this.#announcements = announcements;
    this.#arePlansMade = arePlansMade;
    this.schema = guarded.schema;
  }

  /** An operation that has come before in this document, which then is valid. */
  known(operation: OperationDefinitionNode): KnownOperation | undefined {
    return this.#known.get(operation);
  }

  /** An operation of a document that is valid. */
  find(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    operationName: string | undefined,
    by?: FilledBy,
  ): KnownOperation {
    const once = {
      operationName,
      required: compileChosen(this.#guarded.rules, document, operation),
      announce: this.#announcements?.of(this.schema, document, operation),
      isIntrospection: isIntrospection(operation),
      query: undefined,
    };
    if (!this.#arePlansMade || !this.#documents.hasComeAgain(document, operationName, by)) return once;
    return this.#known.of(operation, document, () => ({
      ...once,
      query: isFull(document) ? undefined : this.#query(document, operation),
    }));
  }

  #query(document: DocumentNode, operation: OperationDefinitionNode): PlannedQuery | undefined {
    // Bounds the size of a plan: even with its fragments written out it is not much larger than its document.
    const { tokenCount: mostFields } = document as DocumentNode & { readonly tokenCount?: number };
    const fragments = fragmentsOf(document);
    const names = conditionsOf(document);
    if (names.length > MOST_CONDITIONS) return undefined;
    const compile = (conditions: Variables) =>
      compileQuery(this.schema, fragments, operation, { mostFields, conditions });
    const plan = names.length === 0 ? compile({}) : planOfEach(names, document, compile);
    if (!plan) return undefined;
    return {
      isMutation: operation.operation === OperationTypeNode.MUTATION,
      breaker: new CircuitBreaker(),
      ...plan,
      variablesOf: variablesOf(this.schema, operation),
    };
  }
}

/** A document that depends on more of them has no plan: each has two values, and each choice of values a plan of its own. */
const MOST_CONDITIONS = 3;

/** A choice of values that no plan covers, which says nothing about the plans of others. */
export class NoPlan extends Error {}

/** Runs the plan of those values that `@skip` and `@include` have, which is made when they come for the first time. */
function planOfEach(
  names: readonly string[],
  document: DocumentNode,
  compile: (conditions: Variables) => CompiledQuery | undefined,
): CompiledQuery {
  const plans = new Map<string, CompiledQuery | undefined>();
  const planOf = (variables: Variables): CompiledQuery | undefined => {
    // In an operation that does not use it for a condition, a variable of this name may have any value.
    const key = names.map((name) => (typeof variables[name] === 'boolean' ? Number(variables[name]) : '-')).join('');
    if (plans.has(key) || isFull(document)) return plans.get(key);
    const plan = compile(variables);
    if (hasRoomFor(document, OPERATION_BYTES + (plan?.bytes ?? 0))) plans.set(key, plan);
    return plan;
  };
  const run: QueryPlan = (given) => {
    const plan = planOf(given.variables);
    if (!plan) throw new NoPlan('This is for the executor.');
    return plan.run(given);
  };
  return { run, bytes: 0 };
}

const BUFFER_BYTES = 200;

/**
 * Operations that ask for the schema alone. All its callers get the same answer, so it is made once for all who ask at the same
 * moment, kept with its document if it is asked for again, and sent to all from the same bytes.
 */
export class Introspection {
  readonly #schema: GraphQLSchema;
  readonly #answers = new WeakMap<OperationDefinitionNode, Buffer<ArrayBuffer>>();
  readonly #underWay = new WeakMap<OperationDefinitionNode, Promise<Buffer<ArrayBuffer>>>();
  readonly #askedBefore = new WeakSet<OperationDefinitionNode>();
  readonly #plans = new Hanging<OperationDefinitionNode, { readonly run?: QueryPlan; readonly bytes: number }>(
    ({ bytes }) => bytes,
  );

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /**
   * The answer; undefined for an operation that asks for anything else, or has to be left to the executor.
   * @throws TooMuchAtOnce where too many others are made
   */
  answer(
    { document, operation }: Pick<CompiledOperation, 'document' | 'operation'>,
    context: GraphQLContext,
  ): Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>> | undefined {
    if (!isIntrospection(operation)) return undefined;
    const known = this.#answers.get(operation);
    if (known) return known;
    const underWay = this.#underWay.get(operation);
    const { run } = this.#plans.of(
      operation,
      document,
      () => compileQuery(this.#schema, fragmentsOf(document), operation) ?? { bytes: 0 },
    );
    if (underWay || !run) return underWay;
    return this.#make(document, operation, run, context);
  }

  #make(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    plan: QueryPlan,
    context: GraphQLContext,
  ): Promise<Buffer<ArrayBuffer>> {
    const isKept = this.#askedBefore.has(operation);
    this.#askedBefore.add(operation);
    // Others get it, too, who are still there when the first one has gone away.
    const made = apartFromCaller(() => written(plan, context)).finally(() => this.#underWay.delete(operation));
    this.#underWay.set(operation, made);
    if (isKept)
      made.then(
        (answer) => void (hasRoomFor(document, answer.length + BUFFER_BYTES) && this.#answers.set(operation, answer)),
        () => undefined,
      );
    return made;
  }
}

async function written(plan: QueryPlan, context: GraphQLContext): Promise<Buffer<ArrayBuffer>> {
  const { caller, address, budget } = context;
  const { requested, limit } = budget.cost;
  const place = new Place(askingOf(caller, address));
  try {
    await place.take(requested * BYTES_OF_ONE);
    const data = await plan({ context, variables: {} });
    return Buffer.from(`{"data":${data},"extensions":{"cost":{"requested":${requested},"limit":${limit}}}}`);
  } finally {
    place.giveBack();
  }
}

/** Whether an operation asks for nothing but the schema, and says itself for what of it. */
function isIntrospection({
  operation,
  selectionSet,
  variableDefinitions = [],
  directives = [],
}: OperationDefinitionNode): boolean {
  if (operation !== OperationTypeNode.QUERY || variableDefinitions.length > 0 || directives.length > 0) return false;
  const names = selectionSet.selections.map((one) => (one.kind === Kind.FIELD ? one.name.value : ''));
  return names.every((name) => name.startsWith('__')) && names.some((name) => name !== '__typename');
}

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
