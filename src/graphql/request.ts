import { isUtf8 } from 'node:buffer';
import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import Negotiator from 'negotiator';
import { CACHES, type Share } from '../core/caches.ts';
import { holdsMore } from '../core/json-text.ts';
import { queryPairs } from '../core/text.ts';
import { readAtMost } from '../limits/read-at-most.ts';
import { LIMITS, limitError, VARIABLES } from './limits/limits.ts';

/** A request to the endpoint is read here, by POST or GET, and refused where it is not one that is taken. */

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

/** Reads what a client prefers by the weights of `Accept`, `Accept-Encoding` and `Accept-Language` (RFC 9110 §12.4.2, §12.5). */

/** A longer header is no browser's, nor that of any client that wants one of our types. */
const MAX_LENGTH = 1_000;

/** By the types that there are, which are the same list each time; there are as many texts as there are kinds of clients. */
const CHOSEN = new WeakMap<readonly string[], Share<{ readonly type: string | undefined }>>();
const BYTES = 50;

/**
 * The media type that an `Accept` asks for most, of those that we have: the most specific range that fits a type says its weight,
 * 0 rules it out. Between equals, the one that the client names first, then ours. Undefined where none is acceptable; a missing
 * header accepts all.
 */
export function preferredType<Type extends string>(
  accept: string | null | undefined,
  types: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept == null) return types[0];
  const known = CHOSEN.getOrInsertComputed(types, () => CACHES.share({ name: 'accept', weigh: () => BYTES }));
  const text = accept.slice(0, MAX_LENGTH);
  let found = known.get(text);
  if (!found) {
    found = { type: chosen(text, types) };
    known.set(text, found);
  }
  return found.type as Type | undefined;
}

/** All our types are in UTF-8, which a range may ask for. */
const IN_UTF_8 = ';charset=utf-8';

function chosen(accept: string, types: readonly string[]): string | undefined {
  const [first] = reading('accept', accept).mediaTypes(types.map((type) => type + IN_UTF_8));
  return first?.slice(0, -IN_UTF_8.length);
}

/** Whether a client would rather have an answer compressed by `gzip` than as it is. */
export function prefersGzip(acceptEncoding: string | null | undefined): boolean {
  if (acceptEncoding == null) return false;
  return reading('accept-encoding', acceptEncoding).encodings(['gzip', 'identity'])[0] === 'gzip';
}

/** The languages that a browser asks for, the most wanted first, without those that it rules out. */
export function acceptedLanguages(acceptLanguage: string | null | undefined): readonly string[] {
  return acceptLanguage == null ? [] : reading('accept-language', acceptLanguage).languages();
}

function reading(name: string, header: string): Negotiator {
  return new Negotiator({ headers: { [name]: header.slice(0, MAX_LENGTH) } });
}

const DOCUMENT_ID = 'documentId';
const TEXTS = ['query', 'operationName', DOCUMENT_ID];
/** Counts as none, whatever the method: addresses are logged (RFC 6750 §2.3). */
const TOKEN = 'access_token';
const JSON_VALUES = ['variables', 'extensions'];
/** A name that is longer or looks otherwise may be a token that was put there without a name; no answer repeats it. */
const LIKE_A_NAME = /^[\w.[\]-]{1,30}$/;

/**
 * The parameters of a request by GET, from its address as it was sent. What is empty counts as left out, as some clients
 * send all four. `takesDocumentId`: whether documents may be named by their hashes.
 * @throws GraphQLError for what is unknown, there twice, no UTF-8 or no JSON
 */
export function addressParams(address: string, takesDocumentId = false): GraphQLParams {
  const params: Record<string, unknown> = {};
  for (const [name, value] of queryPairs(address)) {
    if (name === undefined || value === undefined) {
      throw addressError('The address is not percent-encoded UTF-8; send the parameters in that encoding.');
    }
    if (name === TOKEN) continue;
    const isKnown = name === DOCUMENT_ID ? takesDocumentId : TEXTS.includes(name) || JSON_VALUES.includes(name);
    if (!isKnown) {
      const what = LIKE_A_NAME.test(name) ? `the unknown parameter "${name}"` : 'an unknown parameter';
      throw addressError(`The query string has ${what}; send query, operationName, variables and extensions.`);
    }
    if (name in params) throw addressError(`The query string has "${name}" twice; send it once.`);
    if (value !== '') params[name] = TEXTS.includes(name) ? value : parsed(name, value);
  }
  return params;
}

function parsed(name: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw addressError(
      `The query string has "${name}" that is not valid JSON; send an object as JSON, percent-encoded.`,
    );
  }
}

function addressError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } });
}

export const MAX_BODY_BYTES = 1_000_000;

/** The variables, and what may stand beside them. */
export const MOST_BODY_VALUES = LIMITS.variableValues + 100;

const WHOLE_NUMBER = /^\d+$/;

/**
 * Reads what a request asks: its body, or, by GET, its address. A body whose length is announced is measured by the
 * announcement, since Node's parser takes no more than that; only one that comes in chunks is counted, which costs a stream.
 * What is no UTF-8 is refused and not repaired, and no error repeats the body, which may hold confidential data.
 * `takesDocumentId`: as `addressParams` has it. @throws GraphQLError where the length itself says that it is not to be read
 */
export function bodyParser(
  { method, headers }: Request,
  takesDocumentId: boolean,
): (request: Request) => GraphQLParams | Promise<GraphQLParams> {
  if (method === 'GET') return ({ url }) => addressParams(url, takesDocumentId);
  const length = headers.get('content-length');
  if (length !== null && !WHOLE_NUMBER.test(length)) {
    throw bodyError(400, 'BAD_REQUEST', 'The Content-Length is not a whole number; leave it to your HTTP library.');
  }
  if (Number(length) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
  return async (incoming) => {
    const bytes = length === null ? await readAtMost(incoming.body, MAX_BODY_BYTES) : await incoming.bytes();
    if (!bytes) throw tooLarge(MAX_BODY_BYTES);
    return paramsOf(bytes);
  };
}

function paramsOf(bytes: Uint8Array): GraphQLParams {
  if (!isUtf8(bytes)) throw bodyError(400, 'BAD_REQUEST', 'The body is not UTF-8 text; send it in that encoding.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  if (holdsMore(text, MOST_BODY_VALUES)) throw limitError(VARIABLES, LIMITS.variableValues);
  const params = parseJson(text);
  if (typeof params === 'object' && params !== null) return params;
  throw bodyError(400, 'BAD_REQUEST', 'The body is no JSON object: send {"query": "…"} with the operation as text.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bodyError(400, 'BAD_REQUEST', 'The body is not valid JSON: send {"query": "…"} with the operation as text.');
  }
}

function tooLarge(maxBytes: number): GraphQLError {
  return bodyError(413, 'REQUEST_ENTITY_TOO_LARGE', `The body is larger than ${maxBytes} bytes; send less.`);
}

function bodyError(status: number, code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status } } });
}

/**
 * Automatic persisted queries, as Apollo's clients and urql's send them: first the hash of a document alone. We keep none that
 * a request brings: each process would know others, so that behind a load balancer hashes are missed again and again, and
 * one store for all would be written to by strangers. Clients that are told so send documents from then on; by hash are
 * trusted documents.
 */

/** The hash by which a request names its document, if it does. */
export function persistedHashIn(params: unknown): unknown {
  const { extensions } = (params ?? {}) as { extensions?: { persistedQuery?: { sha256Hash?: unknown } | null } | null };
  return extensions?.persistedQuery?.sha256Hash;
}

/** The client sends document and hash this time. */
export function persistedQueryNotFound(): GraphQLError {
  return protocolError('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND');
}

/** The client sends no hashes any more. */
function persistedQueryNotSupported(): GraphQLError {
  return protocolError('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED');
}

/** Clients compare the whole message (urql) or the code (Apollo), some only in an answer of status 200, as syntax errors have. */
function protocolError(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400, spec: true } } });
}
