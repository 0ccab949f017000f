/** What stands in the place of texts that are not mailed, in German. */
import type { SAID_EN } from './said-words.en.rules.ts';

export const SAID_DE: typeof SAID_EN = {
  notInMails: '(nicht in dieser E-Mail: Die E-Mail-Adresse der Person, die das geschrieben hat, ist nicht bestätigt)',
  noLinksInMails:
    '(nicht in dieser E-Mail: Der Text enthält einen Link oder eine Adresse, und die E-Mail-Adresse der Person, die ihn geschrieben hat, ist nicht bestätigt)',
  neutral: { OWNER: 'Termin', HOST: 'jemand', ATTENDEE: 'jemand' },
};
