import { inLanguages } from '../../core/language.ts';
import { CONFERENCING_DE } from './conferencing-words.de.ts';
import { CONFERENCING_EN } from './conferencing-words.en.ts';

/** The words of the pages of conferencing apps, for a reader of this locale. */
export const conferencingWords = inLanguages(CONFERENCING_EN, { de: CONFERENCING_DE });
