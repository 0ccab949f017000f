import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PARTS = 6;
/** Long enough for a browser to show what has come so far. */
const BETWEEN_MILLISECONDS = 80;

/** A network between a browser and a service, over which pages come in parts. */
export interface SlowNetwork extends AsyncDisposable {
  readonly url: string;
}

/** Passes requests on to a service on this machine; the browser's cookies for one are those for the other. */
export async function networkInParts(serviceUrl: string): Promise<SlowNetwork> {
  const server = createServer((request, response) => {
    // A browser that has gone on hears no end.
    passOn(serviceUrl, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://${new URL(serviceUrl).hostname}:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => closed(server),
  };
}

const OF_ONE_CONNECTION = /^(?:content-length|content-encoding|transfer-encoding|connection|keep-alive)$/;

async function passOn(serviceUrl: string, { url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { cookie = '', 'accept-language': language = '' } = headers;
  const asked = { headers: { cookie, 'accept-language': language }, redirect: 'manual' } as const;
  const answer = await fetch(`${serviceUrl}${url}`, asked);
  const body = Buffer.from(await answer.arrayBuffer());
  const sent = [...answer.headers].filter(([name]) => !OF_ONE_CONNECTION.test(name));
  response.writeHead(answer.status, Object.fromEntries(sent));
  if (!answer.headers.get('content-type')?.startsWith('text/html')) return void response.end(body);
  for (const part of inParts(body.toString())) {
    response.write(part);
    await pause(BETWEEN_MILLISECONDS);
  }
  response.end();
}

/** Parts of about the same length, each from an element on. */
function inParts(page: string): string[] {
  const begin = page.indexOf('<main');
  const length = Math.ceil((page.length - begin) / PARTS);
  const cuts = Array.from({ length: PARTS - 1 }, (_, n) => page.indexOf('<', begin + (n + 1) * length)).filter(
    (at) => at > 0,
  );
  return [0, ...cuts].map((from, n) => page.slice(from, cuts[n]));
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
