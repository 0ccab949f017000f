import { html } from 'hono/html';
import type { OwnedId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';
import type { Html } from '../kit/layout.ts';
import { type Clock, inLanguage, longStart } from '../kit/when.ts';
import { hostedBookingPath } from './hosting-paths.ts';
import type { BookingsWords } from './words/hosting-words.ts';

/** Another booking of a series, for one of its hosts. */
export interface HostedInSeries extends OwnedId, Standing {
  /** RFC 3339 */
  readonly start: string;
}

/** The state of a booking that was not moved. */
export interface Standing {
  readonly status: BookingStatus;
  readonly rescheduleRequested: boolean;
  readonly isOver: boolean;
}

interface Mark {
  /** Its class in the style sheet. */
  readonly kind: 'good' | 'pending' | 'rejected';
  readonly mark: string;
}

export function markOf({ status, rescheduleRequested, isOver }: Standing, { marks }: BookingsWords): Mark {
  switch (status) {
    case 'PENDING':
      return { kind: 'pending', mark: marks.waiting };
    case 'REJECTED':
      return { kind: 'rejected', mark: marks.declined };
    case 'CANCELLED':
      return rescheduleRequested
        ? { kind: 'pending', mark: marks.timeWanted }
        : { kind: 'rejected', mark: marks.cancelled };
    default:
      return { kind: 'good', mark: isOver ? marks.over : marks.confirmed };
  }
}

/** The other bookings of a series that the reader hosts; undefined for a booking that stands alone. */
export function hostedSeriesPart(
  series: readonly HostedInSeries[] | undefined,
  clock: Clock,
  words: BookingsWords,
): Html | '' {
  if (!series) return '';
  const items = series.map((one) => {
    const { kind, mark } = markOf(one, words);
    const when = inLanguage(longStart(instantOf(one.start), clock), clock);
    return html`<li><a href="${hostedBookingPath(one)}">${when}</a> <mark class="${kind}">${mark}</mark></li>`;
  });
  return html`<article>
      <h2>${words.series}</h2>
      ${items.length > 0 ? html`<ul class="series">${items}</ul>` : html`<p class="empty">${words.seriesElsewhere}</p>`}
    </article>`;
}
