import { html } from 'hono/html';
import { zoneName } from '../../core/instant.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import type { OfferedLocation } from '../../modules/event-types/settings/location.rules.ts';
import type { Recurrence } from '../../modules/event-types/settings/recurrence.rules.ts';
import type { Brand } from '../../modules/teams/team.queries.ts';
import type { Html } from '../kit/layout.ts';
import { pageWords } from '../kit/page-words.ts';
import { type Clock, duration } from '../kit/when.ts';
import { bookingWords } from './words/booking-words.ts';

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
  readonly lengthInMinutes: number;
  readonly clock: Clock;
}

/** The facts that the booker should know before choosing a time. */
export function eventTypeFacts(
  { eventType }: EventTypeOnPage,
  { lengthInMinutes, clock: { timeZone, locale } }: Facts,
): Html {
  const { rules, locations } = eventType;
  const { recurrence, confirmation } = rules;
  const words = bookingWords(locale);
  return html`<dl>
        <dt>${words.length}</dt><dd>${duration(lengthInMinutes, locale)}</dd>
        ${locations.length > 0 ? html`<dt>${words.where}</dt><dd>${locations.map((one) => html`<p><bdi>${locationName(one, locale)}</bdi></p>`)}</dd>` : ''}
        ${recurrence ? html`<dt>${words.repeats}</dt><dd>${words.repeatsFor(everySoOften(recurrence, locale), recurrence.occurrences)}</dd>` : ''}
        ${confirmation.kind === 'ALWAYS' ? html`<dt>${words.confirmation}</dt><dd>${words.hostConfirms}</dd>` : ''}
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
