import type { z } from 'zod';
import { instantAt, instantOf } from '../../../../core/instant.ts';
import { lazily } from '../../../../core/lazily.ts';
import { sha256Hex } from '../../../../core/secret.ts';
import { icsIdOf, icsUid } from '../../ics-uid.rules.ts';
import type { CalendarEvent, ListedAccount, NewEntry } from '../calendar-connection.rules.ts';
import {
  type CalendarContent,
  CalendarFailure,
  type CalendarProvider,
  type EventRange,
  type KeptEntry,
} from '../calendar-provider.ts';
import type { GraphEvent } from './graph-answers.ts';
import { calendarGone, guardedFetch, neighboursOf, unexpected } from './guarded-fetch.ts';

// Loaded with the first call, as few processes make any.
const loadAnswers = lazily(() => import('./graph-answers.ts'));

export const GRAPH_LIMITS = { maxAnswerBytes: 10 * 1_048_576 };
/** As many as are asked for at once, and as many times as a list leads on: 20,000 events. */
const PAGE = 500;
const MAX_PAGES = 40;
const MAX_LIST_MS = 60_000;
const MAX_NAME_LENGTH = 200;
/** Ids that stay with an event wherever it is put, and times in UTC. */
const PREFER = 'IdType="ImmutableId", outlook.timezone="UTC"';

interface Call {
  readonly method?: string;
  readonly body?: object;
  readonly maxAnswerBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Each entry of ours carries this property of the service's own, so that it is found again. */
const UID_PROPERTY = 'String {6f2b1f5e-54b7-4b3c-9a0f-0d7c5c1e9a42} Name GatehouseUid';

/** Calendars of Microsoft accounts, by Microsoft Graph v1.0 at an address that is the operator's. */
export class Graph implements CalendarProvider {
  readonly #base: string;
  readonly #fetch: typeof fetch;

  constructor(apiUrl: string, throughTheDoor: typeof fetch) {
    this.#base = apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`;
    this.#fetch = guardedFetch(neighboursOf(apiUrl), throughTheDoor);
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
  async read(
    authorization: string,
    calendarId: string,
    { start, end, ...limits }: EventRange,
  ): Promise<CalendarContent> {
    const { GraphEvent: Event } = await loadAnswers();
    const query = new URLSearchParams({
      startDateTime: instantAt(start).toString(),
      endDateTime: instantAt(end).toString(),
      $select: 'start,end,isAllDay,isCancelled,showAs,responseStatus',
      $expand: `singleValueExtendedProperties($filter=id eq '${UID_PROPERTY}')`,
      $top: String(PAGE),
    });
    const path = `${pathOf(calendarId)}/calendarView?${query}`;
    const events = await this.#all(authorization, path, Event, limits);
    return { state: null, objects: objectsOf(events).map((text) => ({ name: null, etag: null, text })) };
  }

  async write(
    authorization: string,
    calendarId: string,
    { icsId, version, event }: NewEntry,
    kept: KeptEntry | undefined,
  ): Promise<KeptEntry> {
    const body = bodyOf(event, icsUid(icsId));
    if (kept) {
      const changed = await this.#change(authorization, kept.externalId, body);
      if (changed) return changed;
    }
    // An earlier attempt may have written it and heard no answer.
    const found = await this.find(authorization, calendarId, icsId);
    if (found !== undefined) return (await this.#change(authorization, found, body)) ?? missing();
    // Graph takes one of two attempts at the same time.
    const post = { method: 'POST', body: { ...body, transactionId: sha256Hex(`${icsId} ${version}`).slice(0, 32) } };
    const answer = await this.#call(authorization, `${pathOf(calendarId)}/events`, post);
    if (answer.status === 404) throw calendarGone();
    const { GraphEntry } = await loadAnswers();
    return entryIn(await read(GraphEntry, await required(answer)));
  }

  /** Finds an event by our UID, which it has as an extended property. */
  async find(authorization: string, calendarId: string, icsId: string): Promise<string | undefined> {
    const { GraphEntry } = await loadAnswers();
    const query = new URLSearchParams({
      $filter: `singleValueExtendedProperties/Any(ep: ep/id eq '${UID_PROPERTY}' and ep/value eq '${icsUid(icsId)}')`,
      $select: 'id',
    });
    const [found] = await this.#all(authorization, `${pathOf(calendarId)}/events?${query}`, GraphEntry);
    return found?.id;
  }

  async remove(authorization: string, { externalId }: Pick<KeptEntry, 'externalId'>): Promise<void> {
    const answer = await this.#call(authorization, entryPath(externalId), { method: 'DELETE' });
    if (!answer.ok && ![404, 410].includes(answer.status)) throw unexpected(answer);
  }

  /** Undefined: there is no such entry any more. */
  async #change(authorization: string, id: string, body: object): Promise<KeptEntry | undefined> {
    const { GraphEntry } = await loadAnswers();
    const answer = await this.#call(authorization, entryPath(id), { method: 'PATCH', body });
    return answer.status === 404 ? undefined : entryIn(await read(GraphEntry, await required(answer)));
  }

  /**
   * All items of a list, page by page; one that is not as it should be fails the whole: it might be the busy one. However the
   * pages lead on, that ends.
   */
  async #all<Item>(
    authorization: string,
    path: string,
    item: z.ZodType<Item>,
    { maxAnswerBytes = GRAPH_LIMITS.maxAnswerBytes, signal }: Pick<EventRange, 'maxAnswerBytes' | 'signal'> = {},
  ): Promise<Item[]> {
    const { GraphPage } = await loadAnswers();
    const items: Item[] = [];
    const seen = new Set<string>();
    const until = performance.now() + MAX_LIST_MS;
    let characters = 0;
    for (let next: string | null | undefined = path; next; ) {
      if (seen.has(next)) throw unlike();
      seen.add(next);
      if (seen.size > MAX_PAGES || characters > maxAnswerBytes) throw tooMany();
      if (performance.now() > until) throw new CalendarFailure('UNAVAILABLE', 'The server takes too long.');
      const answer = await this.#call(authorization, next, { maxAnswerBytes, signal });
      if (answer.status === 404 || answer.status === 410) throw calendarGone();
      const text = await (await required(answer)).text();
      characters += text.length;
      const page: z.infer<typeof GraphPage> = parsed(GraphPage, jsonIn(text));
      for (const value of page.value) items.push(parsed(item, value));
      next = page['@odata.nextLink'];
    }
    return items;
  }

  async #call(
    authorization: string,
    path: string,
    { method = 'GET', body, maxAnswerBytes, signal }: Call = {},
  ): Promise<Response> {
    const url = URL.parse(path, this.#base);
    if (!url) throw unlike();
    const limits = { ...(maxAnswerBytes !== undefined && { maxAnswerBytes }), ...(signal && { signal }) };
    return this.#fetch(url, {
      ...limits,
      method,
      headers: { authorization, prefer: PREFER, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}

/** Those of the values of `showAs` that leave their time free. */
const FREE = ['free', 'workingElsewhere'];
const LAST_DAY = Temporal.PlainDate.from('9999-12-31');

async function required(answer: Response): Promise<Response> {
  if (!answer.ok) throw unexpected(answer);
  return answer;
}

async function read<Value>(type: z.ZodType<Value>, answer: Response): Promise<Value> {
  return parsed(type, jsonIn(await answer.text()));
}

function parsed<Value>(type: z.ZodType<Value>, value: unknown): Value {
  const { success, data } = type.safeParse(value);
  if (success) return data;
  throw unlike();
}

function unlike(): CalendarFailure {
  return new CalendarFailure('UNAVAILABLE', 'The server does not answer as Microsoft Graph does.');
}

/** Undefined for what is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pathOf(calendarId: string): string {
  return `me/calendars/${encodeURIComponent(calendarId)}`;
}

/** Those events that make their user busy, as the reader of calendars takes them: one object, or none. */
function objectsOf(events: readonly GraphEvent[]): readonly string[] {
  const texts = events.filter(isBusy).map(eventText);
  return texts.length > 0 ? [calendarText(texts)] : [];
}

function isBusy({ isCancelled, showAs, responseStatus }: GraphEvent): boolean {
  return isCancelled !== true && !FREE.includes(showAs ?? '') && responseStatus?.response !== 'declined';
}

/** Days of a whole-day event are those of its user's zone (RFC 5545 §3.3.4): all that it touches, where it has times. */
function eventText({ start, end, isAllDay, singleValueExtendedProperties }: GraphEvent, place: number): string {
  const own = (singleValueExtendedProperties ?? []).find(({ id, value }) => isUid(id) && icsIdOf(value ?? '') !== null);
  const times = isAllDay === true ? daysOf(start.dateTime, end.dateTime) : [instantIn(start), instantIn(end)];
  // Each by itself, so that one that cannot be read is left out alone.
  const uid = own?.value ?? `event-${place}`;
  return ['BEGIN:VEVENT', `UID:${uid}`, `DTSTART${times[0]}`, `DTEND${times[1]}`, 'END:VEVENT'].join('\r\n');
}

/** Exchange writes the id of the property in its own way: letters of another case. */
function isUid(id: string): boolean {
  return id.toLowerCase() === UID_PROPERTY.toLowerCase();
}

/** The first day, and the one after the last. */
function daysOf(start: string, end: string): readonly [string, string] {
  const first = Temporal.PlainDate.from(start.slice(0, 10));
  const last = Temporal.PlainDate.from(end.slice(0, 10));
  const isOver = (end.slice(11, 19) === '00:00:00' && !first.equals(last)) || last.equals(LAST_DAY);
  return [dateText(first), dateText(isOver ? last : last.add({ days: 1 }))];
}

function dateText(date: Temporal.PlainDate): string {
  return `;VALUE=DATE:${date.toString().replaceAll('-', '')}`;
}

function instantIn({ dateTime }: GraphEvent['start']): string {
  return `:${dateTime.slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function calendarText(events: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Gatehouse//Graph//EN', ...events, 'END:VCALENDAR'].join('\r\n');
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

function missing(): never {
  throw new CalendarFailure('UNAVAILABLE', 'The entry was taken out while it was changed.');
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

function entryPath(id: string): string {
  return `me/events/${encodeURIComponent(id)}`;
}

function tooMany(): CalendarFailure {
  return new CalendarFailure('UNREADABLE', 'The calendar has too many events.');
}
