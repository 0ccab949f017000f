import type { Mistake } from '../../../../core/problem.ts';
import { MAX_URL_LENGTH, type Path } from '../../../../core/text.ts';
import type { Outbound } from '../../../../outbound/outbound.ts';
import {
  addressTyped,
  type CaldavPlace,
  type ListedAccount,
  type ListedCalendar,
  type NewEntry,
} from '../calendar-connection.rules.ts';
import {
  type CalendarContent,
  CalendarFailure,
  type CalendarProvider,
  type EventRange,
  type KeptEntry,
  type KnownContent,
} from '../calendar-provider.ts';
import { CaldavReader } from './caldav-content.ts';
import { digestFetch, type Login, passwordSchemeOf } from './digest.ts';
import {
  calendarFetch,
  calendarGone,
  movedTo,
  neighboursOf,
  type Trusts,
  unclear,
  unexpected,
} from './guarded-fetch.ts';
import type { DavElement } from './multistatus.ts';
import {
  addressOf,
  type Dav,
  type DavReply,
  limitsOf,
  MAX_REDIRECTS,
  type Properties,
  pathOf,
  propfind,
  type QuestionLimits,
  WebDav,
} from './webdav.ts';

const CALENDAR_PROPERTIES = [
  'd:displayname',
  'd:resourcetype',
  'd:current-user-privilege-set',
  'c:supported-calendar-component-set',
];
const MAX_NAME_LENGTH = 200;
/** A calendar at a longer address is left out: no index can hold it. */
const MAX_CALENDAR_URL = 2_048;
/** An invitation that somebody has declined (RFC 5545 §3.2.12), wherever the line is folded. */
const DECLINED = /DECLINED|PARTSTAT=[A-Z]*\r?\n[ \t]/i;
const MAX_ADDRESSES = 50;
const NO_HOME = 'The server does not say where the calendars of the account are.';
/** A year of events comes in one answer. */
export const CALDAV_LIMITS = { maxAnswerBytes: 10 * 1_048_576 };
/** Where an account has more homes (RFC 4791 §6.2.1), calendars of the first ones are listed. */
const MAX_HOMES = 5;

/**
 * A CalDAV server (RFC 4791), with accounts that a password opens, or an access token. Where its answers lead elsewhere, what opens
 * an account goes no further than it is trusted to: unless said otherwise, to neighbours of the server, which is the operator's then.
 */
export class CalDav implements CalendarProvider {
  readonly #serverUrl: string;
  readonly #trusts: Trusts;
  readonly #dav: WebDav;
  readonly #reader: CaldavReader;

  constructor(serverUrl: string, throughTheDoor: typeof fetch, trusts = neighboursOf(serverUrl)) {
    this.#serverUrl = serverUrl;
    this.#trusts = trusts;
    this.#dav = new WebDav(trusts, throughTheDoor);
    this.#reader = new CaldavReader(this.#dav);
  }

  async check(authorization: string): Promise<void> {
    await this.#homes(authorization);
  }

  async list(authorization: string): Promise<ListedAccount> {
    const homes = await this.#homes(authorization);
    const calendars: ListedCalendar[] = [];
    for (const url of homes) calendars.push(...(await this.#listedAt(authorization, url)));
    const isBelowHome = ({ externalId }: ListedCalendar) =>
      homes.some((home) => pathOf(externalId).startsWith(`${pathOf(home)}/`));
    // CalDAV knows no primary calendar. Google lists those of others beside the home; else the first one that can be written to is it.
    const writable = calendars.filter(({ isReadOnly }) => !isReadOnly);
    const primary = writable.find(isBelowHome) ?? writable[0];
    return {
      account: lastOf(pathOf(homes[0] ?? this.#serverUrl)),
      calendars: calendars.map((calendar) => ({ ...calendar, isPrimary: calendar === primary })),
    };
  }

  async read(
    authorization: string,
    calendarId: string,
    range: EventRange,
    known?: KnownContent,
  ): Promise<CalendarContent> {
    const content = await this.#reader.read(authorization, calendarId, range, known);
    const isDeclined = content.objects?.some(({ text }) => DECLINED.test(text)) ?? false;
    return { ...content, ...(isDeclined && { addresses: await this.#addressesOf(authorization, limitsOf(range)) }) };
  }

  async write(
    authorization: string,
    calendarId: string,
    { icsId, ics }: NewEntry,
    kept: KeptEntry | undefined,
  ): Promise<KeptEntry> {
    const url = entryUrl(calendarId, icsId);
    const put = (etag: string | null): Promise<Response> =>
      this.#dav.send(url, {
        method: 'PUT',
        headers: {
          authorization,
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
    const answer = await this.#dav.send(externalId, { method: 'DELETE', headers: { authorization } });
    if (!answer.ok && ![404, 410].includes(answer.status)) throw unexpected(answer);
  }

  /** The calendars of a home that hold events, at addresses to which what opens the account may go. */
  async #listedAt(authorization: string, home: string): Promise<ListedCalendar[]> {
    const { at, dav, said } = await orNoHome(this.#dav.ask(authorization, home, propfind(CALENDAR_PROPERTIES, '1')));
    const found = said.responses.flatMap(({ href, properties }) =>
      holdsEvents(properties) ? [listed(addressOf(href, at), properties, dav)] : [],
    );
    return found.filter(({ externalId }) => externalId.length <= MAX_CALENDAR_URL && this.#isTrusted(externalId));
  }

  #isTrusted(address: string): boolean {
    const url = new URL(address);
    return !url.username && !url.password && this.#trusts(url);
  }

  /** Where the account's calendars are (RFC 5397, RFC 4791 §6.2.1). */
  async #homes(authorization: string): Promise<readonly string[]> {
    // A server that does not say who asks may have been given the address of the principal itself.
    const principal = (await this.#principal(authorization)) ?? this.#serverUrl;
    const homes = await this.#hrefsOf(authorization, principal, 'c:calendar-home-set');
    if (homes.length === 0) throw unclear(NO_HOME);
    return homes.slice(0, MAX_HOMES);
  }

  async #principal(authorization: string, limits: QuestionLimits = {}): Promise<string | undefined> {
    const [principal] = await this.#hrefsOf(authorization, this.#serverUrl, 'd:current-user-principal', limits);
    return principal;
  }

  /** The addresses in a property of what is found at an address, or at the one that this leads to. */
  async #hrefsOf(
    authorization: string,
    url: string,
    name: string,
    limits: QuestionLimits = {},
  ): Promise<readonly string[]> {
    const { at, dav, said } = await orNoHome(
      this.#dav.ask(authorization, url, { ...propfind([name], '0'), ...limits }),
    );
    const [property] = said.responses.flatMap(({ properties }) => properties.get(local(name)) ?? []);
    return dav.hrefsIn(property).map((href) => addressOf(href, at));
  }

  /** By which its user is invited (RFC 6638 §2.4.1); none where the server does not say, as it need not know invitations. */
  async #addressesOf(authorization: string, limits: QuestionLimits): Promise<readonly string[]> {
    try {
      const principal = await this.#principal(authorization, limits);
      if (principal === undefined) return [];
      const names = ['c:calendar-user-address-set'];
      const { dav, properties } = await this.#dav.propertiesOf(authorization, principal, names, limits);
      const hrefs = dav.hrefsIn(properties.get('calendar-user-address-set'));
      return hrefs.slice(0, MAX_ADDRESSES).map((address) => address.replace(/^mailto:/i, ''));
    } catch (error) {
      const isCut = limits.signal?.aborted === true || (limits.cpuLeft?.milliseconds ?? 1) <= 0;
      if (error instanceof CalendarFailure && !isCut) return [];
      throw error;
    }
  }

  async #etagOf(authorization: string, url: string): Promise<string | null> {
    try {
      const { dav, properties } = await this.#dav.propertiesOf(authorization, url, ['d:getetag']);
      return dav.textOf(properties.get('getetag')) || null;
    } catch (error) {
      if (error instanceof CalendarFailure && error.kind === 'GONE') return null;
      throw error;
    }
  }
}

/**
 * These are no calendars of anybody's, whatever else they are: those of scheduling (RFC 6638 §2), and those in Nextcloud's
 * bin.
 */
const NO_CALENDARS = ['schedule-inbox', 'schedule-outbox', 'deleted-calendar', 'trash-bin'];

const WELL_KNOWN = '/.well-known/caldav';
/** Any server answers this, and says how it wants to be signed in to. */
const PROPFIND = `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:"><d:prop><d:current-user-principal/></d:prop></d:propfind>`;

type Door = Pick<Outbound, 'fetchOf' | 'findService' | 'caldavAddressMistake'>;

/**
 * CalDAV servers that users name: where they are (RFC 6764 §6), without a password, and how they are spoken to with one. All
 * through the door of outbound/.
 */
export class CaldavServers {
  readonly #outbound: Door;

  constructor(outbound: Door) {
    this.#outbound = outbound;
  }

  /** The mistake in a typed address, host, or e-mail address. */
  typedMistake(path: Path, typed: string): Mistake | undefined {
    return this.#outbound.caldavAddressMistake(path, urlOf(typed)?.href ?? typed);
  }

  /**
   * Finds the places that may have calendars of the person who typed this, the likeliest first: all that ask for a password,
   * or for none. Nothing secret is sent. @throws CalendarFailure where there is none
   */
  async find(typed: string, signal: AbortSignal): Promise<readonly [CaldavPlace, ...CaldavPlace[]]> {
    const places = new Map<string, CaldavPlace>();
    const silent = new Set<string>();
    let failure: CalendarFailure | undefined;
    let found: string | undefined;
    for (const start of await this.#startsOf(typed)) {
      const { host } = new URL(start);
      if (silent.has(host) || (found !== undefined && found !== host)) continue;
      try {
        const place = await this.#placeAt(start, signal);
        places.set(place.url, place);
        found ??= host;
      } catch (error) {
        if (!(error instanceof CalendarFailure)) throw error;
        failure ??= error;
        // Nobody is asked again who does not answer.
        if (error.reason !== 'NOT_CALDAV') silent.add(host);
      }
    }
    const [first, ...others] = places.values();
    if (first) return [first, ...others];
    throw failure ?? unclear();
  }

  /** An account there; its password goes to these hosts alone. `signal`: ends what it asks. */
  open(
    { url, hosts, isDigest, ...login }: CaldavPlace & Login & { readonly hosts: readonly string[] },
    signal?: AbortSignal,
  ): CalendarProvider {
    const door = this.#door(signal);
    const { protocol } = new URL(url);
    // Hosts that were accepted are known by their names, so nothing but the place itself is asked without encryption.
    const trusts = (to: URL) => hosts.includes(to.host) && (to.protocol === 'https:' || to.protocol === protocol);
    return new CalDav(url, isDigest ? digestFetch(door, login) : door, trusts);
  }

  #door(signal: AbortSignal | undefined): typeof fetch {
    const door = this.#outbound.fetchOf('CALDAV', CALDAV_LIMITS);
    return signal ? (input, init) => door(input, { ...init, signal }) : door;
  }

  /** Where to begin (RFC 6764 §6): at the address itself, at what DNS says of the domain, at the address that is known for all. */
  async #startsOf(typed: string): Promise<readonly string[]> {
    const url = urlOf(typed);
    if (!url) return [];
    const at = (path: string, origin = url.origin) => new URL(path, origin).href;
    if (url.pathname !== '/') return unique([url.href, at(WELL_KNOWN), at('/')]);
    if (url.protocol !== 'https:' || url.port !== '') return [at(WELL_KNOWN), at('/')];
    const { servers, texts } = await this.#outbound.findService(`_caldavs._tcp.${url.hostname}`);
    const [server] = servers.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight);
    // "." says that there is none (RFC 2782); what may follow the address is tried all the same, as many set no such records.
    const found = server && server.name !== '' ? URL.parse(`https://${server.name}:${server.port}/`) : null;
    if (!found) return [at(WELL_KNOWN), at('/')];
    const path = texts.find((text) => /^path=\//i.test(text))?.slice('path='.length);
    const context = path === undefined || path.length > MAX_URL_LENGTH ? [] : [withPath(found, path)];
    return unique([...context, at(WELL_KNOWN, found.origin), at('/', found.origin), at(WELL_KNOWN), at('/')]);
  }

  /** Where an address leads, if something there speaks WebDAV, or wants to know first who asks. */
  async #placeAt(start: string, signal: AbortSignal): Promise<CaldavPlace> {
    const ask = calendarFetch(this.#door(signal));
    let url = start;
    for (let left = MAX_REDIRECTS; ; left -= 1) {
      const headers = { depth: '0', 'content-type': 'application/xml; charset=utf-8' };
      const answer = await ask(url, { method: 'PROPFIND', headers, body: PROPFIND });
      const next = left > 0 ? movedTo(answer, url) : undefined;
      if (next === undefined) return placeOf(url, answer);
      url = next;
    }
  }
}

/** The last part of a path that is not empty. */
function lastOf(path: string): string {
  return path.split('/').findLast(Boolean) ?? '';
}

function entryUrl(calendarId: string, icsId: string): string {
  return new URL(`${icsId}.ics`, calendarId.endsWith('/') ? calendarId : `${calendarId}/`).href;
}

/** Turns "gone" into "no home": where the question is about no calendar yet, none can be gone. */
async function orNoHome(reply: Promise<DavReply>): Promise<DavReply> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof CalendarFailure && error.kind === 'GONE') throw unclear(NO_HOME);
    throw error;
  }
}

function holdsEvents(properties: Properties): boolean {
  const types = properties.get('resourcetype')?.parts.map(({ name }) => name) ?? [];
  // SOGo calls its first calendar an outbox as well.
  if (types.includes('calendar') && types.includes('vevent-collection')) return true;
  if (!types.includes('calendar') || NO_CALENDARS.some((type) => types.includes(type))) return false;
  const components = properties.get('supported-calendar-component-set')?.parts.filter(({ name }) => name === 'comp');
  const names = components?.map(({ attributes }) => attributes['name']?.toUpperCase()) ?? [];
  return names.length === 0 || names.includes('VEVENT');
}

function listed(externalId: string, properties: Properties, { textOf }: Dav): ListedCalendar {
  const name = textOf(properties.get('displayname')) || lastOf(pathOf(externalId));
  return {
    externalId,
    name: name.slice(0, MAX_NAME_LENGTH),
    isPrimary: false,
    isReadOnly: !mayWrite(properties.get('current-user-privilege-set')),
  };
}

/** By the privileges of RFC 3744 §3. A server that names none is taken at its word when something is written. */
function mayWrite(privileges: DavElement | undefined): boolean {
  if (!privileges) return true;
  const names = privileges.parts.flatMap(({ parts }) => parts.map(({ name }) => name));
  return names.some((name) => ['all', 'write', 'write-content'].includes(name));
}

/** The local part of a name, without its prefix. */
function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/**
 * Reads what was typed as an address: a host alone is its own, an e-mail address that of its domain. The fragment and the
 * query are dropped.
 */
function urlOf(typed: string): URL | null {
  const url = URL.parse(addressTyped(typed));
  return url && Object.assign(url, { hash: '', search: '' });
}

function unique(urls: readonly string[]): readonly string[] {
  return [...new Set(urls)];
}

/** A path that begins with two slashes is one all the same, and no other host. */
function withPath(url: URL, path: string): string {
  return Object.assign(new URL(url), { pathname: path }).href;
}

function placeOf(url: string, { status, headers }: Response): CaldavPlace {
  if (status === 207) return { url, isDigest: passwordSchemeOf(headers) === 'DIGEST' };
  if (status !== 401) throw unexpected({ status, headers });
  const scheme = passwordSchemeOf(headers);
  if (scheme) return { url, isDigest: scheme === 'DIGEST' };
  throw new CalendarFailure('UNAVAILABLE', 'The server takes no passwords.', { reason: 'NO_PASSWORDS' });
}
