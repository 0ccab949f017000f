import { requireSession } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { changePassword } from './change-password.ts';

mutation('passwordChange', {
  description: 'Changes your password and signs all your other browsers out.',
  requires: FIRST_PARTY,
  single: true,
  errors: [
    'REQUIRED',
    'TOO_SHORT',
    'TOO_LONG',
    'INVALID_TEXT',
    'GUESSABLE',
    'WRONG_PASSWORD',
    'TOO_MANY_GUESSES',
    'CONFLICT',
    'BUSY',
    'NOT_FOUND',
  ],
  input: (t) => ({
    currentPassword: t.string({ required: true }),
    newPassword: t.string({ required: true, description: 'At least 8 characters.' }),
  }),
  resolve: async (input, context) => {
    const { userId, sessionId } = requireSession(context);
    const { em, passwordGuesses, address } = context;
    await changePassword(em, passwordGuesses, { ...input, userId, sessionId, address });
    return {};
  },
  payload: () => ({}),
});
