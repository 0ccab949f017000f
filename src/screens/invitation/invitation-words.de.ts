/** Answering an invitation to a team or an organization, in German. */
import { html } from 'hono/html';
import type { INVITATION_PAGE_EN } from './invitation-words.en.ts';

export const INVITATION_PAGE_DE: typeof INVITATION_PAGE_EN = {
  texts: {
    BAD_INPUT: 'Bitte wählen Sie „Annehmen“ oder „Ablehnen“.',
    ALREADY_MEMBER: 'Sie sind hier schon Mitglied.',
    TOO_MANY: 'Mehr Mitglieder sind hier nicht möglich. Bitten Sie die Verwaltung um einen Platz.',
    NOT_IN_ORGANIZATION:
      'Zu diesem Team gehören nur Mitglieder seiner Organisation. Lassen Sie sich zuerst in diese einladen.',
  },
  title: (kind) => (kind === 'team' ? 'Möchten Sie dem Team beitreten?' : 'Möchten Sie der Organisation beitreten?'),
  invited: ({ groupKind, groupName }, role, email) =>
    html`${groupKind === 'team' ? 'Das Team' : 'Die Organisation'} <strong><bdi>${groupName}</bdi></strong> lädt Sie als ${role} ein. Die Einladung ging an <bdi>${email}</bdi>.`,
  seen: 'Die Verwaltung sieht dann Ihren Namen, Ihre E-Mail-Adresse, Ihre Arbeitszeiten und die Termine, die dort bei Ihnen gebucht werden.',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  joinsAs: (name, email) => html`Sie treten bei als <strong><bdi>${name}</bdi></strong> (<bdi>${email}</bdi>).`,
  useAnother: 'Anderes Konto verwenden',
  signInFirst:
    'Um anzunehmen, melden Sie sich an, oder legen Sie ein Konto an. Danach kommen Sie auf diese Seite zurück.',
  signIn: 'Anmelden',
  signUp: 'Konto anlegen',
  over: 'Vielleicht wurde die Einladung auch zurückgezogen, oder wer sie geschickt hat, darf niemanden mehr einladen. Bitten Sie um eine neue Einladung.',
  done: {
    accept: {
      title: 'Sie sind beigetreten',
      text: 'Sie können jederzeit wieder austreten. Wer Sie eingeladen hat, sieht, dass Sie angenommen haben.',
      next: 'Zu Ihren Teams',
    },
    decline: {
      title: 'Sie haben abgelehnt',
      text: 'Sie sind nirgends beigetreten, und der Link gilt nicht mehr.',
      next: 'Zur Startseite',
    },
  },
};
