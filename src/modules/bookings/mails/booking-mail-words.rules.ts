import { inLanguages } from '../../../core/language.ts';
import { BOOKING_MAIL_DE } from './booking-mail-words.de.rules.ts';
import { BOOKING_MAIL_EN } from './booking-mail-words.en.rules.ts';

/** The words of the mails about bookings, for a reader of this locale. */
export const bookingMailWords = inLanguages(BOOKING_MAIL_EN, { de: BOOKING_MAIL_DE });
