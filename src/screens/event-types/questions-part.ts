import { html } from 'hono/html';
import {
  BOOKING_FIELD_TYPES,
  type BookingFieldType,
  hasOptions,
  MAX_FIELDS,
} from '../../modules/event-types/settings/booking-field.rules.ts';
import type { BookingFieldPatch } from '../../modules/event-types/settings/booking-field-patch.rules.ts';
import { checkBox, hiddenField, selectField, textArea, textField } from '../kit/form-parts.ts';
import { slugOf } from '../kit/slug.ts';
import { counted } from '../kit/when.ts';
import type { FoldedPart, FormReader } from './form-part.ts';
import { Rows } from './rows.ts';

/** What the form calls each kind of answer. */
const TYPES: Readonly<Record<BookingFieldType, string>> = {
  TEXT: 'One line of text',
  TEXTAREA: 'Several lines of text',
  NUMBER: 'A number',
  PHONE: 'A phone number',
  EMAIL: 'An e-mail address',
  MULTIEMAIL: 'Several e-mail addresses',
  SELECT: 'One of a list',
  MULTISELECT: 'Several of a list',
  RADIO: 'One of a few, all shown',
  CHECKBOX: 'Several of a few, all shown',
  BOOLEAN: 'Yes or no',
  URL: 'A link',
  ADDRESS: 'A postal address',
};

const ROWS = new Rows('question', ['label', 'type', 'options'], MAX_FIELDS);

/** What is asked of who books. */
export const QUESTIONS: FoldedPart = {
  id: 'questions',
  title: 'What you ask',
  has: (name) => ROWS.has(name),
  filled: ({ bookingFields }) =>
    ROWS.filled(
      bookingFields.map(({ slug, type, label, required, options }) => ({
        slug,
        label,
        type,
        options: options.join('\n'),
        ...(required && { required: 'on' }),
      })),
    ),
  said: (form) => ({
    bookingFieldsSet: questionsIn(form),
    bookingFieldsRemove: ROWS.removed(form.values).map((row) => form.text(`${row}-slug`)),
  }),
  fieldOf: (path, values) => {
    const [list, index, part] = path;
    if (list === 'bookingFieldsRemove') return `${ROWS.removed(values)[Number(index)]}-label`;
    if (list !== 'bookingFieldsSet') return undefined;
    return `${ROWS.rowOf(path, values)}-${part === 'type' || part === 'options' ? part : 'label'}`;
  },
  gist: ({ bookingFields }) =>
    bookingFields.length === 0
      ? 'Name and e-mail address'
      : `Name, e-mail address, ${counted(bookingFields.length, 'question')}`,
  content: (values, mistakes) => html`<p>Who books is asked for name and e-mail address, and for what you add here.</p>
        ${ROWS.names(values).map((row, index) => {
          const [slug, types] = [values[`${row}-slug`], Object.entries(TYPES)];
          return html`<fieldset class="row"><legend>${slug === undefined ? 'New question' : `Question ${index + 1}`}</legend>
          ${slug === undefined ? '' : hiddenField(`${row}-slug`, slug)}
          ${textField({ name: `${row}-label`, label: 'Question', autocomplete: 'off', isConditional: true, value: values[`${row}-label`] ?? '' }, mistakes)}
          ${selectField({ name: `${row}-type`, label: 'Kind of answer', value: values[`${row}-type`] ?? '', options: slug === undefined ? [['', 'None'], ...types] : types }, mistakes)}
          ${textArea({ name: `${row}-options`, label: 'Answers to choose from', rows: 2, isOptional: true, value: values[`${row}-options`] ?? '', hint: 'Where it is one or several of a list; one a line.' }, mistakes)}
          ${checkBox({ name: `${row}-required`, label: 'Must be answered', isChecked: values[`${row}-required`] !== undefined })}
          ${slug === undefined ? '' : checkBox({ name: `${row}-remove`, label: 'Remove this question', isChecked: values[`${row}-remove`] !== undefined })}
        </fieldset>`;
        })}`,
};

/** A new question is called by its label: the key of its answers is made of it, and of no other one's. */
function questionsIn(form: FormReader): readonly BookingFieldPatch[] {
  const taken = new Set(
    [...ROWS.given(form.values), ...ROWS.removed(form.values)].map((row) => form.text(`${row}-slug`)),
  );
  return ROWS.given(form.values).map((row) => {
    const [label, chosen] = [form.text(`${row}-label`), form.text(`${row}-type`)];
    const type = BOOKING_FIELD_TYPES.find((one) => one === chosen);
    if (!type) form.refuse(`${row}-type`, 'Choose a kind of answer, or empty the question.');
    const slug = form.text(`${row}-slug`) || freeSlug(slugOf(label) || 'question', taken);
    taken.add(slug);
    const options = form
      .text(`${row}-options`)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const required = form.isTicked(`${row}-required`);
    return { slug, label, type: type ?? 'TEXT', required, ...(type && hasOptions(type) && { options }) };
  });
}

function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  const numbered = [slug, ...Array.from({ length: taken.size + 1 }, (_, index) => `${slug}-${index + 2}`)];
  return numbered.find((one) => !taken.has(one)) ?? slug;
}
