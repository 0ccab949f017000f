import { html, raw } from 'hono/html';
import { hiddenField } from '../form-parts.ts';
import type { Html } from '../layout.ts';
import { BOOKING_PARAMETERS, type BookingQuery } from './booking-address.ts';
import { zoneName } from './when.ts';

export interface ZonePart {
  readonly path: string;
  readonly query: BookingQuery;
  readonly timeZone: string;
  /** Nobody has chosen it: where scripts run, the browser's own takes its place (own-zone.js). */
  readonly isGuessed: boolean;
}

/** All zones, by the part of the world that stands before the stroke: the same text on every page. */
const OPTIONS = optionsOf(['UTC', ...Intl.supportedValuesOf('timeZone')]);

/** Chooses the zone in which times are shown. */
export function zonePart({ path, query, timeZone, isGuessed }: ZonePart): Html {
  const kept = BOOKING_PARAMETERS.filter((name) => name !== 'timeZone').flatMap((name) =>
    query[name] === undefined ? [] : [hiddenField(name, query[name])],
  );
  return html`<form method="get" action="${path}" class="zone"${isGuessed ? html` data-guessed` : ''}>
        ${kept}
        <label for="timeZone">Time zone</label>
        <select id="timeZone" name="timeZone">
          <option value="${timeZone}" selected>${zoneName(timeZone)}</option>
          ${OPTIONS}
        </select>
        <button type="submit" class="quiet">Show times there</button>
      </form>`;
}

function optionsOf(names: readonly string[]) {
  const groups = Map.groupBy(names, (name) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : 'Other'));
  return raw([...groups].map(groupOf).join(''));
}

function groupOf([label, names]: [string, readonly string[]]): string {
  const options = names.map((name) => `<option value="${name}">${zoneName(name)}</option>`);
  return `<optgroup label="${label}">${options.join('')}</optgroup>`;
}
