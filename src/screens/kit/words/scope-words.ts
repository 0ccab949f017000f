import { inLanguages } from '../../../core/language.ts';
import { SCOPE_DE } from './scope-words.de.ts';
import { SCOPE_EN } from './scope-words.en.ts';

/** The words of pages for what apps may do, for a reader of this locale. */
export const scopeWords = inLanguages(SCOPE_EN, { de: SCOPE_DE });
