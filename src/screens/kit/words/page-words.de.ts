/** What all pages have in common, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import type { PAGE_EN } from './page-words.en.ts';

const plural = pluralIn('de');

export const PAGE_DE: typeof PAGE_EN = {
  skip: 'Zum Inhalt springen',
  account: 'Konto',
  signIn: 'Anmelden',
  bookings: 'Buchungen',
  apps: 'Apps',
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
    title: 'Hier ist nichts',
    message: 'Unter dieser Adresse gibt es nichts. Prüfen Sie sie, oder gehen Sie zur Startseite.',
  },
  startPage: 'Zur Startseite',
  pleaseCheck: 'Bitte prüfen Sie Folgendes',
  optional: '(optional)',
  pages: 'Seiten',
  backToStart: 'Zurück zum Anfang',
  more: 'Mehr',
  hours: (count) => plural(count, { one: '1 Stunde', other: `${count} Stunden` }),
  minutes: (count) => plural(count, { one: '1 Minute', other: `${count} Minuten` }),
  videoCall: (app) => `Videoanruf (${app})`,
};
