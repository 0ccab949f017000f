import { inLanguages } from '../core/language.ts';
import { SENTENCES_DE } from './scope-sentences.de.ts';
import { SENTENCES_EN } from './scope-sentences.en.ts';

/** Says what each scope opens, to a reader of this locale (BCP 47): a sentence by the name of the scope. */
export const scopeSentences = inLanguages(SENTENCES_EN, { de: SENTENCES_DE });
