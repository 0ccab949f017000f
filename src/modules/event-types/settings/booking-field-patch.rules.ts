import type { PatchOf } from '../../../core/fields.ts';
import { inOrder, replacedOrAdded } from '../../../core/patched-list.ts';
import type { Mistake } from '../../../core/problem.ts';
import { nameOf, type Path, shown, tidyText } from '../../../core/text.ts';
import { type BookingField, bookingFieldMistakes, hasOptions, MAX_FIELDS } from './booking-field.rules.ts';

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

export interface PatchedFields {
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
export interface FieldNames {
  readonly set: string;
  readonly remove: string;
  readonly order: string;
  readonly field: string;
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
    required: patch.required ?? stored?.required ?? false,
    options,
    placeholder: placeholder == null ? null : tidyText(placeholder),
  };
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

function slugOf({ slug }: BookingField): string {
  return slug;
}

function fieldNamed(fields: readonly BookingField[], name: string): BookingField | undefined {
  return fields.find(({ slug }) => slug === name);
}
