import type { Mistake } from '../../../core/problem.ts';
import {
  optionalTextMistake,
  type Path,
  SLUG_CODES,
  slugMistake,
  TEXT_CODES,
  textMistake,
} from '../../../core/text.ts';

export const BOOKING_FIELD_TYPES = [
  'TEXT',
  'TEXTAREA',
  'NUMBER',
  'PHONE',
  'EMAIL',
  'MULTIEMAIL',
  'SELECT',
  'MULTISELECT',
  'CHECKBOX',
  'RADIO',
  'BOOLEAN',
  'URL',
  'ADDRESS',
] as const;
export type BookingFieldType = (typeof BOOKING_FIELD_TYPES)[number];

/** A question to the booker. Its slug is the key of the answer in a booking's `responses`. */
export interface BookingField {
  readonly slug: string;
  readonly type: BookingFieldType;
  readonly label: string;
  readonly required: boolean;
  /** The answers to choose from; empty for types without a choice. */
  readonly options: readonly string[];
  readonly placeholder: string | null;
}

export const BOOKING_FIELD_CODES = [...SLUG_CODES, ...TEXT_CODES, 'TOO_MANY', 'DUPLICATE', 'NOT_POSSIBLE'] as const;

/** The most characters of an answer in one line and in several, and the most addresses of a list. */
export const MAX_ANSWER = { line: 500, lines: 5_000, emails: 20 };
export const MAX_FIELDS = 50;
export const MAX_OPTIONS = 100;
/** All fields of an event type together have this many at most: each list of event types reads all of it. */
const MAX_FIELD_CHARACTERS = 20_000;
/** The share of an option, if every field has all the options that it can have. */
export const CHARACTERS_OF_AN_OPTION = MAX_FIELD_CHARACTERS / MAX_FIELDS / MAX_OPTIONS;
export const MAX_LABEL_LENGTH = 200;
export const MAX_OPTION_LENGTH = 200;
const CHOICES: readonly BookingFieldType[] = ['SELECT', 'MULTISELECT', 'CHECKBOX', 'RADIO'];

/** Everything that is wrong with all the fields of an event type. */
export function bookingFieldMistakes(path: Path, fields: readonly BookingField[]): readonly Mistake[] {
  if (fields.length > MAX_FIELDS) return [tooMany(path, 'fields', fields.length, MAX_FIELDS)];
  const mistakes = fields.flatMap((field, index) => {
    const own: Path = [...path, String(index)];
    const isRepeated = fields.slice(0, index).some(({ slug }) => slug === field.slug);
    return [...fieldMistakes(own, field), ...(isRepeated ? [repeated([...own, 'slug'], `slug "${field.slug}"`)] : [])];
  });
  const characters = fields.reduce((sum, field) => sum + charactersIn(field), 0);
  return mistakes.length > 0 || characters <= MAX_FIELD_CHARACTERS ? mistakes : [tooLong(path, characters)];
}

export function hasOptions(type: BookingFieldType): boolean {
  return CHOICES.includes(type);
}

/** Everything that is wrong with one field by itself. */
function fieldMistakes(path: Path, field: BookingField): readonly Mistake[] {
  const { slug, label, placeholder } = field;
  return [
    slugMistake([...path, 'slug'], slug),
    textMistake([...path, 'label'], label, { max: MAX_LABEL_LENGTH }),
    placeholder === null
      ? undefined
      : optionalTextMistake([...path, 'placeholder'], placeholder, { max: MAX_LABEL_LENGTH }),
    ...optionMistakes([...path, 'options'], field),
  ].filter((mistake) => mistake !== undefined);
}

function optionMistakes(path: Path, { type, options }: BookingField): readonly (Mistake | undefined)[] {
  if (!hasOptions(type)) {
    if (options.length === 0) return [];
    const message = `A field of type ${type} has no options; leave them out, or use SELECT.`;
    return [{ code: 'NOT_POSSIBLE', message, path }];
  }
  if (options.length === 0) {
    return [{ code: 'REQUIRED', message: `A field of type ${type} needs options; add some.`, path }];
  }
  if (options.length > MAX_OPTIONS) return [tooMany(path, 'options', options.length, MAX_OPTIONS)];
  return options.map((option, index) => {
    const own: Path = [...path, String(index)];
    const mistake = textMistake(own, option, { max: MAX_OPTION_LENGTH });
    return mistake ?? (options.indexOf(option) < index ? repeated(own, `option "${option}"`) : undefined);
  });
}

function charactersIn({ label, placeholder, options }: BookingField): number {
  return [label, placeholder ?? '', ...options].reduce((sum, text) => sum + text.length, 0);
}

function tooLong(path: Path, characters: number): Mistake {
  const message = `The fields have ${characters} characters together; ${MAX_FIELD_CHARACTERS} are possible: shorten their options, or ask for less.`;
  return { code: 'TOO_LONG', message, path, bounds: { given: characters, most: MAX_FIELD_CHARACTERS } };
}

function repeated(path: Path, what: string): Mistake {
  return { code: 'DUPLICATE', message: `The ${what} is there twice; leave one of them out.`, path };
}

function tooMany(path: Path, what: string, count: number, max: number): Mistake {
  const message = `There are ${count} ${what}; at most ${max} are possible.`;
  return { code: 'TOO_MANY', message, path, bounds: { given: count, most: max } };
}
