import { inLanguages } from '../../../core/language.ts';
import { ABSENCE_DE } from './absence-words.de.ts';
import { ABSENCE_EN } from './absence-words.en.ts';
import { BOOKINGS_DE } from './bookings-words.de.ts';
import { BOOKINGS_EN } from './bookings-words.en.ts';
import { WELCOME_DE } from './welcome-words.de.ts';
import { WELCOME_EN } from './welcome-words.en.ts';

/** A host's bookings: the lists, one of them, what can be done with it. */
export const bookingsWords = inLanguages(BOOKINGS_EN, { de: BOOKINGS_DE });
export type BookingsWords = ReturnType<typeof bookingsWords>;

/** Days off. */
export const absenceWords = inLanguages(ABSENCE_EN, { de: ABSENCE_DE });
export type AbsenceWords = ReturnType<typeof absenceWords>;

/** The words for what a new account is ready for. */
export const welcomeWords = inLanguages(WELCOME_EN, { de: WELCOME_DE });
