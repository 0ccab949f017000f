import { SCOPES, type Scope } from '../../scopes/catalog.ts';

/** At least one scope: an empty list is not a kind of access, so it cannot be taken for "everything". */
export type ScopeList = readonly [Scope, ...Scope[]];

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
