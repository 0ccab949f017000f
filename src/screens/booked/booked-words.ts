import { inLanguages } from '../../core/language.ts';
import { BOOKED_DE, BOOKING_PAGE_DE } from './booked-words.de.ts';
import { BOOKED_EN, BOOKING_PAGE_EN } from './booked-words.en.ts';

/** The words of the pages on which a booking is cancelled or moved, or its guests are invited. */
export const bookedWords = inLanguages(BOOKED_EN, { de: BOOKED_DE });

/** The words of the page of a booking. */
export const bookingPageWords = inLanguages(BOOKING_PAGE_EN, { de: BOOKING_PAGE_DE });
export type BookingPageWords = ReturnType<typeof bookingPageWords>;
