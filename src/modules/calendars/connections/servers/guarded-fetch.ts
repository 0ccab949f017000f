/** servers/ speaks to those that keep calendars, by CalDAV or Microsoft Graph, and trusts no answer of theirs. */
import { OutboundFailure } from '../../../../outbound/failure.ts';
import { restWanted } from '../../../../outbound/retry-after.ts';
import { CalendarFailure } from '../calendar-provider.ts';

const FORBIDDEN =
  'The server lets us in and forbids this: access to calendars was not given, or is not switched on for this service.';
/** The end of a multistatus, or an empty one. What has neither was cut off: tsdav reads it as if it were whole. */
const WHOLE = /<\/(?:[^\s<>:]+:)?multistatus\s*>|<(?:[^\s<>:]+:)?multistatus\b[^<>]*\/>/;

/**
 * The door to the server of accounts, which also says of every answer whether the account let us in: what opens an account goes
 * no further than to that server's neighbours.
 */
export function guardedFetch(server: URL, throughTheDoor: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = URL.parse(input instanceof Request ? input.url : input);
    if (!url || url.username || url.password) throw unclear();
    if (!isNeighbour(server, url))
      throw new CalendarFailure('UNAVAILABLE', 'The server leads to another one, which is not trusted.');
    const answer = await throughTheDoor(url, init).catch((error: unknown) => {
      if (!(error instanceof OutboundFailure)) throw error;
      throw new CalendarFailure(error.reason === 'TOO_LARGE' ? 'UNREADABLE' : 'UNAVAILABLE', error.message);
    });
    const isByToken = new Headers(init?.headers).get('authorization')?.startsWith('Bearer ') === true;
    if (answer.status === 401 || (answer.status === 403 && !isByToken))
      throw new CalendarFailure('REFUSED', 'The server refuses what the account was connected with.');
    // A token that was taken: too many calls, an interface that the operator has not switched on, or no consent to calendars.
    if (answer.status === 403) throw new CalendarFailure('UNAVAILABLE', FORBIDDEN, restWanted(answer.headers));
    if (answer.status >= 500 || answer.status === 429) throw unexpected(answer);
    return answer;
  };
}

/**
 * To ask with PROPFIND or REPORT, whose one good answer is a whole multistatus (RFC 4918 §9.1, RFC 3253 §3.6). All others,
 * such as a page that says that the server is being mended, would else be read as one that holds nothing.
 */
export function multistatusFetch(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = await ask(input, init);
    if (answer.status === 404 || answer.status === 410) throw calendarGone();
    if (answer.status !== 207) throw unexpected(answer);
    const text = await answer.text();
    if (!WHOLE.test(text)) throw unclear();
    return new Response(text, { status: 207, headers: answer.headers });
  };
}

export function unclear(message = 'The answer of the calendar’s server cannot be understood.'): CalendarFailure {
  return new CalendarFailure('UNAVAILABLE', message);
}

export function unexpected({ status, headers }: Unexpected): CalendarFailure {
  const message = `The server of the calendar answered with the status ${status ?? 'of none'}.`;
  return new CalendarFailure('UNAVAILABLE', message, headers && restWanted(headers));
}

interface Unexpected {
  readonly status?: number | undefined;
  readonly headers?: Headers;
}

export function calendarGone(): CalendarFailure {
  return new CalendarFailure('GONE', 'The calendar is not there any more.');
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
