import type { IncomingMessage, ServerResponse } from 'node:http';
import { countOf } from '../screens/kit/request.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A name or an address, with a port or without (RFC 9110 §7.2); it may be empty (RFC 9112 §3.2). */
const HOST = /^(?:[\w.~%-]*|\[[\da-f:.]+\])(?::\d{0,5})?$/i;
const ORIGIN_OF_ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/**
 * Before the server makes a URL of the two: the request target and the Host header are what anybody writes. A Host that
 * is no host would be a fault of ours, and one with a path in it would lead to another route than a proxy in front saw.
 */
export function withUsableTarget(listener: Listener): Listener {
  return (request, response) => {
    const target = originForm(request.url ?? '/');
    if (target === undefined || !isHost(request)) return refuse(response);
    request.url = target;
    return listener(request, response);
  };
}

/** Proxies send the whole address; a server must take it (RFC 9112 §3.2.2). */
function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  const [origin] = ORIGIN_OF_ABSOLUTE_FORM.exec(target) ?? [];
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const rest = target.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** One at most: of several, we and a proxy could follow different ones (RFC 9112 §3.2). Node keeps the first. */
function isHost({ headers: { host = '' }, rawHeaders }: IncomingMessage): boolean {
  if (countOf(rawHeaders, 'host') > 1) return false;
  if (host !== lastHost && HOST.test(host) && (host === '' || URL.canParse(`http://${host}/`))) lastHost = host;
  return host === lastHost;
}

/** Nearly all requests have the same. */
let lastHost = '';

function refuse(response: ServerResponse): void {
  const message = 'The request target or the Host header is not usable; send a path, and one host with its port.';
  const body = JSON.stringify({ error: { code: 'BAD_REQUEST', message } });
  response.writeHead(400, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  response.end(body);
}
