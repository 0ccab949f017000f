/** Teams and organizations, in German. */
import { html } from 'hono/html';
import { MAX_SLUG_LENGTH } from '../../../core/text.ts';
import { INVITATION_DE } from '../../../modules/memberships/invitation-words.de.rules.ts';
import type { TEAM_EN } from './team-words.en.ts';

const SLUG_RULE = `Erlaubt sind Kleinbuchstaben von a bis z, Ziffern und einzelne Bindestriche dazwischen, höchstens ${MAX_SLUG_LENGTH} Zeichen, zum Beispiel ada-lovelace.`;

export const TEAM_DE: typeof TEAM_EN = {
  roles: INVITATION_DE.roles,
  rolesHint:
    'Administratoren sehen und ändern, was dem Team oder der Organisation und den Mitgliedern gehört, und laden andere ein. Inhaber dürfen alles.',
  fields: {
    what: 'Was möchten Sie anlegen?',
    name: 'Name',
    slug: 'Name im Link',
    bio: 'Beschreibung',
    email: 'E-Mail-Adresse',
    role: 'Rolle',
  },
  save: 'Speichern',
  mistakes: {
    'BAD_INPUT what': 'Bitte wählen Sie etwas aus der Liste.',
    'BAD_INPUT role': 'Bitte wählen Sie eine Rolle aus der Liste.',
  },

  list: {
    title: 'Ihre Teams',
    intro:
      'Die Mitglieder eines Teams werden gemeinsam gebucht: Sie wechseln sich ab, oder alle nehmen teil. Eine Organisation fasst mehrere Teams zusammen.',
    kinds: {
      team: { title: 'Teams', none: 'Sie sind noch in keinem Team.' },
      organization: { title: 'Organisationen', none: 'Sie sind in keiner Organisation.' },
    },
    invited: 'Einladungen',
    seen: 'Die Verwaltung sieht dann Ihren Namen, Ihre E-Mail-Adresse, Ihre Arbeitszeiten und die Termine, die dort bei Ihnen gebucht werden. Sie können jederzeit wieder austreten.',
    join: {
      team: (role) => `Treten Sie diesem Team bei als ${role}.`,
      organization: (role) => `Treten Sie dieser Organisation bei als ${role}.`,
    },
    answers: { accept: 'Annehmen', decline: 'Ablehnen' },
    answerTo: {
      team: (answer, name) => `${answer}: das Team ${name}`,
      organization: (answer, name) => `${answer}: die Organisation ${name}`,
    },
    answerMistakes: {
      NOT_FOUND:
        'Diese Einladung gilt nicht mehr: Sie wurde beantwortet oder zurückgezogen, ist abgelaufen, oder eine spätere hat sie ersetzt.',
      ALREADY_MEMBER: 'Sie sind hier schon Mitglied.',
      TOO_MANY: 'Mehr Mitglieder sind hier nicht möglich. Bitten Sie die Verwaltung um einen Platz.',
      NOT_IN_ORGANIZATION:
        'Zu diesem Team gehören nur Mitglieder seiner Organisation. Lassen Sie sich zuerst in diese einladen.',
      CONFLICT:
        'Sie sind inzwischen beigetreten. Wenn Sie wieder austreten möchten, öffnen Sie das Team oder die Organisation.',
    },
    create: 'Team oder Organisation anlegen',
    ownTeam: 'Ein eigenständiges Team',
    teamOf: (organization) => `Ein Team von ${organization}`,
    organization: 'Eine Organisation mit Teams',
    slugHint: `Das Ende der Adresse. ${SLUG_RULE} Bleibt das Feld leer, entsteht er aus dem Namen.`,
    createButton: 'Anlegen',
    done: {
      declined: 'Sie haben die Einladung abgelehnt.',
      left: 'Sie sind ausgetreten.',
      deleted: 'Das Team ist gelöscht.',
    },
  },

  group: {
    standings: {
      MEMBER: 'Sie sind Mitglied.',
      ADMIN: 'Sie sind Administrator.',
      OWNER: 'Sie sind Inhaber.',
      ORGANIZATION_ADMIN: 'Sie verwalten das Team als Administrator seiner Organisation.',
      ORGANIZATION_OWNER: 'Sie verwalten das Team als Inhaber seiner Organisation.',
    },
    bookingPage: {
      team: (url, isOpen) =>
        isOpen
          ? html`Gebucht wird das Team unter ${url}.`
          : html`Sobald das Team eine sichtbare Terminart hat, kann man es unter ${url} buchen.`,
      organization: (url, isOpen) =>
        isOpen
          ? html`Gebucht werden die Teams unter ${url}.`
          : html`Sobald die Teams Terminarten haben, kann man sie unter ${url} buchen.`,
    },
    allTeams: { title: 'Teams', none: 'Es gibt noch keine Teams.' },
    ownTeams: { title: 'Ihre Teams', none: 'Sie sind in keinem der Teams.' },
    addTeam: 'Team hinzufügen',
    eventTypes: 'Terminarten dieses Teams',
    conferencing: 'Videoanrufe dieses Teams',
    pausedWebhooks: {
      title: (count: number) => (count === 1 ? 'Ein Webhook ist angehalten' : `${count} Webhooks sind angehalten`),
      advice: (count: number) =>
        `Wer ${count === 1 ? 'ihn' : 'sie'} eingerichtet hat, ist hier nicht mehr zuständig oder hat keinen Zugriff mehr. Nachrichten werden 30 Tage lang aufbewahrt. Öffnen Sie ${count === 1 ? 'den' : 'jeden'} Webhook, prüfen Sie, wohin seine Adresse führt, und übernehmen Sie ihn, wenn Sie die Adresse kennen:`,
    },
    unanswered: {
      title: 'An diese Empfänger senden Workflows nichts',
      advice:
        'Wer sie für das Team bestätigt hat, verwaltet es nicht mehr oder ist gesperrt. Sie oder ein anderer Administrator können sie mit einer App noch einmal bestätigen. Bis dahin lassen Workflows sie aus:',
    },
    webhooks: { team: 'Webhooks dieses Teams', organization: 'Webhooks dieser Organisation' },
    delete: 'Dieses Team löschen',
    profile: 'Profil',
    slugHint: `Das Ende der Adresse. ${SLUG_RULE} Wenn Sie ihn ändern, gelten Links nicht mehr, die Sie schon weitergegeben haben.`,
    bio: 'Beschreibung (optional)',
    bioHint: (most) => `Sie steht auf der Buchungsseite. Höchstens ${most} Zeichen.`,
    isPrivate: {
      team: 'Privat: Die Buchungsseite ist nur für Mitglieder',
      organization: 'Privat: Die Buchungsseiten der Teams sind nur für deren Mitglieder',
    },
    done: {
      profile: 'Gespeichert.',
      invite: 'Einladung gesendet.',
      resend: 'Einladung noch einmal gesendet. Der Link in der vorigen E-Mail gilt nicht mehr.',
      withdraw: 'Die Einladung ist zurückgezogen. Ihr Link gilt nicht mehr.',
      created: 'Angelegt. Sie sind Inhaber.',
      joined: 'Sie sind beigetreten.',
      removed: 'Mitglied entfernt.',
      role: 'Ihre Rolle ist geändert.',
      'handed-over': 'Sie haben die Inhaberschaft übergeben und sind jetzt Administrator.',
      gone: 'Das war schon erledigt.',
    },
  },

  members: {
    title: 'Mitglieder',
    you: 'Sie',
    unanswered: 'eingeladen, noch keine Antwort',
    invite: 'Jemanden einladen',
    inviteHint: (days) => `Ein Konto ist dafür noch nicht nötig. Der Link gilt ${days} Tage.`,
    inviteHintInOrganization: (days) =>
      `Ein Konto ist dafür noch nicht nötig. Der Link gilt ${days} Tage. Annehmen kann nur, wer schon Mitglied der Organisation ist.`,
    inviteButton: 'Einladung senden',
    waiting: 'Offene Einladungen',
    until: (role, end) => html`${role}, gilt bis ${end}`,
    resend: 'Noch einmal senden',
    withdraw: 'Zurückziehen',
    invitationGone:
      'Diese Einladung gibt es nicht mehr: Sie wurde beantwortet oder zurückgezogen, oder sie ist abgelaufen.',
  },

  deletion: {
    title: (team) => `Das Team ${team} löschen?`,
    explanation:
      'Seine Terminarten, seine vergangenen Buchungen und alles andere, was ihm gehört, werden endgültig gelöscht, und niemand kann es mehr buchen. Die Mitglieder behalten ihre Konten und ihre Buchungen verwalteter Terminarten. Ein Team mit künftigen Buchungen wird nicht gelöscht: Sagen Sie sie zuerst ab. Sind es sehr viele vergangene Buchungen, kann ein Fehler kommen, bevor alles gelöscht ist. Löschen Sie das Team dann noch einmal, und es geht weiter, wo es aufgehört hat.',
    button: 'Team löschen',
  },

  nothing: {
    title: 'Team nicht gefunden',
    message: 'Unter dieser Adresse gibt es kein Team und keine Organisation, zu denen Sie gehören.',
    advice: (path) =>
      `Ihre Teams stehen unter ${path}. Was gelöscht wurde oder wo Sie ausgetreten sind, steht dort nicht mehr.`,
  },
};
