import { CATALOG, type Scope } from '../../../scopes/catalog.ts';
import { scopeSetOf } from '../../../scopes/create-catalog.ts';
import { heldScopes, unrestrictedScopes } from '../../../scopes/held-scopes.ts';
import { covers, NO_SCOPES, type ScopeSet, union } from '../../../scopes/scope-set.ts';
import type { Access } from '../access.ts';
import { hasPrivateUseScheme, leadsToLoopback } from '../redirect-uri.ts';
import type { AcceptedRequest } from './authorize-checks.ts';

/**
 * Those of the requested scopes that the user has not granted to this client yet, in catalogue order. `granted` are the
 * live grants; an ORG scope among them covers its TEAM scope, and unrestricted access covers every scope.
 */
export function newScopes(requested: Access, granted: readonly Access[]): readonly Scope[] {
  if (requested.kind === 'UNRESTRICTED') return [];
  const held = granted.map(heldBy).reduce(union, NO_SCOPES);
  return requested.scopes.filter((scope) => !covers(held, scopeSetOf([scope], CATALOG)));
}

/** Whether consent can be skipped: the request brings nothing new, does not insist, and goes where only the app can be. */
export function mayConsentBeSkipped(
  { access, redirectUri, prompts }: Pick<AcceptedRequest, 'access' | 'redirectUri' | 'prompts'>,
  granted: readonly Access[],
): boolean {
  if (prompts.includes('consent')) return false;
  // Another program could answer there in the app's name, and only the user's click stands in its way (RFC 8252 §8.6).
  if (leadsToLoopback(redirectUri) || hasPrivateUseScheme(redirectUri)) return false;
  // All 46 scopes one by one are less than "any resource": only the same consent counts.
  if (access.kind === 'UNRESTRICTED') return granted.some(({ kind }) => kind === 'UNRESTRICTED');
  return newScopes(access, granted).length === 0;
}

function heldBy(access: Access): ScopeSet {
  return access.kind === 'UNRESTRICTED' ? unrestrictedScopes() : heldScopes(access.scopes);
}
