import type { Mistake } from '../../../../core/problem.ts';
import { MAX_URL_LENGTH, type Path } from '../../../../core/text.ts';
import type { Outbound } from '../../../../outbound/outbound.ts';
import { addressTyped, type CaldavPlace } from '../calendar-connection.rules.ts';
import { CalendarFailure, type CalendarProvider } from '../calendar-provider.ts';
import { CALDAV_LIMITS, CalDav } from './caldav.ts';
import { digestFetch, type Login, passwordSchemeOf } from './digest.ts';
import { calendarFetch, movedTo, unclear, unexpected } from './guarded-fetch.ts';
import { MAX_REDIRECTS } from './webdav.ts';

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

function placeOf(url: string, { status, headers }: Response): CaldavPlace {
  if (status === 207) return { url, isDigest: passwordSchemeOf(headers) === 'DIGEST' };
  if (status !== 401) throw unexpected({ status, headers });
  const scheme = passwordSchemeOf(headers);
  if (scheme) return { url, isDigest: scheme === 'DIGEST' };
  throw new CalendarFailure('UNAVAILABLE', 'The server takes no passwords.', { reason: 'NO_PASSWORDS' });
}

/**
 * Reads what was typed as an address: a host alone is its own, an e-mail address that of its domain. The fragment and the
 * query are dropped.
 */
function urlOf(typed: string): URL | null {
  const url = URL.parse(addressTyped(typed));
  return url && Object.assign(url, { hash: '', search: '' });
}

/** A path that begins with two slashes is one all the same, and no other host. */
function withPath(url: URL, path: string): string {
  return Object.assign(new URL(url), { pathname: path }).href;
}

function unique(urls: readonly string[]): readonly string[] {
  return [...new Set(urls)];
}
