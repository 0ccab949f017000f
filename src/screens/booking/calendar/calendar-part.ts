/** calendar/ is the month, the times of a day and the zone that they are in. */
import { html } from 'hono/html';
import { WEEK_DAYS, type WeekDay } from '../../../modules/accounts/account.rules.ts';
import type { MonthOfSlots } from '../../../modules/bookings/slots/month-of-slots.queries.ts';
import type { Html } from '../../kit/layout.ts';
import { type Clock, inLanguage, longDate, monthName, weekDayName } from '../../kit/when.ts';
import { addressOf, type BookingQuery } from '../booking-address.ts';
import { bookingWords } from '../words/booking-words.ts';
import { awayPart, daysAwayOn } from './away-part.ts';
import { weekDaysFrom, weeksOf } from './month-grid.ts';

export interface CalendarPart {
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
