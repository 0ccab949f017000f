import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A meeting, with the fields of Zoom's documentation. */
export interface ZoomMeeting {
  readonly id: number;
  readonly host: string;
  readonly topic: string;
  readonly agenda: string;
  readonly start_time: string;
  readonly duration: number;
  readonly timezone: string;
  readonly join_url: string;
}

type Asked = { readonly method: string; readonly path: string; readonly accessToken: string };

/**
 * Zoom's API of meetings as it is documented (https://developers.zoom.us/docs/api/meetings/), as far as it is used: its paths, statuses, error
 * codes, and that a list cuts agendas. `accountOf` says whose account an access token opens.
 */
export class ZoomServer {
  readonly meetings = new Map<number, ZoomMeeting>();
  /** `POST /v2/users/me/meetings`, in the order in which they came. */
  readonly requests: string[] = [];
  /** Takes the place of its own answer, if it returns true; before it, nothing has been done. */
  before: (asked: Asked, response: ServerResponse) => boolean | Promise<boolean> = () => false;
  /** The same once it has done what was asked: so that an answer gets lost. */
  after: (asked: Asked, response: ServerResponse) => boolean | Promise<boolean> = () => false;
  pageSize = 300;
  readonly #accountOf: (accessToken: string) => Promise<string | undefined>;
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  #lastId = 81_234_567_890;

  private constructor(accountOf: (accessToken: string) => Promise<string | undefined>) {
    this.#accountOf = accountOf;
  }

  static async open(accountOf: (accessToken: string) => Promise<string | undefined>): Promise<ZoomServer> {
    const opened = new ZoomServer(accountOf);
    opened.#server.listen(0, '127.0.0.1');
    await once(opened.#server, 'listening');
    return opened;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v2`;
  }

  reset(): void {
    this.meetings.clear();
    this.requests.splice(0);
    this.before = () => false;
    this.after = () => false;
    this.pageSize = 300;
  }

  /** How often it was asked so: `count('POST')`. */
  count(method: string): number {
    return this.requests.filter((one) => one.startsWith(`${method} `)).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://zoom');
    const method = request.method ?? '';
    const body = await text(request).catch(() => '');
    const [, accessToken = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const asked = { method, path: url.pathname, accessToken };
    this.requests.push(`${method} ${url.pathname}`);
    if (await this.before(asked, response)) return;
    const account = await this.#accountOf(accessToken);
    const [status, answer] =
      account === undefined
        ? [401, { code: 124, message: 'Invalid access token.' }]
        : this.#answer(asked, url, account, body);
    if (await this.after(asked, response)) return;
    response.writeHead(status, answer && { 'content-type': 'application/json;charset=UTF-8' });
    response.end(answer && JSON.stringify(answer));
  }

  #answer({ method, path }: Asked, url: URL, account: string, body: string): [number, object?] {
    if (method === 'GET' && path === '/v2/users/me') return [200, { id: account, email: account, type: 1 }];
    if (method === 'GET' && path === '/v2/users/me/meetings') return [200, this.#list(url, account)];
    if (method === 'POST' && path === '/v2/users/me/meetings') return this.#create(account, body);
    const id = Number(/^\/v2\/meetings\/(\d+)$/.exec(path)?.[1]);
    const meeting = this.meetings.get(id);
    if (!meeting) return [404, { code: 3001, message: `Meeting does not exist: ${id}.` }];
    if (meeting.host !== account)
      return [
        400,
        { code: 3161, message: 'Meeting hosting and scheduling capabilities are not allowed for your user account.' },
      ];
    if (method === 'PATCH') this.meetings.set(id, { ...meeting, ...(JSON.parse(body) as object) });
    else if (method === 'DELETE') this.meetings.delete(id);
    else return [405];
    return [204];
  }

  #create(account: string, body: string): [number, object] {
    const asked = JSON.parse(body) as Pick<ZoomMeeting, 'topic' | 'agenda' | 'start_time' | 'duration' | 'timezone'> & {
      type: number;
    };
    if (
      asked.type !== 2 ||
      asked.topic.length > 200 ||
      asked.agenda.length > 2_000 ||
      !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(asked.start_time)
    )
      return [400, { code: 300, message: 'Validation Failed.' }];
    const id = (this.#lastId += 1);
    const meeting = { ...asked, id, host: account, join_url: `https://zoom.example/j/${id}?pwd=x` };
    this.meetings.set(id, meeting);
    return [
      201,
      {
        ...meeting,
        uuid: `${id}==`,
        host_email: account,
        status: 'waiting',
        start_url: `https://zoom.example/s/${id}`,
      },
    ];
  }

  #list(url: URL, account: string): object {
    const own = [...this.meetings.values()].filter(({ host }) => host === account);
    const from = Number(url.searchParams.get('next_page_token') || 0);
    const size = Math.min(Number(url.searchParams.get('page_size') ?? 30), this.pageSize);
    const page = own.slice(from, from + size);
    const next = from + size < own.length ? `${from + size}` : '';
    const meetings = page.map((meeting) => ({ ...meeting, agenda: meeting.agenda.slice(0, 250) }));
    return { page_size: size, total_records: own.length, next_page_token: next, meetings };
  }
}
