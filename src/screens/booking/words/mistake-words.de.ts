/** What is wrong with a booking or a change of one, in German. */
import type { REQUEST_BOOKER_EMAIL_CODE_CODES } from '../../../modules/bookings/book/booker-email-code.ts';
import type { REQUEST_CODES } from '../../../modules/bookings/book/booking-request.rules.ts';
import type { TRANSITION_CODES } from '../../../modules/bookings/booking-transitions.rules.ts';
import type { CUT_OFF_CODES } from '../../../modules/bookings/cut-off.rules.ts';
import type { MISTAKES_EN, MistakeTexts } from './mistake-words.en.ts';

/** Every code of the visitors' forms but those of a time: the latter are all said by `gone` where they have no text. */
type VisitorsCode =
  | (typeof REQUEST_CODES | typeof REQUEST_BOOKER_EMAIL_CODE_CODES | typeof TRANSITION_CODES)[number]
  | (typeof CUT_OFF_CODES)[keyof typeof CUT_OFF_CODES][number]
  | 'AUTHENTICATION_REQUIRED'
  | 'EMAIL_VERIFICATION_REQUIRED'
  | 'INVALID_VERIFICATION_CODE'
  | 'NOT_FOUND'
  | 'FORGED_FORM';

const TEXTS = {
  AUTHENTICATION_REQUIRED: 'Buchen können hier nur angemeldete Personen.',
  EMAIL_VERIFICATION_REQUIRED:
    'Bitte geben Sie den Code ein, den wir Ihnen geschickt haben, oder fordern Sie einen an.',
  INVALID_VERIFICATION_CODE: 'Dieser Code ist falsch oder nicht mehr gültig. Bitte fordern Sie einen neuen an.',
  TOO_MANY_GUESSES: 'Das waren zu viele Versuche. Bitte fordern Sie etwas später einen neuen Code an.',
  TOO_MANY_MAILS: 'Es wurden zu viele E-Mails angefordert. Bitte versuchen Sie es später noch einmal.',
  NOT_FOUND: 'Diese Buchung gibt es nicht mehr.',
  FORGED_FORM:
    'Es ist nichts geschehen, weil das Formular zu alt war oder der Browser keine Cookies dieser Seite behält. Bitte senden Sie es noch einmal.',
  LENGTH_NOT_OFFERED: 'Die Dauer dieses Termins wurde geändert. Bitte wählen Sie noch einmal eine Zeit.',
  NOT_BOOKABLE: 'Hier kann zurzeit niemand gebucht werden.',
  SLOT_TAKEN: 'Diese Zeit ist inzwischen vergeben. Bitte wählen Sie eine andere.',
  SLOT_RESERVED:
    'Diese Zeit bucht gerade jemand anderes. Bitte wählen Sie eine andere, oder versuchen Sie es in ein paar Minuten noch einmal.',
  REQUIRED: 'Diese Angabe fehlt.',
  TOO_LONG: 'Dieser Text ist zu lang. Bitte kürzen Sie ihn.',
  TOO_SHORT: 'Dieser Text ist zu kurz.',
  TOO_MANY: 'Das sind zu viele Angaben. Bitte kürzen Sie die Liste.',
  DUPLICATE: 'Diese Adresse ist schon dabei. Bitte lassen Sie sie weg.',
  INVALID_TEXT: 'Dieser Text enthält ungewöhnliche Zeichen oder sieht nach Werbung aus. Bitte ändern Sie ihn.',
  INVALID_EMAIL: 'Das ist keine gültige E-Mail-Adresse.',
  INVALID_PHONE:
    'Das ist keine gültige Telefonnummer. Bitte geben Sie sie mit Ländervorwahl an, zum Beispiel +4930123456.',
  INVALID_URL: 'Das ist keine gültige Internetadresse. Sie beginnt mit https://.',
  INVALID_LOCALE: 'Diese Sprache kennen wir nicht.',
  INVALID_TIME_ZONE: 'Diese Zeitzone kennen wir nicht.',
  INVALID_RESPONSE: 'Diese Antwort ist hier nicht möglich. Bitte ändern Sie sie.',
  UNKNOWN_FIELD: 'Diese Frage gibt es nicht mehr.',
  GUESTS_DISABLED: 'Zu diesem Termin können Sie keine Gäste mitbringen.',
  LOCATION_NOT_OFFERED: 'Dieser Ort ist für den Termin nicht möglich. Bitte wählen Sie einen anderen.',
  OCCURRENCES_NOT_OFFERED: 'Diese Anzahl ist nicht möglich.',
  IDEMPOTENCY_KEY_REUSED:
    'Mit diesem Formular wurde schon etwas anderes gebucht. Bitte öffnen Sie die Seite noch einmal.',
  NOT_POSSIBLE: 'Das ist bei diesem Termin nicht möglich.',
  FORBIDDEN: 'Das dürfen Sie bei diesem Termin nicht.',
  NOT_STARTED: 'Dieser Termin hat noch nicht begonnen.',
  BOOKING_OVER: 'Dieser Termin hat schon begonnen oder ist vorbei. Er bleibt, wie er ist.',
  REASON_REQUIRED: 'Bitte nennen Sie einen Grund.',
  CANCELLING_DISABLED:
    'Dieser Termin kann nicht mehr über diese Seite abgesagt werden. Bitte wenden Sie sich direkt an Ihr Gegenüber.',
  RESCHEDULING_DISABLED:
    'Dieser Termin kann nicht mehr über diese Seite verschoben werden. Bitte wenden Sie sich direkt an Ihr Gegenüber.',
} satisfies MistakeTexts & Readonly<Record<VisitorsCode, string>>;

export const MISTAKES_DE: typeof MISTAKES_EN = {
  texts: TEXTS,
  gone: 'Diese Zeit ist nicht mehr frei. Bitte wählen Sie eine andere.',
  closedSeries: 'Nicht alle Zeiten der Serie sind frei. Bitte wählen Sie eine andere Zeit oder weniger Termine.',
  about: (subject, text) => `${subject}: ${text}`,
};
