/** A form that leads on by its answers, in German. */
import type { ROUTING_FORM_EN } from './routing-form-words.en.ts';

export const ROUTING_FORM_DE: typeof ROUTING_FORM_EN = {
  send: 'Absenden',
  nowhere:
    'Was zu Ihren Antworten passt, kann zurzeit nicht gebucht werden. Bitte wenden Sie sich an diejenigen, von denen Sie dieses Formular haben.',
};
