import { inLanguages } from '../../core/language.ts';
import { BOOKED_DE } from './booked-words.de.ts';
import { BOOKED_EN } from './booked-words.en.ts';

/**
 * The words of the pages on which a booking is cancelled or moved, or its guests are invited, for a reader of this
 * locale.
 */
export const bookedWords = inLanguages(BOOKED_EN, { de: BOOKED_DE });
