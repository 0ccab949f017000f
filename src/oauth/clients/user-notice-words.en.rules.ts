/** The mails to users about apps, in English. */
import { linkTo, listOf } from '../../core/mail-content.ts';

/** How a mail names an app: by what its developer calls it, which the mail says, or by its id alone. */
interface NamedApp {
  readonly clientId: string;
  /** Undefined where mail programs would make a link of it. */
  readonly name: string | undefined;
}

function introduced({ clientId, name }: NamedApp): string {
  return `An app${name === undefined ? '' : ` that calls itself “${name}”`} (${clientId})`;
}

/** `appsUrl`: where a user ends the access of apps. `granted` are sentences, none for an app that may do everything. */
export const USER_NOTICES_EN = {
  stolenGrant: (app: NamedApp, appsUrl: string) => ({
    subject: 'An app was disconnected from your account',
    parts: [
      `${introduced(app)} was disconnected from your account: one of its credentials was used twice, which can mean that someone copied it.`,
      'If you use this app, sign in to it again.',
      linkTo('See which other apps have access:', appsUrl, 'See apps'),
    ],
  }),
  newAccess: (app: NamedApp, granted: readonly string[], appsUrl: string) => ({
    subject: 'An app was given access to your account',
    parts: [
      `${introduced(app)} was given access to your account. It can:`,
      listOf(granted.length === 0 ? ['do everything that you can'] : granted),
      linkTo('If this wasn’t you, or you’ve changed your mind, end its access:', appsUrl, 'See apps'),
    ],
  }),
};
