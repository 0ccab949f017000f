/** Letting an app in, and ending its access, in German. */
import { html } from 'hono/html';
import type { PersonError } from '../../oauth/protocol/oauth-error.ts';
import type { CONSENT_EN } from './consent-words.en.ts';

const ERRORS = {
  UNKNOWN:
    'Diese Seite gibt es nicht, oder die Anfrage ist abgelaufen. Gehen Sie zurück zur App, und fangen Sie neu an.',
  FORGED:
    'Ihre Antwort kam nicht von der Seite, die wir gezeigt haben, oder diese ist zu alt. Sehen Sie sich die Anfrage noch einmal an, und antworten Sie dort.',
  UNDECIDED: 'Ihre Antwort war weder „Erlauben“ noch „Abbrechen“. Bitte wählen Sie eines von beiden.',
  STUCK: 'Diese Anfrage kann nicht weitergehen. Gehen Sie zurück zur App, und fangen Sie neu an.',
  OTHER_BROWSER:
    'Diese Seite gehört zu einem anderen Browser, oder Cookies sind ausgeschaltet. Gehen Sie zurück zur App, und fangen Sie neu an.',
  OVER: 'Gehen Sie zurück zur App, und fangen Sie neu an.',
  OTHER_ACCOUNT: 'Diese Seite wurde für ein anderes Konto geöffnet als das, mit dem Sie angemeldet sind.',
  ANSWERED: 'Sie haben diese Anfrage schon beantwortet. Gehen Sie zurück zur App.',
  LOADED_AHEAD: 'Diese Seite wird nicht im Voraus geladen. Bitte öffnen Sie sie.',
  FRAMED: 'Diese Seite wird nicht innerhalb einer anderen gezeigt. Bitte öffnen Sie sie in einem eigenen Fenster.',
} satisfies Readonly<Record<PersonError, string>>;

export const CONSENT_DE: typeof CONSENT_EN = {
  consent: {
    title: (app) => `Zugriff für ${app}`,
    heading: (app) => html`Darf <bdi>${app}</bdi> auf Ihr Konto zugreifen?`,
    notYou: 'Nicht Sie? Anderes Konto verwenden',
    able: 'Diese App darf dann:',
    everything: {
      title: 'Diese App darf dann alles',
      what: 'Diese App stammt aus der Zeit vor den Berechtigungen und nennt deshalb keine. Sie kann alles sehen und ändern: Terminarten, Buchungen, Arbeitszeiten, Kalender, Ihr Profil und alles, was Ihren Teams und Organisationen gehört. Ihr Passwort ändern oder andere Apps verwalten kann sie nicht.',
    },
    allow: 'Erlauben',
    deny: 'Abbrechen',
    later: (path) => html`Beenden können Sie den Zugriff jederzeit unter <a href="${path}">Apps mit Zugriff</a>.`,
    madeBy: 'Von',
    website: 'Website',
    checked: 'Prüfung',
    verified: html`<mark>Geprüft</mark> von der Verwaltung dieses Dienstes`,
    notVerified: 'Nicht geprüft',
    missing: {
      review: 'Die Verwaltung dieses Dienstes hat sich diese App noch nicht angesehen.',
      address: 'Die E-Mail-Adresse der Entwickler ist nicht bestätigt.',
      both: 'Die Verwaltung dieses Dienstes hat sich diese App noch nicht angesehen, und die E-Mail-Adresse der Entwickler ist nicht bestätigt.',
    },
    leadsTo: 'Führt Sie zu',
    onDevice: 'einer App auf diesem Gerät, ',
  },
  apps: {
    title: 'Apps mit Zugriff',
    none: 'Keine App hat Zugriff auf Ihr Konto. Sobald Sie eine zulassen, steht sie hier, und Sie können ihren Zugriff jederzeit beenden.',
    what: 'Diese Apps haben Zugriff auf Ihr Konto, bis Sie ihn beenden.',
    endAll: (app) => html`Zugriff ganz beenden<span class="unseen">: <bdi>${app}</bdi></span> …`,
    suspended:
      'Diese App ist gesperrt und kann Ihr Konto zurzeit nicht nutzen. Wird die Sperre aufgehoben, kann sie wieder, was Sie ihr erlaubt haben.',
    endOne: 'Nur diesen beenden …',
    allowed: 'Erlaubt',
    lastUsed: 'Zuletzt benutzt',
    everything: 'Diese App darf alles: Sie stammt aus der Zeit vor den Berechtigungen.',
    may: (count) => `Was sie darf (${count})`,
  },
  revoke: {
    all: {
      title: (app) => `Zugriff von ${app} ganz beenden?`,
      what: 'Überall, wo Sie die App benutzen, wird sie sofort von Ihrem Konto abgemeldet.',
    },
    one: {
      title: (app) => `Einen Zugriff von ${app} beenden?`,
      what: 'Dort, wo Sie ihn erlaubt haben, wird die App von Ihrem Konto abgemeldet. Anderswo bleibt sie angemeldet.',
    },
    button: 'Zugriff beenden',
    done: 'Der Zugriff ist beendet. Die App kommt ab jetzt nicht mehr an Ihr Konto.',
  },
  refused: {
    errors: ERRORS,
    over: 'Diese Anfrage ist abgelaufen',
    stuck: 'Hier geht es nicht weiter',
    outOfUse: {
      title: 'Diese App ist zurzeit nicht verfügbar',
      message: 'Niemand kann sich damit anmelden. Deshalb wurde nichts an die App weitergegeben.',
      advice:
        'Mit Ihrem Konto ist alles in Ordnung. Wenden Sie sich an die Entwickler der App, und zeigen Sie ihnen die Einzelheiten unten.',
    },
    invalid: {
      title: 'Die Anfrage dieser App ist ungültig',
      message:
        'Mit dem Link, der Sie hierher geführt hat, stimmt etwas nicht. Deshalb wurde nichts an die App weitergegeben.',
      advice:
        'Gehen Sie zurück zur App, und versuchen Sie es noch einmal. Wenn Sie wieder hier landen, zeigen Sie den Entwicklern der App die Einzelheiten unten.',
    },
    details: 'Einzelheiten für Entwickler',
    error: 'Fehler',
    parameter: 'Parameter',
    whatToDo: 'Was zu tun ist',
    listed: (path) =>
      html`Abgelehnte Anfragen Ihrer Apps finden Sie in den <a href="${path}">Einstellungen für die Entwicklung</a>.`,
    lookAgain: 'Anfrage noch einmal ansehen',
    whichAccount: 'Welches Konto möchten Sie mit der App verwenden?',
    goOnAs: (name) => html`Weiter als <bdi>${name}</bdi>`,
    otherAccount: 'Mit dem anderen Konto anmelden',
  },
};
