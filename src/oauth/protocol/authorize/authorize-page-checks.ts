import { type Client, isPossibleClientId } from '../client.ts';
import { type OAuthError, oauthError, ofTheApp, quoted } from '../oauth-error.ts';
import { isRegistered } from '../redirect-uri.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

/** For our own page: the client id is well-formed, but nobody has it. */
export function unknownClient({ clientId }: AuthorizeRequest): OAuthError {
  const description = `There is no OAuth client ${quoted(clientId)}; check the client_id of the app.`;
  return ofTheApp('client_id', oauthError('invalid_client', description, 400));
}

export function clientIdIsGivenOnce(request: AuthorizeRequest): OAuthError | undefined {
  return parameterIsGivenOnce(request, 'client_id', request.clientId, "the id of the app's OAuth client");
}

export function clientIdIsPossible(request: AuthorizeRequest): OAuthError | undefined {
  return isPossibleClientId(request.clientId) ? undefined : unknownClient(request);
}

export function clientIsApproved(_: AuthorizeRequest, { clientId, status }: Client): OAuthError | undefined {
  if (status === 'APPROVED') return undefined;
  const reason = {
    PENDING: 'has not been reviewed by an administrator yet; wait for the approval',
    REJECTED: 'was not approved; its developer can edit it and submit it again',
    SUSPENDED: 'is suspended; its developer can ask an administrator for the reason',
  }[status];
  const description = `The OAuth client ${quoted(clientId)} ${reason}.`;
  return ofTheApp('client_id', oauthError('unauthorized_client', description, 403));
}

export function redirectUriIsGivenOnce(request: AuthorizeRequest): OAuthError | undefined {
  return parameterIsGivenOnce(request, 'redirect_uri', request.redirectUri, 'one of the redirect URIs of the client');
}

export function redirectUriIsRegistered({ redirectUri }: AuthorizeRequest, client: Client): OAuthError | undefined {
  if (isRegistered(client.redirectUris, redirectUri)) return undefined;
  const advice = 'it must be one of them character for character; only the port of an http loopback address may differ';
  const description = `The redirect_uri ${quoted(redirectUri)} is not registered for this client; ${advice}.`;
  return ofTheApp('redirect_uri', oauthError('invalid_request', description));
}

function parameterIsGivenOnce(
  request: AuthorizeRequest,
  name: string,
  value: string,
  meaning: string,
): OAuthError | undefined {
  const complaint = complaintOf(request, name, value, meaning);
  return complaint === undefined ? undefined : ofTheApp(name, oauthError('invalid_request', complaint));
}

function complaintOf({ mistakes }: AuthorizeRequest, name: string, value: string, meaning: string): string | undefined {
  const mistake = mistakes.find(({ parameter }) => parameter === name);
  if (mistake?.problem === 'REPEATED') return `${name} is given more than once; send it once.`;
  if (mistake) return `${name} is not percent-encoded UTF-8 text; encode it anew.`;
  return value === '' ? `${name} is missing; add ${meaning}.` : undefined;
}
