/** request/ reads the request that comes to the endpoint, by POST or GET, and says which are taken. */
import { type DocumentNode, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { persistedHashIn, persistedQueryNotSupported } from './persisted-queries.ts';

/** In UTF-8, as JSON between systems is (RFC 8259 §8.1). */
const JSON_TYPE = /^application\/(?:graphql\+)?json\s*(?:;(?!.*charset)|;.*charset="?utf-8"?\s*(?:;|$)|$)/i;
/** What answers come in; an event stream or multipart would be one more way out, without a status of its own. */
const JSON_ACCEPTED =
  /(?:^|,)\s*(?:\*\/\*|application\/(?:\*|json|graphql-response\+json))\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i;

export function isJson(contentType: string): boolean {
  return JSON_TYPE.test(contentType);
}

export function takesJson(accept: string): boolean {
  return JSON_ACCEPTED.test(accept);
}

/** Whether somebody looks at the endpoint in a browser. */
export function takesPages(accept: string): boolean {
  return accept.includes('text/html');
}

/** What may be asked: `Allow` of what may not. */
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
      if (takesJson(headers.get('accept') ?? '*/*')) return;
      // Yoga would answer in no form at all, since none is accepted.
      const { message, extensions } = requestError(406, 'NOT_ACCEPTABLE', 'Answers are JSON: accept application/json.');
      const errors = [{ message, extensions: { code: extensions['code'] } }];
      payload.endResponse(fetchAPI.Response.json({ errors }, { status: 406 }));
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
