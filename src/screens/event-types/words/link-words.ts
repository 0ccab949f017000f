import { inLanguages } from '../../../core/language.ts';
import { LINK_DE } from './link-words.de.ts';
import { LINK_EN } from './link-words.en.ts';

/** The words for private links, for a reader of this locale. */
export const linkWords = inLanguages(LINK_EN, { de: LINK_DE });
export type LinkWords = ReturnType<typeof linkWords>;
