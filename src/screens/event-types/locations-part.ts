import { html } from 'hono/html';
import { APPS, isApp } from '../../modules/conferencing/conferencing-app.rules.ts';
import {
  type GivenLocation,
  isSaidByAttendee,
  LOCATION_TYPES,
  type LocationType,
  MAX_LOCATIONS,
} from '../../modules/event-types/settings/location.rules.ts';
import { checkBox, hiddenField, selectField, textArea, textField } from '../kit/form-parts.ts';
import { counted } from '../kit/when.ts';
import type { Choices, FoldedPart, FormReader, Values } from './form-part.ts';
import { Rows } from './rows.ts';

/** What the form calls each kind of place; a conferencing app goes by its own name. */
const KINDS: Readonly<Record<Exclude<LocationType, 'CONFERENCING'>, string>> = {
  ADDRESS: 'In person, at an address of yours',
  LINK: 'Online, at a link of yours',
  PHONE: 'By phone, they call you',
  ATTENDEE_PHONE: 'By phone, you call them',
  ATTENDEE_ADDRESS: 'At an address that they say',
  ATTENDEE_CHOICE: 'Wherever they say',
};

const APP = 'CONFERENCING/';
const ROWS = new Rows('location', ['kind', 'value', 'label'], MAX_LOCATIONS);

/** Where it takes place. */
export const LOCATIONS: FoldedPart = {
  id: 'where',
  title: 'Where it takes place',
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
  fieldOf: (path, values) => {
    if (path[0] !== 'locations') return undefined;
    const row = ROWS.rowOf(path, values);
    const isOfField = path[2] === 'label' || (path[2] === 'value' && !values[`${row}-kind`]?.startsWith(APP));
    return `${row}-${isOfField ? path[2] : 'kind'}`;
  },
  gist: ({ locations }) =>
    locations.length === 0
      ? 'Nothing is said'
      : locations.length === 1
        ? 'One place'
        : counted(locations.length, 'place'),
  content: (values, mistakes, choices) => {
    const kinds = kindsOf(values, choices);
    return html`<p>Where you meet. Of several places, the one who books chooses.</p>
        ${ROWS.names(values).map((row, index) => {
          const [id, value] = [values[`${row}-id`], values[`${row}-value`] ?? ''];
          const place = {
            name: `${row}-value`,
            label: 'Address, link or phone number',
            value,
            autocomplete: 'off',
            hint: 'Links and numbers are shown once it is booked. Leave it empty for a video app, or where they say it.',
          };
          return html`<fieldset class="row"><legend>${id === undefined ? 'New place' : `Place ${index + 1}`}</legend>
          ${id === undefined ? '' : hiddenField(`${row}-id`, id)}
          ${selectField({ name: `${row}-kind`, label: 'Kind', value: values[`${row}-kind`] ?? '', options: id === undefined ? [['', 'None'], ...kinds] : kinds }, mistakes)}
          ${value.includes('\n') ? textArea({ ...place, rows: 3 }, mistakes) : textField({ ...place, isConditional: true }, mistakes)}
          ${textField({ name: `${row}-label`, label: 'Name that everybody sees', isOptional: true, autocomplete: 'off', value: values[`${row}-label`] ?? '' }, mistakes)}
          ${id === undefined ? '' : checkBox({ name: `${row}-remove`, label: 'Remove this place', isChecked: values[`${row}-remove`] !== undefined })}
        </fieldset>`;
        })}`;
  },
};

/** What belongs to another kind is left where it was typed. */
function locationIn(row: string, form: FormReader): GivenLocation {
  const [id, kind, label] = [form.text(`${row}-id`), form.text(`${row}-kind`), form.text(`${row}-label`)];
  const named = { ...(id && { id }), label: label || null };
  if (kind.startsWith(APP)) return { ...named, type: 'CONFERENCING', value: kind.slice(APP.length) };
  const type = LOCATION_TYPES.find((one) => one === kind && one !== 'CONFERENCING');
  if (!type) form.refuse(`${row}-kind`, 'Choose the kind of place, or empty its other fields.');
  return {
    ...named,
    type: type ?? 'ADDRESS',
    value: type && isSaidByAttendee(type) ? null : form.text(`${row}-value`),
  };
}

/** Apps that are connected, and those that places name already. */
function kindsOf(values: Values, { apps }: Choices): readonly (readonly [string, string])[] {
  const named = ROWS.names(values).map((row) => values[`${row}-kind`] ?? '');
  const chosen = named.filter((kind) => kind.startsWith(APP)).map((kind) => kind.slice(APP.length));
  const all = [...new Set([...apps, ...chosen])];
  return [
    ...all.map((app) => [`${APP}${app}`, isApp(app) ? `Online, by ${APPS[app]}` : `Online, by ${app}`] as const),
    ...Object.entries(KINDS),
  ];
}
