import type { BOOKING_LOCATION_EN, RESPONSE_EN, SAID_EN } from './booking-words.en.rules.ts';

/** The words for the place, the answers and the texts of a booking, in German. First, a place whose link is not known yet. */
export const BOOKING_LOCATION_DE: typeof BOOKING_LOCATION_EN = {
  linkFollows: (app) => `${app} (Link folgt)`,
};

/** The answer to a question with a box to tick. */
export const RESPONSE_DE: typeof RESPONSE_EN = { yes: 'Ja', no: 'Nein' };

/** The notes that replace texts which are not mailed. */
export const SAID_DE: typeof SAID_EN = {
  notInMails: '(nicht in dieser E-Mail, weil die E-Mail-Adresse der Person, von der das stammt, nicht bestätigt ist)',
  noLinksInMails:
    '(nicht in dieser E-Mail, weil der Text einen Link oder eine Adresse enthält und die E-Mail-Adresse der Person, von der er stammt, nicht bestätigt ist)',
  neutral: { OWNER: 'Termin', HOST: 'jemand', ATTENDEE: 'jemand' },
};
