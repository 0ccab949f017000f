import { html } from 'hono/html';
import { zoneName } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { Moving } from '../../modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { findMonthOfSlots, type MonthOfSlots } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import type { OfferedLocation } from '../../modules/event-types/settings/location.rules.ts';
import type { Recurrence } from '../../modules/event-types/settings/recurrence.rules.ts';
import { lengthsOf } from '../../modules/event-types/settings/scheduling.rules.ts';
import type { Brand } from '../../modules/teams/team.queries.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { sendOpenPage } from '../kit/page-response.ts';
import { pageWords } from '../kit/page-words.ts';
import { type Clock, duration } from '../kit/when.ts';
import { addressOf, type BookingQuery, type PageInput } from './booking-address.ts';
import { authorPart, bookingLayout, embeddingOf, logoHeaders, logoPart } from './booking-layout.ts';
import { type BookingContext, type Reader, UNLISTED } from './booking-visitor.ts';
import { bookingWords } from './booking-words.ts';
import { awayOnDay, calendarPart, daysAwayOn, timesPart, zoneMistakes, zonePart } from './calendar-parts.ts';

/** The purpose of an opened calendar: a new booking, or one that is to be moved. */
export interface CalendarFor {
  readonly shown: EventTypeOnPage;
  /** Whether the page is unlisted, as its address is secret. */
  readonly isUnlisted: boolean;
  /** A booking that is to be moved, and when it is now, in words. */
  readonly moving: (Moving & { readonly when: Html; readonly durationInMinutes: number }) | undefined;
}

/** Shows a month, and the times of a day of it. @throws Problem for a month, a zone or a length that cannot be */
export async function answerWithCalendar(
  c: BookingContext,
  em: Em,
  { shown, isUnlisted, moving }: CalendarFor,
  input: PageInput,
  reader: Reader,
  notice?: string,
): Promise<Response> {
  const durationInMinutes = requestedLength(shown, input.durationInMinutes, moving?.durationInMinutes);
  const { viewer, clock } = reader;
  const calendar = await findMonthOfSlots(em, shown.eventType, {
    month: input.month,
    timeZone: clock.timeZone,
    durationInMinutes,
    rescheduled: moving ?? null,
    admit: reader.admit,
  });
  const page = eventTypePage({
    viewer,
    shown,
    query: input.query,
    clock,
    durationInMinutes,
    calendar,
    date: input.date,
    moving: moving?.when,
    notice,
    unknownZone: input.unknownZone,
  });
  return sendOpenPage(c, viewer, page, input.unknownZone === undefined ? 200 : 400, {
    ...logoHeaders(shown.brand, true),
    ...(isUnlisted && UNLISTED),
  });
}

/**
 * The requested length, that of the booking to move as long as it is offered, or the event type's own.
 * @throws Problem BAD_REQUEST for one that is not offered
 */
export function requestedLength(
  { eventType: { rules } }: Pick<EventTypeOnPage, 'eventType'>,
  requested: number | null,
  booked?: number,
): number {
  const lengths = lengthsOf(rules);
  if (requested === null) return booked !== undefined && lengths.includes(booked) ? booked : rules.durationInMinutes;
  if (lengths.includes(requested)) return requested;
  throw new Problem(
    'BAD_REQUEST',
    `A length of ${requested} minutes is not offered; choose one of: ${lengths.join(', ')}.`,
  );
}

/** The length of a form, or the event type's own where the host has changed what is offered since the form was made. */
export function stillOffered({ rules }: BookableEventType, durationInMinutes: number): number {
  return lengthsOf(rules).includes(durationInMinutes) ? durationInMinutes : rules.durationInMinutes;
}

interface EventTypePage {
  readonly viewer: Viewer | undefined;
  readonly shown: EventTypeOnPage;
  readonly query: BookingQuery;
  readonly clock: Clock;
  readonly durationInMinutes: number;
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
function eventTypePage(page: EventTypePage): Html {
  const { viewer, shown, query, clock, durationInMinutes, calendar, date, moving, notice, unknownZone } = page;
  const { eventType, ownerName, brand, path } = shown;
  const { locale, timeZone } = clock;
  const words = bookingWords(locale);
  const mistakes = zoneMistakes(unknownZone, locale);
  const title = moving === undefined ? eventType.title : words.anotherTimeFor(eventType.title);
  const place = { path, query, clock };
  const isZoneGuessed = query.timeZone === undefined && unknownZone === undefined && !viewer;
  const content = html`${doneNotice(notice)}
    ${mistakeSummary(mistakes, locale)}
    <article class="booking${date ? ' with-times' : ''}">
      <section class="what">
        ${logoPart(brand)}
        <p class="owner"><bdi>${ownerName}</bdi></p>
        <h1><bdi>${title}</bdi></h1>
        ${authorPart(eventType.managedBy, locale)}
        ${moving === undefined ? '' : html`<p>${words.toMove(moving)}</p>`}
        ${eventType.description === null ? '' : html`<p class="words"><bdi>${eventType.description}</bdi></p>`}
        ${eventTypeFacts(shown, { durationInMinutes, clock })}
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

function lengthLinks({ shown, query, durationInMinutes, clock: { locale } }: EventTypePage): Html | '' {
  const lengths = lengthsOf(shown.eventType.rules);
  if (lengths.length < 2) return '';
  const links = lengths.map((length) => {
    const address = addressOf(shown.path, { ...query, durationInMinutes: String(length) });
    const current = length === durationInMinutes ? html` aria-current="true"` : '';
    return html`<a class="choice" href="${address}"${current}>${duration(length, locale)}</a>`;
  });
  return html`<nav class="lengths" aria-label="${bookingWords(locale).length}">${links}</nav>`;
}

/** An event type, and whose it is, for the pages on which it is booked. */
export interface EventTypeOnPage {
  readonly eventType: BookableEventType;
  /** The user or team, and the organization of the team. */
  readonly ownerName: string;
  readonly brand: Brand;
  /** The page's own path, which its links lead back to. */
  readonly path: string;
}

interface Facts {
  readonly durationInMinutes: number;
  readonly clock: Clock;
}

/** The facts that the booker should know before choosing a time. */
function eventTypeFacts(
  { eventType }: EventTypeOnPage,
  { durationInMinutes, clock: { timeZone, locale } }: Facts,
): Html {
  const { rules, locations } = eventType;
  const { recurrence, confirmation } = rules;
  const words = bookingWords(locale);
  return html`<dl>
        <dt>${words.length}</dt><dd>${duration(durationInMinutes, locale)}</dd>
        ${locations.length > 0 ? html`<dt>${words.where}</dt><dd>${locations.map((one) => html`<p><bdi>${locationName(one, locale)}</bdi></p>`)}</dd>` : ''}
        ${recurrence ? html`<dt>${words.repeats}</dt><dd>${words.repeatsFor(everySoOften(recurrence, locale), recurrence.occurrences)}</dd>` : ''}
        ${confirmation.type === 'ALWAYS' ? html`<dt>${words.confirmation}</dt><dd>${words.hostConfirms}</dd>` : ''}
        <dt>${words.timeZone}</dt><dd>${zoneName(timeZone)} <a href="#timeZone">${words.zone.button}</a></dd>
      </dl>`;
}

/** A location as everybody may know it: a link and a number belong to those who have booked. */
export function locationName({ label, type, value }: OfferedLocation, locale: string): string {
  if (label !== null) return label;
  if (type === 'ADDRESS') return value ?? '';
  return type === 'CONFERENCING' ? pageWords(locale).videoCall(value ?? '') : bookingWords(locale).places[type];
}

/** `Every week`, `Every 2 weeks` */
export function everySoOften({ frequency, interval }: Recurrence, locale: string): string {
  return bookingWords(locale).every[frequency](interval);
}
