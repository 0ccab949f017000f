import { requireSession } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { PASSWORD_LENGTH } from '../../modules/accounts/account.rules.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { CHANGE_PASSWORD_WITH_GRANTS_CODES, changePasswordWithGrants } from './change-password.ts';

mutation('passwordChange', {
  description: 'Changes your password. Unless you say otherwise, all your other browsers are signed out.',
  requires: FIRST_PARTY,
  single: true,
  errors: CHANGE_PASSWORD_WITH_GRANTS_CODES,
  input: (t) => ({
    currentPassword: t.string({ required: true, description: 'Shows that it is you; wrong ones are counted.' }),
    newPassword: t.string({
      required: true,
      description: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, whichever you like; neither your e-mail address nor your username.`,
    }),
    endOtherSessions: t.boolean({
      required: true,
      defaultValue: true,
      description: 'Whether all your other browsers are signed out.',
    }),
    revokeApps: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether the apps that you authorized lose their access, too.',
    }),
  }),
  resolve: async (input, context) => {
    const { userId, sessionId } = requireSession(context);
    const { em, passwordGuesses, accountMails, oauth, address } = context;
    const change = { ...input, userId, sessionId, address };
    await changePasswordWithGrants(em, passwordGuesses, accountMails, oauth, change);
    return {};
  },
  payload: () => ({}),
});
