/** request/ reads the request that comes to the endpoint, by POST or GET, and says which are taken. */
import { GraphQLError } from 'graphql';
import { preferredType } from './accept.ts';
import { persistedHashIn, persistedQueryNotSupported } from './persisted-queries.ts';

/** In UTF-8, as JSON between systems is (RFC 8259 §8.1). */
const JSON_TYPE = /^application\/(?:graphql\+)?json\s*(?:;(?!.*charset)|;.*charset="?utf-8"?\s*(?:;|$)|$)/i;
/**
 * Answers come in one of these types; an event stream or multipart would be one more way out, without a status of its
 * own.
 */
const ANSWERS = ['application/json', 'application/graphql-response+json'] as const;
const ANSWERS_AND_PAGE = [...ANSWERS, 'text/html'] as const;

export function isJson(contentType: string): boolean {
  return JSON_TYPE.test(contentType);
}

/** The media type of the answer; undefined where none of ours is acceptable. */
export function answerType(accept: string | null | undefined): (typeof ANSWERS)[number] | undefined {
  return preferredType(accept, ANSWERS);
}

/** Whether somebody looks at the endpoint in a browser. */
export function prefersPage(accept: string | null | undefined): boolean {
  return preferredType(accept, ANSWERS_AND_PAGE) === 'text/html';
}

/** `Allow` of a refusal lists the methods that may be used. */
const METHODS = 'GET, POST, OPTIONS';

/**
 * Two ways in: POST with a JSON body, and GET for queries. A form, which any web page can send without asking (CSRF), is
 * none; GET, which it can send too, changes nothing, its answer cannot be read by that page, and a session's cookie on it
 * is refused. @throws GraphQLError for all others
 */
export function checkRequest({ method, headers }: Request): void {
  if (method !== 'POST' && method !== 'GET')
    throw methodError(`GraphQL is served by POST, and queries by GET; ${method} is neither.`, METHODS);
  if (method === 'POST') checkBody(headers);
  if (answerType(headers.get('accept'))) return;
  throw requestError(406, 'NOT_ACCEPTABLE', 'Answers are JSON: accept application/json.');
}

export function methodError(message: string, allow: string): GraphQLError {
  return requestError(405, 'METHOD_NOT_ALLOWED', message, { Allow: allow });
}

/** The error for a request without a document. */
export function nothingAsked(params: unknown, isByGet: boolean): GraphQLError {
  const { query } = (params ?? {}) as { readonly query?: unknown };
  if (query == null && persistedHashIn(params) !== undefined) return persistedQueryNotSupported();
  const message = isByGet
    ? 'The address has no document: send ?query=… with a query, or POST {"query": "…"}.'
    : 'The body has no document: send {"query": "…"} with the operation as text.';
  return requestError(400, 'BAD_REQUEST', message);
}

function checkBody(headers: Headers): void {
  if (!isJson(headers.get('content-type') ?? '')) {
    throw requestError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the operation as JSON in UTF-8: Content-Type: application/json.',
    );
  }
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw requestError(415, 'UNSUPPORTED_MEDIA_TYPE', 'A compressed body is not taken: send it as it is.');
}

function requestError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } });
}
