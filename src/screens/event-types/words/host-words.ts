import { inLanguages } from '../../../core/language.ts';
import { HOST_DE } from './host-words.de.ts';
import { HOST_EN } from './host-words.en.ts';

export type HostWords = typeof HOST_EN;

/** What is said of who takes part in what is booked with a team, for a reader of this locale. */
export const hostWords = inLanguages(HOST_EN, { de: HOST_DE });
