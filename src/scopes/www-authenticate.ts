/** The `WWW-Authenticate` values of a protected resource: RFC 6750 §3, with RFC 9728 §5.1 saying where to begin. */
import type { Refusal } from './authorize.ts';

export interface ProtectedResource {
  readonly realm: string;
  /** The URL of the resource's metadata document, from which a client finds the authorization server */
  readonly resourceMetadata: string;
}

/** For a request without credentials. It names no error: the client has not made one yet (RFC 6750 §3.1). */
export function credentialsChallenge(resource: ProtectedResource): string {
  return bearer(resource, {});
}

/** For a token that is unknown, garbled, expired or revoked. */
export function invalidTokenChallenge(resource: ProtectedResource, description: string): string {
  return bearer(resource, { error: 'invalid_token', error_description: description });
}

/** For an `Authorization` that cannot be used: no token in it, or more than one. */
export function invalidRequestChallenge(resource: ProtectedResource, description: string): string {
  return bearer(resource, { error: 'invalid_request', error_description: description });
}

/** For a token that lacks scopes: `scope` is all that the operation needs, so that one more consent is enough. */
export function insufficientScopeChallenge(resource: ProtectedResource, requiredScopes: readonly string[]): string {
  return bearer(resource, { error: 'insufficient_scope', scope: requiredScopes.join(' ') });
}

/** The challenge that goes with a refusal; none where no other token would do either. */
export function challengeOf(refusal: Refusal, resource: ProtectedResource): string | undefined {
  if (refusal.code === 'FORBIDDEN') return undefined;
  return refusal.code === 'UNAUTHENTICATED'
    ? credentialsChallenge(resource)
    : insufficientScopeChallenge(resource, refusal.requiredScopes);
}

function bearer({ realm, resourceMetadata }: ProtectedResource, parameters: Readonly<Record<string, string>>): string {
  const all = { realm, resource_metadata: resourceMetadata, ...parameters };
  return `Bearer ${Object.entries(all)
    .map(([name, value]) => `${name}="${quotable(value)}"`)
    .join(', ')}`;
}

/**
 * Keeps the characters that may stand between quotes: `error_description` allows %x20-21 / %x23-5B / %x5D-7E (RFC 6750
 * §3). The rest is replaced, so that no value ends its quotes early, starts a header of its own, or makes the server
 * throw.
 */
function quotable(value: string): string {
  return value.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, '?');
}
