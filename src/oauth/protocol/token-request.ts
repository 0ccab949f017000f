import { namesIn } from '../../core/json-text.ts';
import { decodeComponent, isStorable } from '../../core/text.ts';
import { type ClientCredentials, readClientCredentials } from './client-authentication.ts';
import { isOAuthError, type OAuthError, oauthError, quoted } from './oauth-error.ts';

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

/**
 * The parameters that a caller sent, by name, in the order of arrival. A Map, because a name may be `__proto__`. A
 * value is undefined when it cannot be used: broken percent-encoding, invalid UTF-8, or a NUL, which no database column
 * holds.
 */
export type SentParameters = ReadonlyMap<string, readonly (string | undefined)[]>;

export interface ParameterMistake {
  readonly parameter: string;
  readonly problem: 'REPEATED' | 'MALFORMED' | 'TOO_LONG';
}

/** More than any request needs, few enough that decoding them costs nothing. */
export const MAX_PARAMETERS = 100;

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

/** Decodes `application/x-www-form-urlencoded` (RFC 6749 Appendix B). Undefined when there are more than MAX_PARAMETERS. */
export function decodeForm(text: string): SentParameters | undefined {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > MAX_PARAMETERS) return undefined;
  return gather(pairs.map(decodePair));
}

/** The value of a parameter that came once; one without a value counts as omitted (RFC 6749 §3.1). Never the first or last of several. */
export function singleValue(sent: SentParameters, name: string): string | undefined {
  const values = sent.get(name);
  return values?.length === 1 ? values[0] || undefined : undefined;
}

export function allValues(sent: SentParameters, name: string): readonly string[] {
  return (sent.get(name) ?? []).filter((value) => value !== undefined && value !== '') as readonly string[];
}

/** The one parameter that may come more than once (RFC 8707 §2). */
const REPEATABLE = 'resource';

/**
 * Finds the mistakes in the parameters. A name that came twice is a mistake even when both values are equal, empty or
 * unknown to us (RFC 6749 §3.1); a broken value is one only where it would be read.
 */
export function parameterMistakes(sent: SentParameters, knownNames: readonly string[]): readonly ParameterMistake[] {
  const mistakes: ParameterMistake[] = [];
  for (const [parameter, values] of sent) {
    if (values.length > 1 && parameter !== REPEATABLE) mistakes.push({ parameter, problem: 'REPEATED' });
    else if (values.includes(undefined) && knownNames.includes(parameter))
      mistakes.push({ parameter, problem: 'MALFORMED' });
  }
  return mistakes;
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

/** The media type in lower case; undefined when it names another charset than UTF-8 (RFC 6749 Appendix B). */
function mediaTypeOf(contentType: string | undefined): string | undefined {
  const [mediaType = '', ...attributes] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const isForeign = attributes.some(
    (attribute) => /^charset\b/.test(attribute) && !/^charset="?utf-?8"?$/.test(attribute),
  );
  return isForeign ? undefined : mediaType;
}

/** Brings equal names together. A pair without a usable name is an unknown parameter, and those are ignored. */
function gather(pairs: Iterable<readonly [name: string | undefined, value: string | undefined]>): SentParameters {
  const sent = new Map<string, (string | undefined)[]>();
  for (const [name, value] of pairs) {
    if (name === undefined) continue;
    const values = sent.get(name);
    if (values) values.push(usable(value));
    else sent.set(name, [usable(value)]);
  }
  return sent;
}

function usable(value: string | undefined): string | undefined {
  return value !== undefined && isStorable(value) ? value : undefined;
}

function decodePair(pair: string): readonly [string | undefined, string | undefined] {
  const equals = pair.indexOf('=');
  if (equals === -1) return [decodeComponent(pair), ''];
  return [decodeComponent(pair.slice(0, equals)), decodeComponent(pair.slice(equals + 1))];
}

function tooManyParameters(): OAuthError {
  return oauthError('invalid_request', `The body has more than ${MAX_PARAMETERS} parameters; send fewer.`);
}

/**
 * Reads a flat JSON object as parameters: texts, with null for an omitted one, and for `resource` also a list of texts.
 * Any other value is kept as one that cannot be used. Undefined when the body is no JSON object, or has more than
 * MAX_PARAMETERS members.
 */
function readJsonBody(body: string): SentParameters | undefined {
  const members = parseObject(body);
  const names = members ? topLevelNames(body) : [];
  if (!members || names.length > MAX_PARAMETERS) return undefined;
  // JSON.parse keeps the last of equal names. The others have no value here, but are there, so that the repetition is found.
  const pairs = names.flatMap((name, index) => {
    const texts = names.indexOf(name) === index ? textsOf(name, members.get(name)) : [undefined];
    return texts.map((text) => [name, text] as const);
  });
  return gather(pairs);
}

/** As a Map: a member named `__proto__` is a member like any other. */
function parseObject(body: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/** The names of the outermost object, with repetitions. */
function topLevelNames(json: string): readonly string[] {
  return [...namesIn(json)].filter(({ object }) => object === 1).map(({ name }) => name);
}

function textsOf(name: string, value: unknown): readonly (string | undefined)[] {
  if (typeof value === 'string') return [value];
  if (value === null) return [''];
  const isListOfTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return name === 'resource' && isListOfTexts ? value : [undefined];
}
