import type { IncomingMessage, ServerResponse } from 'node:http';
import { atEndOfTurn } from '../../core/turns.ts';
import { readIncoming } from '../../limits/read-at-most.ts';
import { queryOf } from '../../screens/kit/request.ts';
import { answerClient, type ClientEndpoint, type ClientEndpointSettings, type PlainAnswer } from './client-endpoint.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ClientListenerSettings extends ClientEndpointSettings {
  readonly addressOfIncoming: (request: IncomingMessage) => string;
}

/**
 * Answers what clients post to these endpoints on Node's own request and response; all else is for `otherwise`, which
 * has the endpoints as routes, too.
 */
export function answeringClients(
  settings: ClientListenerSettings,
  endpoints: readonly ClientEndpoint[],
  otherwise: Listener,
): Listener {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  return (request, response) => {
    const { method, url = '' } = request;
    const endpoint = method === 'POST' ? byPath.get(pathOf(url)) : undefined;
    if (!endpoint) return otherwise(request, response);
    return answer(settings, endpoint, request).then((found) => write(response, found));
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function answer(
  settings: ClientListenerSettings,
  endpoint: ClientEndpoint,
  request: IncomingMessage,
): Promise<PlainAnswer> {
  const { headers, headersDistinct, method = '', url = '' } = request;
  return answerClient(settings, endpoint, {
    method,
    contentType: headers['content-type'],
    query: queryOf(url),
    authorization: headersDistinct['authorization']?.join(', '),
    body: {
      encoding: headers['content-encoding'],
      length: headers['content-length'],
      read: (maxBytes) => new Promise((resolve) => readIncoming(request, maxBytes, resolve)),
    },
    address: settings.addressOfIncoming(request),
  });
}

function write(response: ServerResponse, { status, headers, text }: PlainAnswer): void {
  response.writeHead(status, headers);
  atEndOfTurn(() => response.end(text));
}
