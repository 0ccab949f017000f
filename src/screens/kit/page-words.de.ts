/** The words that all pages share, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import type { PAGE_EN, SCOPE_EN } from './page-words.en.ts';

const plural = pluralIn('de');

export const PAGE_DE: typeof PAGE_EN = {
  skip: 'Zum Inhalt springen',
  account: 'Konto',
  signIn: 'Anmelden',
  bookings: 'Buchungen',
  developer: 'Entwicklung',
  reviews: 'Prüfungen',
  signOut: 'Abmelden',
  unconfirmed: (
    email,
    way,
  ) => html`Ihre Adresse <bdi>${email}</bdi> ist noch nicht bestätigt: Öffnen Sie den Link in der E-Mail, die wir
        dorthin geschickt haben. Bis dahin bekommt niemand, der bei Ihnen bucht, E-Mails. <a href="${way}">Jetzt bestätigen</a>`,
  error: (title) => `Fehler: ${title}`,
  errorStatus: (status) => `Fehler ${status}`,
  nowhere: {
    title: 'Seite nicht gefunden',
    message: 'Unter dieser Adresse gibt es nichts. Prüfen Sie die Adresse oder gehen Sie zur Startseite.',
  },
  startPage: 'Zur Startseite',
  goBack: 'Zurück',
  pleaseCheck: 'Bitte prüfen Sie Folgendes',
  moreMistakes: 'Es kann weitere Fehler geben.',
  optional: '(optional)',
  pages: 'Seiten',
  backToStart: 'Zurück zum Anfang',
  more: 'Mehr',
  copy: {
    button: 'Kopieren',
    about: (what) => `: ${what}`,
    copied: 'Kopiert',
    selected: 'Ausgewählt: Drücken Sie Strg+C',
  },
  zones: {
    Africa: 'Afrika',
    America: 'Amerika',
    Antarctica: 'Antarktis',
    Arctic: 'Arktis',
    Asia: 'Asien',
    Atlantic: 'Atlantik',
    Australia: 'Australien',
    Europe: 'Europa',
    Indian: 'Indischer Ozean',
    Pacific: 'Pazifik',
    Other: 'Andere',
  },
  settingsTitle: 'Einstellungen',
  settings: {
    account: ['Konto', 'Ihr Profil, Zeitzone, Sprache, Passwort und Sitzungen'],
    eventTypes: ['Terminarten', 'was man bei Ihnen buchen kann'],
    hours: ['Verfügbarkeit', 'wann man bei Ihnen buchen kann'],
    absences: ['Abwesenheiten', 'Tage, an denen niemand bei Ihnen buchen kann'],
    calendars: ['Kalender', 'welche Kalender Ihre Zeit belegen und wo Buchungen eingetragen werden'],
    conferencing: ['Videoanrufe', 'die Apps, mit denen Sie sich treffen'],
    teams: ['Teams', 'Ihre Teams, Organisationen und Einladungen'],
    apps: ['Apps mit Zugriff', 'was jede darf und wie Sie den Zugriff beenden'],
    webhooks: ['Webhooks', 'Meldungen über Ihre Buchungen an Ihren Server'],
    developer: ['Entwicklung', 'Ihre eigenen Apps, deren Berechtigungen und Geheimnisse'],
  },
  hours: (count) => plural(count, { one: '1 Stunde', other: `${count} Stunden` }),
  minutes: (count) => plural(count, { one: '1 Minute', other: `${count} Minuten` }),
  videoCall: (app) => `Videoanruf (${app})`,
};

/** The words for what apps may do, in German. */

export const SCOPE_DE: typeof SCOPE_EN = {
  resources: {
    EVENT_TYPE: 'Terminarten',
    BOOKING: 'Buchungen',
    SCHEDULE: 'Arbeitszeiten und Abwesenheiten',
    APPS: 'Kalender und Videodienste',
    PROFILE: 'Profil',
    WEBHOOK: 'Webhooks',
    VERIFIED_RESOURCES: 'Bestätigte E-Mail-Adressen und Telefonnummern',
    MEMBERSHIP: 'Mitglieder',
    ROUTING_FORM: 'Weiterleitungsformulare',
    WORKFLOW: 'Abläufe',
    'TEAM PROFILE': 'Die Teams selbst',
    'ORGANIZATION PROFILE': 'Die Teams selbst',
    'ORGANIZATION MEMBERSHIP': 'Mitglieder und ihre Konten',
  },
  groups: {
    your: { USER: 'Ihr Konto', TEAM: 'Ihre Teams', ORGANIZATION: 'Ihre Organisationen' },
    their: { USER: 'Eigenes Konto', TEAM: 'Eigene Teams', ORGANIZATION: 'Eigene Organisationen' },
  },
  actions: { READ: 'sehen', WRITE: 'ändern' },
  isNew: 'Neu',
};
