import type { FormPart } from './form-part.ts';

const NAMES = ['title', 'slug', 'lengthInMinutes', 'description', 'confirmation', 'hidden'];

/** The fields that every event type has. */
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
      // At short notice: only the API sets how short. Leaving it chosen changes nothing.
      ...((kind === 'ALWAYS' || kind === 'NONE') && { confirmation: { kind } }),
      lengthInMinutes: form.number('lengthInMinutes'),
    };
  },
};
