/** The mails to users about apps, in German. */
import { linkTo, listOf } from '../../core/mail-content.ts';
import type { USER_NOTICES_EN } from './user-notice-words.en.rules.ts';

type NamedApp = Parameters<typeof USER_NOTICES_EN.stolenGrant>[0];

function introduced({ clientId, name }: NamedApp): string {
  return name === undefined ? `Eine App (${clientId})` : `Eine App, die sich „${name}“ nennt (${clientId}),`;
}

export const USER_NOTICES_DE: typeof USER_NOTICES_EN = {
  stolenGrant: (app, appsUrl) => ({
    subject: 'Eine App wurde von Ihrem Konto getrennt',
    parts: [
      `${introduced(app)} wurde von Ihrem Konto getrennt: Ein Zugangsschlüssel von ihr wurde zweimal benutzt. Vielleicht hat ihn jemand kopiert.`,
      'Wenn Sie die App benutzen, melden Sie sich darin wieder an.',
      linkTo('Was sonst noch Zugriff hat:', appsUrl, 'Apps ansehen'),
    ],
  }),
  newAccess: (app, granted, appsUrl) => ({
    subject: 'Eine App hat Zugriff auf Ihr Konto bekommen',
    parts: [
      `${introduced(app)} hat Zugriff auf Ihr Konto bekommen. Sie darf:`,
      listOf(granted.length === 0 ? ['alles, was Sie dürfen'] : granted),
      linkTo(
        'Wenn Sie das nicht waren oder es sich anders überlegt haben, beenden Sie den Zugriff:',
        appsUrl,
        'Apps ansehen',
      ),
    ],
  }),
};
