import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Report } from '../database/failure.ts';
import type { Em } from '../database/sql.ts';
import type { FailedRequestLog } from '../events/failed-request-log.ts';
import { sharedAnswers } from '../limits/large-work.ts';
import type { RateLimit } from '../limits/request-limit.ts';
import type { ProtectedResource } from '../scopes/www-authenticate.ts';
import type { Authenticate, Authentication, ModuleContext } from './context.ts';
import { useCors } from './cors.ts';
import type { Announcements } from './deprecation.ts';
import { maskError } from './errors.ts';
import { Documents } from './limits/documents.ts';
import { OperationLimits } from './limits/operation-limits.ts';
import { answeringOperations, type Listener } from './listener.ts';
import { singleMutationsOf } from './mutation.ts';
import {
  type Asked,
  contextsOf,
  EXECUTION_SECONDS,
  type GuardedSchema,
  Introspection,
  Operation,
  type Outcome,
  QueryPlans,
  Refusals,
  type Result,
  resultResponse,
  type Shared,
  type Side,
} from './operation.ts';
import { answerType, bodyParser, checkRequest, prefersPage } from './request.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

export interface GraphQLServerOptions {
  /** The schema that tokens and anonymous callers see. */
  readonly forTokens: GuardedSchema;
  /** The schema that sessions see: it has the first-party fields as well. */
  readonly forSessions: GuardedSchema;
  readonly authenticate: Authenticate;
  /** Finds the caller where that takes no statement; undefined: there are neither plans nor the door on Node's request. */
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
  /** Ten if left out. */
  readonly executionSeconds?: number;
  /** Answers what is not GraphQL. */
  readonly elsewhere: (request: Request, server: object) => Response | Promise<Response>;
}

const ENDPOINT = '/graphql';

export interface GraphQLServer {
  readonly fetch: (request: Request, server: object) => Response | Promise<Response>;
  readonly listener: Listener;
  /** The door on Node's request. It leaves everything that it does not read itself to `otherwise`, behind which `listener` stands. */
  readonly inFront: (otherwise: Listener) => Listener;
  /** The door of REST, in `http/`, begins its operations with it. */
  readonly shared: Shared;
}

/** The one Yoga server: GraphQL at /graphql, everything else handed to `elsewhere`. */
export function graphqlServer(options: GraphQLServerOptions): GraphQLServer {
  const { recall, forTokens, forSessions, announcements, rateLimit, trustedDocuments, report } = options;
  const limits = new OperationLimits(singleMutationsOf(forSessions.schema));
  const documents = new Documents(limits);
  const side = (guarded: GuardedSchema): Side => ({
    plans: new QueryPlans(guarded, documents, announcements, recall !== undefined),
    introspection: new Introspection(guarded.schema),
  });
  const shared: Shared = {
    forTokens: side(forTokens),
    forSessions: side(forSessions),
    limits,
    documents,
    refusals: new Refusals(options.resource, options.failedRequests),
    announcements,
    rateLimit,
    trustedDocuments,
    contextOf: contextsOf(options),
    report,
    executionSeconds: options.executionSeconds ?? EXECUTION_SECONDS,
  };
  const yoga = yogaServer(options, shared);
  return {
    fetch: (request, server) => yoga.fetch(request, server),
    listener: yoga,
    shared,
    inFront: (otherwise) =>
      recall ? answeringOperations({ ...shared, endpoint: ENDPOINT, recall }, otherwise) : otherwise,
  };
}

function yogaServer(options: GraphQLServerOptions, shared: Shared) {
  const { forTokens, report, trustedDocuments } = options;
  return createYoga<{ readonly req?: IncomingMessage; readonly res?: ServerResponse }>({
    graphqlEndpoint: ENDPOINT,
    // Operations run by `useOperations`, which chooses the schema of their caller.
    schema: forTokens.schema,
    plugins: [useCors(ENDPOINT), useElsewhere(options), useOperations(options.authenticate, shared)],
    maskedErrors: { maskError: (error) => maskError(error, report) },
    cors: false,
    // Yoga's own limit copies every body through a stream.
    maxRequestBodySize: false,
    extraParamNames: trustedDocuments ? ['documentId'] : [],
    batching: false,
    multipart: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    disposeOnProcessTerminate: false,
  });
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

const OUTCOME = Symbol('outcome');

interface ServerContext {
  readonly res?: ServerResponse;
}

/** Yoga's door: it reads Web requests and writes Web responses, and in between operations go through their own phases. */
function useOperations(authenticate: Authenticate, shared: Shared): Plugin {
  const operations = new WeakMap<Request, Operation>();
  return {
    /** That a request is no GraphQL request at all (405, 415, 413) is told before what is wrong with its credentials. */
    async onRequestParse({ request, serverContext, setRequestParser }) {
      const { res } = serverContext as ServerContext;
      const authentication = await authenticate(request, serverContext);
      const isByGet = request.method === 'GET';
      const operation = new Operation(shared, { authentication, isByGet });
      operations.set(request, operation);
      res?.once('close', () => operation.done());
      await operation.count();
      checkRequest(request);
      setRequestParser(bodyParser(request, shared.trustedDocuments !== undefined));
    },
    onParams({ request, params, setParams, setParamsHandler }) {
      const operation = operations.get(request) as Operation;
      setParams(operation.ask(params));
      setParamsHandler(async (asked): Promise<ExecutionResult> => {
        const outcome = await answerOf(operation, asked.params as Asked);
        return { [OUTCOME]: outcome } as ExecutionResult;
      });
    },
    onResultProcess(payload) {
      const { request, serverContext } = payload;
      // Yoga reads no weights. What is refused before its answer's type was looked at is said in JSON.
      const type = answerType(request.headers.get('accept')) ?? 'application/json';
      const given = payload.result as Result & { readonly [OUTCOME]?: Outcome };
      const outcome: Outcome = given[OUTCOME] ?? { kind: 'RESULT', result: given };
      const { res } = serverContext as ServerContext;
      if (outcome.kind === 'SHARED' && res) sharedAnswers.add(res);
      payload.setResultProcessor((_result, fetchAPI) => {
        const { Response } = fetchAPI;
        if (outcome.kind === 'TEXT' || outcome.kind === 'SHARED') {
          const body = outcome.kind === 'TEXT' ? outcome.text : outcome.bytes;
          return new Response(body, { headers: { 'Content-Type': `${type}; charset=utf-8` } });
        }
        return resultResponse(outcome, shared.refusals, type, fetchAPI);
      }, type);
    },
    onResponse({ request, response }) {
      const operation = operations.get(request);
      if (!operation) return;
      for (const [name, value] of Object.entries(operation.headers(response.status))) response.headers.set(name, value);
      operation.done();
    },
  };
}

async function answerOf(operation: Operation, asked: Asked): Promise<Outcome> {
  try {
    return await operation.answer(asked);
  } catch (error) {
    return operation.failure(error);
  }
}
