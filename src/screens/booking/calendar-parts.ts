import { html, raw } from 'hono/html';
import { instantAt, zoneName } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import { WEEK_DAYS, type WeekDay } from '../../modules/accounts/account.rules.ts';
import type { DaysAway, MonthOfSlots } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import type { OpenSlot } from '../../modules/bookings/slots/open-slots.rules.ts';
import { hiddenField, textField } from '../kit/form-parts.ts';
import type { Html, Viewer } from '../kit/layout.ts';
import { type Clock, datesText, inLanguage, longDate, monthName, timeOfDay, weekDayName } from '../kit/when.ts';
import { addressOf, BOOKING_PARAMETERS, type BookingQuery, ZONES } from './booking-address.ts';
import { LEAVING } from './booking-layout.ts';
import { type BookingWords, bookingWords } from './booking-words.ts';

interface CalendarPart {
  /** The page's own path. */
  readonly path: string;
  /** The query that the links keep. */
  readonly query: BookingQuery;
  readonly clock: Clock;
  readonly calendar: MonthOfSlots;
  /** The day whose times are shown. */
  readonly date: Temporal.PlainDate | undefined;
  /** The host whose days away `calendar.away` lists. */
  readonly hostName: string;
}

/** A month as a table, in which the days with free times are links, and those are marked on which the host is away. */
export function calendarPart({ path, query, clock, calendar, date, hostName }: CalendarPart): Html {
  const { month, today, byDate } = calendar;
  const { locale, weekStart } = clock;
  const words = bookingWords(locale);
  return html`<section class="calendar" aria-labelledby="month">
        <div class="month">
          <h2 id="month" lang="${locale}">${monthName(month, locale)}</h2>
          ${monthLinks(path, query, clock, calendar)}
        </div>
        <table aria-labelledby="month">
          <thead lang="${locale}"><tr>${weekDaysFrom(weekStart).map((day) => weekDayCell(day, locale))}</tr></thead>
          <tbody>${weeksOf(month, weekStart).map((week) => html`<tr>${week.map(dayCell)}</tr>`)}</tbody>
        </table>
        ${byDate.size === 0 ? emptyMonth(path, query, clock, calendar) : ''}
        ${awayPart({ calendar, hostName, clock, query })}
      </section>`;

  function dayCell(day: Temporal.PlainDate | undefined): Html {
    if (!day) return html`<td></td>`;
    const isToday = day.equals(today);
    const mark = isToday ? html` class="today"` : '';
    const free = byDate.get(day.toString())?.length ?? 0;
    const unseen = isToday ? html`<span class="unseen"> ${words.today}</span>` : '';
    if (free === 0) {
      const away = daysAwayOn(calendar, day) ? words.awayDay : undefined;
      const says = away === undefined ? '' : html`<span class="unseen"> ${away}</span>`;
      return html`<td${mark}><span class="day${away === undefined ? '' : ' away'}">${day.day}${unseen}${says}</span></td>`;
    }
    const address = addressOf(path, { ...query, month: undefined, date: day.toString() }, '#times');
    const label = words.dayWithTimes(longDate(day, locale), isToday, free);
    const current = date?.equals(day) ? html` aria-current="true"` : '';
    return html`<td${mark}><a class="day" href="${address}" aria-label="${label}"${current}>${day.day}</a></td>`;
  }
}

function weekDayCell(day: WeekDay, locale: string): Html {
  const date = A_MONDAY.add({ days: WEEK_DAYS.indexOf(day) });
  return html`<th scope="col" abbr="${weekDayName(date, 'long', locale)}">${weekDayName(date, 'short', locale)}</th>`;
}

const A_MONDAY = Temporal.PlainDate.from('2024-01-01');

function monthLinks(path: string, query: BookingQuery, { locale }: Clock, { previous, next }: MonthOfSlots): Html {
  const words = bookingWords(locale);
  const link = (month: Temporal.PlainYearMonth, says: (month: string) => string, sign: string): Html => {
    const address = addressOf(path, { ...query, date: undefined, month: month.toString() });
    return html`<a class="turn" href="${address}" aria-label="${says(monthName(month, locale))}">${sign}</a>`;
  };
  return html`<nav aria-label="${words.months}">
            ${previous ? link(previous, words.previousMonth, '‹') : html`<span class="turn" aria-hidden="true">‹</span>`}
            ${next ? link(next, words.nextMonth, '›') : html`<span class="turn" aria-hidden="true">›</span>`}
          </nav>`;
}

function emptyMonth(path: string, query: BookingQuery, clock: Clock, { month, next }: MonthOfSlots): Html {
  const nameOf = (one: Temporal.PlainYearMonth): Html => inLanguage(monthName(one, clock.locale), clock);
  const words = bookingWords(clock.locale);
  const address = next && addressOf(path, { ...query, date: undefined, month: next.toString() });
  return html`<p class="empty">${words.nothingInMonth(nameOf(month))}
          ${next && address ? html`<a href="${address}">${words.lookAt(nameOf(next))}</a>` : ''}</p>`;
}

/** A month in rows of seven days; undefined where a week reaches beyond it. */
export function weeksOf(
  month: Temporal.PlainYearMonth,
  weekStart: WeekDay,
): readonly (readonly (Temporal.PlainDate | undefined)[])[] {
  const first = month.toPlainDate({ day: 1 });
  const lead = (first.dayOfWeek - 1 - WEEK_DAYS.indexOf(weekStart) + 7) % 7;
  const rows = Math.ceil((lead + month.daysInMonth) / 7);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 7 }, (_day, column) => {
      const day = row * 7 + column - lead;
      return day >= 0 && day < month.daysInMonth ? first.add({ days: day }) : undefined;
    }),
  );
}

/** The days of the week, in the order of the reader's calendar. */
export function weekDaysFrom(weekStart: WeekDay): readonly WeekDay[] {
  const start = WEEK_DAYS.indexOf(weekStart);
  return [...WEEK_DAYS.slice(start), ...WEEK_DAYS.slice(0, start)];
}

interface AwayPart {
  readonly calendar: Pick<MonthOfSlots, 'month' | 'away'>;
  readonly hostName: string;
  readonly clock: Clock;
  readonly query: BookingQuery;
}

/** When the host is away, and who can be booked instead: a line for each colleague, and one for the days without one. */
function awayPart({ calendar, hostName, clock, query }: AwayPart): Html | '' {
  const { away, month } = calendar;
  if (away.length === 0) return '';
  const words = bookingWords(clock.locale);
  // They are marked in the calendar, as long as it does not show a later month.
  const isMarked = away.some(({ last }) => last.startsWith(month.toString()));
  const lines = [...Map.groupBy(away, ({ standIn }) => standIn?.username)].map(([, those]) => {
    const when = those.map((days, index) => html`${index === 0 ? '' : '; '}${datesOf(days, clock)}`);
    return html`<p>${words.away(html`<bdi>${hostName}</bdi>`, html`${when}`)} ${standInPart(those[0], clock, query)}</p>`;
  });
  return html`<div class="absences${isMarked ? ' marked' : ''}">${lines}</div>`;
}

/** In place of the times of a day. */
export function awayOnDay(days: DaysAway, { hostName, clock, query }: Omit<AwayPart, 'calendar'>): Html {
  const words = bookingWords(clock.locale);
  return html`${words.awayOnDay(html`<bdi>${hostName}</bdi>`)} ${standInPart(days, clock, query)}`;
}

function standInPart(days: DaysAway | undefined, { locale }: Clock, query: BookingQuery): Html | '' {
  if (!days?.standIn) return '';
  const { name, username } = days.standIn;
  const leaving = query.embed === undefined ? '' : LEAVING;
  return html`${bookingWords(locale).standIn(html`<a href="/book/${username}"${leaving}><bdi>${name}</bdi></a>`)}`;
}

/** The absence of a date that has no free time. */
export function daysAwayOn({ away }: Pick<MonthOfSlots, 'away'>, date: Temporal.PlainDate): DaysAway | undefined {
  const day = date.toString();
  return away.find(({ first, last }) => first <= day && day <= last);
}

function datesOf({ first, last, goesOn }: DaysAway, clock: Clock): Html {
  const [begin, end] = [Temporal.PlainDate.from(first), Temporal.PlainDate.from(last)];
  const dates = inLanguage(datesText(begin, goesOn ? begin : end, clock.locale), clock);
  return goesOn ? bookingWords(clock.locale).from(dates) : dates;
}

interface TimesPart {
  readonly path: string;
  readonly query: BookingQuery;
  readonly clock: Clock;
  readonly date: Temporal.PlainDate;
  readonly slots: readonly OpenSlot[];
  /** In place of times, where the host is away. */
  readonly away: Html | undefined;
}

/** The free times of a day; each leads to the form that books it. */
export function timesPart({ path, query, clock, date, slots, away }: TimesPart): Html {
  const label = timeLabels(slots, clock);
  const words = bookingWords(clock.locale);
  const items = slots.map((slot) => {
    const start = startOf(slot).toString();
    const address = addressOf(path, { ...query, month: undefined, date: undefined, start });
    return html`<li><a class="time" href="${address}"><time datetime="${start}" lang="${clock.locale}">${label(slot)}</time>${seatsOf(slot, words)}</a></li>`;
  });
  return html`<section class="times" id="times" tabindex="-1" aria-labelledby="day">
        <h2 id="day" lang="${clock.locale}">${longDate(date, clock.locale)}</h2>
        ${items.length > 0 ? html`<ul>${items}</ul>` : html`<p class="empty">${away ?? words.nothingOnDay}</p>`}
      </section>`;
}

/** On the day on which clocks are set back, an hour comes twice: then each time says its distance from UTC. */
export function timeLabels(slots: readonly OpenSlot[], clock: Clock): (slot: OpenSlot) => string {
  const offsetOf = (slot: OpenSlot) => startOf(slot).toZonedDateTimeISO(clock.timeZone).offset;
  const isAmbiguous = new Set(slots.map(offsetOf)).size > 1;
  return (slot) => `${timeOfDay(startOf(slot), clock)}${isAmbiguous ? ` (UTC${offsetOf(slot)})` : ''}`;
}

function startOf({ start }: OpenSlot): Temporal.Instant {
  return instantAt(start);
}

function seatsOf({ remainingSeatCount }: OpenSlot, words: BookingWords): Html | '' {
  return remainingSeatCount === null ? '' : html` <small>${words.remainingSeatCount(remainingSeatCount)}</small>`;
}

/** The values in the forms that take a chosen time or move a booking to it. */
export interface ChosenTime {
  readonly viewer: Viewer | undefined;
  readonly query: BookingQuery;
  readonly clock: Clock;
  readonly slot: { readonly start: Temporal.Instant; readonly end: Temporal.Instant };
  /** The other free times of that day, for a reader whose time is gone; undefined while it is not. */
  readonly otherSlots: readonly OpenSlot[] | undefined;
  readonly mistakes: readonly Mistake[];
  readonly csrf: string;
}

interface OtherTimes {
  readonly slots: readonly OpenSlot[];
  readonly clock: Clock;
  /** The time that is gone. */
  readonly day: Temporal.Instant;
  /** The path of the calendar, which has all other days. */
  readonly calendarPath: string;
}

/**
 * Another time of the same day, within the form, so that nothing of what was typed is lost. The time itself stays chosen where it
 * is among them: that of a series whose later bookings cannot be had.
 */
export function otherTimes({ slots, clock, day, calendarPath }: OtherTimes): Html {
  const date = inLanguage(longDate(day.toZonedDateTimeISO(clock.timeZone).toPlainDate(), clock.locale), clock);
  const words = bookingWords(clock.locale);
  const label = timeLabels(slots, clock);
  const choices = slots.map((slot, index) => {
    const start = startOf(slot);
    const isChosen = start.equals(day) ? html` checked` : '';
    return html`<div class="time-choice"><input type="radio" id="start-${index}" name="start" value="${start.toString()}"${isChosen}><label for="start-${index}">${label(slot)}</label></div>`;
  });
  return html`<fieldset id="start" tabindex="-1" class="other-times">
          <legend>${words.otherTimes(date)}</legend>
          ${choices.length > 0 ? html`<p>${words.chooseOther}</p><div class="time-choices">${choices}</div>` : html`<p>${words.nothingElse}</p>`}
          <p><a href="${calendarPath}">${words.chooseDay}</a></p>
        </fieldset>`;
}

interface ZonePart {
  readonly path: string;
  readonly query: BookingQuery;
  readonly timeZone: string;
  /** Nobody has chosen it: where scripts run, the browser's own takes its place (own-zone.js). */
  readonly isGuessed: boolean;
  /** The text that was typed and is no zone. */
  readonly unknownZone?: string | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** Browsers suggest those that hold what is typed. The same text on every page. */
const SUGGESTIONS = raw(ZONES.map((zone) => `<option value="${zoneName(zone)}">`).join(''));

/** Looks for the zone in which times are shown. The field is empty: with a zone in it, browsers would suggest only that one. */
export function zonePart({ path, query, timeZone, isGuessed, unknownZone, locale }: ZonePart): Html {
  const words = bookingWords(locale).zone;
  const kept = BOOKING_PARAMETERS.filter((name) => name !== 'timeZone').flatMap((name) =>
    query[name] === undefined ? [] : [hiddenField(name, query[name])],
  );
  const field = textField(
    {
      name: 'timeZone',
      label: words.label,
      value: unknownZone ?? '',
      autocomplete: 'off',
      placeholder: words.placeholder,
      list: 'zones',
    },
    zoneMistakes(unknownZone, locale),
  );
  return html`<form method="get" action="${path}" class="zone"${isGuessed ? html` data-guessed="${timeZone}"` : ''}>
        ${kept}
        ${field}
        <datalist id="zones">${SUGGESTIONS}</datalist>
        <button type="submit" class="quiet">${words.button}</button>
      </form>`;
}

/** The mistake of a zone that was typed, for its field and for the top of the page. */
export function zoneMistakes(unknownZone: string | undefined, locale: string): readonly Mistake[] {
  if (unknownZone === undefined) return [];
  return [{ code: 'INVALID_TIME_ZONE', message: bookingWords(locale).zone.unknown, path: ['timeZone'] }];
}
