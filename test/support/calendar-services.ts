import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderClient } from '../../src/modules/calendars/connections/calendar-access.ts';
import type { AccountProvider } from './account-provider.ts';
import { PASSWORD, type Radicale } from './radicale.ts';

/** A server of calendars, as its users see it: each account has one calendar of its own. */
export interface CalendarService {
  /** The user puts an event into their calendar, or changes it. */
  putEvent(account: string, uid: string, start: string, end: string): Promise<void>;
  /** When the entries of bookings in their calendar begin, as `20261201T090000Z`. */
  startsOf(account: string): Promise<string[]>;
  stop(): Promise<void>;
  resume(): Promise<void>;
}

/** Radicale, over which nobody stands. */
export function overRadicale(radicale: Radicale): CalendarService {
  const calendarOf = (account: string) => `${radicale.url}${account}/work/`;
  return {
    putEvent: (account, uid, start, end) =>
      radicale.putEvent(account, calendarOf(account), uid, [`DTSTART:${compact(start)}`, `DTEND:${compact(end)}`]),
    startsOf: async (account) => {
      const content = await radicale.contentOf(account, calendarOf(account));
      const entries = content.match(/BEGIN:VEVENT[^]*?END:VEVENT/g) ?? [];
      return entries
        .filter((entry) => entry.includes('@gatehouse'))
        .map((entry) => /DTSTART:(\w+)/.exec(entry)?.[1] ?? '')
        .toSorted();
    },
    stop: () => radicale.stop(),
    resume: () => radicale.resume(),
  };
}

/** `20261201T090000Z` */
export function compact(instant: string): string {
  return Temporal.Instant.from(instant).toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

export const GOOGLE_SCOPE = 'https://www.googleapis.com/auth/calendar';

/**
 * Google's CalDAV interface as far as it differs from another server's: a door to Radicale that takes access tokens alone,
 * of the authorization server that has issued them, and only with the scope for calendars.
 */
export class GoogleCalendars {
  /** Takes the place of its own answer, if it returns true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #radicale: Radicale;
  readonly #accounts: AccountProvider;
  readonly #server: Server = createServer((request, response) => {
    this.#handle(request, response).catch(() => response.writeHead(502).end());
  });

  private constructor(radicale: Radicale, accounts: AccountProvider) {
    this.#radicale = radicale;
    this.#accounts = accounts;
  }

  static async start(radicale: Radicale, accounts: AccountProvider): Promise<GoogleCalendars> {
    const started = new GoogleCalendars(radicale, accounts);
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  get client(): ProviderClient {
    const apiUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
    const revocationUrl = `${this.#accounts.issuer}/token/revocation`;
    return { ...this.#accounts.client, ...this.#accounts.endpoints, revocationUrl, apiUrl };
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.instead(request, response)) return;
    const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    const account = await this.#accounts.accountOf(token, GOOGLE_SCOPE);
    if (account === undefined) return void response.writeHead(401).end();
    const authorization = `Basic ${Buffer.from(`${account}:${PASSWORD}`).toString('base64')}`;
    const { host: _, connection: __, ...headers } = request.headers;
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(new URL(request.url ?? '/', this.#radicale.url), {
      method: request.method ?? 'GET',
      headers: { ...(headers as Record<string, string>), authorization },
      redirect: 'manual',
      ...(body.length > 0 && { body }),
    });
    const passed = Object.fromEntries([...answer.headers].filter(([name]) => !/encoding|length|connection/.test(name)));
    response.writeHead(answer.status, passed).end(Buffer.from(await answer.arrayBuffer()));
  }
}
