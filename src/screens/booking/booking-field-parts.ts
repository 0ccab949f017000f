import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { BookingField } from '../../modules/event-types/settings/booking-field.rules.ts';
import { mistakeOf, type TextField, textArea, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';

/** What was typed or chosen, by the slug of the field: one text, or several. */
export type TypedResponses = ReadonlyMap<string, readonly string[]>;

/** The name of the control in the form. */
export function responseName(slug: string): string {
  return `response-${slug}`;
}

/** A question of the event type, in the form that its type of answer has. */
export function bookingField(field: BookingField, typed: TypedResponses, mistakes: readonly Mistake[]): Html {
  const values = typed.get(field.slug) ?? [];
  switch (field.type) {
    case 'TEXTAREA':
      return lines(field, values, mistakes, 4);
    case 'ADDRESS':
      return lines(field, values, mistakes, 2, 'street-address');
    case 'MULTIEMAIL':
      return lines(field, values, mistakes, 3, 'off', 'One e-mail address a line.');
    case 'SELECT':
      return select(field, values, mistakes);
    case 'RADIO':
      return choices(field, values, mistakes, 'radio');
    case 'CHECKBOX':
    case 'MULTISELECT':
      return choices(field, values, mistakes, 'checkbox');
    case 'BOOLEAN':
      return tick(field, values, mistakes);
    default:
      return line(field, values, mistakes);
  }
}

const LINES = {
  TEXT: {},
  NUMBER: { inputMode: 'decimal' },
  PHONE: { type: 'tel', autocomplete: 'tel', hint: 'With the country code, such as +4930123456.' },
  EMAIL: { type: 'email', autocomplete: 'email' },
  URL: { type: 'url', autocomplete: 'url', hint: 'Beginning with https://' },
} as const satisfies Readonly<Record<string, Partial<TextField>>>;

function line(field: BookingField, [value = '']: readonly string[], mistakes: readonly Mistake[]): Html {
  const kind: Partial<TextField> = field.type in LINES ? LINES[field.type as keyof typeof LINES] : {};
  return textField({ autocomplete: 'off', ...kind, ...named(field), value }, mistakes);
}

function lines(
  field: BookingField,
  values: readonly string[],
  mistakes: readonly Mistake[],
  rows: number,
  autocomplete = 'off',
  hint?: string,
): Html {
  const label = `${field.label}${optionally(field)}`;
  return textArea(
    { ...named(field), label, rows, autocomplete, value: values.join('\n'), ...(hint && { hint }) },
    mistakes,
  );
}

function named({ slug, label, required, placeholder }: BookingField) {
  return {
    name: responseName(slug),
    label,
    isOptional: !required,
    ...(placeholder !== null && { placeholder }),
  };
}

function select(field: BookingField, values: readonly string[], mistakes: readonly Mistake[]): Html {
  const name = responseName(field.slug);
  const options = field.options.map(
    (option) => html`<option value="${option}"${values.includes(option) ? html` selected` : ''}>${option}</option>`,
  );
  return html`<div class="field">
        <label for="${name}"><bdi>${field.label}</bdi>${optionally(field)}</label>
        <select id="${name}" name="${name}"${told(name, mistakes)}>
          <option value="">${field.placeholder ?? 'Choose one'}</option>
          ${options}
        </select>
        ${mistakeOf(name, mistakes)}
      </div>`;
}

function choices(
  field: BookingField,
  values: readonly string[],
  mistakes: readonly Mistake[],
  type: 'radio' | 'checkbox',
): Html {
  const name = responseName(field.slug);
  const options = field.options.map((option, index) => {
    const id = `${name}-${index}`;
    const checked = values.includes(option) ? html` checked` : '';
    return html`<div class="check"><input type="${type}" id="${id}" name="${name}" value="${option}"${checked}>
          <label for="${id}"><bdi>${option}</bdi></label></div>`;
  });
  return html`<fieldset id="${name}" tabindex="-1"${told(name, mistakes)}>
        <legend><bdi>${field.label}</bdi>${optionally(field)}</legend>
        ${options}
        ${mistakeOf(name, mistakes)}
      </fieldset>`;
}

function tick(field: BookingField, values: readonly string[], mistakes: readonly Mistake[]): Html {
  const name = responseName(field.slug);
  return html`<div class="field">
        <div class="check"><input type="checkbox" id="${name}" name="${name}" value="on"${
          values.length > 0 ? html` checked` : ''
        }${told(name, mistakes)}><label for="${name}"><bdi>${field.label}</bdi>${optionally(field)}</label></div>
        ${mistakeOf(name, mistakes)}
      </div>`;
}

function optionally({ required }: BookingField): string {
  return required ? '' : ' (optional)';
}

function told(name: string, mistakes: readonly Mistake[]): Html | '' {
  const isWrong = mistakes.some(({ path }) => path?.[0] === name);
  return isWrong ? html` aria-invalid="true" aria-describedby="${name}-mistake"` : '';
}
