import { isScope } from '../../scopes/catalog.ts';
import { type ScopeList, scopeList } from './access.ts';
import { type OAuthError, oauthError, quoted } from './oauth-error.ts';

/**
 * Reads a `scope` parameter: names with spaces or commas between, empties and duplicates ignored.
 * Everything else is an error and nothing is dropped silently, so that a typing error shows before a user sees the consent page.
 */
export function parseScopes(text: string): ScopeList | OAuthError {
  const names = text.split(/[ ,]/).filter((name) => name !== '');
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined) return unknownScope(unknown);
  return (
    scopeList(names) ?? oauthError('invalid_scope', 'scope names no scope; list at least one, such as PROFILE_READ.')
  );
}

function unknownScope(name: string): OAuthError {
  if (/\s/.test(name)) {
    return oauthError(
      'invalid_scope',
      'scope holds white space other than the space; separate scopes by spaces or commas.',
    );
  }
  if (isScope(name.toUpperCase())) {
    return oauthError(
      'invalid_scope',
      `The scope ${quoted(name)} must be written ${name.toUpperCase()}; names are exact.`,
    );
  }
  return oauthError(
    'invalid_scope',
    `There is no scope ${quoted(name)}; check its spelling against scopes_supported of the metadata.`,
  );
}
