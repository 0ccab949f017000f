import { html } from 'hono/html';
import { instantAt } from '../../core/instant.ts';
import { dateText } from '../../modules/bookings/mails/mail-time.rules.ts';
import type { SeriesDate } from '../../modules/bookings/slots/availability.ts';
import type { Html } from '../kit/layout.ts';
import { type Clock, inLanguage, longStart } from '../kit/when.ts';
import { bookingWords } from './words/booking-words.ts';

/** More dates than these stay folded. */
const SHOWN_AT_ONCE = 8;

/** How many of the dates can be booked: those before the first that is not free, as a series is booked whole or not at all. */
export function bookableOf(dates: readonly SeriesDate[]): number {
  const taken = dates.findIndex(({ isFree }) => !isFree);
  return taken < 0 ? dates.length : taken;
}

/** When the bookings of a series would be, with those that are not free; nothing where not even the first of them is. */
export function seriesDatesPart(dates: readonly SeriesDate[], clock: Clock): Html | '' {
  const bookable = bookableOf(dates);
  const last = dates.at(-1);
  if (!last || dates.length < 2 || bookable === 0) return '';
  const words = bookingWords(clock.locale).seriesDates;
  const dateOf = ({ start }: SeriesDate) => inLanguage(dateText(instantAt(start).toString(), clock), clock);
  const taken = dates[bookable];
  const items = dates.map(({ start, isFree }) => {
    const at = instantAt(start);
    const mark = isFree ? '' : html` <mark class="pending">${words.notFree}</mark>`;
    return html`<li><time datetime="${at.toString()}">${inLanguage(longStart(at, clock), clock)}</time>${mark}</li>`;
  });
  return html`<details class="more series-dates"${dates.length <= SHOWN_AT_ONCE ? html` open` : ''}>
          <summary>${words.summary(dates.length, dateOf(last))}</summary>
          <ol>${items}</ol>
        </details>
        <p>${taken ? words.someFree(bookable, dateOf(taken)) : words.allFree}</p>`;
}
