import { html } from 'hono/html';
import { zoneName } from '../../core/instant.ts';
import type { Brand } from '../../modules/teams/team.queries.ts';
import { addressOf } from '../booking/booking-address.ts';
import { bookingLayout } from '../booking/booking-layout.ts';
import { type ChosenTime, otherTimes } from '../booking/calendar/other-times-part.ts';
import { bookingWords } from '../booking/words/booking-words.ts';
import { formTitle, hiddenField, mistakeSummary, textArea } from '../kit/form-parts.ts';
import { type Html, isolated } from '../kit/layout.ts';
import { pageWords } from '../kit/page-words.ts';
import { inLanguage, longTime } from '../kit/when.ts';
import { bookedWords } from './booked-words.ts';

export interface ReschedulePage extends ChosenTime {
  readonly brand: Brand;
  /** The page's own. */
  readonly path: string;
  readonly bookingPath: string;
  readonly title: string;
  /** When it is now, in words. */
  readonly moving: Html;
  readonly reason: string;
}

/** Moves a booking to a time that was chosen. */
export function reschedulePage(page: ReschedulePage): Html {
  const { viewer, brand, path, query, clock, title, moving, slot, otherSlots, reason, mistakes, csrf } = page;
  const { locale } = clock;
  const { why, move: words } = bookedWords(locale);
  const label = `${why} ${pageWords(locale).optional}`;
  const date = slot.start.toZonedDateTimeISO(clock.timeZone).toPlainDate().toString();
  const calendarPath = addressOf(path, { ...query, start: undefined, date });
  const content = html`<article class="booking-form">
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.heading(html`<bdi>${title}</bdi>`)}</h1>
      <dl>
        <dt>${words.from}</dt><dd><del>${moving}</del></dd>
        ${otherSlots ? '' : html`<dt>${words.to}</dt><dd><strong>${inLanguage(longTime(slot.start, slot.end, clock), clock)}</strong><br>${zoneName(clock.timeZone)}</dd>`}
      </dl>
      <form method="post" action="${addressOf(path, query)}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('timeZone', clock.timeZone)}
        ${hiddenField('lengthInMinutes', String(slot.end.since(slot.start).total('minutes')))}
        ${otherSlots ? otherTimes({ slots: otherSlots, clock, day: slot.start, calendarPath }) : hiddenField('start', slot.start.toString())}
        ${textArea({ name: 'reason', label, value: reason, rows: 3, isOptional: true }, mistakes)}
        ${otherSlots?.length === 0 ? '' : html`<button type="submit">${words.button}</button>`}
      </form>
      <p class="aside"><a href="${otherSlots ? page.bookingPath : calendarPath}">${otherSlots ? words.keep : bookingWords(locale).chooseTime}</a></p>
    </article>`;
  return bookingLayout({
    title: formTitle(words.title(isolated(title)), mistakes, locale),
    content,
    viewer,
    brand,
    shape: 'card',
    locale,
  });
}
