import { html, raw } from 'hono/html';
import { zoneName } from '../../../core/instant.ts';
import type { Mistake } from '../../../core/problem.ts';
import { hiddenField, textField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { BOOKING_PARAMETERS, type BookingQuery } from '../booking-address.ts';
import { bookingWords } from '../words/booking-words.ts';
import { ZONES } from './zone-search.ts';

export interface ZonePart {
  readonly path: string;
  readonly query: BookingQuery;
  readonly timeZone: string;
  /** Nobody has chosen it: where scripts run, the browser's own takes its place (own-zone.js). */
  readonly isGuessed: boolean;
  /** The text that was typed and is no zone. */
  readonly unknownZone?: string | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** Browsers suggest those that hold what is typed. The same text on every page. */
const SUGGESTIONS = raw(ZONES.map((zone) => `<option value="${zoneName(zone)}">`).join(''));

/** Looks for the zone in which times are shown. The field is empty: with a zone in it, browsers would suggest only that one. */
export function zonePart({ path, query, timeZone, isGuessed, unknownZone, locale }: ZonePart): Html {
  const words = bookingWords(locale).zone;
  const kept = BOOKING_PARAMETERS.filter((name) => name !== 'timeZone').flatMap((name) =>
    query[name] === undefined ? [] : [hiddenField(name, query[name])],
  );
  const field = textField(
    {
      name: 'timeZone',
      label: words.label,
      value: unknownZone ?? '',
      autocomplete: 'off',
      placeholder: words.placeholder,
      list: 'zones',
    },
    zoneMistakes(unknownZone, locale),
  );
  return html`<form method="get" action="${path}" class="zone"${isGuessed ? html` data-guessed="${timeZone}"` : ''}>
        ${kept}
        ${field}
        <datalist id="zones">${SUGGESTIONS}</datalist>
        <button type="submit" class="quiet">${words.button}</button>
      </form>`;
}

/** The mistake of a zone that was typed, for its field and for the top of the page. */
export function zoneMistakes(unknownZone: string | undefined, locale: string): readonly Mistake[] {
  if (unknownZone === undefined) return [];
  return [{ code: 'INVALID_TIME_ZONE', message: bookingWords(locale).zone.unknown, path: ['timeZone'] }];
}
