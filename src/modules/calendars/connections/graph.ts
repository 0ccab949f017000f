import type { z } from 'zod';
import { instantAt, instantOf } from '../../../core/instant.ts';
import { once } from '../../../core/once.ts';
import { sha256Hex } from '../../../core/secret.ts';
import { icsIdOf, icsUid } from '../ics-uid.rules.ts';
import type { CalendarEvent, ListedAccount, NewEntry } from './calendar-connection.rules.ts';
import {
  type CalendarContent,
  CalendarFailure,
  type CalendarProvider,
  type EventRange,
  type KeptEntry,
} from './calendar-provider.ts';
import type { GraphEvent } from './graph-answers.ts';
import { calendarGone, guardedFetch, unexpected } from './guarded-fetch.ts';

// Loaded with the first call, as few processes make any.
const loadAnswers = once(() => import('./graph-answers.ts'));

export const GRAPH_LIMITS = { maxAnswerBytes: 10 * 1_048_576 };
/** As many as are asked for at once, and as many times as a list leads on: 20,000 events. */
const PAGE = 500;
const MAX_PAGES = 40;
const MAX_NAME_LENGTH = 200;
/** What an entry of ours carries, so that it is found again: a property of this service's own. */
const UID_PROPERTY = 'String {6f2b1f5e-54b7-4b3c-9a0f-0d7c5c1e9a42} Name GatehouseUid';
/** Ids that stay with an event wherever it is put, and times in UTC. */
const PREFER = 'IdType="ImmutableId", outlook.timezone="UTC"';
/** Those of the values of `showAs` that leave their time free. */
const FREE = ['free', 'workingElsewhere'];

interface Call {
  readonly method?: string;
  readonly body?: object;
}

/** Calendars of Microsoft accounts, by Microsoft Graph v1.0 at an address that is the operator's. */
export class Graph implements CalendarProvider {
  readonly #base: string;
  readonly #fetch: typeof fetch;

  constructor(apiUrl: string, throughTheDoor: typeof fetch) {
    this.#base = apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`;
    this.#fetch = guardedFetch(new URL(apiUrl), throughTheDoor);
  }

  async check(authorization: string): Promise<void> {
    await required(await this.#call(authorization, 'me/calendar?$select=id'));
  }

  async list(authorization: string): Promise<ListedAccount> {
    const { GraphUser, GraphCalendar } = await loadAnswers();
    const me = await this.#call(authorization, 'me?$select=mail,userPrincipalName');
    const { mail, userPrincipalName } = await read(GraphUser, await required(me));
    const path = `me/calendars?$select=id,name,canEdit,isDefaultCalendar&$top=${PAGE}`;
    const calendars = await this.#all(authorization, path, GraphCalendar);
    return {
      account: mail || userPrincipalName || '',
      calendars: calendars.map(({ id, name, canEdit, isDefaultCalendar }) => ({
        externalId: id,
        name: (name || id).slice(0, MAX_NAME_LENGTH),
        isPrimary: isDefaultCalendar === true,
        isReadOnly: canEdit !== true,
      })),
    };
  }

  /** Graph gives each instance of what recurs; there is no cheap word for whether anything has changed. */
  async read(authorization: string, calendarId: string, { start, end }: EventRange): Promise<CalendarContent> {
    const { GraphEvent: Event } = await loadAnswers();
    const query = new URLSearchParams({
      startDateTime: instantAt(start).toString(),
      endDateTime: instantAt(end).toString(),
      $select: 'start,end,isAllDay,isCancelled,showAs,responseStatus',
      $expand: `singleValueExtendedProperties($filter=id eq '${UID_PROPERTY}')`,
      $top: String(PAGE),
    });
    const events = await this.#all(authorization, `${pathOf(calendarId)}/calendarView?${query}`, Event);
    const objects = events.filter(isBusy).map(eventText);
    return { state: null, objects: objects.length > 0 ? [calendarText(objects)] : [] };
  }

  async write(
    authorization: string,
    calendarId: string,
    { icsId, version, event }: NewEntry,
    kept: KeptEntry | undefined,
  ): Promise<KeptEntry> {
    const uid = icsUid(icsId);
    const body = bodyOf(event, uid);
    if (kept) {
      const changed = await this.#change(authorization, kept.externalId, body);
      if (changed) return changed;
    }
    // An earlier attempt may have written it and heard no answer.
    const found = await this.#find(authorization, calendarId, uid);
    if (found !== undefined) return (await this.#change(authorization, found, body)) ?? missing();
    // Of two attempts at the same time, Graph takes one.
    const post = { method: 'POST', body: { ...body, transactionId: sha256Hex(`${icsId} ${version}`).slice(0, 32) } };
    const answer = await this.#call(authorization, `${pathOf(calendarId)}/events`, post);
    if (answer.status === 404) throw calendarGone();
    const { GraphEntry } = await loadAnswers();
    return entryIn(await read(GraphEntry, await required(answer)));
  }

  async remove(authorization: string, { externalId }: Pick<KeptEntry, 'externalId'>): Promise<void> {
    const answer = await this.#call(authorization, entryPath(externalId), { method: 'DELETE' });
    if (!answer.ok && answer.status !== 404) throw unexpected(answer);
  }

  /** Undefined: there is no such entry any more. */
  async #change(authorization: string, id: string, body: object): Promise<KeptEntry | undefined> {
    const { GraphEntry } = await loadAnswers();
    const answer = await this.#call(authorization, entryPath(id), { method: 'PATCH', body });
    return answer.status === 404 ? undefined : entryIn(await read(GraphEntry, await required(answer)));
  }

  /** The id of our entry with this UID. */
  async #find(authorization: string, calendarId: string, uid: string): Promise<string | undefined> {
    const { GraphEntry } = await loadAnswers();
    const query = new URLSearchParams({
      $filter: `singleValueExtendedProperties/Any(ep: ep/id eq '${UID_PROPERTY}' and ep/value eq '${uid}')`,
      $select: 'id',
    });
    const [found] = await this.#all(authorization, `${pathOf(calendarId)}/events?${query}`, GraphEntry);
    return found?.id;
  }

  /** All items of a list, page by page; one that is not as it should be fails the whole: it might be the busy one. */
  async #all<Item>(authorization: string, path: string, item: z.ZodType<Item>): Promise<Item[]> {
    const { GraphPage } = await loadAnswers();
    const items: Item[] = [];
    let next: string | null | undefined = path;
    for (let pages = 0; next; pages += 1) {
      if (pages === MAX_PAGES) throw new CalendarFailure('UNAVAILABLE', 'The calendar has too many events.');
      const answer = await this.#call(authorization, next);
      if (answer.status === 404) throw calendarGone();
      const page: z.infer<typeof GraphPage> = await read(GraphPage, await required(answer));
      for (const value of page.value) items.push(parsed(item, value));
      next = page['@odata.nextLink'];
    }
    return items;
  }

  #call(authorization: string, path: string, { method = 'GET', body }: Call = {}): Promise<Response> {
    return this.#fetch(new URL(path, this.#base), {
      method,
      headers: { authorization, prefer: PREFER, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}

function pathOf(calendarId: string): string {
  return `me/calendars/${encodeURIComponent(calendarId)}`;
}

function entryPath(id: string): string {
  return `me/events/${encodeURIComponent(id)}`;
}

async function required(answer: Response): Promise<Response> {
  if (!answer.ok) throw unexpected(answer);
  return answer;
}

async function read<Value>(type: z.ZodType<Value>, answer: Response): Promise<Value> {
  return parsed(type, await answer.json().catch(() => undefined));
}

function parsed<Value>(type: z.ZodType<Value>, value: unknown): Value {
  const { success, data } = type.safeParse(value);
  if (success) return data;
  throw new CalendarFailure('UNAVAILABLE', 'The server does not answer as Microsoft Graph does.');
}

function entryIn({
  id,
  '@odata.etag': etag = null,
}: {
  readonly id: string;
  readonly '@odata.etag'?: string | null | undefined;
}): KeptEntry {
  return { externalId: id, etag };
}

function missing(): never {
  throw new CalendarFailure('UNAVAILABLE', 'The entry was taken out while it was changed.');
}

function bodyOf({ title, description, place, start, end }: CalendarEvent, uid: string): object {
  return {
    subject: title,
    body: { contentType: 'text', content: description },
    start: inUtc(start),
    end: inUtc(end),
    location: { displayName: place ?? '' },
    showAs: 'busy',
    singleValueExtendedProperties: [{ id: UID_PROPERTY, value: uid }],
  };
}

function inUtc(instant: string): object {
  return { dateTime: instantOf(instant).toString().replace(/Z$/, ''), timeZone: 'UTC' };
}

function isBusy({ isCancelled, showAs, responseStatus }: GraphEvent): boolean {
  return isCancelled !== true && !FREE.includes(showAs ?? '') && responseStatus?.response !== 'declined';
}

/** As the reader of calendars takes it: days of a whole-day event are those of its user's zone (RFC 5545 §3.3.4). */
function eventText({ start, end, isAllDay, singleValueExtendedProperties }: GraphEvent, place: number): string {
  const own = (singleValueExtendedProperties ?? []).find(({ id, value }) => isUid(id) && icsIdOf(value ?? '') !== null);
  const time = (name: string, { dateTime }: GraphEvent['start']) =>
    isAllDay === true ? `${name};VALUE=DATE:${compact(dateTime, 10)}` : `${name}:${compact(dateTime, 19)}Z`;
  // Each by itself, so that one that cannot be read is left out alone.
  const uid = own?.value ?? `event-${place}`;
  return ['BEGIN:VEVENT', `UID:${uid}`, time('DTSTART', start), time('DTEND', end), 'END:VEVENT'].join('\r\n');
}

/** Exchange writes the id of the property in its own way: letters of another case. */
function isUid(id: string): boolean {
  return id.toLowerCase() === UID_PROPERTY.toLowerCase();
}

function compact(dateTime: string, length: number): string {
  return dateTime.slice(0, length).replace(/[-:]/g, '');
}

function calendarText(events: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Gatehouse//Graph//EN', ...events, 'END:VCALENDAR'].join('\r\n');
}
