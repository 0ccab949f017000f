/** The server says this of its calendar; an empty text is left out. */
interface Telling {
  readonly syncToken: () => string;
  readonly ctag: () => string;
  /** In place of its own answer to sync-collection. */
  readonly changes?: () => Response;
}

/** A calendar at a CalDAV server that is a function, and which others change: it tells changes (RFC 6578), a ctag, and etags. */
export class ChangingCalendar {
  readonly url = 'https://dav.example/agenda/';
  /** Its questions, in their order. */
  readonly asked: string[] = [];
  /** It lists these, and says nothing of them when it is asked. */
  readonly hides = new Set<string>();
  /** Whether it tells an event to those alone who name it, as Zoho does. */
  namesAlone = false;
  /** Changes told at once. */
  most = Number.POSITIVE_INFINITY;
  before: (question: string) => void = () => undefined;
  tells: Telling = { syncToken: () => this.token, ctag: () => `ctag-${this.#log.length}` };
  readonly #objects = new Map<string, { readonly etag: string; readonly text: string }>();
  /** The names of changed objects, in the order of the changes. */
  readonly #log: string[] = [];

  /** Says that there is more. */
  static readonly cut =
    '<d:response><d:href>/agenda/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status><d:error><d:number-of-matches-within-limits/></d:error></d:response>';

  static multistatus(content: string): Response {
    const body = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">${content}</d:multistatus>`;
    return new Response(body, { status: 207, headers: { 'content-type': 'application/xml' } });
  }

  static object(uid: string, lines: readonly string[]): string {
    const event = ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T000000Z', ...lines, 'END:VEVENT'];
    return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tests//EN', ...event, 'END:VCALENDAR', ''].join('\r\n');
  }

  get token(): string {
    return `https://dav.example/sync/${this.#log.length}`;
  }

  put(name: string, lines: readonly string[], uid = name): void {
    this.putText(name, ChangingCalendar.object(uid, lines));
  }

  putText(name: string, text: string): void {
    this.#log.push(name);
    this.#objects.set(name, { etag: `"${this.#log.length}"`, text });
  }

  remove(name: string): void {
    if (this.#objects.delete(name)) this.#log.push(name);
  }

  readonly fetch: typeof fetch = async (_input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    const names = [...body.matchAll(/<d:href>\/agenda\/([^<]*)\.ics<\/d:href>/g)].map(([, name = '']) => name);
    const question = questionIn(body, names.length);
    this.asked.push(question);
    this.before(question);
    if (question === 'properties') {
      const { syncToken, ctag } = this.tells;
      const told = [
        syncToken() && `<d:sync-token>${syncToken()}</d:sync-token>`,
        ctag() && `<cs:getctag>${ctag()}</cs:getctag>`,
      ];
      return ChangingCalendar.multistatus(found('/agenda/', told.join('')));
    }
    if (question === 'changes') return this.tells.changes?.() ?? this.#changesSince(body);
    if (question === 'all' || question === 'etags')
      return ChangingCalendar.multistatus(
        [...this.#objects.keys()].map((name) => this.#told(name, question === 'all' && !this.namesAlone)).join(''),
      );
    return ChangingCalendar.multistatus(
      names
        .filter((name) => !this.hides.has(name))
        .map((name) => this.#told(name, true))
        .join(''),
    );
  };

  #changesSince(body: string): Response {
    const since = Number(/sync\/(\d+)</.exec(body)?.[1] ?? 0);
    const until = Math.min(since + this.most, this.#log.length);
    const names = new Set(this.#log.slice(since, until));
    const told = [...names].map((name) => this.#told(name, false)).join('');
    const token = `<d:sync-token>https://dav.example/sync/${until}</d:sync-token>`;
    return ChangingCalendar.multistatus(`${told}${until < this.#log.length ? ChangingCalendar.cut : ''}${token}`);
  }

  #told(name: string, isWhole: boolean): string {
    const [href, object] = [`/agenda/${name}.ics`, this.#objects.get(name)];
    if (!object) return `<d:response><d:href>${href}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`;
    const text = `<c:calendar-data>${object.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</c:calendar-data>`;
    return found(href, `<d:getetag>${object.etag}</d:getetag>${isWhole ? text : ''}`);
  }
}

function questionIn(body: string, names: number): string {
  if (body.includes('<d:propfind')) return 'properties';
  if (body.includes('<d:sync-collection')) return 'changes';
  if (body.includes('<c:calendar-multiget')) return `${names} object`;
  return body.includes('<c:calendar-data/>') ? 'all' : 'etags';
}

function found(href: string, properties: string): string {
  return `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
}
