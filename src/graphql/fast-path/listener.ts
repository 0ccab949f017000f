/**
 * fast-path/ answers the operations that have a plan (compiled/) on Node's own request and response, before Yoga, and
 * refuses operations that come again to callers who lack scopes. It decides by the very functions that Yoga's plugins decide
 * by (documents, limits, scopes, rate limits, credentials). Whatever else there is to say, and whatever it does not know for
 * certain, is Yoga's: it gets the request as it came, with the body that was read and the verdict of the rate limit that was
 * taken.
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { readIncoming } from '../../limits/read-at-most.ts';
import { MAX_BODY_BYTES } from '../request/json-body.ts';
import { answerType, isJson, prefersPage } from '../request/request-rules.ts';
import { type CompiledOptions, Exchange } from './exchange.ts';
import { WrittenRefusals } from './written-refusal.ts';

const EMPTY = Buffer.alloc(0);

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export function answeringQueries(given: CompiledOptions, otherwise: Listener): Listener {
  const options = { ...given, written: new WrittenRefusals(given.refusals) };
  return (request, response) => {
    const begin = (bytes: Buffer | undefined, type: string): void =>
      new Exchange(options, otherwise, request, response, bytes, type).begin();
    const type = typeOfAnswer(request, options.endpoint);
    if (type === undefined) return otherwise(request, response);
    if (request.method === 'GET') return begin(undefined, type);
    // No more than was announced comes in.
    return readIncoming(request, MAX_BODY_BYTES, (bytes = EMPTY) => begin(bytes, type));
  };
}

/** The media type of the answer; undefined for a request that Yoga has to look at. */
function typeOfAnswer({ method, url = '', headers }: IncomingMessage, endpoint: string): string | undefined {
  if (headers.expect !== undefined) return undefined;
  const isOurs =
    method === 'GET' ? isQuery(url, endpoint, headers) : method === 'POST' && url === endpoint && isReadable(headers);
  return isOurs ? answerType(headers.accept) : undefined;
}

function isReadable(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  if (length === undefined || !(Number(length) <= MAX_BODY_BYTES)) return false;
  return headers['content-encoding'] === undefined && isJson(headers['content-type'] ?? '');
}

function isQuery(url: string, endpoint: string, headers: IncomingHttpHeaders): boolean {
  if (url[endpoint.length] !== '?' || !url.startsWith(endpoint)) return false;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return !hasBody && !prefersPage(headers.accept);
}
