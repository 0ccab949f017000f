/** words/ holds what the pages say on the way to a booking, and what they say is wrong with it. */
import { inLanguages } from '../../../core/language.ts';
import { BOOKING_DE } from './booking-words.de.ts';
import { BOOKING_EN } from './booking-words.en.ts';

/** The words of the places, the calendar and the booking form, for a reader of this locale. */
export const bookingWords = inLanguages(BOOKING_EN, { de: BOOKING_DE });
export type BookingWords = ReturnType<typeof bookingWords>;
