import { isScope, SCOPES, type Scope } from '../../scopes/catalog.ts';
import { type OAuthError, oauthError, quoted } from './oauth-error.ts';

/** At least one scope: an empty list is not a kind of access, so it cannot be taken for "everything". */
type ScopeList = readonly [Scope, ...Scope[]];

/** The access that a user gives a client. The kind is explicit and never inferred from a list. */
export type Access = { readonly kind: 'SCOPED'; readonly scopes: ScopeList } | { readonly kind: 'UNRESTRICTED' };

/** The access of a legacy client that named no scope: any resource of the user, never first-party fields. */
export const UNRESTRICTED: Access = { kind: 'UNRESTRICTED' };

/**
 * Those of the names that are scopes, without duplicates, in the catalogue's order; undefined when there is none.
 * A scope that was retired falls away, so that it does not kill the grants that still name it.
 */
export function scopeList(names: Iterable<string>): ScopeList | undefined {
  const wanted = new Set(names);
  const [first, ...rest] = SCOPES.filter((scope) => wanted.has(scope));
  return first === undefined ? undefined : [first, ...rest];
}

/** The access that a stored row or a token states. Undefined for an unknown kind or a list that contradicts it: to be refused. */
export function accessOf(kind: string, scopes: readonly string[]): Access | undefined {
  if (kind === 'UNRESTRICTED') return scopes.length === 0 ? UNRESTRICTED : undefined;
  const list = kind === 'SCOPED' ? scopeList(scopes) : undefined;
  return list && { kind: 'SCOPED', scopes: list };
}

/** The `scope` of a token response: names with spaces between, `""` for unrestricted access. */
export function scopeText(access: Access): string {
  return access.kind === 'SCOPED' ? access.scopes.join(' ') : '';
}

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

/**
 * Whether every `resource` (RFC 8707) names our API: its base address, with or without the slash that URL parsers add,
 * or the address of its GraphQL endpoint. `apiUrl` has no slash at its end.
 */
export function resourcesNameTheApi(resources: readonly string[], apiUrl: string): OAuthError | undefined {
  const stranger = resources.find((resource) => ![apiUrl, `${apiUrl}/`, `${apiUrl}/graphql`].includes(resource));
  if (stranger === undefined) return undefined;
  return oauthError(
    'invalid_target',
    `The resource ${quoted(stranger)} is not served here; leave it out or name ${apiUrl}.`,
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
