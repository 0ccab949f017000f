/** words/ holds what the pages of a routing form say in each language. */
import { inLanguages } from '../../../core/language.ts';
import { ROUTING_FORM_DE } from './routing-form-words.de.ts';
import { ROUTING_FORM_EN } from './routing-form-words.en.ts';

/** The words of a routing form besides its owner's, for a reader of this locale. */
export const routingFormWords = inLanguages(ROUTING_FORM_EN, { de: ROUTING_FORM_DE });
