import { html } from 'hono/html';
import type { ACCOUNT_EN, AUTH_EN, STOPPED_EN } from './account-words.en.ts';

const TOO_SHORT = 'Das Passwort ist zu kurz. Es braucht mindestens 8 Zeichen.';
const TOO_LONG = 'Das Passwort ist zu lang. Es darf höchstens 200 Zeichen haben.';

/** Signing up, in and out, a forgotten password, and the links of mails about an account, in German. */
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
  revokesApps: 'Allen Apps den Zugriff auf mein Konto entziehen',
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

/** The page of one's account, and the start page, in German. */
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

/** The page of what has stopped in an account, in German. */
export const STOPPED_DE: typeof STOPPED_EN = {
  title: 'Angehalten',
  what: (days) =>
    `All das wurde eingerichtet, bevor feststand, dass Ihre E-Mail-Adresse Ihnen gehört; es kann also von jemand anderem stammen. Deshalb haben wir es angehalten: Niemand kommt dadurch herein, und nichts geht an diese Adressen. Nehmen Sie einzeln wieder auf, was von Ihnen ist. Was Sie nicht wieder aufnehmen, wird nach ${days} Tagen gelöscht.`,
  none: 'Nichts ist angehalten.',
  kinds: {
    GROUP: 'Team oder Organisation, mit diesem Konto angelegt',
    GROUP_MEMBER: 'Person in einem Team oder einer Organisation dieses Kontos',
    MEMBERSHIP: 'Mitgliedschaft in einem Team oder einer Organisation',
    INVITATION: 'Einladung per E-Mail',
    WEBHOOK: 'Webhook-Adresse',
    OAUTH_CLIENT: 'OAuth-Client-Registrierung',
    PRIVATE_LINK: 'Privater Link',
    ICS_FEED: 'Kalender von einer Adresse',
    CALENDAR_ACCOUNT: 'Verbundenes Kalenderkonto',
    CONFERENCING_APP: 'Verbundene App für Videoanrufe',
    VERIFIED_EMAIL: 'Bestätigte E-Mail-Adresse',
    VERIFIED_PHONE: 'Bestätigte Telefonnummer',
    REDIRECT: 'Seite nach einer Buchung',
    LOCATION: 'Link oder Nummer als Ort',
    EMBEDDING: 'Websites, die eine Terminart einbetten dürfen',
    ABSENCE_REDIRECT: 'Vertretung während einer Abwesenheit',
    PICTURE: 'Bild oder Logo',
    WORKFLOW: 'Ablauf, der Nachrichten verschickt',
    ROUTING_FORM: 'Formular, das weiterleitet',
  },
  leadsTo: 'Führt zu',
  letsIn: 'Lässt herein',
  slug: 'Name im Link',
  deleted: 'Wird gelöscht am',
  revive: 'Wieder aufnehmen',
  remove: 'Löschen',
  about: (title) => `: ${title}`,
  done: { revived: 'Es ist wieder da.', deleted: 'Es wurde gelöscht.' },
  invitation:
    'Der Link in der alten E-Mail funktioniert nicht mehr. Wenn Sie die Einladung wieder aufnehmen, senden Sie sie noch einmal.',
  secret: {
    title: 'Wieder da, mit neuem Geheimnis',
    client:
      'Die alten Geheimnisse funktionieren nicht mehr. Geben Sie Ihrer App das neue. Wer die App nutzt, muss ihr den Zugriff noch einmal erlauben.',
    webhook: 'Nachrichten werden ab jetzt mit dem neuen Geheimnis unterschrieben. Geben Sie es Ihrem Server.',
    secret: 'Neues Geheimnis',
    once: 'Kopieren Sie das Geheimnis jetzt. Es wird nur dieses eine Mal angezeigt.',
    onward: 'Ich habe es kopiert',
  },
  notice: 'In diesem Konto ist einiges angehalten.',
  look: 'Ansehen',
};
