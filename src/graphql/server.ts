import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Report } from '../database/failure.ts';
import type { Em } from '../database/sql.ts';
import type { FailedRequestLog } from '../events/failed-request-log.ts';
import { Place } from '../limits/large-work.ts';
import type { ProtectedResource } from '../scopes/www-authenticate.ts';
import { type Authenticate, type Authentication, authenticationOf, useAuthentication } from './authentication.ts';
import { Introspection, useIntrospection } from './compiled/introspection.ts';
import { QueryPlans } from './compiled/query-plans.ts';
import { askingOf, type Caller, filledBy, type GraphQLContext, type ModuleContext, type Outcomes } from './context.ts';
import { useCors } from './cors.ts';
import type { Announcements } from './deprecation/announcements.ts';
import { useDeprecations } from './deprecation/deprecation-plugin.ts';
import { maskError, useRequestErrors } from './errors.ts';
import { answeringQueries } from './fast-path/listener.ts';
import { type GuardedSchema, useScopeGuard } from './guard/scope-guard.ts';
import { useAnswerSize } from './limits/answer-size.ts';
import type { CostBudget } from './limits/cost-budget.ts';
import { type Begun, EXECUTION_SECONDS, useDeadline } from './limits/deadline.ts';
import { Documents } from './limits/documents.ts';
import { useLimits, useRoom } from './limits/limit-guard.ts';
import { LIMITS } from './limits/limits.ts';
import { OperationLimits } from './limits/operation-limits.ts';
import { type RateLimit, type TakenVerdicts, useRateLimit } from './rate-limit.ts';
import { Refusals } from './refusals.ts';
import { MAX_BODY_BYTES, useJsonBody } from './request/json-body.ts';
import { prefersPage, useRequestRules } from './request/request-rules.ts';
import { useShortErrors } from './short-errors.ts';
import { singleMutationsOf } from './single-mutations.ts';
import { namesDocument, type TrustedDocuments, useTrustedDocuments } from './trusted-documents.ts';

export interface GraphQLServerOptions {
  /** The schema that tokens and anonymous callers see. */
  readonly forTokens: GuardedSchema;
  /** The same with the first-party fields. */
  readonly forSessions: GuardedSchema;
  readonly authenticate: Authenticate;
  /** The caller, where that is known at once; undefined: queries have no faster way than all the rest. */
  readonly recall?: ((request: IncomingMessage) => Authentication | undefined) | undefined;
  readonly resource: ProtectedResource;
  readonly em: Em;
  readonly publicUrl: string;
  /** Where refused operations are noted. */
  readonly failedRequests: FailedRequestLog;
  /** Which operations use what is deprecated. */
  readonly announcements: Announcements;
  /** The modules' part of the context, beside what is made for each request. */
  readonly modules: ModuleContext;
  readonly report: Report;
  /** Requests for a page at the endpoint are handed to `elsewhere`. */
  readonly hasConsole?: boolean;
  /** Left out: nobody is limited. */
  readonly rateLimit?: RateLimit | undefined;
  readonly trustedDocuments?: TrustedDocuments | undefined;
  /** Answers what is not GraphQL. */
  readonly elsewhere: (request: Request, server: object) => Response | Promise<Response>;
}

const ENDPOINT = '/graphql';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface GraphQLServer {
  readonly fetch: (request: Request, server: object) => Response | Promise<Response>;
  readonly listener: Listener;
  /** Answers queries that have a plan at once, and leaves all others to `otherwise`, behind which `listener` stands. */
  readonly inFront: (otherwise: Listener) => Listener;
}

/** The one Yoga server: GraphQL at /graphql, everything else handed to `elsewhere`. In front of it, queries that have a plan. */
export function graphqlServer(options: GraphQLServerOptions): GraphQLServer {
  const limits = new OperationLimits(singleMutationsOf(options.forSessions.schema));
  const shared: Shared = {
    limits,
    documents: new Documents(limits),
    refusals: new Refusals(options.resource, options.failedRequests),
    introspectionOf: introspections(options),
    verdicts: new WeakMap(),
    begun: new WeakMap(),
    outcomes: new WeakMap(),
  };
  const sharedEm = options.em.fork();
  const yoga = yogaServer(options, shared, sharedEm);
  const fetch = (request: Request, server: object) => yoga.fetch(request, server);
  const { recall, trustedDocuments, forTokens, rateLimit, announcements } = options;
  if (!recall || trustedDocuments) return { fetch, listener: yoga, inFront: (otherwise) => otherwise };
  const plans = new QueryPlans(forTokens, shared.documents, announcements);
  const compiled = {
    ...shared,
    endpoint: ENDPOINT,
    plans,
    introspection: shared.introspectionOf(forTokens.schema),
    recall,
    rateLimit,
    announcements,
    contextOf: contextsOf(options, sharedEm),
  };
  return { fetch, listener: yoga, inFront: (otherwise) => answeringQueries(compiled, otherwise) };
}

/** The parts that both ways into GraphQL share. */
interface Shared {
  readonly limits: OperationLimits;
  readonly documents: Documents;
  readonly refusals: Refusals;
  readonly introspectionOf: (schema: GraphQLSchema) => Introspection;
  readonly verdicts: TakenVerdicts;
  readonly begun: Begun;
  readonly outcomes: WeakMap<IncomingMessage, Outcomes>;
}

function introspections({ forTokens, forSessions }: GraphQLServerOptions): Shared['introspectionOf'] {
  const [ofTokens, ofSessions] = [new Introspection(forTokens.schema), new Introspection(forSessions.schema)];
  return (schema) => (schema === forSessions.schema ? ofSessions : ofTokens);
}

function yogaServer(
  options: GraphQLServerOptions,
  { limits, documents, refusals, introspectionOf, verdicts, begun, outcomes }: Shared,
  sharedEm: Em,
) {
  const { forTokens, forSessions } = options;
  return createYoga<{ readonly req?: IncomingMessage }, GraphQLContext>({
    graphqlEndpoint: ENDPOINT,
    schema: ({ request }) =>
      authenticationOf(request).caller.kind === 'session' ? forSessions.schema : forTokens.schema,
    // The budget is that of `useLimits`.
    context: ({ request, req }) =>
      ({ ...contextOf(request, options, sharedEm), outcomes: req && outcomes.get(req) }) as GraphQLContext,
    plugins: [
      useCors(ENDPOINT),
      useElsewhere(options),
      useAuthentication(options.authenticate),
      ...(options.rateLimit ? [useRateLimit(options.rateLimit, verdicts)] : []),
      useRequestRules(options.trustedDocuments && namesDocument),
      useJsonBody(MAX_BODY_BYTES, options.trustedDocuments !== undefined),
      ...(options.trustedDocuments ? [useTrustedDocuments(options.trustedDocuments)] : []),
      // Before whatever refuses: that what is used will go is true all the same.
      useDeprecations(options.announcements),
      useLimits(
        documents,
        limits,
        ({ caller, address }) => new Place(askingOf(caller, address)),
        (request) => filledBy(authenticationOf(request).caller),
      ),
      useScopeGuard((schema) => (schema === forSessions.schema ? forSessions.rules : forTokens.rules), refusals),
      useIntrospection(introspectionOf, options.report),
      useRoom(options.report),
      useDeadline(EXECUTION_SECONDS, begun),
      useAnswerSize(LIMITS.answerBytes),
      useRequestErrors(),
      useShortErrors(),
    ],
    maskedErrors: { maskError: (error) => maskError(error, options.report) },
    cors: false,
    // Yoga's own limit copies every body through a stream.
    maxRequestBodySize: false,
    // Its errors would keep their requests alive; `Documents` keeps what is valid.
    parserAndValidationCache: false,
    extraParamNames: options.trustedDocuments ? ['documentId'] : [],
    batching: false,
    multipart: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    disposeOnProcessTerminate: false,
  });
}

function contextOf(
  request: Request,
  { em, publicUrl, modules }: GraphQLServerOptions,
  sharedEm: Em,
): Omit<GraphQLContext, 'budget'> {
  const { caller, address } = authenticationOf(request);
  if (caller.kind === 'refused') throw new Error('Refused credentials reached execution.');
  return { ...modules, em: em.fork(), sharedEm, caller, address, publicUrl };
}

/** The same for the compiled way, at a tenth of the cost: what all requests have in common stands in a prototype. */
function contextsOf({ em: root, publicUrl, modules }: GraphQLServerOptions, sharedEm: Em) {
  class Context {
    readonly caller: Caller;
    readonly address: string;
    readonly budget: CostBudget;
    readonly outcomes: Outcomes | undefined;
    #em: Em | undefined;

    constructor(caller: Caller, address: string, budget: CostBudget, outcomes: Outcomes | undefined) {
      this.caller = caller;
      this.address = address;
      this.budget = budget;
      this.outcomes = outcomes;
    }

    /** Many need none. */
    get em(): Em {
      this.#em ??= root.fork();
      return this.#em;
    }
  }
  Object.assign(Context.prototype, modules, { publicUrl, sharedEm });
  return (caller: Caller, address: string, budget: CostBudget, outcomes: Outcomes | undefined): GraphQLContext =>
    new Context(caller, address, budget, outcomes) as unknown as GraphQLContext;
}

function useElsewhere({ elsewhere, hasConsole = false }: GraphQLServerOptions): Plugin {
  return {
    async onRequest(payload) {
      const { request, url, serverContext } = payload;
      const isElsewhere = url.pathname !== ENDPOINT || (hasConsole && asksForPage(request));
      if (isElsewhere) payload.endResponse(await elsewhere(request, serverContext ?? {}));
    },
  };
}

function asksForPage({ method, headers }: Request): boolean {
  return method === 'GET' && prefersPage(headers.get('accept'));
}
