/** Connecting an account at somebody else's service, in German. */
import type { CONNECT_EN } from './connect-words.en.ts';

export const CONNECT_DE: typeof CONNECT_EN = {
  again: 'Fangen Sie dort noch einmal an, wo Sie begonnen haben: in der App oder in Ihren Einstellungen.',
  over: {
    title: 'Dieser Link gilt nicht mehr',
    message: 'Er wurde schon benutzt, oder seine zehn Minuten sind vorbei.',
  },
  anotherUser: {
    title: 'Das hat jemand anderes begonnen',
    message: 'Verbinden wollte ein anderes Konto als das, das hier angemeldet ist. Deshalb ist nichts geschehen.',
    advice: 'Melden Sie sich mit dem Konto an, mit dem Sie begonnen haben, und öffnen Sie den Link noch einmal.',
  },
  refused: {
    title: 'Es wurde nichts verbunden',
    message: (provider) => `${provider} hat keinen Zugriff gegeben: Er wurde dort abgelehnt.`,
  },
  failed: {
    title: (provider) => `Die Verbindung zu ${provider} ist fehlgeschlagen`,
    message: (_said, provider) => `${provider} hat nicht so geantwortet, wie es sein soll.`,
  },
  done: {
    title: 'Verbunden',
    heading: (provider) => (provider === undefined ? 'Das Konto ist verbunden' : `${provider} ist verbunden`),
    what: 'Sie können dieses Fenster schließen oder zur App zurückgehen.',
    calendars: 'Wählen, welche Kalender belegte Zeiten melden',
    apps: 'Zu Ihren Videoanrufen',
    appsOfTeam: 'Zu den Videoanrufen des Teams',
    home: 'Zur Startseite',
  },
};
