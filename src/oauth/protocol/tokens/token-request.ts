/**
 * tokens/ reads what is sent to the token endpoints, judges codes and refresh tokens, and words the answers. It may
 * import clients/.
 */
import { type ClientCredentials, readClientCredentials } from '../clients/client-credentials.ts';
import { isOAuthError, type OAuthError, oauthError, quoted } from '../oauth-error.ts';
import {
  allValues,
  decodeForm,
  MAX_PARAMETERS,
  parameterMistakes,
  type SentParameters,
  singleValue,
} from '../sent-parameters.ts';
import { readJsonBody } from './json-body.ts';

/** The request that reached the token, revocation or introspection endpoint, as it was on the wire. */
export interface TokenEndpointInput {
  readonly contentType: string | undefined;
  /** Decoded from UTF-8 and bounded in length by the endpoint. */
  readonly body: string;
  /** Without its `?`. */
  readonly query: string;
  readonly authorization: string | undefined;
}

/** A request to one of these endpoints, parsed once. Which parameters must be there is decided by the endpoint and the grant. */
export interface TokenRequest {
  readonly credentials: ClientCredentials;
  readonly grantType: string | undefined;
  readonly code: string | undefined;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
  readonly refreshToken: string | undefined;
  readonly scope: string | undefined;
  readonly token: string | undefined;
  readonly tokenTypeHint: string | undefined;
  readonly resources: readonly string[];
}

export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

const NAMES = [
  'client_id',
  'client_secret',
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
  'resource',
] as const;

/** Parses the request. Other parameters are ignored (RFC 6749 §3.2). */
export function parseTokenRequest(input: TokenEndpointInput): TokenRequest | OAuthError {
  const sent = readBody(input);
  if (isOAuthError(sent)) return sent;
  const [mistake] = parameterMistakes(sent, NAMES);
  if (mistake) {
    const complaint =
      mistake.problem === 'REPEATED'
        ? 'is given more than once; send it once'
        : 'is not a text in UTF-8; encode it anew';
    return oauthError('invalid_request', `The parameter ${quoted(mistake.parameter)} ${complaint}.`);
  }
  const credentials = readClientCredentials(
    input.authorization,
    singleValue(sent, 'client_id'),
    singleValue(sent, 'client_secret'),
  );
  if (isOAuthError(credentials)) return credentials;
  return {
    credentials,
    grantType: singleValue(sent, 'grant_type'),
    code: singleValue(sent, 'code'),
    redirectUri: singleValue(sent, 'redirect_uri'),
    codeVerifier: singleValue(sent, 'code_verifier'),
    refreshToken: singleValue(sent, 'refresh_token'),
    scope: singleValue(sent, 'scope'),
    token: singleValue(sent, 'token'),
    tokenTypeHint: singleValue(sent, 'token_type_hint'),
    resources: allValues(sent, 'resource'),
  };
}

/** Which of the two grants is requested. */
export function readGrantType({ grantType }: TokenRequest): GrantType | OAuthError {
  const known = GRANT_TYPES.find((type) => type === grantType);
  if (known !== undefined) return known;
  if (grantType === undefined)
    return oauthError('invalid_request', `grant_type is missing; use ${GRANT_TYPES.join(' or ')}.`);
  return oauthError('unsupported_grant_type', `grant_type is ${quoted(grantType)}; use ${GRANT_TYPES.join(' or ')}.`);
}

/** Queries end up in logs and histories, so nothing may come that way (RFC 6749 §2.3.1). */
function readBody({ contentType, body, query }: TokenEndpointInput): SentParameters | OAuthError {
  if (query !== '')
    return oauthError('invalid_request', 'There are parameters in the address; send all of them in the body.');
  switch (mediaTypeOf(contentType)) {
    case 'application/x-www-form-urlencoded':
      return decodeForm(body) ?? tooManyParameters();
    case 'application/json':
      return (
        readJsonBody(body) ??
        oauthError('invalid_request', 'The body is not a small flat JSON object; send one, or a form.')
      );
    default:
      return oauthError(
        'invalid_request',
        'The content type is not usable; send application/x-www-form-urlencoded in UTF-8.',
      );
  }
}

function tooManyParameters(): OAuthError {
  return oauthError('invalid_request', `The body has more than ${MAX_PARAMETERS} parameters; send fewer.`);
}

/** The media type in lower case; undefined when it names another charset than UTF-8 (RFC 6749 Appendix B). */
function mediaTypeOf(contentType: string | undefined): string | undefined {
  const [mediaType = '', ...attributes] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const isForeign = attributes.some(
    (attribute) => /^charset\b/.test(attribute) && !/^charset="?utf-?8"?$/.test(attribute),
  );
  return isForeign ? undefined : mediaType;
}
