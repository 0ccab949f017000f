/** The words of the pages on which the holder of a booking's link sees and changes it, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { BOOKED_EN, BOOKING_PAGE_EN } from './booked-words.en.ts';

const plural = pluralIn('de');

export const BOOKED_DE: typeof BOOKED_EN = {
  why: 'Warum?',
  cancel: {
    heading: (title) => html`„${title}“ absagen?`,
    title: (title) => `Absagen: ${title}`,
    bookedFor: (when) => html`Gebucht für: ${when}.`,
    hint: 'Alle Beteiligten können das lesen.',
    button: 'Termin absagen',
    keep: 'Termin behalten',
    series: {
      which: 'Der Termin gehört zu einer Serie. Was möchten Sie absagen?',
      one: (when) => html`Nur diesen: ${when}`,
      all: (count) => plural(count, { one: 'Den einen verbleibenden:', other: `Alle ${count} verbleibenden:` }),
    },
  },
  move: {
    heading: (title) => html`„${title}“ verschieben?`,
    title: (title) => `Verschieben: ${title}`,
    from: 'Von',
    to: 'Auf',
    button: 'Termin verschieben',
    keep: 'Diese Zeit behalten',
  },
  guests: {
    nobody: 'Keine offenen Einladungen',
    heading: 'Ihre Gäste einladen?',
    bookedFor: (title, when) => html`„${title}“, gebucht für: ${when}.`,
    see: 'Zur Buchung',
    button: 'Gäste einladen',
    otherwise:
      'Wenn Sie diesen Termin nicht gebucht haben, schließen Sie diese Seite. Dann wird niemand eingeladen oder benachrichtigt.',
  },
  givenBack: {
    title: 'Ihr Platz ist wieder frei',
    message: 'Jemand anderes kann ihn buchen. Für die anderen bleibt alles, wie es ist.',
  },
  mails: {
    heading: 'E-Mails zu Buchungen',
    what: (days) =>
      `Jemand hat bei einer Buchung Ihre E-Mail-Adresse angegeben. Waren Sie es nicht, können Sie solche E-Mails für ${days} Tage abstellen; die Links zur Buchung gelten dann nicht mehr. Waren Sie es, sagen Sie es uns: Dann begrenzen wir nicht mehr, wie viele Sie am Tag bekommen.`,
    stop: 'Das war ich nicht: E-Mails abstellen',
    goOn: 'Das war ich',
    stopped: (day) =>
      `Bis zum ${day} bekommen Sie keine E-Mails von uns, nur weil Fremde Ihre Adresse angeben. Haben Sie ein Konto mit dieser Adresse, endet das auch, sobald Sie sich anmelden.`,
    again: 'E-Mails wieder zulassen',
    goingOn: 'E-Mails zu Buchungen erreichen Sie.',
    nothing: {
      title: 'Hier ist nichts',
      message: 'Diese Adresse stammt nicht aus einer E-Mail von uns.',
      advice: 'Prüfen Sie, ob die Adresse vollständig ist.',
    },
  },
  nothing: {
    title: 'Hier ist keine Buchung',
    message: 'Unter dieser Adresse gibt es keine Buchung (mehr). Wer seinen Platz absagt, dessen Seite wird gelöscht.',
    advice: 'Prüfen Sie, ob die Adresse vollständig ist.',
  },
};

/** The page of a booking. */
export const BOOKING_PAGE_DE: typeof BOOKING_PAGE_EN = {
  states: {
    ACCEPTED: { mark: 'Bestätigt', sentence: 'Ihr Termin ist gebucht.' },
    PENDING: {
      mark: 'Noch nicht bestätigt',
      sentence: 'Sie haben diesen Termin angefragt. Er muss noch bestätigt werden.',
    },
    REJECTED: { mark: 'Abgelehnt', sentence: 'Dieser Termin wurde abgelehnt.' },
    CANCELLED: { mark: 'Abgesagt', sentence: 'Dieser Termin wurde abgesagt.' },
    OVER: { mark: 'Vorbei', sentence: 'Dieser Termin ist vorbei.' },
    TIME_WANTED: {
      mark: 'Bitte wählen Sie eine andere Zeit',
      sentence: 'Zu dieser Zeit geht es leider nicht. Sie werden gebeten, eine andere zu wählen.',
    },
    TIME_WANTED_ELSEWHERE: {
      mark: 'Bitte wählen Sie eine andere Zeit',
      sentence:
        'Zu dieser Zeit geht es leider nicht, und dieser Termin wird hier nicht mehr angeboten. Bitte vereinbaren Sie direkt eine andere Zeit.',
    },
  },
  movedMark: 'Verschoben',
  moved: (path) => html`Der Termin wurde verschoben. <a href="${path}">Zur neuen Buchung</a>`,
  mailed: 'Alle Einzelheiten haben wir Ihnen per E-Mail geschickt, mit einem Link zu dieser Seite.',
  unmailed: {
    WAITING: 'Aus Ihrem Netzwerk wurde gerade sehr viel gebucht. Ihre E-Mail muss warten und kommt später.',
    IN_SUMMARY:
      'An Ihre Adresse gingen schon viele E-Mails. Diese Buchung folgt später, zusammen mit anderen in einer E-Mail.',
    NOT_SENT: 'Zu dieser Buchung erhalten Sie keine E-Mail.',
  },
  keepLink: 'Bewahren Sie diesen Link auf, mit dem Sie absagen oder verschieben können:',
  answerByMail: 'Die Antwort erhalten Sie per E-Mail.',
  notMailed: 'Speichern Sie diese Seite als Lesezeichen, damit Sie Ihren Termin wiederfinden.',
  answerHere: 'Speichern Sie diese Seite als Lesezeichen: Hier finden Sie die Antwort.',
  when: 'Wann',
  host: 'Mit',
  where: 'Wo',
  bookedBy: 'Gebucht von',
  alsoThere: 'Auch dabei',
  seats: 'Plätze',
  remainingSeatCount: (count) => plural(count, { one: '1 Platz frei', other: `${count} Plätze frei` }),
  about: 'Beschreibung',
  guests: (count, email) =>
    html`${plural(count, { one: 'Ihr Gast ist', other: `Ihre ${count} Gäste sind` })} noch nicht eingeladen. Öffnen Sie dazu den Link in der E-Mail an <bdi>${email}</bdi>.`,
  guestsLabel: 'Gäste',
  notInvited: 'noch nicht eingeladen',
  notes: 'Anmerkungen',
  hosting: (path) => html`Sie sind Gastgeber dieses Termins. <a href="${path}">Termin verwalten</a>`,
  series: 'Weitere Termine dieser Serie',
  addToCalendar: 'In Ihren Kalender eintragen',
  calendarFile: 'Kalenderdatei (.ics)',
  seriesFile: 'Kalenderdatei der Serie (.ics)',
  goOn: (host) => html`Weiter zu <bdi>${host}</bdi>`,
  chooseTime: 'Andere Zeit wählen',
  cancel: 'Termin absagen',
  done: {
    cancelled: () => 'Der Termin wurde abgesagt.',
    invited: () => 'Ihre Gäste sind eingeladen.',
    moved: () => 'Der Termin wurde verschoben.',
    asked: () => 'Sie haben eine neue Zeit angefragt. Die alte ist wieder frei.',
    rest: (kept) =>
      kept === 0
        ? 'Alle Termine der Serie, die noch anstanden, sind abgesagt.'
        : `Die Serie ist abgesagt, bis auf ${plural(kept, { one: 'einen Termin, für den es', other: `${kept} Termine, für die es` })} zu spät ist. Bitte wenden Sie sich dazu an Ihr Gegenüber.`,
  },
};
