/** Runs an operation that is permitted: by the plan that was made of it, and by the executor where there is none or it fails. */
import { execute as executed } from '@graphql-tools/executor';
import { GraphQLError, OperationTypeNode } from 'graphql';
import { inTurns } from '../core/turns.ts';
import { Ending, GivenUp, statementsUntil } from '../database/deadline.ts';
import type { Report } from '../database/failure.ts';
import { type Place, TooMuchAtOnce } from '../limits/large-work.ts';
import type { Refusal } from '../scopes/authorize.ts';
import type { CompiledOperation } from '../scopes/compile.ts';
import {
  type Introspection,
  type KnownOperation,
  NoPlan,
  type PlannedQuery,
  type QueryPlans,
} from './compiled/query-plans.ts';
import type { Authentication, Caller, GraphQLContext, Outcomes } from './context.ts';
import { asRequestError, maskError, shortErrors, variableErrors, withFewMistakes } from './errors.ts';
import { COST_OF_SMALL, type CostBudget } from './limits/cost-budget.ts';
import { ANSWER, LIMITS, limitError } from './limits/limits.ts';
import type { OperationLimits } from './limits/operation-limits.ts';

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
export interface Runtime {
  readonly limits: OperationLimits;
  readonly contextOf: ContextOf;
  readonly report: Report;
  /** How long an operation may take. */
  readonly executionSeconds: number;
}

export type ContextOf = (parts: ContextParts) => GraphQLContext;

export interface ContextParts {
  readonly onRefusal: GraphQLContext['onRefusal'] | undefined;
  readonly caller: Caller;
  readonly address: string;
  readonly budget: CostBudget;
  readonly outcomes: Outcomes | undefined;
}

/** A door knows this much of a request before it has read the document. */
export interface Asker {
  readonly authentication: Authentication;
  readonly isByGet: boolean;
  readonly onRefusal?: GraphQLContext['onRefusal'] | undefined;
}

/** An operation that is in order, and for its caller. */
export interface Permitted {
  readonly operation: KnownOperation;
  readonly side: Side;
  readonly caller: Caller;
  readonly variables: Readonly<Record<string, unknown>>;
  /** By the document and its variables */
  readonly cost: number;
}

/** One run of an operation within its time. */
export class Execution {
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
    if (schema) return schema instanceof Promise ? schema.then(shared) : shared(schema);
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

function shared(bytes: Buffer<ArrayBuffer>): Outcome {
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
