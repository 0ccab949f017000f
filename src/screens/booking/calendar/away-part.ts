import { html } from 'hono/html';
import type { DaysAway, MonthOfSlots } from '../../../modules/bookings/slots/month-of-slots.queries.ts';
import type { Html } from '../../kit/layout.ts';
import { type Clock, datesText, inLanguage } from '../../kit/when.ts';
import type { BookingQuery } from '../booking-address.ts';
import { LEAVING } from '../embedding/embedding.ts';
import { bookingWords } from '../words/booking-words.ts';

export interface AwayPart {
  readonly calendar: Pick<MonthOfSlots, 'month' | 'away'>;
  readonly hostName: string;
  readonly clock: Clock;
  readonly query: BookingQuery;
}

/** When the host is away, and who can be booked instead: a line for each colleague, and one for the days without one. */
export function awayPart({ calendar, hostName, clock, query }: AwayPart): Html | '' {
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
