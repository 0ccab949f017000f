/**
 * Turns what a caller holds into bits: computed once when a token is loaded, compared with every operation it sends.
 */
import { CATALOG } from './catalog.ts';
import type { Catalog } from './create-catalog.ts';
import { FIRST_PARTY_BIT, NO_SCOPES, type ScopeSet, union } from './scope-set.ts';

/**
 * The bits of granted scopes, with implication applied once (`ORG_X` grants `TEAM_X`; nothing else is implied).
 * A name the catalogue lacks opens nothing: a scope that is retired must not kill the tokens that still name it.
 */
export function heldScopes(names: Iterable<string>, catalog: Catalog = CATALOG): ScopeSet {
  let held = NO_SCOPES;
  for (const name of names) {
    const position = catalog.positions.get(name);
    if (position !== undefined) held = union(held, catalog.opens[position] ?? NO_SCOPES);
  }
  return held;
}

/** A legacy grant holds every scope, and still no first-party field. */
export function unrestrictedScopes(catalog: Catalog = CATALOG): ScopeSet {
  return catalog.all;
}

/** A signed-in session holds every scope, and the first-party fields. */
export function sessionScopes(catalog: Catalog = CATALOG): ScopeSet {
  return union(catalog.all, FIRST_PARTY_BIT);
}

/**
 * The scopes of a stored grant. Its kind is stated, never inferred from an empty list: a scoped grant without scopes
 * holds nothing. `undefined` for a kind unknown here, whose bearer must be refused.
 */
export function grantedScopes(
  grant: { readonly kind: string; readonly scopes?: Iterable<string> },
  catalog: Catalog = CATALOG,
): ScopeSet | undefined {
  switch (grant.kind) {
    case 'SCOPED':
      return heldScopes(grant.scopes ?? [], catalog);
    case 'UNRESTRICTED':
      return unrestrictedScopes(catalog);
    default:
      return undefined;
  }
}
