/** Calendars elsewhere, in German. */
import { html } from 'hono/html';
import { pluralIn } from '../../core/language.ts';
import { MAX_CONNECTIONS } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { MAX_FEEDS } from '../../modules/calendars/feeds/save-feeds.ts';
import type { CALENDAR_EN } from './calendar-words.en.ts';

const plural = pluralIn('de');

export const CALENDAR_DE: typeof CALENDAR_EN = {
  title: 'Ihre Kalender',
  intro:
    'Kreuzen Sie an, welche Kalender Ihre Zeit belegen: Während ihrer Einträge kann niemand bei Ihnen buchen. Ihre Buchungen tragen wir in einen Kalender ein.',
  readNow: 'Jetzt lesen',
  readNowHint:
    'Wir lesen Ihre Kalender alle 15 Minuten, häufiger, während jemand Ihre freien Zeiten ansieht, und bevor Sie gebucht werden.',
  readAt: (at) => html`Zuletzt gelesen: ${at}`,
  unread: 'Noch nicht gelesen.',
  writeTo: 'Meine Buchungen eintragen in',
  noCalendar: 'Keinen Kalender',
  save: 'Speichern',
  states: {
    CONNECTED: 'Verbunden.',
    BROKEN: 'Wir erhalten keinen Zugriff mehr. Bitte verbinden Sie dieses Konto unten noch einmal.',
    UNREACHABLE: 'Der Server antwortet zurzeit nicht. Wir versuchen es weiter.',
    PENDING: 'Der Server hat noch nicht geantwortet.',
  },
  refused:
    'Der Server hat Ihr Passwort abgelehnt, darum senden wir es nicht mehr. Stimmt das Passwort, versuchen Sie es noch einmal. Haben Sie es geändert, verbinden Sie das Konto unten neu.',
  tryAgain: 'Noch einmal versuchen',
  tryAgainWith: (account) => `Noch einmal versuchen: ${account}`,
  isEmpty: 'Dieses Konto hat keine Kalender.',
  busy: (name) => html`Einträge in <bdi>${name}</bdi> gelten als belegt`,
  unreadable: () => 'Dieser Kalender ist zurzeit nicht lesbar.',
  unwritten: (since) =>
    html`In diesen Kalender konnten Buchungen nicht eingetragen werden (${since}). Wir versuchen es jede Stunde noch einmal.`,
  disconnect: (account) => html`<bdi>${account}</bdi> trennen`,
  connect: 'Konto verbinden',
  connectTo: (provider) => `${provider} verbinden`,
  otherServer: 'Anderen Kalender verbinden (CalDAV)',
  fields: {
    username: 'Apple-Konto',
    appPassword: 'App-spezifisches Passwort',
    server: 'Server oder E-Mail-Adresse',
    caldavUsername: 'Benutzername',
    caldavPassword: 'Passwort',
    acceptedHosts: 'Wohin Ihr Passwort gesendet werden darf',
    url: 'Adresse',
  },
  serverHint:
    'Zum Beispiel Nextcloud, Fastmail, mailbox.org, Synology oder Radicale. Zu einer E-Mail-Adresse suchen wir den Server.',
  caldavUsernameHint: 'Wenn Sie dieses Feld leer lassen, nehmen wir die E-Mail-Adresse von oben.',
  caldavPasswordHint:
    'Erzeugen Sie auf dem Server ein App-Passwort, wenn er das anbietet; mit einem zweiten Faktor geht es nicht ohne. Wir speichern es verschlüsselt.',
  acceptHost: (host) => html`Mein Passwort an <bdi>${host}</bdi> senden`,
  appPasswordHint:
    'Nicht Ihr Apple-Passwort: Erzeugen Sie ein eigenes auf account.apple.com, unter „Anmeldung und Sicherheit“.',
  connectButton: 'Verbinden',
  feeds: 'Kalender über eine Adresse',
  feedsIntro:
    'Jeder Kalender, der eine Adresse im iCal-Format (ICS) hat. Er wird alle 15 Minuten gelesen, und seine Einträge gelten als belegt.',
  urlHint:
    'Wer die Adresse kennt, kann den Kalender lesen. Deshalb speichern wir sie verschlüsselt und zeigen sie nicht noch einmal.',
  add: 'Hinzufügen',
  events: (count) => plural(count, { one: '1 Eintrag', other: `${count} Einträge` }),
  unreadFeed: () => 'Dieser Kalender war beim letzten Mal nicht lesbar',
  unreadableEvents: (count) =>
    plural(count, {
      one: '1 Eintrag konnten wir nicht vollständig lesen',
      other: `${count} Einträge konnten wir nicht vollständig lesen`,
    }),
  untitled: 'Eintrag ohne Titel',
  day: (date) => date.toLocaleString('de', { dateStyle: 'medium' }),
  problems: {
    START: 'Der Beginn ist nicht lesbar. Der Eintrag gilt nicht als belegt.',
    RULE: 'Die Wiederholung ist nicht lesbar. Der Eintrag gilt nicht als belegt.',
    TOO_MANY: 'Der Eintrag wiederholt sich zu oft und gilt nicht als belegt.',
    END: 'Das Ende ist nicht lesbar. Nur bei ganztägigen Einträgen gilt der erste Tag als belegt.',
    DATES: 'Einer der zusätzlichen oder ausgenommenen Termine ist nicht lesbar. Die übrigen gelten.',
    INSTANCE: 'Es ist nicht lesbar, welchen Termin einer Serie der Eintrag ersetzt. Beide gelten als belegt.',
  },
  remove: 'Entfernen',
  removeFeed: (address) => `Kalender entfernen: ${address}`,
  question: {
    title: (account) => `${account} trennen?`,
    explanation:
      'Wir löschen Passwort oder Zugangsdaten, die Kalender und ihre belegten Zeiten. Buchungen, die dort schon eingetragen sind, bleiben.',
    button: 'Trennen',
  },
  done: {
    choose: 'Ihre Auswahl ist gespeichert.',
    connect: 'Das Konto ist verbunden.',
    apple: 'Das Konto ist verbunden.',
    caldav: 'Das Konto ist verbunden.',
    reconnect: 'Das Konto ist wieder verbunden. Wir lesen jetzt seine Kalender und tragen die fehlenden Buchungen ein.',
    disconnect: 'Das Konto ist getrennt. Seine Einträge gelten nicht mehr als belegt.',
    'add-feed': 'Der Kalender ist hinzugefügt. Seine Einträge gelten als belegt.',
    'remove-feed': 'Der Kalender ist entfernt.',
    'read-now': 'Wir haben Ihre Kalender abgefragt. Unten steht, wann jeder zuletzt gelesen wurde.',
  },
  mistakes: {
    WRONG_CREDENTIALS:
      'Mit diesem Benutzernamen und diesem Passwort lässt uns der Server nicht ein. Bitte prüfen Sie beides; mit einem zweiten Faktor muss es ein App-Passwort sein.',
    'WRONG_CREDENTIALS calendarAccountId':
      'Der Server lehnt Ihr Passwort weiterhin ab. Haben Sie es dort geändert, verbinden Sie das Konto unten neu.',
    HOST_NOT_ACCEPTED:
      'Ihre Kalender liegen auf einem anderen Server als dem angegebenen. Ihr Passwort haben wir nicht dorthin gesendet. Wenn Sie den Server kennen, kreuzen Sie ihn an und geben Sie das Passwort noch einmal ein.',
    'INVALID_URL server':
      'Diesen Server können wir nicht verwenden. Bitte geben Sie eine Adresse wie https://cloud.example, einen Namen wie cloud.example oder Ihre E-Mail-Adresse an.',
    'PRIVATE_ADDRESS server':
      'Dieser Server ist nicht öffentlich erreichbar. Soll er trotzdem verwendet werden, kann ihn der Betreiber dieses Dienstes zulassen.',
    NOT_REACHABLE:
      'Der Server antwortet nicht. Bitte prüfen Sie die Adresse, oder versuchen Sie es später noch einmal.',
    'NOT_POSSIBLE server':
      'Dieser Server nimmt keine Passwörter an. Google und Microsoft verbinden Sie über die eigene Schaltfläche.',
    NOT_POSSIBLE: 'Das ist mit diesem Kalender oder Konto nicht möglich.',
    TOO_MANY: `Mehr als ${MAX_CONNECTIONS} Konten sind nicht möglich. Bitte trennen Sie zuerst ein anderes.`,
    'TOO_MANY urls': `Mehr als ${MAX_FEEDS} Kalender über eine Adresse sind nicht möglich. Bitte entfernen Sie zuerst einen anderen.`,
  },
};
