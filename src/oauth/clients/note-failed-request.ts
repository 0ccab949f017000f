import type { FailedEndpoint } from '../../events/failed-request-log.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { OAuthError } from '../protocol/oauth-error.ts';

/**
 * Notes for the developer of a client why a request of it was refused. The answer does not wait for it: else the time
 * would tell whether the client exists.
 */
export function noteFailedRequest(
  { failedRequests }: Pick<AuthorizationServer, 'failedRequests'>,
  failed: { readonly clientId: string; readonly endpoint: FailedEndpoint; readonly error: OAuthError },
): void {
  const { clientId, endpoint, error } = failed;
  failedRequests.note({ clientId, endpoint, error: error.error, description: error.description });
}
