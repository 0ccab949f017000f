import type { PatchOf } from '../../../core/fields.ts';
import { inOrder, replacedOrAdded } from '../../../core/patched-list.ts';
import type { Mistake } from '../../../core/problem.ts';
import {
  nameOf,
  optionalTextMistake,
  type Path,
  SLUG_CODES,
  shown,
  slugMistake,
  TEXT_CODES,
  textMistake,
  tidyText,
} from '../../../core/text.ts';

export const BOOKING_FIELD_TYPES = [
  'TEXT',
  'TEXTAREA',
  'NUMBER',
  'PHONE',
  'EMAIL',
  'MULTI_EMAIL',
  'SELECT',
  'MULTI_SELECT',
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
  readonly isRequired: boolean;
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

/** A field to add, or what is to change of the one that has this slug. A new one needs type and label. */
export type BookingFieldPatch = Pick<BookingField, 'slug'> & PatchOf<Omit<BookingField, 'slug'>>;

/** Changes to the fields of an event type, by slug. Whatever no change names stays as it is, where it is. */
export interface BookingFieldsPatch {
  readonly bookingFieldsSet?: readonly BookingFieldPatch[] | null | undefined;
  /** Removed before anything is set. */
  readonly bookingFieldsRemove?: readonly string[] | null | undefined;
  /** These come first, in this order; the others follow in theirs. */
  readonly bookingFieldsOrder?: readonly string[] | null | undefined;
}

interface PatchedFields {
  readonly fields: readonly BookingField[];
  readonly mistakes: readonly Mistake[];
}

/** Changes to a list of fields, as `BookingFieldsPatch` has them. */
export interface FieldChanges {
  readonly set?: readonly BookingFieldPatch[] | null | undefined;
  readonly remove?: readonly string[] | null | undefined;
  readonly order?: readonly string[] | null | undefined;
}

/** The names of such changes in an input, and the word that messages have for one of the fields. */
interface FieldNames {
  readonly set: string;
  readonly remove: string;
  readonly order: string;
  readonly field: string;
}

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

const CHOICES: readonly BookingFieldType[] = ['SELECT', 'MULTI_SELECT', 'CHECKBOX', 'RADIO'];

export function hasOptions(type: BookingFieldType): boolean {
  return CHOICES.includes(type);
}

/** The booking fields with the changes carried out, and everything that is wrong with the changes; `path` is where those to set stand. */
export function patchedBookingFields(
  stored: readonly BookingField[],
  { bookingFieldsSet: set, bookingFieldsRemove: remove, bookingFieldsOrder: order }: BookingFieldsPatch,
  path: Path = ['bookingFieldsSet'],
): PatchedFields {
  const field = 'booking field of this event type';
  const names = { set: path[0], remove: 'bookingFieldsRemove', order: 'bookingFieldsOrder', field };
  return patchedFields(stored, { set, remove, order }, names);
}

/** The fields with a patch applied, for anything that has such fields. */
export function patchedFields(
  stored: readonly BookingField[],
  changes: FieldChanges,
  names: FieldNames,
): PatchedFields {
  const [set, removed, order] = [changes.set ?? [], changes.remove ?? [], changes.order ?? []];
  const path: Path = [names.set];
  const excess = excessMistakes({ [names.set]: set, [names.remove]: removed, [names.order]: order });
  if (excess.length > 0) return { fields: stored, mistakes: excess };
  const kept = stored.filter(({ slug }) => !removed.includes(slug));
  const given = set.map((one) => completed(one, fieldNamed(kept, one.slug)));
  const fields = inOrder(replacedOrAdded(kept, given, slugOf), order, slugOf);
  const mistakes = [
    ...unknownMistakes([names.remove], removed, stored, names),
    ...unknownMistakes([names.order], order, fields, names),
    ...missingMistakes(path, set, kept),
    ...bookingFieldMistakes(path, given),
  ];
  // Each is right by now and no slug is there twice: all that can be wrong with the whole is its number.
  return { fields, mistakes: mistakes.length > 0 ? mistakes : bookingFieldMistakes(path, fields) };
}

function tooMany(path: Path, what: string, count: number, max: number): Mistake {
  const message = `There are ${count} ${what}; at most ${max} are possible.`;
  return { code: 'TOO_MANY', message, path, bounds: { given: count, most: max } };
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

function repeated(path: Path, what: string): Mistake {
  return { code: 'DUPLICATE', message: `The ${what} is there twice; leave one of them out.`, path };
}

function charactersIn({ label, placeholder, options }: BookingField): number {
  return [label, placeholder ?? '', ...options].reduce((sum, text) => sum + text.length, 0);
}

function tooLong(path: Path, characters: number): Mistake {
  const message = `The fields have ${characters} characters together; ${MAX_FIELD_CHARACTERS} are possible: shorten their options, or ask for less.`;
  return { code: 'TOO_LONG', message, path, bounds: { given: characters, most: MAX_FIELD_CHARACTERS } };
}

/** Checked first, so that a list of a megabyte is not compared with itself. */
function excessMistakes(lists: { readonly [name: string]: readonly unknown[] | null | undefined }): Mistake[] {
  return Object.entries(lists).flatMap(([name, list]) => {
    if (!list || list.length <= MAX_FIELDS) return [];
    const message = `The ${nameOf([name])} has ${list.length} entries; at most ${MAX_FIELDS} are possible.`;
    return [{ code: 'TOO_MANY', message, path: [name], bounds: { given: list.length, most: MAX_FIELDS } }];
  });
}

function completed({ slug, ...patch }: BookingFieldPatch, stored: BookingField | undefined): BookingField {
  const type = patch.type ?? stored?.type ?? 'TEXT';
  const options = patch.options?.map(tidyText) ?? (hasOptions(type) ? stored?.options : undefined) ?? [];
  const placeholder = patch.placeholder === undefined ? stored?.placeholder : patch.placeholder;
  return {
    slug,
    type,
    label: tidyText(patch.label ?? stored?.label ?? slug),
    isRequired: patch.isRequired ?? stored?.isRequired ?? false,
    options,
    placeholder: placeholder == null ? null : tidyText(placeholder),
  };
}

function fieldNamed(fields: readonly BookingField[], name: string): BookingField | undefined {
  return fields.find(({ slug }) => slug === name);
}

function slugOf({ slug }: BookingField): string {
  return slug;
}

function unknownMistakes(
  path: Path,
  slugs: readonly string[],
  fields: readonly BookingField[],
  { field }: FieldNames,
): Mistake[] {
  return slugs.flatMap((slug, index) => {
    if (fieldNamed(fields, slug)) return [];
    const message = `${shown(slug)} is no ${field}; leave it out.`;
    return [{ code: 'UNKNOWN_FIELD', message, path: [...path, String(index)] }];
  });
}

function missingMistakes(path: Path, given: readonly BookingFieldPatch[], kept: readonly BookingField[]): Mistake[] {
  return given.flatMap((field, index) => {
    if (fieldNamed(kept, field.slug)) return [];
    const missing = (['type', 'label'] as const).filter((name) => field[name] == null);
    return missing.map((name): Mistake => {
      const own: Path = [...path, String(index), name];
      return { code: 'REQUIRED', message: `A new field needs a ${nameOf(own)}; give one.`, path: own };
    });
  });
}
