/** caldav-content reads a calendar: only the changes since it was last read, where they can be known, and else all of it. */
import { instantAt } from '../../../../core/instant.ts';
import { sha256Hex } from '../../../../core/secret.ts';
import { nextTurn, turnIsOver } from '../../../../core/turns.ts';
import type { CalendarContent, CalendarObject, EventRange, KnownContent } from '../calendar-provider.ts';
import { calendarGone, unclear } from './guarded-fetch.ts';
import type { DavResponse } from './multistatus.ts';
import {
  addressOf,
  type DavReply,
  escaped,
  isGood,
  isMissing,
  isSame,
  limitsOf,
  NAMESPACES,
  pathOf,
  prop,
  type Question,
  type WebDav,
} from './webdav.ts';

/**
 * The difference between a calendar and what is known of it: the new and changed objects by their names, and the names of those
 * that are gone.
 */
interface Changes {
  readonly changed: ReadonlyMap<string, { readonly href: string; readonly etag: string | null }>;
  readonly gone: readonly string[];
  readonly syncToken: string;
}

/** A calendar as it is now. */
interface CalendarState {
  /** Null: the server names none. */
  readonly state: string | null;
  /** Whether it says that it holds busy times (RFC 4791 §5.2.3). */
  readonly hasFreeBusy: boolean;
}

/** Tokens of servers have some hundred characters; a longer one is none. */
const MAX_STATE_LENGTH = 4_000;
/** Where more objects have changed, all of the calendar is read at once. Some servers take no more names in one question. */
const MAX_CHANGES = 200;
const NAMES_A_QUESTION = 100;
/** The most events that are asked for by name, where a server sends no data otherwise. */
const MAX_NAMED = 2_000;
/** The most answers that one list of changes may be spread over, being too long for one (RFC 6578 §3.6). */
const MAX_PAGES = 5;
/**
 * Reads what has changed, where that is known by then: by sync-collection (RFC 6578), or else by comparing etags. Wherever that
 * does not add up, all is read by a calendar-query.
 */
export class CaldavReader {
  readonly #dav: WebDav;

  constructor(dav: WebDav) {
    this.#dav = dav;
  }

  async read(
    authorization: string,
    calendarId: string,
    range: EventRange,
    known: KnownContent | undefined,
  ): Promise<CalendarContent> {
    // Before the events: what changes in between is read again the next time.
    const calendar = await this.#stateOf(authorization, calendarId, range);
    const { state } = calendar;
    if (state !== null && state === known?.state) return { state, objects: null };
    const changes = known && (await this.#changed(authorization, calendarId, range, known, calendar));
    return changes ?? this.#all(authorization, calendarId, range, calendar);
  }

  /** Reads the calendar's sync-token and its ctag; a server may have none of them, or only one. */
  async #stateOf(authorization: string, calendarId: string, range: EventRange): Promise<CalendarState> {
    const names = ['cs:getctag', 'd:sync-token', 'c:supported-calendar-component-set'];
    const { dav, properties } = await this.#dav.propertiesOf(authorization, calendarId, names, limitsOf(range));
    const components = properties.get('supported-calendar-component-set')?.parts ?? [];
    return {
      state: stateText(dav.textOf(properties.get('sync-token')), dav.textOf(properties.get('getctag'))),
      hasFreeBusy: components.some(({ attributes }) => attributes['name']?.toUpperCase() === 'VFREEBUSY'),
    };
  }

  /**
   * Asks for all objects in a range of time, with these properties: the events and, where the calendar says that it holds such, the
   * busy times. A query is about one kind of component alone (RFC 4791 §9.7.1).
   */
  async #queried(
    authorization: string,
    calendarId: string,
    range: EventRange,
    names: readonly string[],
    { hasFreeBusy }: CalendarState,
  ): Promise<DavReply> {
    const limits = limitsOf(range);
    const reply = await this.#dav.ask(authorization, calendarId, {
      ...calendarQuery(range, names, 'VEVENT'),
      ...limits,
    });
    const busy = hasFreeBusy
      ? await this.#dav.askIfKnown(authorization, calendarId, {
          ...calendarQuery(range, names, 'VFREEBUSY'),
          ...limits,
        })
      : undefined;
    if (!busy) return reply;
    return { ...reply, said: { ...reply.said, responses: [...reply.said.responses, ...busy.said.responses] } };
  }

  /** All events in a range of time. */
  async #all(
    authorization: string,
    calendarId: string,
    range: EventRange,
    calendar: CalendarState,
  ): Promise<CalendarContent> {
    const { state } = calendar;
    const reply = await this.#queried(authorization, calendarId, range, ['d:getetag', 'c:calendar-data'], calendar);
    const [namesAlone, objects]: [DavResponse[], CalendarObject[]] = [[], []];
    for await (const one of eachInTurns(reply)) {
      const isNameAlone = isGood(one) && !hasCalendarData(one) && !isSame(one.href, calendarId, reply);
      if (isNameAlone) namesAlone.push(one);
      else objects.push(...objectsIn(one, calendarId, reply));
    }
    if (namesAlone.length === 0) return { state, objects };
    // Zoho answers with the names of the events alone, and sends the data of those that are asked for by name.
    if (namesAlone.length > MAX_NAMED) throw unclear();
    const wanted = namesAlone.map(({ href }) => [nameOf(href, reply), href] as const);
    const named = await this.#named(authorization, calendarId, wanted, range);
    if (!named) throw unclear();
    return { state, objects: [...objects, ...named.objects] };
  }

  /** The objects of these names, and the names of those that are gone. Undefined: the server did not send all of them. */
  async #named(
    authorization: string,
    calendarId: string,
    wanted: readonly (readonly [name: string, href: string])[],
    range: EventRange,
  ): Promise<{ readonly objects: readonly CalendarObject[]; readonly gone: readonly string[] } | undefined> {
    const [objects, gone]: [CalendarObject[], string[]] = [[], []];
    for (let from = 0; from < wanted.length; from += NAMES_A_QUESTION) {
      const some = wanted.slice(from, from + NAMES_A_QUESTION);
      const question = { ...multiget(some.map(([, href]) => href)), ...limitsOf(range) };
      const reply = await this.#dav.ask(authorization, calendarId, question);
      const answers = new Map(reply.said.responses.map((one) => [nameOf(one.href, reply), one]));
      for (const [name] of some) {
        const answer = answers.get(name);
        if (answer && isMissing(answer)) gone.push(name);
        else if (answer && hasCalendarData(answer)) objects.push(...objectsIn(answer, calendarId, reply));
        else return undefined;
      }
    }
    return { objects, gone };
  }

  /** Finds the changes; undefined: they cannot be known, or are too many. */
  async #changed(
    authorization: string,
    calendarId: string,
    range: EventRange,
    known: KnownContent,
    calendar: CalendarState,
  ): Promise<CalendarContent | undefined> {
    const { state } = calendar;
    const [before, now] = [tokensIn(known.state), tokensIn(state)];
    // A token that stays as it is while the ctag changes says nothing.
    const hasNewToken = before.syncToken !== '' && now.syncToken !== '' && before.syncToken !== now.syncToken;
    const etags = hasNewToken || !range.isPart ? await known.etags() : undefined;
    if (!etags) return undefined;
    const changes = hasNewToken
      ? await this.#synced(authorization, calendarId, before.syncToken, range)
      : await this.#compared(authorization, calendarId, range, etags, calendar);
    if (!changes) return undefined;
    const wanted = [...changes.changed].filter(([name, { etag }]) => etag === null || etags.get(name) !== etag);
    if (wanted.length > MAX_CHANGES) return undefined;
    const hrefs = wanted.map(([name, { href }]) => [name, href] as const);
    const named = await this.#named(authorization, calendarId, hrefs, range);
    if (!named) return undefined;
    const { objects } = named;
    const gone = [...changes.gone, ...named.gone];
    return { state: hasNewToken ? stateText(changes.syncToken, now.ctag) : state, objects, gone };
  }

  /** Finds the changes by sync-collection, since a token. */
  async #synced(
    authorization: string,
    calendarId: string,
    since: string,
    range: EventRange,
  ): Promise<Changes | undefined> {
    const [changed, gone] = [new Map<string, { href: string; etag: string | null }>(), new Set<string>()];
    let token = since;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const reply = await this.#dav.askIfKnown(authorization, calendarId, {
        ...syncCollection(token),
        ...limitsOf(range),
      });
      if (!reply || reply.said.syncToken === '') return undefined;
      let isCut = false;
      for await (const response of eachInTurns(reply)) {
        const { href, status = 200 } = response;
        const [name, isItself] = [nameOf(href, reply), isSame(href, calendarId, reply)];
        if (isItself) isCut ||= status === 507;
        // Nobody knows anything of what is in a collection below.
        else if (href.endsWith('/')) continue;
        else if (isMissing(response)) gone.add(name);
        else if (status < 200 || status > 299) return undefined;
        else changed.set(name, { href, etag: etagIn(response, reply) });
        if (isMissing(response)) changed.delete(name);
        else gone.delete(name);
      }
      if (!isCut) return { changed, gone: [...gone], syncToken: reply.said.syncToken };
      if (reply.said.syncToken === token) return undefined;
      token = reply.said.syncToken;
    }
    return undefined;
  }

  /** Finds the changes by comparing the etags of all objects in a range of time. */
  async #compared(
    authorization: string,
    calendarId: string,
    range: EventRange,
    known: ReadonlyMap<string, string>,
    calendar: CalendarState,
  ): Promise<Changes | undefined> {
    const reply = await this.#queried(authorization, calendarId, range, ['d:getetag'], calendar);
    const changed = new Map<string, { href: string; etag: string | null }>();
    for await (const response of eachInTurns(reply)) {
      if (isSame(response.href, calendarId, reply)) {
        if (!isGood(response)) return undefined;
        continue;
      }
      const etag = etagIn(response, reply);
      if (etag === null) return undefined;
      changed.set(nameOf(response.href, reply), { href: response.href, etag });
    }
    return { changed, gone: [...known.keys()].filter((name) => !changed.has(name)), syncToken: '' };
  }
}

/** All responses: there may be many, and others are served meanwhile. */
async function* eachInTurns({ said }: DavReply): AsyncGenerator<DavResponse> {
  for (const response of said.responses) {
    yield response;
    if (turnIsOver()) await nextTurn();
  }
}

function calendarQuery({ start, end }: EventRange, names: readonly string[], component: string): Question {
  const range = `<c:time-range start="${utc(start)}" end="${utc(end)}"/>`;
  const events = `<c:comp-filter name="VCALENDAR"><c:comp-filter name="${component}">${range}</c:comp-filter></c:comp-filter>`;
  const body = `<c:calendar-query ${NAMESPACES}>${prop(names)}<c:filter>${events}</c:filter></c:calendar-query>`;
  return { method: 'REPORT', depth: '1', body };
}

function multiget(hrefs: readonly string[]): Question {
  const named = hrefs.map((href) => `<d:href>${escaped(href)}</d:href>`).join('');
  const asked = prop(['d:getetag', 'c:calendar-data']);
  return {
    method: 'REPORT',
    depth: '1',
    body: `<c:calendar-multiget ${NAMESPACES}>${asked}${named}</c:calendar-multiget>`,
  };
}

function syncCollection(token: string): Question {
  const since = `<d:sync-token>${escaped(token)}</d:sync-token><d:sync-level>1</d:sync-level>`;
  const body = `<d:sync-collection ${NAMESPACES}>${since}${prop(['d:getetag'])}</d:sync-collection>`;
  return { method: 'REPORT', depth: '0', body };
}

/** An object of a calendar, and the state of one, in a few characters: others choose both, and their length. */
function nameOf(href: string, { at }: DavReply): string {
  return short(pathOf(addressOf(href, at)));
}

function etagIn({ properties }: DavResponse, { dav }: DavReply): string | null {
  const etag = dav.textOf(properties.get('getetag')).replace(/^W\//, '').replaceAll('"', '');
  return etag === '' ? null : short(etag);
}

function short(text: string): string {
  return Buffer.from(sha256Hex(text).slice(0, 24), 'hex').toString('base64url');
}

function stateText(syncToken: string, ctag: string): string | null {
  const text = JSON.stringify([syncToken, ctag]);
  return (syncToken === '' && ctag === '') || text.length > MAX_STATE_LENGTH ? null : text;
}

function tokensIn(state: string | null): { readonly syncToken: string; readonly ctag: string } {
  const [syncToken = '', ctag = ''] = state === null ? [] : (JSON.parse(state) as string[]);
  return { syncToken, ctag };
}

/** Whether the response has the data of its event, and not its name alone. */
function hasCalendarData(response: DavResponse): boolean {
  return isGood(response) && response.properties.has('calendar-data');
}

/** The event in a response to a query; the calendar may name itself beside its events. */
function objectsIn(response: DavResponse, calendarId: string, reply: DavReply): readonly CalendarObject[] {
  const isItself = isSame(response.href, calendarId, reply);
  if (isItself && isMissing(response)) throw calendarGone();
  const text = reply.dav.textOf(response.properties.get('calendar-data'));
  // An event without data may be there all the same.
  if (!isGood(response) || (text === '' && !isItself)) throw unclear();
  return text === ''
    ? []
    : [{ name: nameOf(response.href, reply), etag: etagIn(response, reply) ?? short(text), text }];
}

/** `20261201T090000Z` */
function utc(epochMilliseconds: number): string {
  return instantAt(epochMilliseconds).toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}
