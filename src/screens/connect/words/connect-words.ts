/** words/ holds what the pages of a connection say in each language. */
import { inLanguages } from '../../../core/language.ts';
import { CONNECT_DE } from './connect-words.de.ts';
import { CONNECT_EN } from './connect-words.en.ts';

/** The words of the pages on which an account is connected, for a reader of this locale. */
export const connectWords = inLanguages(CONNECT_EN, { de: CONNECT_DE });
