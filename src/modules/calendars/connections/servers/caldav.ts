import type { DAVResponse } from 'tsdav';
import { instantAt } from '../../../../core/instant.ts';
import { once } from '../../../../core/once.ts';
import { decodeComponent } from '../../../../core/text.ts';
import type { ListedAccount, ListedCalendar, NewEntry } from '../calendar-connection.rules.ts';
import {
  type CalendarContent,
  CalendarFailure,
  type CalendarProvider,
  type EventRange,
  type KeptEntry,
} from '../calendar-provider.ts';
import {
  calendarGone,
  guardedFetch,
  movedTo,
  multistatusFetch,
  neighboursOf,
  type Trusts,
  unclear,
  unexpected,
} from './guarded-fetch.ts';

// Loaded with the first call, as few processes make any.
const loadTsdav = once(() => import('tsdav'));

type Tsdav = Awaited<ReturnType<typeof loadTsdav>>;
type Properties = Readonly<Record<string, unknown>>;
type Sent = { readonly headers: Record<string, string>; readonly fetch: typeof fetch };

const CALENDAR_PROPERTIES = {
  'd:displayname': {},
  'd:resourcetype': {},
  'd:current-user-privilege-set': {},
  'c:supported-calendar-component-set': {},
};
const MAX_NAME_LENGTH = 200;
/** A calendar at a longer address is left out: no index can hold it. */
const MAX_CALENDAR_URL = 2_048;
/** An invitation that somebody has declined (RFC 5545 §3.2.12), wherever the line is folded. */
const DECLINED = /DECLINED|PARTSTAT=[A-Z]*\r?\n[ \t]/i;
const MAX_ADDRESSES = 50;
const NO_HOME = 'The server does not say where the calendars of the account are.';
const NAMESPACES = ['urn:ietf:params:xml:ns:caldav', 'DAV:'] as Parameters<Tsdav['getDAVAttribute']>[0];
/** A year of events comes in one answer. */
export const CALDAV_LIMITS = { maxAnswerBytes: 10 * 1_048_576 };
export const MAX_REDIRECTS = 5;
/** Where an account has more homes (RFC 4791 §6.2.1), calendars of the first ones are listed. */
const MAX_HOMES = 5;

/**
 * A CalDAV server (RFC 4791), with accounts that a password opens, or an access token. Where its answers lead elsewhere, what opens
 * an account goes no further than it is trusted to: unless said otherwise, to neighbours of the server, which is the operator's then.
 */
export class CalDav implements CalendarProvider {
  readonly #serverUrl: string;
  readonly #trusts: Trusts;
  readonly #fetch: typeof fetch;
  readonly #ask: typeof fetch;

  constructor(serverUrl: string, throughTheDoor: typeof fetch, trusts = neighboursOf(serverUrl)) {
    this.#serverUrl = serverUrl;
    this.#trusts = trusts;
    this.#fetch = guardedFetch(trusts, throughTheDoor);
    this.#ask = multistatusFetch(this.#fetch);
  }

  async check(authorization: string): Promise<void> {
    await this.#homes(authorization);
  }

  async list(authorization: string): Promise<ListedAccount> {
    const homes = await this.#homes(authorization);
    const calendars: ListedCalendar[] = [];
    for (const url of homes) calendars.push(...(await this.#listedAt(authorization, url)));
    // CalDAV knows no primary calendar. Google lists those of others beside the home; else the first one that can be written to is it.
    const writable = calendars.filter(({ isReadOnly }) => !isReadOnly);
    const primary = writable.find(({ externalId }) => homes.some((home) => isBelow(home, externalId))) ?? writable[0];
    return {
      account: lastOf(new URL(homes[0] ?? this.#serverUrl)),
      calendars: calendars.map((calendar) => ({ ...calendar, isPrimary: calendar === primary })),
    };
  }

  async read(
    authorization: string,
    calendarId: string,
    { start, end, maxAnswerBytes }: EventRange,
    state: string | null,
  ): Promise<CalendarContent> {
    // Before the events: what changes in between is read again the next time.
    const now = await this.#stateOf(authorization, calendarId);
    if (now !== null && now === state) return { state, objects: null };
    const range = { _attributes: { start: utc(start), end: utc(end) } };
    const events = { _attributes: { name: 'VEVENT' }, 'time-range': range };
    // Not by tsdav's own calendarQuery, which takes the answer that the calendar is not there for an empty one.
    const objects = await asked(undefined, async ({ davRequest, getDAVAttribute }) => {
      const query = {
        _attributes: getDAVAttribute(NAMESPACES),
        'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} },
        filter: [{ 'comp-filter': { _attributes: { name: 'VCALENDAR' }, 'comp-filter': events } }],
      };
      const { headers, fetch } = this.#asking(authorization, maxAnswerBytes);
      const report = { method: 'REPORT' as const, namespace: 'c', headers: { ...headers, depth: '1' } };
      const init = { ...report, body: { 'calendar-query': query } };
      const answers = await davRequest({ url: calendarId, init, fetch });
      return responsesOf(answers).flatMap((answer) => objectsIn(answer, calendarId));
    });
    const isDeclined = objects.some((text) => DECLINED.test(text));
    return { state: now, objects, ...(isDeclined && { addresses: await this.#addressesOf(authorization) }) };
  }

  async write(
    authorization: string,
    calendarId: string,
    { icsId, ics }: NewEntry,
    kept: KeptEntry | undefined,
  ): Promise<KeptEntry> {
    const url = entryUrl(calendarId, icsId);
    const { headers, fetch } = this.#sent(authorization);
    const put = (etag: string | null): Promise<Response> =>
      fetch(url, {
        method: 'PUT',
        headers: {
          ...headers,
          'content-type': 'text/calendar; charset=utf-8',
          ...(etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }),
        },
        body: ics,
      });
    let answer = await put(kept?.etag ?? null);
    // Its user has changed or removed it, or an earlier attempt has written it and heard no answer: the booking is what counts.
    if (answer.status === 412) answer = await put(await this.#etagOf(authorization, url));
    if (answer.status === 404 || answer.status === 409) throw calendarGone();
    if (!answer.ok) throw unexpected(answer);
    return { externalId: url, etag: answer.headers.get('etag') };
  }

  /** It is where it is written, if it is there. */
  async find(_authorization: string, calendarId: string, icsId: string): Promise<string> {
    return entryUrl(calendarId, icsId);
  }

  async remove(authorization: string, { externalId }: Pick<KeptEntry, 'externalId'>): Promise<void> {
    const { headers, fetch } = this.#sent(authorization);
    const answer = await fetch(externalId, { method: 'DELETE', headers });
    if (!answer.ok && ![404, 410].includes(answer.status)) throw unexpected(answer);
  }

  /** The calendars of a home that hold events, at addresses to which what opens the account may go. */
  async #listedAt(authorization: string, url: string): Promise<ListedCalendar[]> {
    return asked(NO_HOME, async ({ propfind }) => {
      const answers = await propfind({ url, props: CALENDAR_PROPERTIES, depth: '1', ...this.#asking(authorization) });
      const found = responsesOf(answers).flatMap(({ href, props = {} }) =>
        typeof href === 'string' && holdsEvents(props) ? [listed(new URL(href, url).href, props)] : [],
      );
      return found.filter(
        ({ externalId }) => externalId.length <= MAX_CALENDAR_URL && this.#trusts(new URL(externalId)),
      );
    });
  }

  /** Where the account's calendars are (RFC 5397, RFC 4791 §6.2.1). */
  async #homes(authorization: string): Promise<readonly string[]> {
    const ask = (url: string, asks: string, told: string) => this.#hrefsOf(authorization, url, asks, told);
    const [principal] = await ask(this.#serverUrl, 'd:current-user-principal', 'currentUserPrincipal');
    // A server that does not say it may have been given the address of the principal itself.
    const homes = await ask(principal ?? this.#serverUrl, 'c:calendar-home-set', 'calendarHomeSet');
    if (homes.length === 0) throw unclear(NO_HOME);
    return homes.slice(0, MAX_HOMES);
  }

  /** The addresses in a property of what is found at an address, or at the one that this leads to. */
  async #hrefsOf(authorization: string, url: string, asks: string, told: string): Promise<string[]> {
    let at = url;
    const following: typeof fetch = async (_input, init) => {
      for (let left = MAX_REDIRECTS; ; left -= 1) {
        const answer = await this.#fetch(at, init);
        const next = left > 0 ? movedTo(answer, at) : undefined;
        if (next === undefined) return answer;
        at = next;
      }
    };
    return asked(NO_HOME, async ({ propfind }) => {
      const sent = { headers: { authorization }, fetch: multistatusFetch(following) };
      const answers = responsesOf(await propfind({ url, props: { [asks]: {} }, depth: '0', ...sent }));
      const [property] = answers.flatMap(({ props }) => (isRecord(props?.[told]) ? [props[told]] : []));
      const hrefs = [property?.['href']].flat().map(textOf);
      return hrefs.filter(Boolean).map((href) => new URL(href, at).href);
    });
  }

  /** By which its user is invited (RFC 6638 §2.4.1); none where the server does not say, as it need not know invitations. */
  async #addressesOf(authorization: string): Promise<readonly string[]> {
    const account = { serverUrl: this.#serverUrl, rootUrl: this.#serverUrl, accountType: 'caldav' as const };
    try {
      const url = await asked(NO_HOME, ({ fetchPrincipalUrl }) =>
        fetchPrincipalUrl({ account, ...this.#asking(authorization) }),
      );
      const props = await this.#propertiesOf(authorization, url, { 'c:calendar-user-address-set': {} });
      const { calendarUserAddressSet: told } = props;
      const hrefs = isRecord(told) ? [told['href']].flat() : [];
      const addresses = hrefs.map((href) => textOf(isRecord(href) ? (href['_text'] ?? href) : href));
      return addresses.slice(0, MAX_ADDRESSES).map((address) => address.replace(/^mailto:/i, ''));
    } catch (error) {
      if (error instanceof CalendarFailure) return [];
      throw error;
    }
  }

  async #stateOf(authorization: string, calendarId: string): Promise<string | null> {
    const props = await this.#propertiesOf(authorization, calendarId, { 'cs:getctag': {}, 'd:sync-token': {} });
    return textOf(props['syncToken']) || textOf(props['getctag']) || null;
  }

  async #etagOf(authorization: string, url: string): Promise<string | null> {
    const props = await this.#propertiesOf(authorization, url, { 'd:getetag': {} }).catch((error: unknown) => {
      if (error instanceof CalendarFailure && error.kind === 'GONE') return undefined;
      throw error;
    });
    return textOf(props?.['getetag']) || null;
  }

  async #propertiesOf(authorization: string, url: string, props: object): Promise<Properties> {
    return asked(undefined, async ({ propfind }) => {
      const [answer] = responsesOf(await propfind({ url, props, depth: '0', ...this.#asking(authorization) }));
      if (answer?.status === 404 || answer?.status === 410) throw calendarGone();
      if (!answer?.ok) throw unexpected({ status: answer?.status });
      return answer.props ?? {};
    });
  }

  #sent(authorization: string): Sent {
    return { headers: { authorization }, fetch: this.#fetch };
  }

  #asking(authorization: string, maxAnswerBytes?: number): Sent {
    const limit = { maxAnswerBytes };
    const ask: typeof fetch = (input, init) => this.#ask(input, { ...init, ...limit });
    return { headers: { authorization }, fetch: maxAnswerBytes === undefined ? this.#ask : ask };
  }
}

/**
 * What is asked by tsdav. Its own errors hold what the server has said, so they go no further. `noHome`: why there is no answer
 * where it is no calendar that is asked for, and so none that can be gone.
 */
async function asked<Answer>(noHome: string | undefined, ask: (tsdav: Tsdav) => Promise<Answer>): Promise<Answer> {
  const tsdav = await loadTsdav();
  try {
    return await ask(tsdav);
  } catch (error) {
    if (error instanceof CalendarFailure && !(noHome && error.kind === 'GONE')) throw error;
    throw unclear(noHome);
  }
}

function entryUrl(calendarId: string, icsId: string): string {
  return new URL(`${icsId}.ics`, calendarId).href;
}

/** What is no calendar of anybody's, whatever else it is: of scheduling (RFC 6638 §2), and what lies in Nextcloud's bin. */
const NO_CALENDARS = ['scheduleInbox', 'scheduleOutbox', 'deletedCalendar', 'trashBin'];

function holdsEvents({ resourcetype, supportedCalendarComponentSet }: Properties): boolean {
  if (!isRecord(resourcetype) || !('calendar' in resourcetype)) return false;
  if (NO_CALENDARS.some((type) => type in resourcetype)) return false;
  const components = isRecord(supportedCalendarComponentSet) ? [supportedCalendarComponentSet['comp']].flat() : [];
  const names = components.map((one) => isRecord(one) && isRecord(one['_attributes']) && one['_attributes']['name']);
  return names.length === 0 || names.includes('VEVENT');
}

function listed(externalId: string, { displayname, currentUserPrivilegeSet }: Properties): ListedCalendar {
  const name = textOf(displayname) || lastOf(new URL(externalId));
  return {
    externalId,
    name: name.slice(0, MAX_NAME_LENGTH),
    isPrimary: false,
    isReadOnly: !mayWrite(currentUserPrivilegeSet),
  };
}

/** However either of them is percent-encoded. */
function isBelow(home: string, url: string): boolean {
  const [above, below] = [home, url].map((one) => decodeComponent(new URL(one).pathname) ?? '');
  return above !== '' && below?.startsWith(above ?? '') === true;
}

function isSame(href: string, url: string): boolean {
  const [one, other] = [new URL(href, url), new URL(url)].map(({ pathname }) => {
    const path = decodeComponent(pathname) ?? pathname;
    return path.replace(/\/$/, '');
  });
  return one === other;
}

/** The last part of a path that is not empty. */
function lastOf({ pathname }: URL): string {
  const last = pathname.split('/').findLast(Boolean) ?? '';
  return decodeComponent(last) ?? last;
}

/** By the privileges of RFC 3744 §3. A server that names none is taken at its word when something is written. */
function mayWrite(privileges: unknown): boolean {
  if (!isRecord(privileges)) return true;
  const names = [privileges['privilege']].flat().flatMap((one) => (isRecord(one) ? Object.keys(one) : []));
  return names.some((name) => ['all', 'write', 'writeContent'].includes(name));
}

/** The responses of a multistatus, as tsdav has read it; throws where it has found none. An empty one has one, which is of nothing. */
function responsesOf(answers: readonly DAVResponse[]): readonly DAVResponse[] {
  if (!answers.every(({ raw }) => isRecord(raw) && 'multistatus' in raw)) throw unclear();
  return answers;
}

/** The event in a response to a query; the calendar may name itself beside its events. */
function objectsIn({ href, status, ok, props }: DAVResponse, calendarId: string): readonly string[] {
  if (href === undefined && props === undefined) return [];
  const isItself = typeof href === 'string' && isSame(href, calendarId);
  if (isItself && (status === 404 || status === 410)) throw calendarGone();
  const text = textOf(props?.['calendarData']);
  // An event that is not told is not one that is not there.
  if (!ok || (text === '' && !isItself)) throw unclear();
  return text === '' ? [] : [text];
}

/** tsdav makes numbers of texts that look like one, and wraps CDATA. */
function textOf(value: unknown): string {
  if (isRecord(value)) return [value['_cdata']].flat().map(textOf).join('');
  return ['string', 'number', 'boolean'].includes(typeof value) ? `${value as string | number | boolean}` : '';
}

function isRecord(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `20261201T090000Z` */
function utc(epochMilliseconds: number): string {
  return instantAt(epochMilliseconds).toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}
