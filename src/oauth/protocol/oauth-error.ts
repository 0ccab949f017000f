/**
 * protocol/ holds the rules of OAuth 2.0 as pure functions over plain records: what a request has to say, in which order it is
 * checked, and how it is answered. It imports nothing but core/ and scopes/.
 */
/** The codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8707 §2, RFC 9101 §6 and OpenID Connect Core §3.1.2.6 that we use. */
export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** A refusal as a value. `description` holds only characters that RFC 6749 allows, so any edge may write it anywhere. */
export interface OAuthError {
  readonly error: OAuthErrorCode;
  /** Says what is wrong and what to do. Never holds a secret, a token or a code. */
  readonly description: string;
  /** The HTTP status where the error is answered directly, on our own page or as JSON, and not by a redirect. */
  readonly status: number;
  /** When trying again may work, in seconds: for `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /**
   * The parameter of an authorization request in which the app's developer made the mistake; null for the request as a
   * whole. Absent where the app did nothing wrong.
   */
  readonly parameter?: string | null;
  /** The meaning to the person in front of our own page, whose words are that page's (`screens/consent/consent-words.ts`). */
  readonly person?: PersonError;
}

/** How a person comes to a page on which an authorization does not go on, though the app did nothing wrong. */
export type PersonError =
  | 'UNKNOWN'
  | 'FORGED'
  | 'UNDECIDED'
  | 'STUCK'
  | 'OTHER_BROWSER'
  | 'OVER'
  | 'OTHER_ACCOUNT'
  | 'ANSWERED'
  | 'LOADED_AHEAD'
  | 'FRAMED';

interface Meaning {
  /** The status of an answer, unless the place says another one. */
  readonly status: number;
  /** How clients meet the code, if not by that status alone. */
  readonly http?: string;
  /** Says what is wrong, and what to do: true wherever the code comes out. */
  readonly says: string;
}

/** docs/errors.md is made of this. */
export const OAUTH_ERRORS = {
  access_denied: {
    status: 403,
    http: 'redirect',
    says: 'The user refused access; ask again only when they want you to.',
  },
  consent_required: {
    status: 403,
    http: 'redirect',
    says: 'The user has not granted all scopes yet, and `prompt=none` forbids asking; send them without it.',
  },
  insufficient_scope: {
    status: 403,
    says: 'The token lacks scopes; send the user through authorization again, with all scopes that `scope` names.',
  },
  invalid_client: {
    status: 401,
    says: 'The client is unknown or missing, its secret is wrong or missing, or a public client, which has none, sent a secret; check both, and how you send them.',
  },
  invalid_grant: {
    status: 400,
    says: 'The code or refresh token is unknown, expired, already used, or another client’s: send the user through authorization again. Or `code_verifier` or `redirect_uri` does not match the authorization request: send the right one. The description says which.',
  },
  invalid_request: {
    status: 400,
    http: '400, redirect; 405, 413 or 415',
    says: 'A parameter is missing, repeated or unusable, credentials are sent in two ways or not at all, or the method (405), size (413) or encoding (415) of the request is not accepted; the description says what to send.',
  },
  invalid_scope: {
    status: 400,
    http: '400, redirect',
    says: 'A scope is missing, unknown, not enabled for the client, or not granted by the user whose token you refresh; the description names it.',
  },
  invalid_target: {
    status: 400,
    http: '400, redirect',
    says: 'The `resource` is not this API; leave it out, or use the one in the metadata.',
  },
  invalid_token: {
    status: 401,
    says: 'The access token is unknown, expired or revoked; get another one with the refresh token or, if that has ended too, through authorization.',
  },
  login_required: {
    status: 403,
    http: 'redirect',
    says: 'Nobody is signed in, and `prompt=none` forbids asking; send the user without it.',
  },
  request_not_supported: {
    status: 400,
    http: 'redirect',
    says: 'Request objects are not supported; send parameters instead of `request`.',
  },
  request_uri_not_supported: {
    status: 400,
    http: 'redirect',
    says: 'Request objects are not supported; send parameters instead of `request_uri`.',
  },
  server_error: {
    status: 500,
    says: 'Our fault; try again later, and quote the id in the description if you report it.',
  },
  temporarily_unavailable: {
    status: 503,
    http: '429 or 503',
    says: 'Too many wrong attempts (429), or the database is unavailable (503; the description says whether something may have been done); send the same request again after `Retry-After` seconds.',
  },
  unauthorized_client: {
    status: 400,
    says: 'The client is not approved at present, is a public client that introspects, or revokes another client’s token; its page in the developer settings shows its status.',
  },
  unsupported_grant_type: {
    status: 400,
    says: 'The grant type is not supported; use `authorization_code` or `refresh_token`.',
  },
  unsupported_response_type: { status: 400, http: 'redirect', says: 'The response type is not supported; use `code`.' },
} as const satisfies Readonly<Record<string, Meaning>>;

/** `description` may name what the caller sent: characters outside the allowed set become `?`. */
export function oauthError(
  error: OAuthErrorCode,
  description: string,
  status: number = OAUTH_ERRORS[error].status,
): OAuthError {
  return { error, description: allowedCharacters(description), status };
}

/** The same as a mistake that an app has made in a parameter of its authorization request, or in all of it (null). */
export function ofTheApp(parameter: string | null, error: OAuthError): OAuthError {
  return { ...error, parameter };
}

/** The same as something that the person in front of our own page can mend, or has to know. */
export function toPerson(person: PersonError, error: OAuthError): OAuthError {
  return { ...error, person };
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
/** Longer than the part that is shown, so that a credential is recognized by its form before it is cut. */
const READ_CHARACTERS = 400;
const CREDENTIAL = /gh_(?:secret|code|refresh)_[\w-]+|(?<![\w-])eyJ[\w-]+\.[\w-.]*/g;

/**
 * Quotes a text that a caller sent, cut to a bounded length, for a description. Never for a secret, a token or a code:
 * one that was put into a parameter that is shown is left out, for a description is also kept for the client's
 * developer.
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
