import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As much of a CalDAV server as it takes to connect an account: it lets everybody in, and each has one calendar, which takes whatever is put there. */
export class CaldavServer {
  readonly url: string;
  /** Where something was put, each time that it was. */
  readonly put: readonly string[];
  readonly #server: Server;

  private constructor(server: Server, put: readonly string[]) {
    this.#server = server;
    this.put = put;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  static async start(): Promise<CaldavServer> {
    const put: string[] = [];
    const server = createServer((request, response) => {
      request.resume();
      if (request.method === 'PUT') {
        put.push(request.url ?? '');
        return response.writeHead(201).end();
      }
      return response.writeHead(207, { 'content-type': 'application/xml' }).end(MULTISTATUS);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CaldavServer(server, put);
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
