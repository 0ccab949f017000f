import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import type { BookingWindow } from '../../modules/event-types/settings/booking-window.rules.ts';
import { selectField, textField } from '../kit/form-parts.ts';
import { duration } from '../kit/when.ts';
import type { FoldedPart, FormReader } from './form-part.ts';

/** How far ahead it can be booked, and what the form says to each. */
const WINDOWS: Readonly<Record<BookingWindow['kind'], string>> = {
  ROLLING_DAYS: 'Some days ahead',
  BUSINESS_DAYS: 'Some working days ahead, Monday to Friday',
  DATE_RANGE: 'From one date to another',
};

const MINUTES = {
  minimumBookingNoticeInMinutes: { label: 'Notice in minutes', hint: 'How long before its start it must be booked.' },
  bufferBeforeInMinutes: { label: 'Free time before, in minutes' },
  bufferAfterInMinutes: { label: 'Free time after, in minutes' },
} as const;
type MinutesName = keyof typeof MINUTES;
const MINUTES_NAMES = Object.keys(MINUTES) as MinutesName[];

const INTERVAL = 'Minutes from one start to the next';
const DAYS = 'How many days';
const WINDOW_NAMES: Readonly<Record<string, string>> = {
  kind: 'bookingWindow',
  days: 'windowDays',
  from: 'windowFrom',
  to: 'windowTo',
};
const NAMES = ['scheduleId', ...MINUTES_NAMES, 'slotIntervalInMinutes', ...Object.values(WINDOW_NAMES)];

/** When it can be booked. */
export const TIMES: FoldedPart = {
  id: 'times',
  title: 'When it can be booked',
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
    slotIntervalInMinutes: form.optionalNumber('slotIntervalInMinutes', INTERVAL),
    ...Object.fromEntries(MINUTES_NAMES.map((name) => [name, form.number(name, MINUTES[name].label)])),
    bookingWindow: windowIn(form),
  }),
  fieldOf: ([name, inside = 'kind']) => (name === 'bookingWindow' ? WINDOW_NAMES[inside] : undefined),
  gist: ({ scheduleId, minimumBookingNoticeInMinutes: notice }) =>
    `${scheduleId === null ? 'Your usual hours' : 'Hours of its own'}, ${notice === 0 ? 'up to the last minute' : `at least ${duration(notice)} ahead`}`,
  content: (values, mistakes, { schedules }) => {
    const field = (name: string) => ({ name, value: values[name] ?? '', autocomplete: 'off' });
    const numeric = (name: string) => ({ ...field(name), inputMode: 'numeric' as const });
    const windows = [['', 'As far ahead as people like'], ...Object.entries(WINDOWS)] as [string, string][];
    return html`${selectField({ ...field('scheduleId'), label: 'Hours', options: schedules }, mistakes)}
        ${MINUTES_NAMES.map((name) => textField({ ...numeric(name), ...MINUTES[name] }, mistakes))}
        ${textField({ ...numeric('slotIntervalInMinutes'), label: INTERVAL, isOptional: true, hint: 'Left empty, one starts where another could end.' }, mistakes)}
        ${selectField({ ...field('bookingWindow'), label: 'How far ahead', options: windows }, mistakes)}
        ${textField({ ...numeric('windowDays'), label: DAYS, isConditional: true, hint: 'Of days or working days ahead; today counts besides.' }, mistakes)}
        ${textField({ ...field('windowFrom'), type: 'date', label: 'First date', isConditional: true, hint: 'Of dates from one to another; both can be booked.' }, mistakes)}
        ${textField({ ...field('windowTo'), type: 'date', label: 'Last date', isConditional: true }, mistakes)}
        <p class="aside">Your usual hours are set at <a href="/settings/hours">when you can be booked</a>.</p>`;
  },
};

function windowFields(window: BookingWindow | null) {
  if (window === null) return { bookingWindow: '' };
  const { kind } = window;
  return window.kind === 'DATE_RANGE'
    ? { bookingWindow: kind, windowFrom: window.from, windowTo: window.to }
    : { bookingWindow: kind, windowDays: String(window.days) };
}

/** What belongs to another choice is left where it was typed. */
function windowIn(form: FormReader): BookingWindow | null {
  const kind = form.text('bookingWindow');
  if (kind === 'DATE_RANGE') return { kind, from: form.text('windowFrom'), to: form.text('windowTo') };
  if (kind === 'ROLLING_DAYS' || kind === 'BUSINESS_DAYS') return { kind, days: form.number('windowDays', DAYS) };
  return null;
}
