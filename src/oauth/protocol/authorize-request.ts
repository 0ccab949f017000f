import { isOAuthError, type OAuthError, oauthError, ofTheApp } from './oauth-error.ts';
import {
  allValues,
  decodeForm,
  MAX_PARAMETERS,
  type ParameterMistake,
  parameterMistakes,
  type SentParameters,
  singleValue,
} from './token-request.ts';

/** An authorization request, parsed once. Nothing in it is checked yet; a repeated or undecodable value is undefined and in `mistakes`. */
export interface AuthorizeRequest {
  /** Empty when there is none to look up. */
  readonly clientId: string;
  /** Empty when there is none to compare: the empty text is never registered. */
  readonly redirectUri: string;
  readonly responseType: string | undefined;
  readonly responseMode: string | undefined;
  readonly scope: string | undefined;
  /** Present only when it can be returned as it is: an answer never carries a state that was repeated or too long. */
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly codeChallengeMethod: string | undefined;
  readonly prompt: string | undefined;
  readonly loginHint: string | undefined;
  readonly request: string | undefined;
  readonly requestUri: string | undefined;
  readonly resources: readonly string[];
  readonly mistakes: readonly ParameterMistake[];
}

export const MAX_STATE_BYTES = 2_048;

/** The prompts that a client may ask of the page (OpenID Connect Core §3.1.2.1). */
export const PROMPTS = ['none', 'login', 'consent'] as const;
export type Prompt = (typeof PROMPTS)[number];

/** The answers to `prompt=none` when a page would have to be shown (OpenID Connect Core §3.1.2.6). */
export const LOGIN_REQUIRED: OAuthError = oauthError(
  'login_required',
  'Nobody is signed in, and prompt=none forbids asking; send the user again without prompt=none.',
);
export const CONSENT_REQUIRED: OAuthError = oauthError(
  'consent_required',
  'The user has not granted all of this yet, and prompt=none forbids asking; send the user again without prompt=none.',
);
export const ACCESS_DENIED: OAuthError = oauthError(
  'access_denied',
  'The user refused the access that was asked for; ask again only when they want it.',
);

const NAMES = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'login_hint',
  'request',
  'request_uri',
  'resource',
] as const;

/**
 * Parses the query as it stood in the request line, without its `?`. Not a URL object's: its parser rewrites what we must
 * compare byte for byte. Other parameters are ignored (RFC 6749 §3.1).
 */
export function parseAuthorizeRequest(rawQuery: string): AuthorizeRequest | OAuthError {
  const sent = readQuery(rawQuery);
  if (isOAuthError(sent)) return sent;
  const state = singleValue(sent, 'state');
  const stateIsTooLong = state !== undefined && Buffer.byteLength(state) > MAX_STATE_BYTES;
  const mistakes = parameterMistakes(sent, NAMES);
  return {
    clientId: singleValue(sent, 'client_id') ?? '',
    redirectUri: singleValue(sent, 'redirect_uri') ?? '',
    responseType: singleValue(sent, 'response_type'),
    responseMode: singleValue(sent, 'response_mode'),
    scope: singleValue(sent, 'scope'),
    state: stateIsTooLong ? undefined : state,
    codeChallenge: singleValue(sent, 'code_challenge'),
    codeChallengeMethod: singleValue(sent, 'code_challenge_method'),
    prompt: singleValue(sent, 'prompt'),
    loginHint: readLoginHint(sent),
    request: singleValue(sent, 'request'),
    requestUri: singleValue(sent, 'request_uri'),
    resources: allValues(sent, 'resource'),
    mistakes: stateIsTooLong ? [...mistakes, { parameter: 'state', problem: 'TOO_LONG' }] : mistakes,
  };
}

/** The prompts of a request, without duplicates; undefined when one is unknown or `none` stands with another. */
export function parsePrompt(text: string | undefined): readonly Prompt[] | undefined {
  const names = [...new Set((text ?? '').split(' ').filter((name) => name !== ''))];
  if (!names.every(isPrompt)) return undefined;
  return names.includes('none') && names.length > 1 ? undefined : names;
}

const MAX_QUERY_LENGTH = 16_384;

function readQuery(rawQuery: string): SentParameters | OAuthError {
  if (rawQuery.length > MAX_QUERY_LENGTH) {
    return unreadable(`The address is longer than ${MAX_QUERY_LENGTH} characters; shorten state.`, 414);
  }
  // Raw bytes above ASCII reach us in an encoding that Node guesses, so they could not be returned as they were sent.
  if (!/^[\x21-\x7e]*$/.test(rawQuery)) {
    return unreadable('The address holds characters that no URL may hold; percent-encode them as UTF-8.');
  }
  return decodeForm(rawQuery) ?? unreadable(`The request has more than ${MAX_PARAMETERS} parameters; send fewer.`);
}

function unreadable(description: string, status?: number): OAuthError {
  return ofTheApp(null, oauthError('invalid_request', description, status));
}

/** The longest e-mail address; what is longer is no hint. */
const MAX_LOGIN_HINT_LENGTH = 320;

/** It only fills in the sign-in form, so an odd one is dropped and never an error. */
function readLoginHint(sent: SentParameters): string | undefined {
  const hint = singleValue(sent, 'login_hint');
  return hint === undefined || hint.length > MAX_LOGIN_HINT_LENGTH || /\p{Cc}/u.test(hint) ? undefined : hint;
}

function isPrompt(name: string): name is Prompt {
  return PROMPTS.some((prompt) => prompt === name);
}
