/**
 * One GraphQL operation, from the request that asks for it to its answer. The phases stand here once, in order: count, ask,
 * parse, validate, announce, limit, authorize, and run: by the plan that was made of it, and by the executor where there is none or
 * it fails. Three doors go through them: listener.ts on Node's request, Yoga (server.ts), and the paths of REST
 * (http/rest/rest.routes.ts). A door reads its request, calls `count`, `ask` and `answer`, and writes what comes of them.
 */

import { execute as executed } from '@graphql-tools/executor';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type Source,
  type SourceLocation,
} from 'graphql';
import { type FetchAPI, type GraphQLParams, processRegularResult } from 'graphql-yoga';
import { type FilledBy, Hanging, hasRoomFor, isFull } from '../core/caches.ts';
import { inTurns } from '../core/turns.ts';
import { apartFromCaller, Ending, GivenUp, statementsUntil } from '../database/deadline.ts';
import type { Report } from '../database/failure.ts';
import type { Em } from '../database/sql.ts';
import type { FailedRequestLog } from '../events/failed-request-log.ts';
import { Place, TooMuchAtOnce } from '../limits/large-work.ts';
import { countedAs, type RateLimit, type RequestVerdict, rateLimitHeaders } from '../limits/request-limit.ts';
import {
  ANONYMOUS,
  authorize,
  type Refusal,
  refusalError,
  type Caller as ScopeCaller,
  sessionCaller,
  tokenCaller,
} from '../scopes/authorize.ts';
import { type CompiledOperation, chooseOperation, compileChosen } from '../scopes/compile.ts';
import { missingOperation } from '../scopes/explain.ts';
import type { SchemaRules } from '../scopes/schema-rules.ts';
import { challengeOf, type ProtectedResource } from '../scopes/www-authenticate.ts';
import {
  type Authentication,
  askingOf,
  type Caller,
  filledBy,
  type GraphQLContext,
  isRefusedAnyway,
  type ModuleContext,
  type Outcomes,
  refusalOf,
} from './context.ts';
import type { Announce, Announcement, Announcements } from './deprecation.ts';
import {
  asRequestError,
  documentErrors,
  maskError,
  shortErrors,
  tooManyRequests,
  variableErrors,
  withFewMistakes,
} from './errors.ts';
import { BYTES_OF_ONE, COST_OF_SMALL, type CostBudget, costError } from './limits/cost-budget.ts';
import type { Documents } from './limits/documents.ts';
import { ANSWER, LIMITS, limitError } from './limits/limits.ts';
import type { OperationLimits } from './limits/operation-limits.ts';
import { type CompiledQuery, compileQuery, conditionsOf, fragmentsOf, type QueryPlan, variablesOf } from './plan.ts';
import { methodError, nothingAsked } from './request.ts';
import { namesDocument, type TrustedDocuments, trustedParams } from './trusted-documents.ts';

/** All operations of a service share these. */
export interface Shared extends Runtime {
  /** The schema for tokens and anonymous callers. */
  readonly forTokens: Side;
  /** The same for sessions, whose schema has the first-party fields as well. */
  readonly forSessions: Side;
  readonly documents: Documents;
  readonly refusals: Refusals;
  readonly announcements: Pick<Announcements, 'note'>;
  /** Left out: nobody is limited. */
  readonly rateLimit?: RateLimit | undefined;
  readonly trustedDocuments?: TrustedDocuments | undefined;
}

/** The outcome of an operation, which its door writes. */
export type Outcome =
  /** An answer without errors, as JSON. */
  | { readonly kind: 'TEXT'; readonly text: string }
  /** An answer whose bytes other callers are sent as well. */
  | { readonly kind: 'SHARED'; readonly bytes: Buffer<ArrayBuffer> }
  /** The caller lacks what the operation requires. */
  | { readonly kind: 'REFUSED'; readonly refusal: Refusal; readonly required: CompiledOperation }
  | { readonly kind: 'RESULT'; readonly result: Result };

/** A schema, with what is known of its operations. */
export interface Side {
  readonly plans: QueryPlans;
  readonly introspection: Introspection;
}

/** Runs need these. */
interface Runtime {
  readonly limits: OperationLimits;
  readonly contextOf: ContextOf;
  readonly report: Report;
  /** How long an operation may take. */
  readonly executionSeconds: number;
}

type ContextOf = (parts: ContextParts) => GraphQLContext;

interface ContextParts {
  readonly onRefusal: GraphQLContext['onRefusal'] | undefined;
  readonly caller: Caller;
  readonly address: string;
  readonly budget: CostBudget;
  readonly outcomes: Outcomes | undefined;
}

/** A door knows this much of a request before it has read the document. */
interface Asker {
  readonly authentication: Authentication;
  readonly isByGet: boolean;
  readonly onRefusal?: GraphQLContext['onRefusal'] | undefined;
}

/** An operation that is in order, and for its caller. */
interface Permitted {
  readonly operation: KnownOperation;
  readonly side: Side;
  readonly caller: Caller;
  readonly variables: Readonly<Record<string, unknown>>;
  /** By the document and its variables */
  readonly cost: number;
}

export type Asked = GraphQLParams & { readonly query: string };

const NO_VARIABLES = {};

export class Operation {
  readonly asker: Asker;
  readonly #shared: Shared;
  readonly #filledBy: FilledBy;
  #place: Place | undefined;
  #execution: Execution | undefined;
  #verdict: RequestVerdict | undefined;
  #announcement: Announcement | undefined;

  constructor(shared: Shared, asker: Asker) {
    this.#shared = shared;
    this.asker = asker;
    this.#filledBy = filledBy(asker.authentication.caller);
  }

  /**
   * Counts every request that says who sends it, whatever it holds, before its body is read where that can be. A grant is
   * counted and not its token, so that refreshing wins nothing. A token that is no good counts for its address, where it uses
   * up what anonymous requests may take, and its own answer stays 401. @throws GraphQLError RATE_LIMITED
   */
  count(): void | Promise<void> {
    const { rateLimit } = this.#shared;
    if (!rateLimit) return undefined;
    const taken = rateLimit.requests.take(countedAs(this.asker.authentication, rateLimit.rates));
    if (taken instanceof Promise) return taken.then((verdict) => this.#counted(verdict));
    return this.#counted(taken);
  }

  #counted(verdict: RequestVerdict): void {
    this.#verdict = verdict;
    const { caller } = this.asker.authentication;
    if (!verdict.isAllowed && !(caller.kind === 'refused' && isRefusedAnyway(caller))) throw tooManyRequests(verdict);
  }

  /** The parameters with their document. @throws GraphQLError where there is none */
  ask(params: GraphQLParams): Asked {
    const { authentication, isByGet } = this.asker;
    const { caller } = authentication;
    const { trustedDocuments } = this.#shared;
    const isAsked =
      typeof params?.query === 'string' || (params?.query == null && trustedDocuments && namesDocument(params));
    if (!isAsked && !Array.isArray(params)) throw nothingAsked(params, isByGet);
    if (!trustedDocuments || caller.kind === 'refused') return params as Asked;
    return trustedParams(params, caller, trustedDocuments) as Asked;
  }

  /** @throws whatever `failure` puts into words */
  answer({ query, operationName, variables }: Asked): Outcome | Promise<Outcome> {
    const { caller } = this.asker.authentication;
    // Before the document is looked at: an answer tells a stranger nothing about the schema.
    if (caller.kind === 'refused') throw refusalOf(caller);
    const side = caller.kind === 'session' ? this.#shared.forSessions : this.#shared.forTokens;
    const sent = variables ?? NO_VARIABLES;
    const document = this.#parse(query);
    const chosen = this.#choose(document, operationName ?? undefined);
    const operation = this.#validate(side, document, chosen, operationName ?? undefined);
    if ('errors' in operation) return { kind: 'RESULT', result: operation };
    this.#announce(operation, sent, caller);
    const cost = this.#limit(operation, sent);
    const refusal = this.#shared.refusals.of(operation.required, caller);
    if (refusal) return { kind: 'REFUSED', refusal, required: operation.required };
    return this.#run({ operation, side, caller, variables: sent, cost });
  }

  #parse(query: string): DocumentNode {
    return this.#shared.documents.read(query, this.#filledBy);
  }

  #choose(document: DocumentNode, operationName: string | undefined): OperationDefinitionNode {
    const operation = chooseOperation(document, operationName);
    if (!operation) throw unresolved(missingOperation(document, operationName));
    if (this.asker.isByGet && operation.operation === OperationTypeNode.MUTATION)
      throw methodError('By GET are queries; send a mutation by POST.', 'POST, OPTIONS');
    return operation;
  }

  /** The operation with its requirement and plan; the errors of its document, if that is not valid. */
  #validate(
    { plans }: Side,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    operationName: string | undefined,
  ): KnownOperation | { readonly errors: readonly GraphQLError[] } {
    const known = plans.known(operation);
    if (known) return known;
    const { documents } = this.#shared;
    if (!documents.isValid(plans.schema, document)) {
      const errors = documentErrors(plans.schema, document);
      documents.judged(plans.schema, document, errors.length === 0, this.#filledBy);
      if (errors.length > 0) return { errors };
    }
    if (!plans.schema.getRootType(operation.operation)) throw unserved(operation);
    return plans.find(document, operation, operationName, this.#filledBy);
  }

  /** Before whatever refuses: that what is used will go is true all the same. */
  #announce({ announce }: KnownOperation, sent: Readonly<Record<string, unknown>>, caller: Caller): void {
    this.#announcement = announce?.(sent);
    if (this.#announcement) this.#shared.announcements.note(this.#announcement, caller);
  }

  /** @returns what the operation costs @throws GraphQLError */
  #limit({ required }: KnownOperation, sent: Readonly<Record<string, unknown>>): number {
    const { limits } = this.#shared;
    const error = sent === NO_VARIABLES ? undefined : limits.variablesError(sent);
    if (error) throw error;
    const { document, operation, rules } = required;
    const cost = limits.cost(rules.schema, document, operation, sent);
    const excess = costError(cost);
    if (excess) throw limits.pageError(document, operation, sent) ?? excess;
    return cost.requested;
  }

  #run(permitted: Permitted): Outcome | Promise<Outcome> {
    const { asker } = this;
    this.#place = new Place(askingOf(permitted.caller, asker.authentication.address));
    this.#execution = new Execution(permitted, this.#shared, asker, this.#place);
    return this.#execution.run();
  }

  /** An error of any phase, as callers see it. */
  failure(error: unknown): Outcome {
    return { kind: 'RESULT', result: { errors: [maskError(error, this.#shared.report)] } };
  }

  /** The head of the answer says how often the caller may ask, and which deprecated parts were used. */
  headers(status: number): Readonly<Record<string, string>> {
    // `Retry-After` of an answer that is not about the rate, but a 503, say, is that answer's own.
    const rate = this.#verdict && rateLimitHeaders(this.#verdict, status === 429);
    const announced = this.#announcement?.headers;
    return announced ? { ...rate, ...announced } : (rate ?? {});
  }

  /** Its answer is written, or nobody waits for it any more: others have the room. */
  done(): void {
    this.#execution?.abandon();
    this.#place?.giveBack();
  }
}

function unresolved(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 400 } } });
}

/** graphql-js does not validate it. This says nothing that introspection does not. */
function unserved({ operation }: OperationDefinitionNode): GraphQLError {
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400, spec: true } };
  return new GraphQLError(`No ${operation}s are served here; send a query or a mutation.`, { extensions });
}

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
    const made = apartFromCaller(() => writtenSchema(plan, context)).finally(() => this.#underWay.delete(operation));
    this.#underWay.set(operation, made);
    if (isKept)
      made.then(
        (answer) => void (hasRoomFor(document, answer.length + BUFFER_BYTES) && this.#answers.set(operation, answer)),
        () => undefined,
      );
    return made;
  }
}

async function writtenSchema(plan: QueryPlan, context: GraphQLContext): Promise<Buffer<ArrayBuffer>> {
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

const SESSION = sessionCaller();

/** Writes the refusals of operations, and notes them for the developers of apps. */
export class Refusals {
  readonly #resource: ProtectedResource;
  readonly #failedRequests: Pick<FailedRequestLog, 'note'>;

  constructor(resource: ProtectedResource, failedRequests: Pick<FailedRequestLog, 'note'>) {
    this.#resource = resource;
    this.#failedRequests = failedRequests;
  }

  /** Why an operation is not for its caller, the same object for the same reason; it is noted for the developer. */
  of(compiled: CompiledOperation, caller: Caller): Refusal | undefined {
    const refusal = authorize(compiled, scopeCallerOf(caller));
    if (refusal) this.#note(caller, refusal);
    return refusal;
  }

  /** The error that says so: another one each time, since an error keeps alive the request in which it was made. */
  errorOf(refusal: Refusal, { document }: CompiledOperation): GraphQLError {
    return errorOf(refusal, this.#resource, document.loc?.source);
  }

  /** The developer of an app asks first why it was refused. */
  #note(caller: Caller, { code: error, message: description }: Refusal): void {
    if (caller.kind !== 'token') return;
    this.#failedRequests.note({ clientId: caller.clientId, endpoint: 'GRAPHQL', error, description });
  }
}

function scopeCallerOf(caller: Caller): ScopeCaller {
  switch (caller.kind) {
    case 'anonymous':
      return ANONYMOUS;
    case 'token':
      return tokenCaller(caller.held);
    case 'session':
      return SESSION;
  }
}

function errorOf(refusal: Refusal, resource: ProtectedResource, source: Source | undefined): GraphQLError {
  const { message, locations = [], extensions } = refusalError(refusal);
  const challenge = challengeOf(refusal, resource);
  const http = { status: refusal.status, headers: challenge ? { 'WWW-Authenticate': challenge } : {} };
  if (locations.length === 0) return new GraphQLError(message, { extensions: { ...extensions, http } });
  return new GraphQLError(message, {
    source: source ?? null,
    positions: source ? locations.map((location) => offsetOf(source, location)) : null,
    extensions: { ...extensions, http },
  });
}

/** GraphQLError counts lines and columns itself, from an offset into the source. */
function offsetOf({ body }: Source, { line, column }: SourceLocation): number {
  const lineEnds = body.matchAll(/\r\n|[\n\r]/g);
  let start = 0;
  for (const lineEnd of lineEnds.take(line - 1)) start = lineEnd.index + lineEnd[0].length;
  return start + column - 1;
}

/** One run of an operation within its time. */
class Execution {
  readonly #permitted: Permitted;
  readonly #runtime: Runtime;
  readonly #asker: Asker;
  /** Where large operations wait for each other. */
  readonly #place: Place;
  readonly #budget: CostBudget;
  /** Ends the statements of either way of running. */
  readonly #ending = new Ending();
  #isOver = false;

  constructor(permitted: Permitted, runtime: Runtime, asker: Asker, place: Place) {
    this.#permitted = permitted;
    this.#runtime = runtime;
    this.#asker = asker;
    this.#place = place;
    this.#budget = this.#newBudget();
  }

  /** Large operations wait for each other; what waits has done nothing yet, and holds no connection. @throws TooMuchAtOnce */
  run(): Outcome | Promise<Outcome> {
    const { operation, side } = this.#permitted;
    const schema = operation.isIntrospection
      ? side.introspection.answer(operation.required, this.#context(this.#budget))
      : undefined;
    this.#isOver = schema !== undefined;
    if (schema) return schema instanceof Promise ? schema.then(inBytes) : inBytes(schema);
    const room = this.#budget.room(() => this.#ending.signal);
    return room ? room.then(() => this.#runInTime()) : this.#runInTime();
  }

  /** Nobody waits for the answer any more: its statements end. */
  abandon(): void {
    if (!this.#isOver) this.#ending.end(new GivenUp('The client has gone away.'));
  }

  #runInTime(): Outcome | Promise<Outcome> {
    const working = statementsUntil(this.#ending, () => this.#begin());
    if (!(working instanceof Promise)) {
      this.#isOver = true;
      return working;
    }
    const { executionSeconds: seconds } = this.#runtime;
    const isLate = this.#ending.endAfter(seconds * 1_000, () => timeoutError(seconds));
    return new Promise((resolve, reject) => {
      isLate.catch(reject);
      working.then(resolve, reject).finally(() => {
        this.#isOver = true;
        this.#ending.done();
      });
    });
  }

  #begin(): Outcome | Promise<Outcome> {
    const { query } = this.#permitted.operation;
    const variables = query?.breaker.letsThrough ? query.variablesOf(this.#permitted.variables) : undefined;
    return query && variables ? this.#byPlan(query, variables) : this.#byExecutor();
  }

  #byPlan(query: PlannedQuery, variables: Readonly<Record<string, unknown>>): Outcome | Promise<Outcome> {
    const outcomes: Outcomes | undefined = query.isMutation ? new Map() : undefined;
    const written = (data: string): Outcome => {
      query.breaker.succeeded();
      const { requested, limit } = this.#budget.cost;
      if (requested > COST_OF_SMALL && !isWithin(data, LIMITS.answerBytes)) throw this.#tooLarge();
      return {
        kind: 'TEXT',
        text: `{"data":${data},"extensions":{"cost":{"requested":${requested},"limit":${limit}}}}`,
      };
    };
    // Mistakes, their places and their order are the executor's business, which shows what mutations have given until then.
    const failed = (error: unknown): Promise<Outcome> => {
      this.#ending.throwIfOver();
      const isBusy = error instanceof TooMuchAtOnce;
      if (!isBusy && !(error instanceof NoPlan)) query.breaker.failed();
      // The executor would have it wait once more.
      if (isBusy && !outcomes) throw error;
      return this.#byExecutor(outcomes);
    };
    try {
      const text = query.run({ context: this.#context(this.#budget, outcomes), variables, ending: this.#ending });
      return typeof text === 'string' ? written(text) : text.then(written, failed);
    } catch (error) {
      return failed(error);
    }
  }

  async #byExecutor(outcomes?: Outcomes): Promise<Outcome> {
    const { operation, side, variables } = this.#permitted;
    const { operationName, required } = operation;
    const { document } = required;
    const { schema } = side.plans;
    const mistakes = variableErrors(schema, required.operation, variables);
    if (mistakes.length > 0) return { kind: 'RESULT', result: { errors: mistakes } };
    // The executor spends again whatever a plan has spent.
    const budget = this.#newBudget();
    const contextValue = this.#context(budget, outcomes);
    const { signal } = this.#ending;
    const named = operationName === undefined ? {} : { operationName };
    const given = (await executed({
      schema,
      document,
      ...named,
      variableValues: variables,
      contextValue,
      signal,
    })) as Result;
    return { kind: 'RESULT', result: await this.#finished(given, budget) };
  }

  /** The result as callers see it, with its cost. */
  async #finished(given: Result, { cost }: CostBudget): Promise<Result> {
    const { report } = this.#runtime;
    const errors =
      given.errors &&
      shortErrors(
        withFewMistakes(given.errors).map((error) =>
          maskError('data' in given ? error : asRequestError(error), report),
        ),
      );
    const result = { ...given, ...(errors && { errors }) };
    if (given.data === undefined) return result;
    const priced = { ...result, extensions: { ...result.extensions, cost } };
    if (!given.data || cost.requested <= COST_OF_SMALL) return priced;
    const text = await inTurns(piecesWithin(given.data, LIMITS.answerBytes));
    if (text === undefined) return { errors: [this.#tooLarge()] };
    return { ...priced, stringify: (final) => withData(text, final) };
  }

  #newBudget(): CostBudget {
    const budget = this.#runtime.limits.budget(this.#place);
    budget.spend(this.#permitted.cost);
    return budget;
  }

  #context(budget: CostBudget, outcomes?: Outcomes) {
    const { authentication, onRefusal } = this.#asker;
    const { caller } = this.#permitted;
    return this.#runtime.contextOf({ caller, address: authentication.address, budget, outcomes, onRefusal });
  }

  #tooLarge() {
    return answerTooLarge(LIMITS.answerBytes, this.#permitted.operation.required.operation.operation);
  }
}

function inBytes(bytes: Buffer<ArrayBuffer>): Outcome {
  return { kind: 'SHARED', bytes };
}

/** Answers end where they would be larger than any may be: the price is the most that could be there, and long texts in full lists are more than that. */

/** As executors give it. `stringify`: writes it, where it was written in turns with other work. */
export interface Result {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly stringify?: (result: Result) => string;
}

function isWithin(text: string, maxBytes: number): boolean {
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
}

/** A value as JSON; `undefined` once it is larger than that. Pauses after each object, so that others have their turns. */
function* piecesWithin(value: unknown, maxBytes: number): Generator<void, string | undefined> {
  const parts: string[] = [];
  let bytes = 0;
  for (const piece of piecesOf(value)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) return undefined;
    parts.push(piece);
    yield;
  }
  return parts.join('');
}

function* piecesOf(value: unknown): Generator<string> {
  if (!isObject(value) || !Object.values(value).some(isObject)) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* piecesOf(inner);
    before = ',';
  }
  yield isList ? ']' : '}';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Everything beside the data is small, and known only at the end. */
function withData(text: string, final: Result): string {
  const others = JSON.stringify({ ...final, data: undefined, stringify: undefined });
  return others === '{}' ? `{"data":${text}}` : `{"data":${text},${others.slice(1)}`;
}

function answerTooLarge(maxBytes: number, operation: OperationTypeNode | undefined): GraphQLError {
  if (operation !== OperationTypeNode.MUTATION) return limitError(ANSWER, maxBytes);
  const { code } = ANSWER;
  const message = `The mutation was carried out, but its answer would have more than ${maxBytes} bytes: select less of it, and look up what you need.`;
  return new GraphQLError(message, { extensions: { code, limit: maxBytes, http: { status: 400 } } });
}

/** Operations that take longer are ended, with their statements; what they were about to resolve is not begun any more. */
export const EXECUTION_SECONDS = 10;

/** 504 and not 503, because the latter invites to try again at once, and a mutation may have been carried out. */
function timeoutError(seconds: number): GraphQLError {
  return new GraphQLError(
    `The operation took more than ${seconds} seconds and was stopped: ask for less at once. If it was a mutation, look whether it was carried out before you send it again.`,
    { extensions: { code: 'EXECUTION_TIMEOUT', http: { status: 504 } } },
  );
}

/** The answer with errors as Yoga writes it, which knows what status belongs to which of them. */
export function resultResponse(
  outcome: Outcome & { kind: 'REFUSED' | 'RESULT' },
  refusals: Pick<Refusals, 'errorOf'>,
  type: string,
  fetchAPI: Pick<FetchAPI, 'Response'> = FETCH_API,
): Response {
  const result: Result =
    outcome.kind === 'RESULT' ? outcome.result : { errors: [refusals.errorOf(outcome.refusal, outcome.required)] };
  const errors = result.errors && shortErrors(result.errors);
  return processRegularResult({ ...result, ...(errors && { errors }) } as never, fetchAPI as FetchAPI, type);
}

const FETCH_API: Pick<FetchAPI, 'Response'> = { Response: globalThis.Response };

/** Makes the contexts of resolvers: what all have in common stands in a prototype, and the rest is looked up when it is needed. */
export function contextsOf({
  em: root,
  publicUrl,
  modules,
}: {
  readonly em: Em;
  readonly publicUrl: string;
  readonly modules: ModuleContext;
}): ContextOf {
  class Context {
    readonly caller: Caller;
    readonly address: string;
    readonly budget: CostBudget;
    readonly outcomes: Outcomes | undefined;
    readonly onRefusal: ContextParts['onRefusal'];
    #em: Em | undefined;

    constructor({ caller, address, budget, outcomes, onRefusal }: ContextParts) {
      this.caller = caller;
      this.address = address;
      this.budget = budget;
      this.outcomes = outcomes;
      this.onRefusal = onRefusal;
    }

    /** Many need none. */
    get em(): Em {
      this.#em ??= root.fork();
      return this.#em;
    }
  }
  Object.assign(Context.prototype, modules, { publicUrl, sharedEm: root.fork() });
  return (parts) => new Context(parts) as unknown as GraphQLContext;
}
