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
    message:
      'Sie sind mit einem anderen Konto angemeldet als dem, mit dem das begonnen wurde. Deshalb wurde nichts verbunden.',
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
    calendars: 'Auswählen, welche Kalender Ihre Zeit belegen',
    apps: 'Zu Ihren Videoanrufen',
    appsOfTeam: 'Zu den Videoanrufen des Teams',
    home: 'Zur Startseite',
  },
};
