/** The answer to a question with a box to tick, in German. */
import type { RESPONSE_EN } from './response-words.en.rules.ts';

export const RESPONSE_DE: typeof RESPONSE_EN = { yes: 'Ja', no: 'Nein' };
