import { type Access, parseScopes, resourcesNameTheApi, UNRESTRICTED } from './access.ts';
import { type AuthorizeRequest, MAX_STATE_BYTES, type Prompt, parsePrompt } from './authorize-request.ts';
import { type Client, isPossibleClientId } from './client.ts';
import { firstError, isOAuthError, type OAuthError, oauthError, ofTheApp, quoted } from './oauth-error.ts';
import { CODE_CHALLENGE_METHOD, isCodeChallenge } from './pkce.ts';
import { isRegistered } from './redirect-uri.ts';

/** `apiUrl` is the base address of the API, the one thing that `resource` may name. */
type Check = (request: AuthorizeRequest, client: Client, apiUrl: string) => OAuthError | undefined;

/** Before the client is looked up. Like the next list, these show their error on our own page. */
export const CHECKS_BEFORE_CLIENT: readonly ((request: AuthorizeRequest) => OAuthError | undefined)[] = [
  clientIdIsGivenOnce,
  clientIdIsPossible,
];

/** Until these pass, the redirect URI is not trusted: the error is shown on our own page (RFC 6749 §4.1.2.1). */
export const CHECKS_BEFORE_REDIRECT: readonly Check[] = [
  clientIsApproved,
  redirectUriIsGivenOnce,
  redirectUriIsRegistered,
];

/** From here on, the client is told of its mistake through the redirect, before anybody has to sign in. */
export const CHECKS_BEFORE_CONSENT: readonly Check[] = [
  parametersAreUsable,
  responseTypeIsCode,
  responseModeIsQuery,
  requestObjectIsAbsent,
  promptIsKnown,
  resourceIsTheApi,
  scopeIsPresent,
  scopesAreKnown,
  scopesAreEnabled,
  challengeIsPresentWhereRequired,
  challengeMethodHasChallenge,
  challengeMethodIsS256,
  challengeIsWellFormed,
];

/**
 * These checks depend on the client's settings, which its developer may change while the user decides; told like the
 * list above.
 */
export const CHECKS_BEFORE_ANSWER: readonly ((request: AcceptedRequest, client: Client) => OAuthError | undefined)[] = [
  accessIsEnabled,
  challengeIsPresentWhereRequired,
];

/** A request that passed every check: all that the rest of its way needs, as plain JSON. */
export interface AcceptedRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly access: Access;
  readonly codeChallenge: string | null;
  readonly prompts: readonly Prompt[];
  readonly loginHint: string | null;
}

/** Runs CHECKS_BEFORE_CONSENT. The request must have passed CHECKS_BEFORE_REDIRECT, for an error goes to its redirect URI. */
export function acceptRequest(request: AuthorizeRequest, client: Client, apiUrl: string): AcceptedRequest | OAuthError {
  const error = firstError(CHECKS_BEFORE_CONSENT, request, client, apiUrl);
  if (error) return error;
  const access = requestedAccess(request);
  if (isOAuthError(access)) return access;
  return {
    clientId: client.clientId,
    redirectUri: request.redirectUri,
    state: request.state ?? null,
    access,
    codeChallenge: request.codeChallenge ?? null,
    prompts: parsePrompt(request.prompt) ?? [],
    loginHint: request.loginHint ?? null,
  };
}

function parametersAreUsable({ mistakes }: AuthorizeRequest): OAuthError | undefined {
  const [mistake] = mistakes;
  if (!mistake) return undefined;
  const complaint = {
    REPEATED: 'is given more than once; send it once',
    MALFORMED: 'is not percent-encoded UTF-8 text; encode it anew',
    TOO_LONG: `is longer than ${MAX_STATE_BYTES} bytes; keep the data in your app and send a reference to it`,
  }[mistake.problem];
  return oauthError('invalid_request', `The parameter ${quoted(mistake.parameter)} ${complaint}.`);
}

/** An absent response_type means `code`, the only one there is. */
function responseTypeIsCode({ responseType }: AuthorizeRequest): OAuthError | undefined {
  if (responseType === undefined || responseType === 'code') return undefined;
  return oauthError('unsupported_response_type', `response_type is ${quoted(responseType)}; use code.`);
}

function responseModeIsQuery({ responseMode }: AuthorizeRequest): OAuthError | undefined {
  if (responseMode === undefined || responseMode === 'query') return undefined;
  return oauthError('invalid_request', `response_mode is ${quoted(responseMode)}; use query or leave it out.`);
}

/** Never fetched: a request_uri would let anybody make this server call an address of their choice. */
function requestObjectIsAbsent({ request, requestUri }: AuthorizeRequest): OAuthError | undefined {
  if (request !== undefined)
    return oauthError('request_not_supported', 'request is not supported; send plain parameters.');
  if (requestUri === undefined) return undefined;
  return oauthError('request_uri_not_supported', 'request_uri is not supported; send plain parameters.');
}

function promptIsKnown({ prompt }: AuthorizeRequest): OAuthError | undefined {
  if (parsePrompt(prompt) !== undefined) return undefined;
  return oauthError('invalid_request', `prompt is ${quoted(prompt ?? '')}; use login, consent or both, or none alone.`);
}

function resourceIsTheApi({ resources }: AuthorizeRequest, _: Client, apiUrl: string): OAuthError | undefined {
  return resourcesNameTheApi(resources, apiUrl);
}

/** For our own page: the client id is well-formed, but nobody has it. */
export function unknownClient({ clientId }: AuthorizeRequest): OAuthError {
  const description = `There is no OAuth client ${quoted(clientId)}; check the client_id of the app.`;
  return ofTheApp('client_id', oauthError('invalid_client', description, 400));
}

function clientIdIsGivenOnce(request: AuthorizeRequest): OAuthError | undefined {
  return parameterIsGivenOnce(request, 'client_id', request.clientId, "the id of the app's OAuth client");
}

function clientIdIsPossible(request: AuthorizeRequest): OAuthError | undefined {
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

function redirectUriIsGivenOnce(request: AuthorizeRequest): OAuthError | undefined {
  return parameterIsGivenOnce(request, 'redirect_uri', request.redirectUri, 'one of the redirect URIs of the client');
}

function redirectUriIsRegistered({ redirectUri }: AuthorizeRequest, client: Client): OAuthError | undefined {
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

const SCOPE_MISSING = oauthError(
  'invalid_scope',
  'scope is missing; list the scopes that the app needs, such as PROFILE_READ.',
);

/** The access that the request asks for, once the checks below have passed. */
function requestedAccess({ scope }: AuthorizeRequest): Access | OAuthError {
  if (scope === undefined) return UNRESTRICTED;
  const scopes = parseScopes(scope);
  return isOAuthError(scopes) ? scopes : { kind: 'SCOPED', scopes };
}

/** Clients from before scopes existed may leave it out, and get unrestricted access (specification §5, rule 7). */
function scopeIsPresent({ scope }: AuthorizeRequest, client: Client): OAuthError | undefined {
  if (scope !== undefined || client.legacy) return undefined;
  return SCOPE_MISSING;
}

function scopesAreKnown(request: AuthorizeRequest): OAuthError | undefined {
  const access = requestedAccess(request);
  return isOAuthError(access) ? access : undefined;
}

function scopesAreEnabled(request: AuthorizeRequest, client: Client): OAuthError | undefined {
  const access = requestedAccess(request);
  return isOAuthError(access) ? undefined : accessIsEnabled({ access }, client);
}

/** A legacy client has no list of enabled scopes yet, so it may name any, or none. */
function accessIsEnabled(
  { access }: { readonly access: Access },
  client: Pick<Client, 'legacy' | 'scopes'>,
): OAuthError | undefined {
  if (client.legacy) return undefined;
  if (access.kind === 'UNRESTRICTED') return SCOPE_MISSING;
  const foreign = access.scopes.filter((scope) => !client.scopes.includes(scope));
  if (foreign.length === 0) return undefined;
  return oauthError(
    'invalid_scope',
    `The client has not enabled ${foreign.join(' ')}; leave it out or enable it in the client's settings.`,
  );
}

function challengeIsPresentWhereRequired(
  { codeChallenge }: { readonly codeChallenge: string | null | undefined },
  client: Pick<Client, 'type' | 'requiresPkce'>,
): OAuthError | undefined {
  if (typeof codeChallenge === 'string' || (client.type === 'CONFIDENTIAL' && !client.requiresPkce)) return undefined;
  return oauthError(
    'invalid_request',
    'code_challenge is missing and this client must use PKCE; send an S256 challenge (RFC 7636).',
  );
}

function challengeMethodHasChallenge({ codeChallenge, codeChallengeMethod }: AuthorizeRequest): OAuthError | undefined {
  if (codeChallengeMethod === undefined || codeChallenge !== undefined) return undefined;
  return oauthError('invalid_request', 'code_challenge_method stands without a code_challenge; send both or neither.');
}

/** An absent method means S256. RFC 7636 §4.3 says `plain`, which we never accept, so nothing is weakened by the difference. */
function challengeMethodIsS256({ codeChallengeMethod }: AuthorizeRequest): OAuthError | undefined {
  if (codeChallengeMethod === undefined || codeChallengeMethod === CODE_CHALLENGE_METHOD) return undefined;
  return oauthError(
    'invalid_request',
    `code_challenge_method is ${quoted(codeChallengeMethod)}; use ${CODE_CHALLENGE_METHOD}.`,
  );
}

function challengeIsWellFormed({ codeChallenge }: AuthorizeRequest): OAuthError | undefined {
  if (codeChallenge === undefined || isCodeChallenge(codeChallenge)) return undefined;
  return oauthError(
    'invalid_request',
    'code_challenge is not 43 base64url characters; send the SHA-256 of the verifier, without padding.',
  );
}
