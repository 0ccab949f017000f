/** Signing up, in and out, a forgotten password, and the links of mails about an account, in German. */
import { html } from 'hono/html';
import type { AUTH_EN } from './auth-words.en.ts';

const TOO_SHORT = 'Das Passwort ist zu kurz. Es braucht mindestens 8 Zeichen.';
const TOO_LONG = 'Das Passwort ist zu lang. Es darf höchstens 200 Zeichen haben.';

export const AUTH_DE: typeof AUTH_EN = {
  texts: {
    'TOO_SHORT password': TOO_SHORT,
    'TOO_SHORT newPassword': TOO_SHORT,
    'TOO_LONG password': TOO_LONG,
    'TOO_LONG newPassword': TOO_LONG,
  },
  fields: {
    name: 'Name',
    username: 'Benutzername',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    timeZone: 'Zeitzone',
  },
  passwordHint: 'Mindestens 8 Zeichen. Gut sind mehrere Wörter hintereinander.',
  revokeApps: 'Allen Apps den Zugriff auf mein Konto entziehen',
  signedInAs: (name, email) => html`Sie sind angemeldet als <strong><bdi>${name}</bdi></strong> (<bdi>${email}</bdi>).`,
  mailHint: (folder) =>
    html`Dieser Dienst verschickt noch keine E-Mails (<code>SMTP_URL</code>): Jede liegt als Datei in <code>${folder}</code>.`,
  signIn: {
    title: 'Anmelden',
    kept: 'Sie sind inzwischen abgemeldet. Bitte melden Sie sich wieder an: Ihre Eingaben bleiben erhalten, außer Passwörtern.',
    lost: 'Sie sind inzwischen abgemeldet. Deshalb wurde nichts gespeichert, und das Formular ist zu groß, um hier erhalten zu bleiben. Melden Sie sich in einem anderen Tab an, gehen Sie in diesem zurück zum Formular und senden Sie es noch einmal.',
    already: (email, name, path) =>
      html`Sie sind angemeldet als <bdi>${email}</bdi>. <a href="${path}">Weiter als <bdi>${name}</bdi></a>, oder mit einem anderen Konto anmelden:`,
    forgotten: 'Passwort vergessen?',
    newHere: (path) => html`Noch kein Konto? <a href="${path}">Konto anlegen</a>`,
    demo: (email, password, path) =>
      html`Dieser Dienst läuft mit Demodaten. Melden Sie sich als <code>${email}</code> mit dem Passwort <code>${password}</code> an, oder sehen Sie <a href="${path}">alle Konten</a>.`,
    newPasswordSet: 'Ihr neues Passwort ist festgelegt. Bitte melden Sie sich damit an.',
  },
  goOn: {
    title: 'Machen Sie weiter, wo Sie aufgehört haben',
    kept: 'Als Sie das Formular gesendet haben, waren Sie abgemeldet. Deshalb wurde nichts gespeichert, aber Ihre Eingaben sind noch da.',
    send: 'Jetzt senden',
    leave: 'Verwerfen und die Seite neu öffnen',
  },
  signUp: {
    title: 'Konto anlegen',
    usernameHint: 'Teil Ihres Buchungslinks. Erlaubt sind Buchstaben von a bis z, Ziffern und Bindestriche.',
    button: 'Konto anlegen',
    signIn: (path) => html`Schon ein Konto? <a href="${path}">Anmelden</a>`,
  },
  signOut: {
    title: 'Abmelden',
    question: 'Abmelden?',
    what: (email) =>
      html`Sie sind angemeldet als <bdi>${email}</bdi>. Apps, denen Sie Zugriff gegeben haben, behalten ihn.`,
    stay: 'Angemeldet bleiben',
    done: 'Sie sind abgemeldet',
  },
  forgotten: {
    title: 'Passwort vergessen?',
    what: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.',
    button: 'Link senden',
  },
  linkSent: {
    title: 'Prüfen Sie Ihr Postfach',
    what: (minutes) =>
      `Wenn es zu dieser Adresse ein Konto gibt, haben wir einen Link für ein neues Passwort dorthin geschickt. Er funktioniert einmal und ${minutes} Minuten lang.`,
    nothingCame: (path) =>
      html`Nichts angekommen? Sehen Sie im Spam-Ordner nach, und prüfen Sie die Adresse: <a href="${path}">Neuen Link anfordern</a>`,
  },
  newPassword: {
    title: 'Neues Passwort festlegen',
    what: (username, email) =>
      html`Für das Konto <strong>${username}</strong> (<bdi>${email}</bdi>). Alle Browser, in denen es angemeldet ist, werden abgemeldet.`,
    button: 'Passwort festlegen',
    linkOver: 'Unter „Passwort vergessen?“ können Sie einen neuen anfordern.',
  },
  confirmEmail: {
    title: 'E-Mail-Adresse bestätigen',
    heading: 'Ist das Ihr Konto?',
    what: (username, email) =>
      html`Für das Konto <strong>${username}</strong> wurde die Adresse <strong><bdi>${email}</bdi></strong> angegeben. Bestätigen Sie das nur, wenn das Konto Ihnen gehört: Wer es benutzt, handelt dann unter Ihrer Adresse.`,
    button: 'Adresse bestätigen',
    otherwise: 'Wenn es nicht Ihr Konto ist, schließen Sie diese Seite. Dann geschieht nichts.',
    linkOver:
      'Ob die Adresse bestätigt ist, sehen Sie auf der Seite Ihres Kontos. Dort können Sie auch eine neue E-Mail anfordern.',
  },
  emailConfirmed: {
    title: 'Ihre Adresse ist bestätigt',
    what: 'Ab jetzt ist sie die Adresse Ihres Kontos.',
    share: 'Buchungslink weitergeben',
    button: 'Zu Ihrem Konto',
  },
  emailTaken: {
    title: 'Diese Adresse gehört zu einem anderen Konto',
    what: 'Ein anderes Konto hat sie inzwischen bestätigt, deshalb kann dieses sie nicht bekommen. Es wurde nichts geändert.',
    signIn: 'Mit dem anderen Konto anmelden',
    useAnother: 'Diesem Konto eine andere Adresse geben',
    forgotten: 'Passwort des anderen Kontos vergessen?',
  },
};
