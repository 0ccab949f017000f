import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

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

/**
 * One way in: POST with a JSON body. Forms and GET can be sent by any web page without asking (CSRF), and every further
 * way is one more door to guard. `namesDocument`: whether a body without a document names one.
 */
export function useRequestRules(namesDocument: (params: unknown) => boolean = () => false): Plugin {
  return {
    onRequestParse(payload) {
      const { request, fetchAPI } = payload;
      if (request.method !== 'POST') {
        throw requestError(405, 'METHOD_NOT_ALLOWED', `GraphQL is served by POST; ${request.method} is not.`, {
          Allow: 'POST, OPTIONS',
        });
      }
      const type = request.headers.get('content-type') ?? '';
      if (!isJson(type)) {
        throw requestError(
          415,
          'UNSUPPORTED_MEDIA_TYPE',
          'Send the operation as JSON in UTF-8: Content-Type: application/json.',
        );
      }
      if (!takesJson(request.headers.get('accept') ?? '*/*')) {
        // Yoga would answer in no form at all, since none is accepted.
        const { message, extensions } = requestError(
          406,
          'NOT_ACCEPTABLE',
          'Answers are JSON: accept application/json.',
        );
        const errors = [{ message, extensions: { code: extensions['code'] } }];
        payload.endResponse(fetchAPI.Response.json({ errors }, { status: 406 }));
        return;
      }
      const encoding = request.headers.get('content-encoding') ?? 'identity';
      if (encoding.toLowerCase() !== 'identity') {
        throw requestError(415, 'UNSUPPORTED_MEDIA_TYPE', 'A compressed body is not taken: send it as it is.');
      }
    },
    onParams({ params }) {
      const query: unknown = params?.query;
      if (typeof query === 'string' || Array.isArray(params) || (query == null && namesDocument(params))) return;
      throw requestError(
        400,
        'BAD_REQUEST',
        'The body has no document: send {"query": "…"} with the operation as text.',
      );
    },
  };
}

function requestError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } });
}
