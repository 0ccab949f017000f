import { html } from 'hono/html';
import { APPS, isApp } from '../../modules/conferencing/conferencing-app.rules.ts';
import {
  type GivenLocation,
  isPlaceField,
  isSaidByAttendee,
  LOCATION_TYPES,
  MAX_LOCATIONS,
  placeIn,
} from '../../modules/event-types/settings/location.rules.ts';
import { checkBox, hiddenField, selectField, textArea, textField } from '../kit/form-parts.ts';
import type { FoldedPart, FormReader, PartPage } from './form-part.ts';
import { Rows } from './rows.ts';

const APP = 'CONFERENCING/';
const ROWS = new Rows('location', 'id', ['kind', 'value', 'label'], MAX_LOCATIONS);

/** The part about the places of a meeting. */
export const LOCATIONS: FoldedPart = {
  id: 'where',
  has: (name) => ROWS.has(name),
  filled: ({ locations }) =>
    ROWS.filled(
      locations.map(({ id, type, value, label }) => ({
        id,
        kind: type === 'CONFERENCING' ? `${APP}${value}` : type,
        value: type === 'CONFERENCING' ? '' : (value ?? ''),
        label: label ?? '',
      })),
    ),
  said: (form) => ({ locations: ROWS.given(form.values).map((row) => locationIn(row, form)) }),
  controlOf: (path, values, { where }) => {
    if (path[0] !== 'locations') return undefined;
    const row = ROWS.rowOf(path, values);
    const isPlace = isPlaceField(path[2]) && !values[`${row}-kind`]?.startsWith(APP);
    const field = path[2] === 'label' ? 'label' : isPlace ? 'value' : 'kind';
    return { name: `${row}-${field}`, subject: ROWS.subjectOf(path, where[field], values, where) };
  },
  gist: ({ locations }, { where }) => where.gist(locations.length),
  content: (page) => {
    const { values, mistakes, words, locale } = page;
    const { where } = words;
    const kinds = kindsOf(page);
    return html`<p>${where.intro(page.choices.appsPath)}</p>
        ${ROWS.names(values).map((row) => {
          const [id, value] = [values[`${row}-id`], values[`${row}-value`] ?? ''];
          const place = { name: `${row}-value`, label: where.value, value, autocomplete: 'off', hint: where.valueHint };
          return html`<fieldset class="row"><legend>${ROWS.legendOf(row, values, where)}</legend>
          ${id === undefined ? '' : hiddenField(`${row}-id`, id)}
          ${selectField({ name: `${row}-kind`, label: where.kind, value: values[`${row}-kind`] ?? '', options: id === undefined ? [['', where.noKind], ...kinds] : kinds }, mistakes)}
          ${value.includes('\n') ? textArea({ ...place, rows: 3 }, mistakes) : textField({ ...place, isConditional: true }, mistakes)}
          ${textField({ name: `${row}-label`, label: where.label, isOptional: true, locale, autocomplete: 'off', value: values[`${row}-label`] ?? '' }, mistakes)}
          ${id === undefined ? '' : checkBox({ name: `${row}-remove`, label: where.remove, isChecked: values[`${row}-remove`] !== undefined })}
        </fieldset>`;
        })}`;
  },
};

/** Reads a location. A value of another kind is left where it was typed. */
function locationIn(row: string, form: FormReader): GivenLocation {
  const [id, kind, label] = [form.text(`${row}-id`), form.text(`${row}-kind`), form.text(`${row}-label`)];
  const named = { ...(id && { id }), label: label || null };
  if (kind.startsWith(APP)) return { ...named, type: 'CONFERENCING', app: kind.slice(APP.length) };
  const chosen = LOCATION_TYPES.find((one) => one === kind && one !== 'CONFERENCING');
  if (!chosen) form.refuse(`${row}-kind`, form.words.where.choose);
  const type = chosen ?? 'ADDRESS';
  return { ...named, type, ...placeIn(type, isSaidByAttendee(type) ? null : form.text(`${row}-value`)) };
}

/** Apps that are connected, and those that places name already. */
function kindsOf({ values, choices, words: { where } }: PartPage): readonly (readonly [string, string])[] {
  const named = ROWS.names(values).map((row) => values[`${row}-kind`] ?? '');
  const chosen = named.filter((kind) => kind.startsWith(APP)).map((kind) => kind.slice(APP.length));
  const all = [...new Set([...choices.apps, ...chosen])];
  return [
    ...all.map((app) => [`${APP}${app}`, where.app(isApp(app) ? APPS[app] : app)] as const),
    ...Object.entries(where.kinds),
  ];
}
