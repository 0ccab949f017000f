/** words/ holds what the pages of hosts say, in each language. */
import { inLanguages } from '../../../core/language.ts';
import { SCHEDULE_DE } from './schedule-words.de.ts';
import { SCHEDULE_EN } from './schedule-words.en.ts';

/** The words of the pages of schedules, for a reader of this locale. */
export const scheduleWords = inLanguages(SCHEDULE_EN, { de: SCHEDULE_DE });
