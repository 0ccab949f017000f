import { inLanguages } from '../../core/language.ts';
import { BOOKED_DE } from './booked-words.de.ts';
import { BOOKED_EN } from './booked-words.en.ts';

/** What the pages say on which a booking is cancelled, moved or its guests are invited, for a reader of this locale. */
export const bookedWords = inLanguages(BOOKED_EN, { de: BOOKED_DE });
