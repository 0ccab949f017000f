import { inLanguages } from '../../core/language.ts';
import { ABSENCE_DE, BOOKINGS_DE, SCHEDULE_DE, WELCOME_DE } from './hosting-words.de.ts';
import { ABSENCE_EN, BOOKINGS_EN, SCHEDULE_EN, WELCOME_EN } from './hosting-words.en.ts';

/** A host's bookings: the lists, one of them, what can be done with it. */
export const bookingsWords = inLanguages(BOOKINGS_EN, { de: BOOKINGS_DE });
export type BookingsWords = ReturnType<typeof bookingsWords>;

/** When a host can be booked. */
export const scheduleWords = inLanguages(SCHEDULE_EN, { de: SCHEDULE_DE });

/** Days off. */
export const absenceWords = inLanguages(ABSENCE_EN, { de: ABSENCE_DE });
export type AbsenceWords = ReturnType<typeof absenceWords>;

/** The words for what a new account is ready for. */
export const welcomeWords = inLanguages(WELCOME_EN, { de: WELCOME_DE });
