/** The page of what has stopped in an account, in German. */
import type { STOPPED_EN } from './stopped-words.en.ts';

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
