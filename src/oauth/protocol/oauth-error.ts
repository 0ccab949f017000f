/**
 * protocol/ holds the rules of OAuth 2.0 as pure functions over plain records: authorize/ of the authorization request,
 * clients/ of clients and their authentication, tokens/ of the token, introspection and revocation requests. It imports
 * nothing but core/ and scopes/.
 */
/** The codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8707 §2, RFC 9101 §6 and OpenID Connect Core §3.1.2.6 that we use. */
export type OAuthErrorCode = keyof typeof STATUS;

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

const STATUS = {
  access_denied: 403,
  consent_required: 403,
  insufficient_scope: 403,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_request: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_token: 401,
  login_required: 403,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  server_error: 500,
  temporarily_unavailable: 503,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
} as const;

/** `description` may name what the caller sent: characters outside the allowed set become `?`. */
export function oauthError(error: OAuthErrorCode, description: string, status: number = STATUS[error]): OAuthError {
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
