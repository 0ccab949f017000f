import { URL_IN_WORDS } from '../../core/text.ts';
import { MAX_BIO_LENGTH, MAX_NAME_LENGTH } from './group-profile.rules.ts';

/** What the inputs of organizations and teams say of what both have. */
export const NAME = `What people call it: at most ${MAX_NAME_LENGTH} characters in one line.`;
export const BIO = `What it says of itself: at most ${MAX_BIO_LENGTH} characters. Null empties it.`;
export const LOGO = `Its logo: ${URL_IN_WORDS}. Null removes it.`;
