import { icsIdOf } from '../../ics-uid.rules.ts';
import type { GraphEvent } from './graph-answers.ts';

/** Each entry of ours carries this property of the service's own, so that it is found again. */
export const UID_PROPERTY = 'String {6f2b1f5e-54b7-4b3c-9a0f-0d7c5c1e9a42} Name GatehouseUid';
/** Those of the values of `showAs` that leave their time free. */
const FREE = ['free', 'workingElsewhere'];
const LAST_DAY = Temporal.PlainDate.from('9999-12-31');

/** Those events that make their user busy, as the reader of calendars takes them: one object, or none. */
export function objectsOf(events: readonly GraphEvent[]): readonly string[] {
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

function instantIn({ dateTime }: GraphEvent['start']): string {
  return `:${dateTime.slice(0, 19).replace(/[-:]/g, '')}Z`;
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

/** Exchange writes the id of the property in its own way: letters of another case. */
function isUid(id: string): boolean {
  return id.toLowerCase() === UID_PROPERTY.toLowerCase();
}

function calendarText(events: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Gatehouse//Graph//EN', ...events, 'END:VCALENDAR'].join('\r\n');
}
