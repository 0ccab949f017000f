import { Agent, type IncomingMessage, request } from 'node:http';

/**
 * A request as it goes over the wire: the path is not parsed, headers may come twice, and nothing is added but the length
 * of the body, unless that is sent in chunks.
 */
export interface RawRequest {
  readonly method?: string;
  /** With its query; sent as it is written. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const AGENT = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Sends one request to the service at `base` and follows no redirect. */
export async function send(base: string, { method = 'GET', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { port, host } = new URL(base);
  const given = Array.isArray(headers) ? headers : Object.entries(headers);
  const all = [['host', host], ...given];
  const isChunked = given.some(([name]) => name === 'transfer-encoding');
  if (body !== undefined && !isChunked) all.push(['content-length', String(Buffer.byteLength(body))]);
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const ask = (): void => {
      const outgoing = request({ agent: AGENT, host: '127.0.0.1', port, method, path, headers: all.flat() });
      // A kept connection may have been ended at the very moment that it is used again; nothing of the request was read.
      const isOver = (error: NodeJS.ErrnoException) => outgoing.reusedSocket && error.code === 'ECONNRESET';
      outgoing
        .on('response', resolve)
        .on('error', (error) => (isOver(error) ? ask() : reject(error)))
        .end(body);
    };
    ask();
  });
  const chunks = await incoming.toArray();
  return {
    status: incoming.statusCode ?? 0,
    headers: headersOf(incoming.rawHeaders),
    text: Buffer.concat(chunks).toString(),
  };
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '');
  return headers;
}
