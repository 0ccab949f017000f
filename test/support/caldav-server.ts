import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Answers what something was put with; `take` puts it there. */
type AnswerPut = (response: ServerResponse, take: () => void) => void;

export const CREATED: AnswerPut = (response, take) => {
  take();
  response.writeHead(201).end();
};

/** As much of a CalDAV server as it takes to connect an account: it lets everybody in, and each has one calendar, which takes whatever is put there. */
export class CaldavServer {
  readonly url: string;
  /** Where something was put, each time that it was. */
  readonly put: string[] = [];
  /** The entries that are there, by their path, in unfolded lines. */
  readonly entries = new Map<string, string>();
  answerPut = CREATED;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<CaldavServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CaldavServer(server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method, url = '' } = request;
    if (method !== 'PUT') {
      response.writeHead(207, { 'content-type': 'application/xml' }).end(MULTISTATUS);
      return;
    }
    this.answerPut(response, () => {
      this.put.push(url);
      this.entries.set(url, body.replaceAll(/\r?\n[ \t]/g, ''));
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** All that is asked, at once: principal, home and calendar are one resource. */
const MULTISTATUS = `<?xml version="1.0"?>
<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/</d:href><d:propstat><d:prop>
  <d:current-user-principal><d:href>/</d:href></d:current-user-principal>
  <c:calendar-home-set><d:href>/</d:href></c:calendar-home-set>
  <d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Home</d:displayname>
</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`;
