/** The page of one's account, and the start page, in German. */
import { html } from 'hono/html';
import type { ACCOUNT_EN } from './account-words.en.ts';

export const ACCOUNT_DE: typeof ACCOUNT_EN = {
  home: {
    title: 'Termine als API',
    heading: 'Terminplanung für Ihre Apps',
    what: 'Gatehouse verwaltet Terminarten, Buchungen, Arbeitszeiten und Kalender und öffnet sie anderen Apps über eine GraphQL-API. Sie entscheiden, welche App was sehen oder ändern darf, und können das jederzeit ändern.',
    signUp: 'Konto anlegen',
    yourBookings: 'Ihre Buchungen',
    share: 'Buchungslink weitergeben',
    account: 'Ihr Konto',
    developers: 'Für die Entwicklung',
    development: (path) =>
      html`<a href="${path}">Entwicklungsseiten</a>: Demokonten, E-Mails und OAuth Schritt für Schritt.`,
    console: (path) =>
      html`<a href="${path}">Abfragekonsole</a>: Abfragen ausprobieren und sehen, welche Berechtigungen sie brauchen.`,
    schema: (path, rest) =>
      html`<a href="${path}">Das GraphQL-Schema</a> als Datei und die <a href="${rest}">REST-Pfade</a>.`,
    clients: 'Für Apps',
    server: 'Autorisierungsserver',
    metadata: 'Metadaten',
    keys: 'Schlüssel',
  },
  title: 'Konto',
  onThisPage: 'Auf dieser Seite',
  parts: {
    profile: 'Profil',
    times: 'Zeiten und Sprache',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    sessions: 'Wo Sie angemeldet sind',
  },
  texts: { 'BAD_INPUT weekStart': 'Bitte wählen Sie einen der sieben Tage.' },
  done: {
    profile: 'Ihr Profil wurde gespeichert.',
    times: 'Ihre Änderungen wurden gespeichert.',
    verification: 'Wir haben Ihnen die E-Mail geschickt.',
    email:
      'Wir haben eine E-Mail an die neue Adresse geschickt. Öffnen Sie den Link darin, um die Änderung zu bestätigen.',
    'email-cancel': 'Ihre Adresse bleibt, wie sie ist.',
    password: 'Ihr Passwort wurde geändert.',
    sessions: 'Abgemeldet.',
  },
  fields: {
    name: 'Name',
    username: 'Benutzername',
    bio: 'Über Sie',
    avatarUrl: 'Bild',
    timeZone: 'Zeitzone',
    timeFormat: 'Zeitformat',
    weekStart: 'Erster Wochentag',
    locale: 'Sprache',
    newEmail: 'Neue E-Mail-Adresse',
    passwordForEmail: 'Ihr Passwort',
    currentPassword: 'Aktuelles Passwort',
  },
  profile: {
    what: 'Das sehen alle, die bei Ihnen buchen.',
    usernameHint: (base) => `Das Ende Ihres Buchungslinks: ${base}… Der alte Link führt noch 90 Tage lang zum neuen.`,
    bioHint: (most) => `Steht auf Ihrer Buchungsseite. Höchstens ${most} Zeichen.`,
    pictureHint:
      'Die https-Adresse eines Bildes. Ihre Buchungsseiten laden es von dort, und Apps zeigen es neben Ihrem Namen.',
    save: 'Profil speichern',
  },
  times: {
    what: (path) =>
      html`So werden Ihnen Zeiten angezeigt. Die Zeiten, zu denen man bei Ihnen buchen kann, haben <a href="${path}">ihre eigene Zeitzone</a>.`,
    clocks: [
      ['24', '14:30 (24 Stunden)'],
      ['12', '2:30 PM (12 Stunden)'],
    ],
    languageHint: 'Für Seiten und für E-Mails zu Buchungen.',
    save: 'Speichern',
  },
  email: {
    confirmed: 'Bestätigt',
    notConfirmed:
      'Sie ist noch nicht bestätigt. Öffnen Sie den Link in der E-Mail, die wir dorthin geschickt haben. Bis dahin bekommt niemand E-Mails in Ihrem Namen, und keine App kann Sie an dieser Adresse erkennen.',
    sendAgain: 'E-Mail noch einmal senden',
    tooMany: 'Die E-Mail mit dem Link konnte noch nicht verschickt werden, weil diese Adresse zu viele bekommen hat.',
    notMailed: 'Noch nicht per E-Mail mitgeteilt',
    held: (subject, times) => (times === 1 ? `${subject}.` : `${subject} (${times}-mal).`),
    sentAt: 'Nächster Versuch:',
    notSent: 'Dazu kommt keine E-Mail.',
    pending: (email) =>
      html`Ihre neue Adresse ist <bdi>${email}</bdi>, sobald Sie den Link in der E-Mail öffnen, die wir dorthin geschickt haben. Er gilt 24 Stunden; bis dahin bleibt alles, wie es ist.`,
    keep: 'Bisherige Adresse behalten',
    whyPassword: 'Damit niemand sonst sie in Ihrem Browser ändert.',
    change: 'E-Mail-Adresse ändern',
  },
  password: {
    signOutOthers: 'In meinen anderen Browsern abmelden',
    change: 'Passwort ändern',
  },
  sessions: {
    thisBrowser: 'Dieser Browser',
    browserOn: (browser, system) => `${browser} unter ${system}`,
    unknownBrowser: 'Ein unbekannter Browser',
    from: (address) => `Von ${address}`,
    since: 'Angemeldet',
    lastSeen: 'Zuletzt aktiv',
    endOne: 'Dort abmelden',
    endOthers: 'Überall sonst abmelden',
  },
};
