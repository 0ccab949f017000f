import { type Access, UNRESTRICTED } from '../access.ts';
import type { Client } from '../client.ts';
import { isOAuthError, type OAuthError, oauthError } from '../oauth-error.ts';
import { parseScopes } from '../scope-parameter.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

const SCOPE_MISSING = oauthError(
  'invalid_scope',
  'scope is missing; list the scopes that the app needs, such as PROFILE_READ.',
);

/** The access that the request asks for, once the checks below have passed. */
export function requestedAccess({ scope }: AuthorizeRequest): Access | OAuthError {
  if (scope === undefined) return UNRESTRICTED;
  const scopes = parseScopes(scope);
  return isOAuthError(scopes) ? scopes : { kind: 'SCOPED', scopes };
}

/** Clients from before scopes existed may leave it out, and get unrestricted access (specification §5, rule 7). */
export function scopeIsPresent({ scope }: AuthorizeRequest, client: Client): OAuthError | undefined {
  if (scope !== undefined || client.legacy) return undefined;
  return SCOPE_MISSING;
}

export function scopesAreKnown(request: AuthorizeRequest): OAuthError | undefined {
  const access = requestedAccess(request);
  return isOAuthError(access) ? access : undefined;
}

export function scopesAreEnabled(request: AuthorizeRequest, client: Client): OAuthError | undefined {
  const access = requestedAccess(request);
  return isOAuthError(access) ? undefined : accessIsEnabled({ access }, client);
}

/** A legacy client has no list of enabled scopes yet, so it may name any, or none. */
export function accessIsEnabled(
  { access }: { readonly access: Access },
  client: Pick<Client, 'legacy' | 'scopes'>,
): OAuthError | undefined {
  if (client.legacy) return undefined;
  if (access.kind === 'UNRESTRICTED') return SCOPE_MISSING;
  const foreign = access.scopes.filter((scope) => !client.scopes.includes(scope));
  if (foreign.length === 0) return undefined;
  return oauthError(
    'invalid_scope',
    `The client has not enabled ${foreign.join(' ')}; leave it out or enable it in the client's settings.`,
  );
}
