import { html } from 'hono/html';
import { checkBox, textField } from '../kit/form-parts.ts';
import type { FoldedPart } from './form-part.ts';

/** How many people book the same time, one by one. */
export const SEATS: FoldedPart = {
  id: 'places',
  has: (name) => name === 'seats' || name === 'showsAttendees',
  filled: ({ seats }) => ({
    seats: seats === null ? '' : String(seats.perSlot),
    ...(seats?.showsAttendees && { showsAttendees: 'on' }),
  }),
  said: (form) => {
    const perSlot = form.optionalNumber('seats');
    return { seats: perSlot === null ? null : { perSlot, showsAttendees: form.isTicked('showsAttendees') } };
  },
  gist: ({ seats }, { places }) => (seats === null ? places.none : places.gist(seats.perSlot)),
  content: ({ values, mistakes, words: { fields, hints }, locale }) => html`${textField(
    {
      name: 'seats',
      label: fields.seats,
      inputMode: 'numeric',
      autocomplete: 'off',
      isOptional: true,
      locale,
      value: values['seats'] ?? '',
      hint: hints.seats,
    },
    mistakes,
  )}
        ${checkBox({ name: 'showsAttendees', label: fields.showsAttendees, isChecked: values['showsAttendees'] !== undefined })}`,
};
