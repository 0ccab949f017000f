/** words/ holds what the pages of event types say, in each language. */
import { inLanguages } from '../../../core/language.ts';
import { EVENT_TYPE_DE } from './event-type-words.de.ts';
import { EVENT_TYPE_EN } from './event-type-words.en.ts';

/** The words of the pages of event types, for a reader of this locale. */
export const eventTypeWords = inLanguages(EVENT_TYPE_EN, { de: EVENT_TYPE_DE });
export type EventTypeWords = ReturnType<typeof eventTypeWords>;
