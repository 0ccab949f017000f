/** Answering an invitation to a team or an organization, in English. */
import { html } from 'hono/html';
import type { InvitedTo } from '../../../modules/memberships/invited-to.rules.ts';
import type { FormWords } from '../../kit/mistakes.ts';

const TEXTS: NonNullable<FormWords['texts']> = {};

export const INVITATION_PAGE_EN = {
  texts: TEXTS,
  title: (kind: InvitedTo['groupKind']) => `Join the ${kind}?`,
  invited: ({ groupKind, groupName }: InvitedTo, role: string, email: string) =>
    html`The ${groupKind} <strong><bdi>${groupName}</bdi></strong> invites you as ${role}. The invitation was mailed to <bdi>${email}</bdi>.`,
  seen: 'Who administers it sees your name, your address, your schedules and what you are booked for through it.',
  accept: 'Accept',
  decline: 'Decline',
  joinsAs: (name: string, email: string) =>
    html`You join as <strong><bdi>${name}</bdi></strong> (<bdi>${email}</bdi>).`,
  useAnother: 'Use another account',
  signInFirst: 'To accept, sign in, or create an account. Then you come back here.',
  signIn: 'Sign in',
  signUp: 'Create an account',
  over: 'It was answered or withdrawn, its time is over, a later mail has taken its place, or who sent it may not invite any more. Ask who has invited you for another invitation.',
  done: {
    accept: {
      title: 'You have joined',
      text: 'You can leave again whenever you want. Who has invited you sees that you have accepted.',
      next: 'See your teams',
    },
    decline: {
      title: 'You have declined',
      text: 'You have joined nothing, and the link does not work any more.',
      next: 'Go to the start page',
    },
  },
};
