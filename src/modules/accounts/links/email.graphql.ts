import { EMAIL_IN_WORDS } from '../../../core/text.ts';
import { builder } from '../../../graphql/builder.ts';
import { requireSession } from '../../../graphql/context.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../../scopes/declare.ts';
import { Viewer } from '../accounts.graphql.ts';
import { findPendingEmail } from './account-links.ts';
import { REQUEST_EMAIL_CHANGE_CODES, requestEmailChange } from './change-email.ts';

const requires = FIRST_PARTY;

builder.objectField(Viewer, 'pendingEmail', (t) =>
  t.field({
    type: 'EmailAddress',
    nullable: true,
    description: 'The new address that you have requested, until the link that was mailed there is followed.',
    requires,
    resolve: ({ id }, _, { em }) => findPendingEmail(em, id),
  }),
);

mutation('emailChange', {
  description:
    'Asks for another e-mail address. It becomes yours when the link that is mailed there is followed, within 24 hours.',
  requires,
  single: true,
  errors: REQUEST_EMAIL_CHANGE_CODES,
  input: (t) => ({
    newEmail: t.field({ type: 'EmailAddress', required: true, description: `The new address: ${EMAIL_IN_WORDS}.` }),
    currentPassword: t.string({ required: true, description: 'Shows that it is you; wrong ones are counted.' }),
  }),
  resolve: async (input, context) => {
    const { userId } = requireSession(context);
    const { em, passwordGuesses, accountMails, address } = context;
    return { pendingEmail: await requestEmailChange(em, passwordGuesses, accountMails, { ...input, userId, address }) };
  },
  payload: (t) => ({
    pendingEmail: t.expose('pendingEmail', {
      type: 'EmailAddress',
      nullable: true,
      requires,
      description: 'The address that a link was mailed to. Null if it was refused.',
    }),
  }),
});
