/** words/ holds what the page of calendars says, in each language. */
import { inLanguages } from '../../../core/language.ts';
import { CALENDAR_DE } from './calendar-words.de.ts';
import { CALENDAR_EN } from './calendar-words.en.ts';

/** The words of the page of calendars, for a reader of this locale. */
export const calendarWords = inLanguages(CALENDAR_EN, { de: CALENDAR_DE });
export type CalendarWords = ReturnType<typeof calendarWords>;
