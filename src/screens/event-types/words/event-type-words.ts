/** words/ holds what the pages of event types say, in each language. */
import { inLanguages } from '../../../core/language.ts';
import { EVENT_TYPE_DE } from './event-type-words.de.ts';
import { EVENT_TYPE_EN } from './event-type-words.en.ts';
import { HOST_DE } from './host-words.de.ts';
import { HOST_EN } from './host-words.en.ts';
import { LINK_DE } from './link-words.de.ts';
import { LINK_EN } from './link-words.en.ts';

/** The words of the pages of event types, for a reader of this locale. */
export const eventTypeWords = inLanguages(EVENT_TYPE_EN, { de: EVENT_TYPE_DE });
export type EventTypeWords = ReturnType<typeof eventTypeWords>;

/** The words for the hosts of a team's event type. */
export const hostWords = inLanguages(HOST_EN, { de: HOST_DE });
export type HostWords = typeof HOST_EN;

/** The words for private links. */
export const linkWords = inLanguages(LINK_EN, { de: LINK_DE });
export type LinkWords = ReturnType<typeof linkWords>;
