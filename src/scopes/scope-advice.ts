/** Which scopes an app should ask for, given what its documents require. Names in, names out. */
import { CATALOG } from './catalog.ts';
import type { Catalog } from './create-catalog.ts';

/** For each scope that an organization's scope grants too: those scopes. */
export function alternativesTo(scopes: readonly string[], catalog: Catalog = CATALOG): Record<string, string[]> {
  const entries = scopes.map((name) => [name, grantedAlsoBy(name, catalog)] as const);
  return Object.fromEntries(entries.filter(([, alternatives]) => alternatives.length > 0));
}

/** The facts about an OAuth client that the advice for it depends on. */
export interface ClientScopes {
  readonly clientId: string;
  /** All scopes, for a legacy client: it may ask for any */
  readonly enabledScopes: readonly string[];
  /** One of those registered; undefined when the caller may not know it */
  readonly redirectUri: string | undefined;
  /** The absolute URL of the authorization endpoint */
  readonly authorizationEndpoint: string;
}

export interface ClientAdvice {
  /** The scopes that the client would have to enable first. */
  readonly notEnabled: readonly string[];
  /**
   * Where to send a user, to which the app adds its `state`, its PKCE challenge and, where it is left out, its
   * `redirect_uri`; only if everything is enabled
   */
  readonly authorizeUrl?: string;
}

/**
 * Says what a client must ask a user for. Where it has enabled only an organization's scope that grants as much, that
 * one.
 */
export function adviseClient(
  required: readonly string[],
  client: ClientScopes,
  catalog: Catalog = CATALOG,
): ClientAdvice {
  const enabled = new Set(client.enabledScopes);
  const requested = required.map((name) => [name, ...grantedAlsoBy(name, catalog)].find((scope) => enabled.has(scope)));
  const notEnabled = required.filter((_, index) => requested[index] === undefined);
  if (notEnabled.length > 0 || required.length === 0) return { notEnabled };

  const url = new URL(client.authorizationEndpoint);
  url.searchParams.set('response_type', 'code');
  url.searchParams.set('client_id', client.clientId);
  if (client.redirectUri !== undefined) url.searchParams.set('redirect_uri', client.redirectUri);
  url.searchParams.set('scope', [...new Set(requested)].join(' '));
  return { notEnabled, authorizeUrl: url.href };
}

export interface ScopeComparison {
  readonly missing: readonly string[];
  /** Requested but not needed: without them everything would still work */
  readonly superfluous: readonly string[];
}

/** Compares the scopes that an app requests with those that its documents require. Unknown names in `requested` are superfluous. */
export function compareScopes(
  required: readonly string[],
  requested: readonly string[],
  catalog: Catalog = CATALOG,
): ScopeComparison {
  const given = new Set(requested);
  const missing: string[] = [];
  const useful = new Set<string>();
  for (const name of required) {
    // By its own name first: then an organization's scope that would also do is more than is needed.
    const granting = [name, ...grantedAlsoBy(name, catalog)].find((scope) => given.has(scope));
    if (granting === undefined) missing.push(name);
    else useful.add(granting);
  }
  return { missing, superfluous: [...given].filter((name) => !useful.has(name)) };
}

function grantedAlsoBy(name: string, { implications }: Catalog): string[] {
  return implications.filter(({ implies }) => implies === name).map(({ scope }) => scope);
}
