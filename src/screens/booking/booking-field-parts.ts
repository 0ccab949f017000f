import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { BookingField } from '../../modules/event-types/settings/booking-field.rules.ts';
import { isWrong, mistakeOf, type TextField, textArea, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { pageWords } from '../kit/page-words.ts';
import { bookingWords } from './booking-words.ts';

/** The typed or chosen answers, by the slug of the field: one text, or several. */
export type TypedResponses = ReadonlyMap<string, readonly string[]>;

/** The name of the control in the form. */
export function responseName(slug: string): string {
  return `response-${slug}`;
}

/** A question, its answer, the mistakes in it, and the reader's locale. */
interface Asked {
  readonly field: BookingField;
  readonly values: readonly string[];
  readonly mistakes: readonly Mistake[];
  readonly locale: string;
}

/** Shows a question of the event type, in the form that its type of answer has. `locale` is the reader's (BCP 47). */
export function bookingField(
  field: BookingField,
  typed: TypedResponses,
  mistakes: readonly Mistake[],
  locale: string,
): Html {
  const asked = { field, values: typed.get(field.slug) ?? [], mistakes, locale };
  switch (field.type) {
    case 'TEXTAREA':
      return lines(asked, 4);
    case 'ADDRESS':
      return lines(asked, 2, 'street-address');
    case 'MULTI_EMAIL':
      return lines(asked, 3, 'off', bookingWords(locale).hints.emails);
    case 'SELECT':
      return select(asked);
    case 'RADIO':
      return choices(asked, 'radio');
    case 'CHECKBOX':
    case 'MULTI_SELECT':
      return choices(asked, 'checkbox');
    case 'BOOLEAN':
      return tick(asked);
    default:
      return line(asked);
  }
}

type Line = Partial<TextField> & { readonly hinted?: 'phone' | 'url' };

const LINES: Readonly<Partial<Record<BookingField['type'], Line>>> = {
  NUMBER: { inputMode: 'decimal' },
  PHONE: { type: 'tel', autocomplete: 'tel', hinted: 'phone' },
  EMAIL: { type: 'email', autocomplete: 'email' },
  URL: { type: 'url', autocomplete: 'url', hinted: 'url' },
};

function line({ field, values: [value = ''], mistakes, locale }: Asked): Html {
  const { hinted, ...kind } = LINES[field.type] ?? {};
  const hint = hinted && bookingWords(locale).hints[hinted];
  return textField({ autocomplete: 'off', ...kind, ...(hint && { hint }), ...named(field), value, locale }, mistakes);
}

function lines({ field, values, mistakes, locale }: Asked, rows: number, autocomplete = 'off', hint?: string): Html {
  const label = labelOf(field, locale);
  return textArea(
    { ...named(field), label, rows, autocomplete, value: values.join('\n'), ...(hint && { hint }) },
    mistakes,
  );
}

function named({ slug, label, isRequired, placeholder }: BookingField) {
  return {
    name: responseName(slug),
    label: html`<bdi>${label}</bdi>`,
    isOptional: !isRequired,
    ...(placeholder !== null && { placeholder }),
  };
}

function select({ field, values, mistakes, locale }: Asked): Html {
  const name = responseName(field.slug);
  const options = field.options.map(
    (option) => html`<option value="${option}"${values.includes(option) ? html` selected` : ''}>${option}</option>`,
  );
  return html`<div class="field">
        <label for="${name}">${labelOf(field, locale)}</label>
        <select id="${name}" name="${name}"${invalidAttributes(name, mistakes)}>
          <option value="">${field.placeholder ?? bookingWords(locale).chooseOne}</option>
          ${options}
        </select>
        ${mistakeOf(name, mistakes)}
      </div>`;
}

function choices({ field, values, mistakes, locale }: Asked, type: 'radio' | 'checkbox'): Html {
  const name = responseName(field.slug);
  const options = field.options.map((option, index) => {
    const id = `${name}-${index}`;
    const checked = values.includes(option) ? html` checked` : '';
    return html`<div class="check"><input type="${type}" id="${id}" name="${name}" value="${option}"${checked}>
          <label for="${id}"><bdi>${option}</bdi></label></div>`;
  });
  return html`<fieldset id="${name}" tabindex="-1"${invalidAttributes(name, mistakes)}>
        <legend>${labelOf(field, locale)}</legend>
        ${options}
        ${mistakeOf(name, mistakes)}
      </fieldset>`;
}

function tick({ field, values, mistakes, locale }: Asked): Html {
  const name = responseName(field.slug);
  return html`<div class="field">
        <div class="check"><input type="checkbox" id="${name}" name="${name}" value="on"${
          values.length > 0 ? html` checked` : ''
        }${invalidAttributes(name, mistakes)}><label for="${name}">${labelOf(field, locale)}</label></div>
        ${mistakeOf(name, mistakes)}
      </div>`;
}

function labelOf({ label, isRequired }: BookingField, locale: string): Html {
  return html`<bdi>${label}</bdi>${isRequired ? '' : ` ${pageWords(locale).optional}`}`;
}

function invalidAttributes(name: string, mistakes: readonly Mistake[]): Html | '' {
  return isWrong(name, mistakes) ? html` aria-invalid="true" aria-describedby="${name}-mistake"` : '';
}
