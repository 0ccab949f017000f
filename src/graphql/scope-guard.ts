import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  type OperationTypeNode,
  type Source,
  type SourceLocation,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Background } from '../core/background.ts';
import { recordFailedRequest } from '../events/record-failed-request.ts';
import {
  ANONYMOUS,
  authorize,
  type Refusal,
  refusalError,
  type Caller as ScopeCaller,
  sessionCaller,
  tokenCaller,
} from '../scopes/authorize.ts';
import { compileOperation } from '../scopes/compile.ts';
import type { SchemaRules } from '../scopes/schema-rules.ts';
import { challengeOf, type ProtectedResource } from '../scopes/www-authenticate.ts';
import type { Caller, GraphQLContext } from './context.ts';

/** A schema with what its fields require. */
export interface GuardedSchema {
  readonly schema: GraphQLSchema;
  readonly rules: SchemaRules;
}

const SESSION = sessionCaller();

/**
 * Compares what an operation requires with what its caller holds, before anything of it runs. In onExecute and
 * onSubscribe, never in validation, whose verdicts are cached across callers.
 */
export function useScopeGuard(
  rulesOf: (schema: GraphQLSchema) => SchemaRules,
  resource: ProtectedResource,
  background: Background,
): Plugin {
  const refusalOf = (args: ExecutionArgs): GraphQLError | undefined => {
    const compiled = compileOperation(rulesOf(args.schema), args.document, args.operationName);
    // No such operation: the executor runs nothing either, and says which names there are.
    if (!compiled) return undefined;
    const { operation } = compiled.operation;
    // graphql-js does not validate it. It says nothing that introspection does not.
    if (!args.schema.getRootType(operation)) return unserved(operation);
    const context = args.contextValue as GraphQLContext;
    const refusal = authorize(compiled, scopeCallerOf(context.caller));
    if (!refusal) return undefined;
    noteForDeveloper(context, refusal, background);
    return errorOf(refusal, resource, args.document.loc?.source);
  };
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const error = refusalOf(args);
      if (error) setResultAndStopExecution({ errors: [error] });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const error = refusalOf(args);
      if (error) setResultAndStopExecution({ errors: [error] });
    },
  };
}

function unserved(operation: OperationTypeNode): GraphQLError {
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400, spec: true } };
  return new GraphQLError(`No ${operation}s are served here; send a query or a mutation.`, { extensions });
}

/** "Why was I refused" is what the developer of an app asks first; the answer does not wait for it. */
function noteForDeveloper(
  { caller, em }: GraphQLContext,
  { code: error, message: description }: Refusal,
  background: Background,
): void {
  if (caller.kind !== 'token') return;
  const { clientId } = caller;
  background.run(() => recordFailedRequest(em, { clientId, endpoint: 'GRAPHQL', error, description }));
}

export function scopeCallerOf(caller: Caller): ScopeCaller {
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
