import type { FormPart } from './form-part.ts';

const NAMES = ['title', 'slug', 'durationInMinutes', 'description', 'confirmation', 'isHidden'];

/** The fields that every event type has. */
export const BASICS: FormPart = {
  has: (name) => NAMES.includes(name),
  filled: ({ title, slug, durationInMinutes, description, confirmation, isHidden }) => ({
    title,
    slug,
    durationInMinutes: String(durationInMinutes),
    description: description ?? '',
    confirmation: confirmation.type,
    ...(isHidden && { isHidden: 'on' }),
  }),
  said: (form) => {
    const type = form.text('confirmation');
    return {
      title: form.text('title'),
      slug: form.text('slug'),
      description: form.text('description') || null,
      isHidden: form.isTicked('isHidden'),
      // At short notice: only the API sets how short. Leaving it chosen changes nothing.
      ...((type === 'ALWAYS' || type === 'NEVER') && { confirmation: { type } }),
      durationInMinutes: form.number('durationInMinutes'),
    };
  },
};
