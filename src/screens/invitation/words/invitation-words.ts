/** words/ holds what the pages of an invitation say in each language. */
import { inLanguages } from '../../../core/language.ts';
import { INVITATION_PAGE_DE } from './invitation-words.de.ts';
import { INVITATION_PAGE_EN } from './invitation-words.en.ts';

/** The words of the pages on which an invitation is answered, for a reader of this locale. */
export const invitationPageWords = inLanguages(INVITATION_PAGE_EN, { de: INVITATION_PAGE_DE });
