import { GraphQLError, type Source, type SourceLocation } from 'graphql';
import type { FailedRequestLog } from '../events/failed-request-log.ts';
import {
  ANONYMOUS,
  authorize,
  type Refusal,
  refusalError,
  type Caller as ScopeCaller,
  sessionCaller,
  tokenCaller,
} from '../scopes/authorize.ts';
import type { Scope } from '../scopes/catalog.ts';
import type { CompiledOperation } from '../scopes/compile.ts';
import { heldScopes } from '../scopes/held-scopes.ts';
import { covers } from '../scopes/scope-set.ts';
import { challengeOf, type ProtectedResource } from '../scopes/www-authenticate.ts';
import type { Caller, GraphQLContext } from './context.ts';

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

/**
 * Requires of an app what a value makes necessary, which the scopes of a field cannot say: they are compared before values are
 * known. A session holds every scope. `required`: all that the field takes with this value, its own scopes included.
 * @throws GraphQLError INSUFFICIENT_SCOPE, HTTP 403, before anything is changed
 */
export function requireScopes(
  { caller }: Pick<GraphQLContext, 'caller'>,
  required: readonly Scope[],
  value: string,
): void {
  if (caller.kind === 'session') return;
  const [needed, held] = [heldScopes(required), caller.kind === 'token' ? caller.held : heldScopes([])];
  if (covers(held, needed)) return;
  const missingScopes = required.filter((name) => !covers(held, heldScopes([name])));
  const message = `The access token lacks scopes that ${value} needs: ${missingScopes.join(', ')}.`;
  const extensions = { code: 'INSUFFICIENT_SCOPE', requiredScopes: required, missingScopes, http: { status: 403 } };
  throw new GraphQLError(message, { extensions });
}
