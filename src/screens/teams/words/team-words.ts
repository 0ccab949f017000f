/** words/ holds what the pages of teams and organizations say, in each language. */
import { inLanguages } from '../../../core/language.ts';
import { MEMBER_DE } from './member-words.de.ts';
import { MEMBER_EN } from './member-words.en.ts';
import { TEAM_DE } from './team-words.de.ts';
import { TEAM_EN } from './team-words.en.ts';

/** The words of the pages of teams and organizations, for a reader of this locale. */
export const teamWords = inLanguages(TEAM_EN, { de: TEAM_DE });

/** The words of the pages of their members. */
export const memberWords = inLanguages(MEMBER_EN, { de: MEMBER_DE });
export type RemovalWords = ReturnType<typeof memberWords>['removal'];
