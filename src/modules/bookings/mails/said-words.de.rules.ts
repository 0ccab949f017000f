/** The notes in the place of texts that are not mailed, in German. */
import type { SAID_EN } from './said-words.en.rules.ts';

export const SAID_DE: typeof SAID_EN = {
  notInMails: '(nicht in dieser E-Mail, weil die E-Mail-Adresse der Person, von der das stammt, nicht bestätigt ist)',
  noLinksInMails:
    '(nicht in dieser E-Mail, weil der Text einen Link oder eine Adresse enthält und die E-Mail-Adresse der Person, von der er stammt, nicht bestätigt ist)',
  neutral: { OWNER: 'Termin', HOST: 'jemand', ATTENDEE: 'jemand' },
};
