/**
 * authorize/ judges an authorization request (RFC 6749 §4.1.1, RFC 7636), in an order that can be read below. It may
 * import no other room.
 */
import type { Access } from '../access.ts';
import type { Client } from '../client.ts';
import { firstError, isOAuthError, type OAuthError, oauthError, quoted } from '../oauth-error.ts';
import { type Prompt, parsePrompt } from '../prompt.ts';
import { resourcesNameTheApi } from '../resource.ts';
import {
  clientIdIsGivenOnce,
  clientIdIsPossible,
  clientIsApproved,
  redirectUriIsGivenOnce,
  redirectUriIsRegistered,
} from './authorize-page-checks.ts';
import {
  challengeIsPresentWhereRequired,
  challengeIsWellFormed,
  challengeMethodHasChallenge,
  challengeMethodIsS256,
} from './authorize-pkce-checks.ts';
import { type AuthorizeRequest, MAX_STATE_BYTES } from './authorize-request.ts';
import {
  accessIsEnabled,
  requestedAccess,
  scopeIsPresent,
  scopesAreEnabled,
  scopesAreKnown,
} from './authorize-scope-checks.ts';

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
