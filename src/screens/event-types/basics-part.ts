import { SLUG_IN_WORDS } from '../../core/text.ts';
import type { EventTypeFields } from '../../modules/event-types/event-type.rules.ts';
import type { TextField } from '../kit/form-parts.ts';
import type { FormPart } from './form-part.ts';

type LineName = 'title' | 'slug' | 'lengthInMinutes';

/** The fields of one line. */
export const LINES: Readonly<Record<LineName, Pick<TextField, 'label' | 'hint'>>> = {
  title: { label: 'Title', hint: 'What people book, such as “Introductory call”.' },
  slug: {
    label: 'End of its address',
    hint: `Use ${SLUG_IN_WORDS.replaceAll('`', '')}. If you change it, links that you have shared stop working.`,
  },
  lengthInMinutes: { label: 'Length in minutes' },
};

/** Whether bookings wait for an answer of the host, and what the form says to each. */
export const CONFIRMATIONS: Readonly<Record<EventTypeFields['confirmation']['kind'], string>> = {
  NONE: 'Never: a booking stands at once',
  ALWAYS: 'Always',
  SHORT_NOTICE: 'Only at short notice, as set before',
};

const NAMES = [...Object.keys(LINES), 'description', 'confirmation', 'hidden'];

/** What every event type has. */
export const BASICS: FormPart = {
  has: (name) => NAMES.includes(name),
  filled: ({ title, slug, lengthInMinutes, description, confirmation, hidden }) => ({
    title,
    slug,
    lengthInMinutes: String(lengthInMinutes),
    description: description ?? '',
    confirmation: confirmation.kind,
    ...(hidden && { hidden: 'on' }),
  }),
  said: (form) => {
    const kind = form.text('confirmation');
    return {
      title: form.text('title'),
      slug: form.text('slug'),
      description: form.text('description') || null,
      hidden: form.isTicked('hidden'),
      // At short notice: how short, only the API sets. Who leaves it chosen changes nothing.
      ...((kind === 'ALWAYS' || kind === 'NONE') && { confirmation: { kind } }),
      lengthInMinutes: form.number('lengthInMinutes', LINES.lengthInMinutes.label),
    };
  },
};
