import { inLanguages } from '../../core/language.ts';
import { BOOKING_DE, MISTAKES_DE } from './booking-words.de.ts';
import { BOOKING_EN, MISTAKES_EN } from './booking-words.en.ts';

/** The words of the places, the calendar and the booking form, for a reader of this locale. */
export const bookingWords = inLanguages(BOOKING_EN, { de: BOOKING_DE });
export type BookingWords = ReturnType<typeof bookingWords>;

/** The words for mistakes in a booking or a change of one. */
export const mistakeWords = inLanguages(MISTAKES_EN, { de: MISTAKES_DE });
