/** servers/ speaks to those that keep calendars, by CalDAV or Microsoft Graph, and trusts no answer of theirs. */
import { OutboundFailure, type FailureReason as OutboundReason } from '../../../../outbound/outcome.ts';
import { restWanted } from '../../../../outbound/retry-after.ts';
import { CalendarFailure, type FailureReason, UntrustedHost } from '../calendar-provider.ts';

const FORBIDDEN =
  'The server lets us in and forbids this: access to calendars was not given, or is not switched on for this service.';
/** Servers say this in a 401 to the right password of somebody with two factors; Nextcloud: "password login forbidden". */
const WANTS_APP_PASSWORD =
  /password\s?login\s?forbidden|(?:app|application)[- ]?(?:specific)?[- ]?password|two[- ]factor|2fa/i;
const REDIRECTS = [301, 302, 303, 307, 308];

const REASONS: Readonly<Partial<Record<OutboundReason, FailureReason>>> = {
  TLS: 'CERTIFICATE',
  PRIVATE_ADDRESS: 'INSIDE',
};

/** Whether what opens an account may go there. */
export type Trusts = (url: URL) => boolean;

/** The door to servers of calendars: why there is no answer, as a failure of the calendar. */
export function calendarFetch(throughTheDoor: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await throughTheDoor(input, init);
    } catch (error) {
      if (init?.signal?.aborted) throw new CalendarFailure('UNAVAILABLE', 'The server takes too long.');
      if (!(error instanceof OutboundFailure)) throw error;
      const kind = error.reason === 'TOO_LARGE' ? 'UNREADABLE' : 'UNAVAILABLE';
      throw new CalendarFailure(kind, error.message, { reason: REASONS[error.reason] });
    }
  };
}

/**
 * The door to the server of accounts, which also says of every answer whether the account let us in: what opens an account goes
 * no further than to where it is trusted to go. `judged`: refusals of a question that its asker can do without.
 */
export function guardedFetch(
  trusts: Trusts,
  throughTheDoor: typeof fetch,
  judged: readonly number[] = [],
): typeof fetch {
  const ask = calendarFetch(throughTheDoor);
  return async (input, init) => {
    const url = URL.parse(input instanceof Request ? input.url : input);
    if (!url || url.username || url.password) throw unclear();
    if (!trusts(url)) throw new UntrustedHost(url.host);
    const answer = await ask(url, init);
    if (answer.status === 401) throw await refusal(answer);
    if (judged.includes(answer.status)) return answer;
    // The credentials were accepted: there are too many calls, an interface is not switched on by the operator, there is no
    // consent, or the calendar can only be read.
    if (answer.status === 403)
      throw new CalendarFailure('UNAVAILABLE', FORBIDDEN, { retryInSeconds: restWanted(answer.headers) });
    if (answer.status >= 500 || answer.status === 429) throw unexpected(answer);
    return answer;
  };
}

/**
 * Where an answer leads (RFC 9110 §15.4); undefined: nowhere. What is asked for encrypted is never asked for otherwise; a proxy that
 * ends TLS often makes its server name itself by http, and means the same host.
 */
export function movedTo({ status, headers }: Response, from: string): string | undefined {
  const location = REDIRECTS.includes(status) ? headers.get('location') : null;
  const next = location === null ? null : URL.parse(location, from);
  if (!next) return undefined;
  if (new URL(from).protocol === 'https:' && next.protocol === 'http:') {
    if (next.hostname !== new URL(from).hostname || next.port !== '')
      throw new CalendarFailure('UNAVAILABLE', 'The server leads to an address without encryption (http).');
    next.protocol = 'https:';
    next.port = new URL(from).port;
  }
  return next.href;
}

export function unclear(message = 'The answer of the calendar’s server cannot be understood.'): CalendarFailure {
  return new CalendarFailure('UNAVAILABLE', message, { reason: 'NOT_CALDAV' });
}

export function unexpected({ status, headers }: Unexpected): CalendarFailure {
  const message = `The server of the calendar answered with the status ${status ?? 'of none'}.`;
  const isItsOwn = status !== undefined && (status >= 500 || status === 429);
  const reason = isItsOwn ? undefined : 'NOT_CALDAV';
  const retryInSeconds = headers && restWanted(headers);
  return new CalendarFailure('UNAVAILABLE', message, { retryInSeconds, isOfServer: status === 503, reason });
}

interface Unexpected {
  readonly status?: number | undefined;
  readonly headers?: Headers;
}

export function calendarGone(): CalendarFailure {
  return new CalendarFailure('GONE', 'The calendar is not there any more.');
}

async function refusal(answer: Response): Promise<CalendarFailure> {
  const reason = WANTS_APP_PASSWORD.test((await answer.text()).slice(0, 4_096)) ? 'APP_PASSWORD' : undefined;
  return new CalendarFailure('REFUSED', 'The server refuses what the account was connected with.', { reason });
}

/** For servers that the operator names: these, and their neighbours. */
export function neighboursOf(serverUrl: string): Trusts {
  const server = new URL(serverUrl);
  return (url) => isNeighbour(server, url);
}

/**
 * The same host, or one whose name ends with its name: accounts of caldav.icloud.com are at p42-caldav.icloud.com. Of
 * cloud.example, evil-cloud.example would be the domain of somebody else.
 */
export function isNeighbour(server: URL, { protocol, host, hostname }: URL): boolean {
  if (host === server.host) return protocol === server.protocol;
  const joints = server.hostname.split('.').length > 2 ? ['.', '-'] : ['.'];
  return protocol === 'https:' && joints.some((joint) => hostname.endsWith(joint + server.hostname));
}
