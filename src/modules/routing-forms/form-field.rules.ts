import type { BookingField, BookingFieldType } from '../event-types/settings/booking-field.rules.ts';

/** The types of booking fields that a form can ask for as well. */
export const FORM_FIELD_TYPES = [
  'TEXT',
  'TEXTAREA',
  'NUMBER',
  'PHONE',
  'EMAIL',
  'SELECT',
  'MULTI_SELECT',
] as const satisfies readonly BookingFieldType[];
export type FormFieldType = (typeof FORM_FIELD_TYPES)[number];

/** A question of a form. Its slug is the key of the answer. */
export type FormField = BookingField & { readonly type: FormFieldType };
