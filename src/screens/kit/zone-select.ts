import { html, raw } from 'hono/html';
import { zoneName } from '../../core/instant.ts';
import { inLanguages } from '../../core/language.ts';
import type { Html } from './layout.ts';
import { pageWords } from './words/page-words.ts';

const NAMES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** All zones, by the part of the world that stands before the stroke: the same text on every page of a language. */
const optionsFor = inLanguages(optionsOf(NAMES, pageWords('en').zones), {
  de: optionsOf(NAMES, pageWords('de').zones),
});

/** Chooses a time zone; its label is for `timeZone`. */
export function zoneSelect(timeZone: string, locale = 'en'): Html {
  return html`<select id="timeZone" name="timeZone">
          <option value="${timeZone}" selected>${zoneName(timeZone)}</option>
          ${optionsFor(locale)}
        </select>`;
}

function optionsOf(names: readonly string[], parts: Readonly<Record<string, string>>) {
  const groups = Map.groupBy(names, (name) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : 'Other'));
  return raw([...groups].map(([part, zones]) => groupOf(parts[part] ?? part, zones)).join(''));
}

function groupOf(label: string, names: readonly string[]): string {
  return `<optgroup label="${label}">${names.map(optionOf).join('')}</optgroup>`;
}

/** An option sends its text where it has no value of its own: of 450 zones, a third of the page. */
function optionOf(name: string): string {
  const text = zoneName(name);
  return text === name ? `<option>${name}</option>` : `<option value="${name}">${text}</option>`;
}
