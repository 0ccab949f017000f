import { html } from 'hono/html';
import { instantAt } from '../../../core/instant.ts';
import type { OpenSlot } from '../../../modules/bookings/slots/slot-request.rules.ts';
import type { Html } from '../../kit/layout.ts';
import { type Clock, longDate, timeOfDay } from '../../kit/when.ts';
import { addressOf, type BookingQuery } from '../booking-address.ts';
import { type BookingWords, bookingWords } from '../words/booking-words.ts';

export interface TimesPart {
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

export function startOf({ start }: OpenSlot): Temporal.Instant {
  return instantAt(start);
}

function seatsOf({ seatsLeft }: OpenSlot, words: BookingWords): Html | '' {
  return seatsLeft === null ? '' : html` <small>${words.seatsLeft(seatsLeft)}</small>`;
}
