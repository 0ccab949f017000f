import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderClient } from '../../src/modules/calendars/connections/calendar-access.ts';
import type { AccountProvider } from './account-provider.ts';
import { type CalendarService, compact } from './calendar-services.ts';

const GRAPH_SCOPE = 'Calendars.ReadWrite';
/** Fewer than are asked for come at once, so that every list has several pages. */
const PAGE = 2;

type Json = Record<string, unknown>;

interface StoredEvent extends Json {
  readonly id: string;
  readonly calendarId: string;
}

interface Mailbox {
  readonly calendars: Json[];
  readonly events: Map<string, StoredEvent>;
  readonly transactions: Map<string, string>;
}

/**
 * The calendars of Microsoft Graph v1.0, as far as learn.microsoft.com describes what is used of them: paths, `$select`, `$expand`
 * and `$filter` of extended properties, pages, `Prefer`, transaction ids, answers and errors. Tokens are those of an authorization
 * server of its own.
 */
export class GraphServer implements CalendarService {
  /** Takes the place of its own answer, if it returns true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #accounts: AccountProvider;
  readonly #mailboxes = new Map<string, Mailbox>();
  readonly #server: Server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  #isDown = false;

  private constructor(accounts: AccountProvider) {
    this.#accounts = accounts;
  }

  static async start(accounts: AccountProvider): Promise<GraphServer> {
    const started = new GraphServer(accounts);
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  get client(): ProviderClient {
    return { ...this.#accounts.client, ...this.#accounts.endpoints, apiUrl: `${this.#origin}/v1.0/` };
  }

  /** A mailbox has a calendar of its own and two that it may only read. */
  makeMailbox(account: string): void {
    const calendars = [
      aCalendar('Birthdays', { isDefaultCalendar: false }),
      aCalendar('Holidays', { isDefaultCalendar: false }),
      aCalendar('Work', { isDefaultCalendar: true, canEdit: true }),
    ];
    this.#mailboxes.set(account, { calendars, events: new Map(), transactions: new Map() });
  }

  /** The user makes another one, which they can write to. */
  makeCalendar(account: string, name: string): void {
    this.#mailbox(account).calendars.push(aCalendar(name, { isDefaultCalendar: false, canEdit: true }));
  }

  removeCalendar(account: string, name: string): void {
    const { calendars } = this.#mailbox(account);
    calendars.splice(
      calendars.findIndex((one) => one['name'] === name),
      1,
    );
  }

  async putEvent(account: string, uid: string, start: string, end: string, more: Json = {}): Promise<void> {
    const { events, calendars } = this.#mailbox(account);
    const own = calendars.find(({ isDefaultCalendar }) => isDefaultCalendar === true);
    const event = { id: uid, calendarId: String(own?.['id']), showAs: 'busy', isAllDay: false, isCancelled: false };
    events.set(uid, { ...event, type: 'singleInstance', start: inUtc(start), end: inUtc(end), ...more });
  }

  async startsOf(account: string): Promise<string[]> {
    return [...this.#mailbox(account).events.values()]
      .filter((event) => propertiesOf(event).length > 0)
      .map((event) => compact(`${(event['start'] as { dateTime: string }).dateTime.slice(0, 19)}Z`))
      .toSorted();
  }

  /** Everything that it has been told of an account's events. */
  contentOf(account: string): string {
    return JSON.stringify([...this.#mailbox(account).events.values()]);
  }

  async stop(): Promise<void> {
    this.#isDown = true;
  }

  async resume(): Promise<void> {
    this.#isDown = false;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #mailbox(account: string): Mailbox {
    const mailbox = this.#mailboxes.get(account);
    if (!mailbox) throw new Error(`${account} has no mailbox.`);
    return mailbox;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isDown) return void request.socket.destroy();
    if (this.instead(request, response)) return;
    const body = Buffer.concat(await request.toArray()).toString();
    const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    const account = await this.#accounts.accountOf(token, GRAPH_SCOPE);
    const [status, answer] =
      account === undefined
        ? faulty(401, 'InvalidAuthenticationToken', 'Access token is empty.')
        : this.#answer(account, request, body === '' ? {} : JSON.parse(body));
    response.writeHead(status, { 'content-type': 'application/json;odata.metadata=minimal' });
    response.end(answer && JSON.stringify(answer));
  }

  #answer(account: string, { method, url = '', headers }: IncomingMessage, body: Json): readonly [number, Json?] {
    const { pathname, searchParams: query } = new URL(url, this.#origin);
    const mailbox = this.#mailbox(account);
    const path = pathname.replace('/v1.0/', '').split('/').map(decodeURIComponent);
    const [, kind, id = '', part] = path;
    const what = `${method} ${kind === undefined ? 'me' : [kind, id && '…', part].filter(Boolean).join('/')}`;
    if (kind === 'calendars' && id !== '' && !mailbox.calendars.some((one) => one['id'] === id)) return NOT_FOUND;
    const ofCalendar = [...mailbox.events.values()].filter(({ calendarId }) => calendarId === id);
    switch (what) {
      case 'GET me':
        return [200, { mail: account, userPrincipalName: account }];
      case 'GET calendar':
        return [200, { id: 'default' }];
      case 'GET calendars':
        return [200, this.#page(url, mailbox.calendars)];
      case 'GET calendars/…/calendarView': {
        if (!/outlook\.timezone="UTC"/.test(String(headers['prefer'])))
          return faulty(400, 'ErrorInvalidRequest', 'Not UTC.');
        const [from, to] = ['startDateTime', 'endDateTime'].map((name) => String(query.get(name)).slice(0, 19));
        const within = ofCalendar.filter(({ start, end }) => dateOf(start) < String(to) && dateOf(end) > String(from));
        const property = /id eq '([^']+)'/.exec(query.get('$expand') ?? '')?.[1];
        return [
          200,
          this.#page(
            url,
            within.map((event) => ({ ...event, ...expanded(event, property) })),
          ),
        ];
      }
      case 'GET calendars/…/events': {
        const [, property, value] =
          /ep\/id eq '([^']+)' and ep\/value eq '([^']+)'/.exec(query.get('$filter') ?? '') ?? [];
        const found = ofCalendar.filter((event) =>
          propertiesOf(event).some((one) => one.id === property && one.value === value),
        );
        return [
          200,
          this.#page(
            url,
            found.map((event) => ({ id: event.id })),
          ),
        ];
      }
      case 'POST calendars/…/events': {
        const transaction = String(body['transactionId']);
        if (mailbox.transactions.has(transaction))
          return faulty(
            409,
            'ErrorDuplicateTransactionId',
            'The TransactionId has already been used to create a different event.',
          );
        const event = { ...body, id: `AAkA${randomUUID()}=`, calendarId: id, isAllDay: false, type: 'singleInstance' };
        mailbox.transactions.set(transaction, event.id);
        return [201, kept(mailbox, event)];
      }
      case 'PATCH events/…': {
        const event = mailbox.events.get(id);
        return event ? [200, kept(mailbox, { ...event, ...body })] : NOT_FOUND;
      }
      case 'DELETE events/…':
        return mailbox.events.delete(id) ? [204] : NOT_FOUND;
      default:
        return faulty(400, 'BadRequest', `Resource not found for the segment ${what}.`);
    }
  }

  #page(url: string, all: readonly Json[]): Json {
    const next = new URL(url, this.#origin);
    const skip = Number(next.searchParams.get('$skip') ?? 0);
    next.searchParams.set('$skip', String(skip + PAGE));
    const value = all.slice(skip, skip + PAGE);
    return { value, ...(skip + PAGE < all.length && { '@odata.nextLink': next.href }) };
  }
}

const NOT_FOUND = faulty(404, 'ErrorItemNotFound', 'The specified object was not found in the store.');

function aCalendar(name: string, more: Json): Json {
  return { id: `AAMk${randomUUID()}=`, name, canEdit: false, ...more };
}

function inUtc(instant: string): Json {
  return { dateTime: `${instant.slice(0, 19)}.0000000`, timeZone: 'UTC' };
}

function faulty(status: number, code: string, message: string): readonly [number, Json] {
  return [status, { error: { code, message } }];
}

function kept(mailbox: Mailbox, event: StoredEvent): Json {
  mailbox.events.set(event.id, event);
  return { ...event, '@odata.etag': `W/"${randomUUID()}"` };
}

function dateOf(time: unknown): string {
  return (time as { dateTime: string }).dateTime.slice(0, 19);
}

function propertiesOf(event: Json): readonly { readonly id: string; readonly value: string }[] {
  return (event['singleValueExtendedProperties'] ?? []) as { id: string; value: string }[];
}

/** Left out where nothing was asked for, or the event has none. */
function expanded(event: Json, property: string | undefined): Json {
  const found = propertiesOf(event).filter(({ id }) => id === property);
  return { singleValueExtendedProperties: found.length > 0 ? found : undefined };
}
