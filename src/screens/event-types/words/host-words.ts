import { inLanguages } from '../../../core/language.ts';
import { HOST_DE } from './host-words.de.ts';
import { HOST_EN } from './host-words.en.ts';

export type HostWords = typeof HOST_EN;

/** The words for the hosts of a team's event type, for a reader of this locale. */
export const hostWords = inLanguages(HOST_EN, { de: HOST_DE });
