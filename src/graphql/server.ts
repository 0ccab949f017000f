import type { GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Background } from '../core/background.ts';
import type { Report } from '../database/failure.ts';
import type { Em } from '../database/sql.ts';
import type { SchemaRules } from '../scopes/schema-rules.ts';
import type { ProtectedResource } from '../scopes/www-authenticate.ts';
import { type Authenticate, authenticationOf, useAuthentication } from './authentication.ts';
import type { GraphQLContext, ModuleContext } from './context.ts';
import { useCors } from './cors.ts';
import { maskError, useRequestErrors } from './errors.ts';
import { useJsonBody } from './json-body.ts';
import { useAnswerSize } from './limits/answer-size.ts';
import { useDeadline } from './limits/deadline.ts';
import { Documents } from './limits/documents.ts';
import { NOTHING_KEPT, useLimits } from './limits/limit-guard.ts';
import { LIMITS } from './limits/limits.ts';
import { OperationLimits } from './limits/operation-limits.ts';
import { type RateLimit, useRateLimit } from './rate-limit.ts';
import { useRequestRules } from './request-rules.ts';
import { useScopeGuard } from './scope-guard.ts';
import { useShortErrors } from './short-errors.ts';
import { singleMutationsOf } from './single-mutations.ts';
import { namesDocument, type TrustedDocuments, useTrustedDocuments } from './trusted-documents.ts';

/** A schema with what its fields require. */
export interface GuardedSchema {
  readonly schema: GraphQLSchema;
  readonly rules: SchemaRules;
}

export interface GraphQLServerOptions {
  /** What tokens and anonymous callers see. */
  readonly forTokens: GuardedSchema;
  /** The same with the first-party fields. */
  readonly forSessions: GuardedSchema;
  readonly authenticate: Authenticate;
  readonly resource: ProtectedResource;
  readonly em: Em;
  readonly publicUrl: string;
  /** For what is noted of refused operations. */
  readonly background: Background;
  /** What resolvers find in the context beside what is made for each request. */
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
const MAX_BODY_BYTES = 1_000_000;

/** The one Yoga server: GraphQL at /graphql, everything else handed to `elsewhere`. */
export function graphqlServer(options: GraphQLServerOptions) {
  const { forTokens, forSessions } = options;
  const limits = new OperationLimits(singleMutationsOf(forSessions.schema));
  return createYoga<object, GraphQLContext>({
    graphqlEndpoint: ENDPOINT,
    schema: ({ request }) =>
      authenticationOf(request).caller.kind === 'session' ? forSessions.schema : forTokens.schema,
    // The budget is that of `useLimits`.
    context: ({ request }) => contextOf(request, options) as GraphQLContext,
    plugins: [
      useCors(ENDPOINT),
      useElsewhere(options),
      useRequestRules(options.trustedDocuments && namesDocument),
      useJsonBody(MAX_BODY_BYTES),
      useAuthentication(options.authenticate),
      ...(options.rateLimit ? [useRateLimit(options.rateLimit)] : []),
      ...(options.trustedDocuments ? [useTrustedDocuments(options.trustedDocuments)] : []),
      useLimits(new Documents(limits), limits),
      useScopeGuard(
        (schema) => (schema === forSessions.schema ? forSessions.rules : forTokens.rules),
        options.resource,
        options.background,
      ),
      useDeadline(),
      useAnswerSize(LIMITS.answerBytes),
      useRequestErrors(),
      useShortErrors(),
    ],
    maskedErrors: { maskError: (error) => maskError(error, options.report) },
    cors: false,
    // Yoga's own limit copies every body through a stream.
    maxRequestBodySize: false,
    parserAndValidationCache: { documentCache: NOTHING_KEPT, errorCache: NOTHING_KEPT },
    extraParamNames: options.trustedDocuments ? ['documentId'] : [],
    batching: false,
    multipart: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    disposeOnProcessTerminate: false,
  });
}

function contextOf(request: Request, { em, publicUrl, modules }: GraphQLServerOptions): Omit<GraphQLContext, 'budget'> {
  const { caller, address } = authenticationOf(request);
  if (caller.kind === 'refused') throw new Error('Refused credentials reached execution.');
  return { ...modules, em: em.fork(), caller, address, publicUrl };
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
  return method === 'GET' && (headers.get('accept') ?? '').includes('text/html');
}
