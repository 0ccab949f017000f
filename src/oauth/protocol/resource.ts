import { type OAuthError, oauthError, quoted } from './oauth-error.ts';

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
