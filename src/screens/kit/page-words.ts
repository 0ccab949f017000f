import { html } from 'hono/html';
import { inLanguages, pluralIn } from '../../core/language.ts';
import type { Setting } from './paths.ts';

const pluralEn = pluralIn('en');
const pluralDe = pluralIn('de');

/** The parts of the world that names of time zones begin with, where a language has others for them. */
const ZONES: Readonly<Record<string, string>> = {};

/** The words that all pages share, in English. */
const PAGE_EN = {
  skip: 'Skip to content',
  account: 'Account',
  signIn: 'Sign in',
  bookings: 'Bookings',
  developer: 'Developer',
  reviews: 'Reviews',
  signOut: 'Sign out',
  unconfirmed: (
    email: string,
    way: string,
  ) => html`Your e-mail address <bdi>${email}</bdi> isn’t confirmed yet. Open the link in the e-mail we sent
        you. Until then, people who book with you don’t get any e-mails. <a href="${way}">Confirm it</a>`,
  error: (title: string) => `Error: ${title}`,
  errorStatus: (status: number) => `Error ${status}`,
  nowhere: {
    title: 'Page not found',
    message: 'There’s nothing at this address. Check it, or go to the start page.',
  },
  startPage: 'Go to the start page',
  goBack: 'Go back',
  pleaseCheck: 'Please check the following',
  moreMistakes: (count: number) =>
    pluralEn(count, { one: 'There is 1 more mistake.', other: `There are ${count} more mistakes.` }),
  manyMistakes: (count: number) => `There are at least ${count} more mistakes.`,
  optional: '(optional)',
  pages: 'Pages',
  backToStart: 'Back to the start',
  more: 'More',
  /** The button beside a text, its subject for readers who do not see that, and what it then says. */
  copy: { button: 'Copy', about: (what: string) => ` ${what}`, copied: 'Copied', selected: 'Selected: press Ctrl+C' },
  zones: ZONES,
  settingsTitle: 'Settings',
  settings: {
    account: ['Account', 'your profile, time zone, language, password and sessions'],
    eventTypes: ['Event types', 'what people can book with you'],
    hours: ['Hours', 'when you can be booked'],
    absences: ['Out of office', 'days when no one can book you'],
    calendars: ['Calendars', 'which ones make you busy, and where bookings go'],
    conferencing: ['Video calls', 'the apps you meet in'],
    teams: ['Teams', 'your teams, organizations and invitations'],
    apps: ['Apps with access', 'what each app may do, and how to end its access'],
    webhooks: ['Webhooks', 'notify your server about your bookings'],
    developer: ['Developer', 'your own apps, their scopes and secrets'],
  } as Readonly<Record<Setting, readonly [name: string, what: string]>>,
  hours: (count: number) => pluralEn(count, { one: '1 hour', other: `${count} hours` }),
  minutes: (count: number) => pluralEn(count, { one: '1 minute', other: `${count} minutes` }),
  videoCall: (app: string | null) => `Video call (${app})`,
};

/** In German. */
const PAGE_DE: typeof PAGE_EN = {
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
  moreMistakes: (count) =>
    pluralDe(count, { one: 'Es gibt noch einen Fehler.', other: `Es gibt noch ${count} weitere Fehler.` }),
  manyMistakes: (count) => `Es gibt noch mindestens ${count} weitere Fehler.`,
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
  hours: (count) => pluralDe(count, { one: '1 Stunde', other: `${count} Stunden` }),
  minutes: (count) => pluralDe(count, { one: '1 Minute', other: `${count} Minuten` }),
  videoCall: (app) => `Videoanruf (${app})`,
};

/** The words that all pages share, for a reader of this locale. */
export const pageWords = inLanguages(PAGE_EN, { de: PAGE_DE });
