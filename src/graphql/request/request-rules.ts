/** request/ reads the request that comes to the endpoint, by POST or GET, and says which are taken. */
import { type DocumentNode, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import { type GraphQLParams, type Plugin, processRegularResult } from 'graphql-yoga';
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
 * is refused. `namesDocument`: whether a request without a document names one.
 */
export function useRequestRules(namesDocument: (params: unknown) => boolean = () => false): Plugin {
  return {
    onRequestParse(payload) {
      const { request, fetchAPI } = payload;
      const { method, headers } = request;
      if (method !== 'POST' && method !== 'GET') {
        throw requestError(
          405,
          'METHOD_NOT_ALLOWED',
          `GraphQL is served by POST, and queries by GET; ${method} is neither.`,
          { Allow: METHODS },
        );
      }
      if (method === 'POST') checkBody(headers);
      if (answerType(headers.get('accept'))) return;
      // Yoga would answer in no form at all, since none is accepted.
      const { message, extensions } = requestError(406, 'NOT_ACCEPTABLE', 'Answers are JSON: accept application/json.');
      const errors = [{ message, extensions: { code: extensions['code'] } }];
      payload.endResponse(fetchAPI.Response.json({ errors }, { status: 406 }));
    },
    // Yoga reads no weights. A request that is refused before its answer's type was looked at gets JSON.
    onResultProcess(payload) {
      const type = answerType(payload.request.headers.get('accept')) ?? 'application/json';
      payload.setResultProcessor(processRegularResult as Parameters<typeof payload.setResultProcessor>[0], type);
    },
    onParams({ request, params }) {
      const query: unknown = params?.query;
      if (typeof query === 'string' || Array.isArray(params) || (query == null && namesDocument(params))) return;
      if (query == null && persistedHashIn(params) !== undefined) throw persistedQueryNotSupported();
      throw requestError(
        400,
        'BAD_REQUEST',
        request.method === 'GET'
          ? 'The address has no document: send ?query=… with a query, or POST {"query": "…"}.'
          : 'The body has no document: send {"query": "…"} with the operation as text.',
      );
    },
    onParse:
      () =>
      ({ result, context }) => {
        const { request, params } = context as { readonly request?: Request; readonly params?: GraphQLParams };
        if (request?.method !== 'GET' || result === null || result instanceof Error) return;
        if (getOperationAST(result as DocumentNode, params?.operationName)?.operation !== OperationTypeNode.MUTATION)
          return;
        throw requestError(405, 'METHOD_NOT_ALLOWED', 'By GET are queries; send a mutation by POST.', {
          Allow: 'POST, OPTIONS',
        });
      },
  };
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
