import type { GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Em } from '../database/sql.ts';
import type { GuessLimit } from '../limits/guess-limit.ts';
import type { Verification } from '../limits/verification.ts';
import type { AccountMails } from '../modules/accounts/account-mails.ts';
import type { FurnishMember } from '../modules/organizations/group.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { SchemaRules } from '../scopes/schema-rules.ts';
import type { ProtectedResource } from '../scopes/www-authenticate.ts';
import { useAnswerSize } from './answer-size.ts';
import { type Authenticate, authenticationOf, useAuthentication } from './authentication.ts';
import type { GraphQLContext } from './context.ts';
import { useCors } from './cors.ts';
import { useDeadline } from './deadline.ts';
import { Documents } from './documents.ts';
import { maskError, type ReportError, useRequestErrors } from './errors.ts';
import { useJsonBody } from './json-body.ts';
import { NOTHING_KEPT, useLimits } from './limit-guard.ts';
import { LIMITS } from './limits.ts';
import { OperationLimits } from './operation-limits.ts';
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
  readonly oauth: AuthorizationServer;
  readonly passwordGuesses: GuessLimit;
  readonly verification: Verification;
  readonly accountMails: AccountMails;
  readonly furnishMember: FurnishMember;
  readonly report: ReportError;
  /** Whoever asks for a page at the endpoint is handed to `elsewhere`. */
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

function contextOf(
  request: Request,
  { em, oauth, passwordGuesses, verification, accountMails, furnishMember }: GraphQLServerOptions,
): Omit<GraphQLContext, 'budget'> {
  const { caller, address } = authenticationOf(request);
  if (caller.kind === 'refused') throw new Error('Refused credentials reached execution.');
  return {
    em: em.fork(),
    caller,
    address,
    oauth,
    passwordGuesses,
    verification,
    accountMails,
    furnishMember,
    publicUrl: oauth.issuer,
  };
}

function useElsewhere({ elsewhere, hasConsole = false }: GraphQLServerOptions): Plugin {
  return {
    async onRequest(asked) {
      const { request, url, serverContext } = asked;
      const isElsewhere = url.pathname !== ENDPOINT || (hasConsole && asksForPage(request));
      if (isElsewhere) asked.endResponse(await elsewhere(request, serverContext ?? {}));
    },
  };
}

function asksForPage({ method, headers }: Request): boolean {
  return method === 'GET' && (headers.get('accept') ?? '').includes('text/html');
}
