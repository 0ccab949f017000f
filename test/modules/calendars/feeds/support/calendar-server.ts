import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Calendars under addresses, as servers of others publish them. */
export class CalendarServer {
  /** By path: the text that is there, or what answers. */
  readonly published = new Map<string, string | RequestListener>();
  /** The requests, in order. */
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly status: number }[] = [];
  readonly #server = createServer((request, response) => {
    const path = request.url ?? '';
    response.once('close', () => this.asked.push({ path, headers: request.headers, status: response.statusCode }));
    const there = this.published.get(path);
    if (typeof there === 'function') return there(request, response);
    const etag = `"${there?.length}"`;
    if (there === undefined) response.writeHead(404).end();
    else if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { 'content-type': 'text/calendar', etag }).end(there);
  });

  static async start(): Promise<CalendarServer> {
    const server = new CalendarServer();
    await new Promise<void>((done) => server.#server.listen(0, '127.0.0.1', done));
    return server;
  }

  /** Publishes a calendar. @returns its address */
  publish(path: string, there: string | RequestListener): string {
    this.published.set(path, there);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
