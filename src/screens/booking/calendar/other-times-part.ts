import { html } from 'hono/html';
import type { Mistake } from '../../../core/problem.ts';
import type { OpenSlot } from '../../../modules/bookings/slots/slot-request.rules.ts';
import type { Html, Viewer } from '../../kit/layout.ts';
import { type Clock, inLanguage, longDate } from '../../kit/when.ts';
import type { BookingQuery } from '../booking-address.ts';
import { bookingWords } from '../words/booking-words.ts';
import { startOf, timeLabels } from './times-part.ts';

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

export interface OtherTimes {
  readonly slots: readonly OpenSlot[];
  readonly clock: Clock;
  /** The time that is gone. */
  readonly day: Temporal.Instant;
  /** Where all other days are. */
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
