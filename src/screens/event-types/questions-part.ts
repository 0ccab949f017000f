import { html } from 'hono/html';
import {
  BOOKING_FIELD_TYPES,
  type BookingFieldPatch,
  hasOptions,
  MAX_FIELDS,
} from '../../modules/event-types/settings/booking-field.rules.ts';
import { checkBox, hiddenField, selectField, textArea, textField } from '../kit/form-parts.ts';
import { slugOf } from '../kit/request.ts';
import type { FoldedPart, FormReader } from './form-part.ts';
import { Rows } from './rows.ts';

const ROWS = new Rows('question', 'slug', ['label', 'type', 'options'], MAX_FIELDS);

/** The questions to the booker. */
export const QUESTIONS: FoldedPart = {
  id: 'questions',
  has: (name) => ROWS.has(name),
  filled: ({ bookingFields }) =>
    ROWS.filled(
      bookingFields.map(({ slug, type, label, isRequired, options }) => ({
        slug,
        label,
        type,
        options: options.join('\n'),
        ...(isRequired && { isRequired: 'on' }),
      })),
    ),
  said: (form) => ({
    bookingFieldsSet: questionsIn(form),
    bookingFieldsRemove: ROWS.removed(form.values).map((row) => form.text(`${row}-slug`)),
  }),
  controlOf: (path, values, { questions }) => {
    const [list, index, part] = path;
    if (list !== 'bookingFieldsRemove' && list !== 'bookingFieldsSet') return undefined;
    if (list === 'bookingFieldsRemove') {
      const row = ROWS.removed(values)[Number(index)];
      return row === undefined ? undefined : { name: `${row}-label`, subject: ROWS.legendOf(row, values, questions) };
    }
    const field = part === 'type' || part === 'options' ? part : 'label';
    const subject = ROWS.subjectOf(path, questions[field], values, questions);
    return { name: `${ROWS.rowOf(path, values)}-${field}`, subject };
  },
  gist: ({ bookingFields }, { questions }) => questions.gist(bookingFields.length),
  content: ({ values, mistakes, words: { questions } }) => html`<p>${questions.intro}</p>
        ${ROWS.names(values).map((row) => {
          const [slug, types] = [values[`${row}-slug`], Object.entries(questions.types)];
          return html`<fieldset class="row"><legend>${ROWS.legendOf(row, values, questions)}</legend>
          ${slug === undefined ? '' : hiddenField(`${row}-slug`, slug)}
          ${textField({ name: `${row}-label`, label: questions.label, autocomplete: 'off', isConditional: true, value: values[`${row}-label`] ?? '' }, mistakes)}
          ${selectField({ name: `${row}-type`, label: questions.type, value: values[`${row}-type`] ?? '', options: slug === undefined ? [['', questions.noType], ...types] : types }, mistakes)}
          ${textArea({ name: `${row}-options`, label: questions.options, rows: 2, isOptional: true, value: values[`${row}-options`] ?? '', hint: questions.optionsHint }, mistakes)}
          ${checkBox({ name: `${row}-isRequired`, label: questions.isRequired, isChecked: values[`${row}-isRequired`] !== undefined })}
          ${slug === undefined ? '' : checkBox({ name: `${row}-remove`, label: questions.remove, isChecked: values[`${row}-remove`] !== undefined })}
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
    if (!type) form.refuse(`${row}-type`, form.words.questions.choose);
    const slug = form.text(`${row}-slug`) || freeSlug(slugOf(label) || 'question', taken);
    taken.add(slug);
    const options = form
      .text(`${row}-options`)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const isRequired = form.isTicked(`${row}-isRequired`);
    return { slug, label, type: type ?? 'TEXT', isRequired, ...(type && hasOptions(type) && { options }) };
  });
}

function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  const numbered = [slug, ...Array.from({ length: taken.size + 1 }, (_, index) => `${slug}-${index + 2}`)];
  return numbered.find((one) => !taken.has(one)) ?? slug;
}
