import { html, raw } from 'hono/html';
import type { Html } from './layout.ts';
import { zoneName } from './when.ts';

/** All zones, by the part of the world that stands before the stroke: the same text on every page. */
const OPTIONS = optionsOf(['UTC', ...Intl.supportedValuesOf('timeZone')]);

/** Chooses a time zone; its label is for `timeZone`. */
export function zoneSelect(timeZone: string): Html {
  return html`<select id="timeZone" name="timeZone">
          <option value="${timeZone}" selected>${zoneName(timeZone)}</option>
          ${OPTIONS}
        </select>`;
}

function optionsOf(names: readonly string[]) {
  const groups = Map.groupBy(names, (name) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : 'Other'));
  return raw([...groups].map(groupOf).join(''));
}

function groupOf([label, names]: [string, readonly string[]]): string {
  const options = names.map((name) => `<option value="${name}">${zoneName(name)}</option>`);
  return `<optgroup label="${label}">${options.join('')}</optgroup>`;
}
