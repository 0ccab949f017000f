/** The words for what apps may do, in German. */
import type { SCOPE_EN } from './scope-words.en.ts';

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
