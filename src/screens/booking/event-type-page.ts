import { html } from 'hono/html';
import type { MonthOfSlots } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import { lengthsOf } from '../../modules/event-types/settings/scheduling.rules.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { type Clock, duration } from '../kit/when.ts';
import { authorPart } from './author-part.ts';
import { addressOf, type BookingQuery } from './booking-address.ts';
import { bookingLayout, logoPart } from './booking-layout.ts';
import { awayOnDay, daysAwayOn } from './calendar/away-part.ts';
import { calendarPart } from './calendar/calendar-part.ts';
import { timesPart } from './calendar/times-part.ts';
import { zoneMistakes, zonePart } from './calendar/zone-part.ts';
import { embeddingOf } from './embedding/embedding.ts';
import { type EventTypeOnPage, eventTypeFacts } from './event-type-facts.ts';
import { bookingWords } from './words/booking-words.ts';

export interface EventTypePage {
  readonly viewer: Viewer | undefined;
  readonly shown: EventTypeOnPage;
  readonly query: BookingQuery;
  readonly clock: Clock;
  readonly lengthInMinutes: number;
  readonly calendar: MonthOfSlots;
  readonly date: Temporal.PlainDate | undefined;
  /** A booking that is to be moved: when it is now, in words. */
  readonly moving: Html | undefined;
  /** The text that was typed as a time zone and is none. */
  readonly unknownZone: string | undefined;
  /** Why the reader is back here. */
  readonly notice: string | undefined;
}

/** Chooses a day and a time. */
export function eventTypePage(page: EventTypePage): Html {
  const { viewer, shown, query, clock, lengthInMinutes, calendar, date, moving, notice, unknownZone } = page;
  const { eventType, ownerName, brand, path } = shown;
  const { locale, timeZone } = clock;
  const words = bookingWords(locale);
  const mistakes = zoneMistakes(unknownZone, locale);
  const title = moving === undefined ? eventType.title : words.anotherTimeFor(eventType.title);
  const place = { path, query, clock };
  const isZoneGuessed = query.timeZone === undefined && unknownZone === undefined && !viewer;
  const content = html`${doneNotice(notice)}
    ${mistakeSummary(mistakes, locale)}
    <article class="booking">
      <section class="what">
        ${logoPart(brand)}
        <p class="owner"><bdi>${ownerName}</bdi></p>
        <h1><bdi>${title}</bdi></h1>
        ${authorPart(eventType.managedBy, locale)}
        ${moving === undefined ? '' : html`<p>${words.toMove(moving)}</p>`}
        ${eventType.description === null ? '' : html`<p class="words"><bdi>${eventType.description}</bdi></p>`}
        ${eventTypeFacts(shown, { lengthInMinutes, clock })}
        ${lengthLinks(page)}
      </section>
      ${calendarPart({ ...place, calendar, date, hostName: ownerName })}
      ${date ? timesOf(page, date) : ''}
      ${zonePart({ path, query, timeZone, isGuessed: isZoneGuessed, unknownZone, locale })}
    </article>`;
  return bookingLayout({
    title: formTitle(`${isolated(title)} – ${isolated(ownerName)}`, mistakes, locale),
    content,
    viewer,
    brand,
    shape: 'sheet',
    asksForZone: isZoneGuessed,
    embedding: embeddingOf(eventType, path, query),
    locale,
  });
}

function timesOf({ shown, query, clock, calendar }: EventTypePage, date: Temporal.PlainDate): Html {
  const slots = calendar.byDate.get(date.toString()) ?? [];
  const days = slots.length === 0 ? daysAwayOn(calendar, date) : undefined;
  const away = days && awayOnDay(days, { hostName: shown.ownerName, clock, query });
  return timesPart({ path: shown.path, query, clock, date, slots, away });
}

function lengthLinks({ shown, query, lengthInMinutes, clock: { locale } }: EventTypePage): Html | '' {
  const lengths = lengthsOf(shown.eventType.rules);
  if (lengths.length < 2) return '';
  const links = lengths.map((length) => {
    const address = addressOf(shown.path, { ...query, lengthInMinutes: String(length) });
    const current = length === lengthInMinutes ? html` aria-current="true"` : '';
    return html`<a class="choice" href="${address}"${current}>${duration(length, locale)}</a>`;
  });
  return html`<nav class="lengths" aria-label="${bookingWords(locale).length}">${links}</nav>`;
}
