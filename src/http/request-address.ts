import type { IncomingMessage, ServerResponse } from 'node:http';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Refuses a request whose Host header and target make no URL. Node lets any text through; what stands behind this listener
 * starts from a URL, and fails without one.
 */
export function withUsableAddress(listener: Listener): Listener {
  return (request, response) => {
    if (URL.canParse(`http://${request.headers.host ?? ''}${request.url ?? ''}`)) return listener(request, response);
    response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
    return response.end('The Host header or the address of the request is not usable; correct it.\n');
  };
}
