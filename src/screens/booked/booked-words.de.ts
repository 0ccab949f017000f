/** The words of changes that the holder of a booking's link makes, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { BOOKED_EN } from './booked-words.en.ts';

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
      `Jemand hat bei einer Buchung Ihre E-Mail-Adresse angegeben. Waren Sie es nicht, können Sie solche E-Mails für ${days} Tage abstellen. Waren Sie es, sagen Sie es uns: Dann begrenzen wir nicht mehr, wie viele Sie am Tag bekommen.`,
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
