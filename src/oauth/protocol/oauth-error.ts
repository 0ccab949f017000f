/**
 * protocol/ holds the rules of OAuth 2.0 as pure functions over plain records: authorize/ of the authorization request,
 * clients/ of clients and their authentication, tokens/ of the token, introspection and revocation requests. It imports
 * nothing but core/ and scopes/.
 */
/** The codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8707 §2, RFC 9101 §6 and OpenID Connect Core §3.1.2.6 that we use. */
export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** A refusal as a value. `description` holds only characters that RFC 6749 allows, so any edge may write it anywhere. */
export interface OAuthError {
  readonly error: OAuthErrorCode;
  /** What is wrong and what to do. Never holds a secret, a token or a code. */
  readonly description: string;
  /** The HTTP status where the error is answered directly, on our own page or as JSON, and not by a redirect. */
  readonly status: number;
  /** When trying again may work, in seconds: for `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

/** Each with its HTTP status, and what is wrong and what to do; docs/errors.md is made of this. */
export const OAUTH_ERRORS = {
  access_denied: {
    status: 403,
    says: 'The user refused, or may not give, the access that was asked for; ask again only when they want it.',
  },
  consent_required: {
    status: 403,
    says: 'The user has to be asked, and `prompt=none` forbids it; send them without it.',
  },
  insufficient_scope: {
    status: 403,
    says: 'The token lacks a scope; send the user through authorization again, with it.',
  },
  invalid_client: {
    status: 401,
    says: 'The client is unknown, or its secret is wrong or missing; check both, and how they are sent.',
  },
  invalid_grant: {
    status: 400,
    says: 'The code or the refresh token is unknown, over, used already, or of another client; send the user through authorization again.',
  },
  invalid_request: { status: 400, says: 'A parameter is missing, there twice or unusable; the description names it.' },
  invalid_scope: {
    status: 400,
    says: 'A scope is unknown, or the client may not ask for it; the description names it.',
  },
  invalid_target: {
    status: 400,
    says: 'The `resource` is none of ours; leave it out, or name the one of the metadata.',
  },
  invalid_token: { status: 401, says: 'The access token is unknown, expired or revoked; refresh it.' },
  login_required: {
    status: 403,
    says: 'Nobody is signed in, and `prompt=none` forbids to ask; send the user without it.',
  },
  request_not_supported: { status: 400, says: 'Request objects are not taken; send parameters.' },
  request_uri_not_supported: { status: 400, says: 'Request objects are not taken; send parameters.' },
  server_error: { status: 500, says: 'Our fault; try again later, and tell us if it stays so.' },
  temporarily_unavailable: {
    status: 503,
    says: 'Too much is going on, or the database is away; try again after `Retry-After` seconds.',
  },
  unauthorized_client: {
    status: 400,
    says: 'The client may not do this in its present state, or is not of the right kind; the description says which.',
  },
  unsupported_grant_type: { status: 400, says: 'No such grant type; use `authorization_code` or `refresh_token`.' },
  unsupported_response_type: { status: 400, says: 'No such response type; use `code`.' },
} as const;

/** `description` may name what the caller sent: characters outside the allowed set become `?`. */
export function oauthError(
  error: OAuthErrorCode,
  description: string,
  status: number = OAUTH_ERRORS[error].status,
): OAuthError {
  return { error, description: allowedCharacters(description), status };
}

/** Tells an error from the value that a parser returns in its place. */
export function isOAuthError(value: unknown): value is OAuthError {
  return typeof value === 'object' && value !== null && 'error' in value && 'description' in value && 'status' in value;
}

/** The first refusal of an ordered list of checks; undefined when all pass. */
export function firstError<Arguments extends readonly unknown[]>(
  checks: readonly ((...args: Arguments) => OAuthError | undefined)[],
  ...args: Arguments
): OAuthError | undefined {
  for (const check of checks) {
    const error = check(...args);
    if (error) return error;
  }
  return undefined;
}

const SHOWN_CHARACTERS = 80;
/** More than what is shown, so that a credential is known by its form before it is cut. */
const READ_CHARACTERS = 400;
const CREDENTIAL = /gh_(?:secret|code|refresh)_[\w-]+|eyJ[\w-]+\.[\w-.]*/g;

/**
 * What a caller sent, in quotes and cut to a bounded length, for a description. Never for a secret, a token or a code: one
 * that was put into a parameter that is shown is left out, for a description is also kept for the client's developer.
 */
export function quoted(value: string): string {
  const shown = value.slice(0, READ_CHARACTERS).replace(CREDENTIAL, '(a credential)');
  const isCut = shown.length > SHOWN_CHARACTERS || value.length > READ_CHARACTERS;
  return `'${allowedCharacters(isCut ? `${shown.slice(0, SHOWN_CHARACTERS)}...` : shown)}'`;
}

/** RFC 6749 §5.2: %x20-21 / %x23-5B / %x5D-7E, which is printable ASCII without the quotation mark and the backslash. */
function allowedCharacters(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
