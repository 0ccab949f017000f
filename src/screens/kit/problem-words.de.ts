/** The words for problems, in German. */
import { pluralIn } from '../../core/language.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import type { PROBLEM_EN } from './problem-words.en.ts';

const plural = pluralIn('de');

/** Every code has a text, so that no page tells of a problem in English. */
export const PROBLEM_TEXTS_DE = {
  ACCOUNT_SUSPENDED: 'Dieses Konto ist gesperrt. Bitte wenden Sie sich an die Verwaltung dieses Dienstes.',
  ALREADY_INVITED: 'Diese Adresse ist schon eingeladen. Sie können die Einladung noch einmal senden oder zurückziehen.',
  ALREADY_MEMBER: 'Diese Person ist schon Mitglied oder eingeladen.',
  ALREADY_VERIFIED: 'Diese E-Mail-Adresse ist schon bestätigt.',
  APP_PASSWORD_REQUIRED:
    'Dieses Konto ist mit einem zweiten Faktor geschützt. Bitte erzeugen Sie dort ein App-Passwort und geben Sie dieses an.',
  AUTHENTICATION_REQUIRED: 'Bitte melden Sie sich an.',
  BAD_INPUT: 'Diese Angaben passen so nicht. Bitte prüfen Sie sie.',
  BAD_REQUEST: 'Diese Anfrage ist nicht lesbar. Bitte öffnen Sie die Seite noch einmal.',
  BODY_TOO_LARGE: 'Das ist zu viel auf einmal. Bitte kürzen Sie Ihre Angaben.',
  BOOKING_OVER: 'Dieser Termin hat schon begonnen oder ist vorbei. Er bleibt, wie er ist.',
  BUSY: 'Gerade ist zu viel los. Bitte versuchen Sie es in ein paar Sekunden noch einmal.',
  CANCELLING_DISABLED:
    'Dieser Termin kann nicht mehr über diese Seite abgesagt werden. Bitte wenden Sie sich direkt an Ihr Gegenüber.',
  CERTIFICATE_INVALID:
    'Das Zertifikat dieses Servers ist nicht gültig. Deshalb haben wir nichts dorthin gesendet. Bitte wenden Sie sich an den Betreiber des Servers.',
  CONFLICT:
    'Das wurde inzwischen geändert oder passt nicht zu den anderen Angaben. Bitte sehen Sie in einem anderen Tab nach und speichern Sie noch einmal, wenn Ihre Eingaben gelten sollen.',
  CONTRADICTION: 'Diese Angaben widersprechen sich. Bitte ändern Sie eine davon.',
  DEFAULT_SCHEDULE: 'Das geht nicht mit den Standardzeiten. Legen Sie zuerst andere als Standard fest.',
  DUPLICATE: 'Diese Angabe ist doppelt. Bitte lassen Sie eine weg.',
  EMAIL_NOT_VERIFIED:
    'Ihre E-Mail-Adresse ist noch nicht bestätigt. Bitte öffnen Sie den Link in der E-Mail, die wir Ihnen geschickt haben.',
  EMAIL_TAKEN: 'Diese E-Mail-Adresse gehört zu einem anderen Konto. Bitte nehmen Sie eine andere.',
  EMAIL_VERIFICATION_REQUIRED:
    'Bitte geben Sie den Code ein, den wir Ihnen geschickt haben, oder fordern Sie einen an.',
  FEED_UNREADABLE:
    'Unter dieser Adresse ist kein Kalender lesbar. Bitte geben Sie die Adresse des Kalenders selbst an.',
  FORBIDDEN: 'Das dürfen Sie nicht. Bitte wenden Sie sich an jemanden aus der Verwaltung.',
  FOREIGN_REQUEST: 'Das kam von der Seite eines anderen Anbieters. Deshalb ist nichts geschehen.',
  FORGED_FORM:
    'Es ist nichts geschehen: Das Formular war zu alt oder für ein anderes Konto geöffnet, Sie haben sich inzwischen abgemeldet, oder der Browser behält keine Cookies dieser Seite. Stimmt noch alles? Dann senden Sie es noch einmal.',
  GUESSABLE: 'Dieses Passwort ist leicht zu erraten. Bitte nehmen Sie ein anderes.',
  GUESTS_DISABLED: 'Zu diesem Termin können Sie keine Gäste mitbringen.',
  HOST_NOT_ACCEPTED:
    'Die Kalender liegen auf einem anderen Server als dem angegebenen. Bitte bestätigen Sie, dass er das Passwort erhalten darf.',
  HOST_NOT_AVAILABLE: 'Diese Person ist zu der Zeit nicht frei oder gehört nicht zu den Gastgebern.',
  IDEMPOTENCY_KEY_REUSED: 'Dieses Formular wurde schon mit anderen Angaben gesendet. Bitte öffnen Sie die Seite neu.',
  IN_THE_PAST: 'Diese Zeit ist schon vorbei. Bitte nehmen Sie eine spätere.',
  INVALID_COLOR: 'Das ist keine Farbe. Bitte schreiben Sie sie wie #1a7f37.',
  INVALID_DATE: 'Das ist kein Datum. Bitte schreiben Sie es wie 2027-01-31.',
  INVALID_DAYS: 'Bitte wählen Sie mindestens einen Wochentag, und keinen doppelt.',
  INVALID_EMAIL: 'Das ist keine gültige E-Mail-Adresse.',
  INVALID_DURATION: 'Diese Dauer ist nicht möglich.',
  INVALID_LOCALE: 'Diese Sprache kennen wir nicht.',
  INVALID_MESSAGE: 'Diese Nachricht ist nicht lesbar.',
  INVALID_PHONE:
    'Das ist keine gültige Telefonnummer. Bitte geben Sie sie mit Ländervorwahl an, zum Beispiel +4930123456.',
  INVALID_REDIRECT_URI: 'An diese Adresse kann nicht weitergeleitet werden.',
  INVALID_RESPONSE: 'Diese Antwort ist hier nicht möglich. Bitte ändern Sie sie.',
  INVALID_SLUG: 'Erlaubt sind Kleinbuchstaben von a bis z, Ziffern und einzelne Bindestriche dazwischen.',
  INVALID_TEXT: 'Dieser Text enthält ungewöhnliche Zeichen oder sieht nach Werbung aus. Bitte ändern Sie ihn.',
  INVALID_TIME: 'Das ist keine Uhrzeit. Bitte schreiben Sie sie wie 09:30.',
  INVALID_TIME_FORMAT: 'Bitte wählen Sie 12 oder 24 Stunden.',
  INVALID_TIME_ZONE: 'Diese Zeitzone kennen wir nicht.',
  INVALID_URL: 'Das ist keine gültige Internetadresse. Sie beginnt mit https://.',
  INVALID_VERIFICATION_CODE: 'Dieser Code ist falsch oder nicht mehr gültig. Bitte fordern Sie einen neuen an.',
  INVERTED_HOURS: 'Das Ende liegt nicht nach dem Anfang.',
  INVERTED_RANGE: 'Das Ende liegt nicht nach dem Anfang.',
  LAST_OWNER: 'Es gibt sonst keinen Inhaber. Bitte machen Sie zuerst jemand anderen dazu.',
  LAST_SECRET: 'Das ist das einzige Geheimnis. Bitte erzeugen Sie zuerst ein neues.',
  DURATION_NOT_OFFERED: 'Diese Dauer wird nicht angeboten. Bitte wählen Sie eine andere.',
  LIMIT_REACHED: 'In diesem Zeitraum sind schon so viele Termine gebucht wie möglich.',
  LINK_OVER: 'Dieser Link gilt nicht mehr. Bitte fordern Sie einen neuen an.',
  LOCATION_NOT_OFFERED: 'Dieser Ort ist für den Termin nicht möglich. Bitte wählen Sie einen anderen.',
  MANAGED_BY_TEAM: 'Das legt das Team fest und kann nur dort geändert werden.',
  NOT_A_COLLEAGUE: 'Diese Person ist in keinem Ihrer Teams. Bitte nennen Sie jemanden daraus.',
  NOT_BOOKABLE: 'Hier kann zurzeit niemand gebucht werden.',
  NO_CALENDARS: 'Dieses Konto hat keine Kalender. Bitte legen Sie dort zuerst einen an.',
  NOT_CALDAV:
    'Unter dieser Adresse gibt es keinen CalDAV-Server. Die richtige Adresse steht in den Einstellungen Ihres Kalenders.',
  NOT_FOUND: 'Das gibt es nicht oder nicht mehr.',
  NOT_IN_ORGANIZATION: 'Zu diesem Team gehören nur Mitglieder seiner Organisation. Treten Sie zuerst dieser bei.',
  NOT_REACHABLE: 'Der andere Dienst antwortet gerade nicht. Bitte versuchen Sie es später noch einmal.',
  NOT_POSSIBLE: 'Das ist hier nicht möglich.',
  NOT_STARTED: 'Dieser Termin hat noch nicht begonnen.',
  NOT_VERIFIED: 'Das ist noch nicht bestätigt. Bitte bestätigen Sie es zuerst mit einem Code.',
  NOTICE_TOO_SHORT: 'Das ist zu kurzfristig. Bitte wählen Sie eine spätere Zeit.',
  OCCURRENCES_NOT_OFFERED: 'Diese Anzahl ist nicht möglich.',
  OUT_OF_RANGE: 'Diese Zahl ist zu klein oder zu groß.',
  OUTSIDE_BOOKING_WINDOW: 'So weit im Voraus kann nicht gebucht werden.',
  PRIVATE_ADDRESS: 'Diese Adresse ist nicht öffentlich erreichbar. Bitte geben Sie eine andere an.',
  PUBLIC_CLIENT: 'Diese App hat keine Geheimnisse: Sie verwendet PKCE.',
  RANGE_TOO_LONG: 'Dieser Zeitraum ist zu lang. Bitte wählen Sie einen kürzeren.',
  REASON_REQUIRED: 'Bitte nennen Sie einen Grund.',
  REQUIRED: 'Diese Angabe fehlt.',
  RESCHEDULING_DISABLED:
    'Dieser Termin kann nicht mehr über diese Seite verschoben werden. Bitte wenden Sie sich direkt an Ihr Gegenüber.',
  RESERVATION_LIMIT_REACHED:
    'Diese Zeit lässt sich gerade nicht für Sie freihalten. Sie können sie trotzdem buchen, solange sie frei ist.',
  ROTATION_UNDER_WAY: 'Der vorige Schlüssel ist noch nicht in Gebrauch. Bitte versuchen Sie es später noch einmal.',
  SAME_EMAIL: 'Das ist schon die Adresse Ihres Kontos.',
  SCHEDULE_IN_USE: 'Diese Zeiten sind noch in Gebrauch. Bitte geben Sie den Terminarten zuerst andere.',
  SLOT_IN_PAST: 'Diese Zeit ist schon vorbei. Bitte wählen Sie eine spätere.',
  SLOT_NOT_OFFERED: 'Diese Zeit ist nicht frei. Bitte wählen Sie eine andere.',
  SLOT_RESERVED:
    'Diese Zeit bucht gerade jemand anderes. Bitte wählen Sie eine andere, oder versuchen Sie es in ein paar Minuten noch einmal.',
  SLOT_TAKEN: 'Diese Zeit ist inzwischen vergeben. Bitte wählen Sie eine andere.',
  SLUG_TAKEN: 'Diese Adresse ist schon vergeben. Bitte wählen Sie eine andere.',
  SMS_UNAVAILABLE: 'Dieser Dienst verschickt keine SMS.',
  TEAM_IN_USE: 'Das Team hat noch Termine. Bitte sagen Sie sie ab, oder warten Sie, bis sie vorbei sind.',
  TOO_FAR_AHEAD: 'Das liegt zu weit in der Zukunft. Bitte wählen Sie eine frühere Zeit.',
  TOO_LONG: 'Dieser Text ist zu lang. Bitte kürzen Sie ihn.',
  TOO_MANY: 'Das sind zu viele Angaben. Bitte kürzen Sie die Liste.',
  TOO_MANY_GUESSES: 'Das waren zu viele Versuche.',
  TOO_MANY_MAILS: 'Es wurden zu viele E-Mails angefordert. Bitte versuchen Sie es später noch einmal.',
  TOO_MANY_MOVES: 'Der Termin wurde zu oft verschoben. Bitte sagen Sie ihn ab, und buchen Sie einen neuen.',
  TOO_MANY_REQUESTS: 'Das waren zu viele Anfragen. Bitte versuchen Sie es später noch einmal.',
  TOO_MANY_SECRETS: 'Es gibt schon zwei Geheimnisse. Bitte löschen Sie zuerst eines.',
  TOO_MANY_SMS: 'Es wurden zu viele SMS angefordert. Bitte versuchen Sie es später noch einmal.',
  TOO_MANY_USERNAMES: 'Der Benutzername wurde zu oft geändert. Bitte versuchen Sie es später noch einmal.',
  TOO_SHORT: 'Dieser Text ist zu kurz.',
  UNKNOWN_ATTENDEE: 'Mit dieser Adresse nimmt niemand teil.',
  UNKNOWN_FIELD: 'Diese Frage gibt es nicht mehr.',
  UNKNOWN_LOCATION: 'Diesen Ort gibt es nicht mehr.',
  UNKNOWN_ROUTE: 'Diesen Weg gibt es nicht mehr.',
  UNKNOWN_SCOPE: 'Diese Berechtigung gibt es nicht.',
  UNKNOWN_STEP: 'Diesen Schritt gibt es nicht mehr.',
  UNKNOWN_TYPE: 'Diese Art von Nachricht gibt es nicht.',
  UNKNOWN_VARIABLE: 'Diesen Platzhalter gibt es nicht.',
  UNSUPPORTED_MEDIA_TYPE: 'Dieses Format wird hier nicht angenommen.',
  URL_TAKEN: 'Diese Adresse haben Sie schon angegeben.',
  USERNAME_TAKEN: 'Dieser Benutzername ist schon vergeben. Bitte wählen Sie einen anderen.',
  WRONG_CREDENTIALS: 'E-Mail-Adresse oder Passwort stimmen nicht. Bitte prüfen Sie beides.',
  WRONG_PASSWORD: 'Dieses Passwort stimmt nicht. Bitte versuchen Sie es noch einmal.',
} satisfies Readonly<Record<ProblemCode, string>>;

export const PROBLEM_DE: typeof PROBLEM_EN = {
  texts: PROBLEM_TEXTS_DE,
  limits: {
    INVALID_DURATION: ({ least, most }) => `Möglich sind ${least} bis ${most} Minuten.`,
    OUT_OF_RANGE: ({ least, most }) => `Bitte geben Sie eine ganze Zahl von ${least} bis ${most} ein.`,
    RANGE_TOO_LONG: ({ most }) => `Das sind mehr als ${most} Tage. Bitte wählen Sie einen kürzeren Zeitraum.`,
    TOO_LONG: ({ most }) => `Dieser Text ist länger als ${most} Zeichen. Bitte kürzen Sie ihn.`,
    TOO_MANY: ({ given, most }) =>
      given === undefined
        ? `Es gibt schon ${most}, und mehr sind nicht möglich. Bitte löschen Sie zuerst eins davon.`
        : `Das sind ${given}, und höchstens ${most} sind möglich.`,
  },
  about: (subject, text) => `${subject}: ${text}`,
  wait: (seconds) =>
    seconds < 60
      ? ` Bitte warten Sie ${plural(seconds, { one: '1 Sekunde', other: `${seconds} Sekunden` })}.`
      : ` Bitte warten Sie ${plural(Math.ceil(seconds / 60), { one: '1 Minute', other: `${Math.ceil(seconds / 60)} Minuten` })}.`,
  failed: 'Das hat nicht geklappt',
  tryAgain: 'Bitte versuchen Sie es noch einmal',
  away: () => 'Der Dienst ist gerade nicht erreichbar. Bitte versuchen Sie es in ein paar Sekunden noch einmal.',
  unknown: {
    title: 'Das ist vielleicht schon erledigt',
    message:
      'Die Verbindung ist im letzten Moment abgebrochen, deshalb wissen wir nicht, ob das gespeichert wurde. Bitte sehen Sie nach, bevor Sie es noch einmal versuchen; bei einer Buchung zum Beispiel in Ihren E-Mails. Wenn Sie dasselbe Formular noch einmal absenden, wird es nur einmal ausgeführt.',
  },
  fault: (_said, id) =>
    `Bei uns ist etwas schiefgegangen. Wenn Sie uns davon berichten, nennen Sie bitte diese Nummer: ${id}`,
  notThisWay: {
    title: 'Das geht hier nicht',
    message: (methods, used) => `Diese Adresse nimmt ${methods}, aber nicht ${used}.`,
  },
  tooManyRequests: {
    title: 'Zu viele Anfragen',
    message: (limit, seconds) =>
      `Das waren mehr als ${limit} Anfragen in einer Minute. Bitte warten Sie ${plural(seconds, { one: '1 Sekunde', other: `${seconds} Sekunden` })} und versuchen Sie es noch einmal.`,
  },
  linkOver: {
    title: 'Dieser Link gilt nicht mehr',
    message: 'Er wurde schon benutzt, ist abgelaufen oder wurde durch eine neuere E-Mail ersetzt.',
  },
};
