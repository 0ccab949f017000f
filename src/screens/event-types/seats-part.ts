import { html } from 'hono/html';
import { MAX_SEATS } from '../../modules/event-types/settings/scheduling-input.rules.ts';
import { checkBox, textField } from '../kit/form-parts.ts';
import { counted } from '../kit/when.ts';
import type { FoldedPart } from './form-part.ts';

const LABEL = 'Seats for each time';

/** How many people book the same time, one by one. */
export const SEATS: FoldedPart = {
  id: 'places',
  title: 'Seats',
  has: (name) => name === 'seats' || name === 'showAttendees',
  filled: ({ seats }) => ({
    seats: seats === null ? '' : String(seats.perSlot),
    ...(seats?.showAttendees && { showAttendees: 'on' }),
  }),
  said: (form) => {
    const perSlot = form.optionalNumber('seats', LABEL);
    return { seats: perSlot === null ? null : { perSlot, showAttendees: form.isTicked('showAttendees') } };
  },
  gist: ({ seats }) => (seats === null ? 'One booking takes the time' : counted(seats.perSlot, 'seat')),
  content: (values, mistakes) => html`${textField(
    {
      name: 'seats',
      label: LABEL,
      inputMode: 'numeric',
      autocomplete: 'off',
      isOptional: true,
      value: values['seats'] ?? '',
      hint: `From 1 to ${MAX_SEATS}, for an event that several people book one by one. Left empty, who books has the time to themselves.`,
    },
    mistakes,
  )}
        ${checkBox({ name: 'showAttendees', label: 'Those who book see the names of the others', isChecked: values['showAttendees'] !== undefined })}`,
};
