import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { zoneSelect } from '../kit/zone-select.ts';
import { BOOKING_PARAMETERS, type BookingQuery } from './booking-address.ts';

export interface ZonePart {
  readonly path: string;
  readonly query: BookingQuery;
  readonly timeZone: string;
  /** Nobody has chosen it: where scripts run, the browser's own takes its place (own-zone.js). */
  readonly isGuessed: boolean;
}

/** Chooses the zone in which times are shown. */
export function zonePart({ path, query, timeZone, isGuessed }: ZonePart): Html {
  const kept = BOOKING_PARAMETERS.filter((name) => name !== 'timeZone').flatMap((name) =>
    query[name] === undefined ? [] : [hiddenField(name, query[name])],
  );
  return html`<form method="get" action="${path}" class="zone"${isGuessed ? html` data-guessed` : ''}>
        ${kept}
        <label for="timeZone">Time zone</label>
        ${zoneSelect(timeZone)}
        <button type="submit" class="quiet">Change time zone</button>
      </form>`;
}
