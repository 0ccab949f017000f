import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import type { BookingWindow } from '../../modules/event-types/settings/booking-window.rules.ts';
import { selectField, textField } from '../kit/form-parts.ts';
import { duration } from '../kit/when.ts';
import { type FieldName, type FoldedPart, type FormReader, isOfTeam } from './form-part.ts';

const MINUTES_NAMES = ['minimumBookingNoticeInMinutes', 'bufferBeforeInMinutes', 'bufferAfterInMinutes'] as const;
const WINDOW_NAMES = new Map<string, FieldName>([
  ['kind', 'bookingWindow'],
  ['days', 'windowDays'],
  ['firstDate', 'windowFrom'],
  ['lastDate', 'windowTo'],
]);
const NAMES = ['scheduleId', ...MINUTES_NAMES, 'slotIntervalInMinutes', ...WINDOW_NAMES.values()];

/** When it can be booked. */
export const TIMES: FoldedPart = {
  id: 'times',
  has: (name) => NAMES.includes(name),
  filled: (eventType) => {
    const { ownerId, scheduleId, slotIntervalInMinutes, bookingWindow } = eventType;
    return {
      scheduleId: scheduleId === null ? '' : publicOwnedId('schedule', { ownerId, id: scheduleId }),
      slotIntervalInMinutes: slotIntervalInMinutes === null ? '' : String(slotIntervalInMinutes),
      ...Object.fromEntries(MINUTES_NAMES.map((name) => [name, String(eventType[name])])),
      ...windowFields(bookingWindow),
    };
  },
  said: (form) => ({
    scheduleId: form.text('scheduleId') || null,
    slotIntervalInMinutes: form.optionalNumber('slotIntervalInMinutes'),
    ...Object.fromEntries(MINUTES_NAMES.map((name) => [name, form.number(name)])),
    bookingWindow: windowIn(form),
  }),
  controlOf: ([first, inside = 'kind'], _values, { fields }) => {
    const name = first === 'bookingWindow' ? WINDOW_NAMES.get(inside) : undefined;
    return name && { name, subject: fields[name] };
  },
  gist: (eventType, { times }, locale) => {
    const { scheduleId, minimumBookingNoticeInMinutes: notice } = eventType;
    const hours = isOfTeam(eventType) ? 'HOSTS' : scheduleId === null ? 'USUAL' : 'OWN';
    return times.gist(hours, notice === 0 ? undefined : duration(notice, locale));
  },
  content: ({ values, mistakes, choices, words, locale }) => {
    const { fields, hints, times } = words;
    const hintsOf: Readonly<Partial<Record<FieldName, string>>> = hints;
    const field = (name: FieldName) => {
      const hint = hintsOf[name];
      return {
        name,
        label: fields[name],
        value: values[name] ?? '',
        autocomplete: 'off',
        locale,
        ...(hint && { hint }),
      };
    };
    const numeric = (name: FieldName) => ({ ...field(name), inputMode: 'numeric' as const });
    const { ANY, ...windows } = times.windows;
    return html`${
      choices.isOfTeam
        ? html`<p>${times.ofHosts}</p>`
        : selectField({ ...field('scheduleId'), options: choices.schedules }, mistakes)
    }
        ${MINUTES_NAMES.map((name) => textField(numeric(name), mistakes))}
        ${textField({ ...numeric('slotIntervalInMinutes'), isOptional: true }, mistakes)}
        ${selectField({ ...field('bookingWindow'), options: [['', ANY], ...Object.entries(windows)] }, mistakes)}
        ${textField({ ...numeric('windowDays'), isConditional: true }, mistakes)}
        ${textField({ ...field('windowFrom'), type: 'date', isConditional: true }, mistakes)}
        ${textField({ ...field('windowTo'), type: 'date', isConditional: true }, mistakes)}
        ${choices.isOfTeam ? '' : html`<p class="aside">${times.elsewhere}</p>`}`;
  },
};

function windowFields(window: BookingWindow | null) {
  if (window === null) return { bookingWindow: '' };
  const { type } = window;
  return window.type === 'DATE_RANGE'
    ? { bookingWindow: type, windowFrom: window.firstDate, windowTo: window.lastDate }
    : { bookingWindow: type, windowDays: String(window.days) };
}

/** Reads the window. A value of another choice is left where it was typed. */
function windowIn(form: FormReader): BookingWindow | null {
  const type = form.text('bookingWindow');
  if (type === 'DATE_RANGE') {
    return { type, firstDate: form.text('windowFrom'), lastDate: form.text('windowTo') };
  }
  if (type === 'ROLLING_DAYS' || type === 'BUSINESS_DAYS') return { type, days: form.number('windowDays') };
  return null;
}
