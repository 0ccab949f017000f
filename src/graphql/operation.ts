/**
 * One GraphQL operation, from the request that asks for it to its answer. The phases stand here once, in order: count, ask,
 * parse, validate, announce, limit, authorize, and run (execution.ts). Three doors go through them: listener.ts on Node's
 * request, Yoga (server.ts), and the paths of REST (http/rest/rest.routes.ts). A door reads its request, calls `count`, `ask` and
 * `answer`, and writes what comes of them.
 */

import { type DocumentNode, GraphQLError, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { type FetchAPI, type GraphQLParams, processRegularResult } from 'graphql-yoga';
import type { FilledBy } from '../core/caches.ts';
import type { Em } from '../database/sql.ts';
import { Place } from '../limits/large-work.ts';
import { countedAs, type RateLimit, type RequestVerdict, rateLimitHeaders } from '../limits/request-limit.ts';
import { chooseOperation } from '../scopes/compile.ts';
import { missingOperation } from '../scopes/explain.ts';
import type { KnownOperation } from './compiled/query-plans.ts';
import {
  askingOf,
  type Caller,
  filledBy,
  type GraphQLContext,
  isRefusedAnyway,
  type ModuleContext,
  type Outcomes,
  refusalOf,
} from './context.ts';
import type { Announcement, Announcements } from './deprecation.ts';
import { documentErrors, maskError, shortErrors, tooManyRequests } from './errors.ts';
import {
  type Asker,
  type ContextOf,
  type ContextParts,
  Execution,
  type Outcome,
  type Permitted,
  type Result,
  type Runtime,
  type Side,
} from './execution.ts';
import { type CostBudget, costError } from './limits/cost-budget.ts';
import type { Documents } from './limits/documents.ts';
import type { Refusals } from './refusals.ts';
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

function unresolved(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 400 } } });
}

/** graphql-js does not validate it. This says nothing that introspection does not. */
function unserved({ operation }: OperationDefinitionNode): GraphQLError {
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400, spec: true } };
  return new GraphQLError(`No ${operation}s are served here; send a query or a mutation.`, { extensions });
}
