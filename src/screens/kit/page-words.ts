import { inLanguages } from '../../core/language.ts';
import { PAGE_DE } from './page-words.de.ts';
import { PAGE_EN } from './page-words.en.ts';

/** The words that all pages share, for a reader of this locale. */
export const pageWords = inLanguages(PAGE_EN, { de: PAGE_DE });
