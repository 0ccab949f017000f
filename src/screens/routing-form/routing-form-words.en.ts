/** A form that leads on by its answers, in English. */
import { NOWHERE } from '../../modules/routing-forms/routing-form.rules.ts';

export const ROUTING_FORM_EN = {
  send: 'Send',
  nowhere: NOWHERE.message,
};
