/** words/ holds what the pages say on which apps are let in, in each language. */
import { inLanguages } from '../../../core/language.ts';
import { CONSENT_DE } from './consent-words.de.ts';
import { CONSENT_EN } from './consent-words.en.ts';

/** The words of the pages on which an app is let in or its access ended, for a reader of this locale. */
export const consentWords = inLanguages(CONSENT_EN, { de: CONSENT_DE });
