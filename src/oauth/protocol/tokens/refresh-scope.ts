import { type Access, scopeList } from '../access.ts';
import type { Client } from '../client.ts';
import { isOAuthError, type OAuthError, oauthError } from '../oauth-error.ts';
import { parseScopes } from '../scope-parameter.ts';

/**
 * The access of a new access token of a grant: what was granted, narrowed by a `scope` parameter (RFC 6749 §6) and by
 * what the client still has enabled. An error rotates nothing.
 */
export function accessAtRefresh(
  granted: Access,
  client: Pick<Client, 'scopes' | 'legacy'>,
  scopeParameter: string | undefined,
): Access | OAuthError {
  // It stays what the user was told, also after the client left its legacy state (specification §3 and §8).
  if (granted.kind === 'UNRESTRICTED' && scopeParameter === undefined) return granted;
  const wanted = wantedScopes(granted, scopeParameter);
  if (isOAuthError(wanted)) return wanted;
  const scopes = scopeList(wanted.filter((scope) => client.legacy || client.scopes.includes(scope)));
  if (scopes) return { kind: 'SCOPED', scopes };
  // A token that opens nothing would only move the error to every call that follows.
  return oauthError(
    'invalid_scope',
    'The client has none of these scopes enabled any more; enable them in its settings, or authorize again.',
  );
}

function wantedScopes(granted: Access, scopeParameter: string | undefined): readonly string[] | OAuthError {
  const wanted = scopeParameter === undefined ? undefined : parseScopes(scopeParameter);
  if (granted.kind === 'UNRESTRICTED') return wanted ?? [];
  if (wanted === undefined || isOAuthError(wanted)) return wanted ?? granted.scopes;
  const foreign = wanted.filter((scope) => !granted.scopes.includes(scope));
  if (foreign.length === 0) return wanted;
  return oauthError(
    'invalid_scope',
    `The user has not granted ${foreign.join(' ')}; leave it out, or authorize again to ask for it.`,
  );
}
