/** Answering an invitation to a team or an organization, in English. */
import { html } from 'hono/html';
import { FULL_IN_WORDS, OVER_IN_WORDS } from '../../modules/memberships/answer-invitation.ts';
import type { InvitedTo } from '../../modules/memberships/membership.rules.ts';
import type { FormWords } from '../kit/problem-words.ts';

const TEXTS: NonNullable<FormWords['texts']> = { TOO_MANY: FULL_IN_WORDS };

export const INVITATION_PAGE_EN = {
  texts: TEXTS,
  title: (kind: InvitedTo['groupKind']) => `Join the ${kind}?`,
  invited: ({ groupKind, groupName }: InvitedTo, role: string, email: string) =>
    html`You’re invited to join the ${groupKind} <strong><bdi>${groupName}</bdi></strong> as ${role}. The invitation was sent to <bdi>${email}</bdi>.`,
  seen: 'Its administrators will see your name, e-mail address and schedules, and the bookings you get through it.',
  accept: 'Accept',
  decline: 'Decline',
  joinsAs: (name: string, email: string) =>
    html`You’ll join as <strong><bdi>${name}</bdi></strong> (<bdi>${email}</bdi>).`,
  useAnother: 'Use another account',
  signInFirst: 'To accept, sign in or create an account. You’ll come back here afterwards.',
  signIn: 'Sign in',
  signUp: 'Create an account',
  over: `${OVER_IN_WORDS} Ask them for a new invitation.`,
  done: {
    accept: {
      title: 'You’ve joined',
      text: 'You can leave at any time. The person who invited you can see that you’ve accepted.',
      next: 'See your teams',
    },
    decline: {
      title: 'You’ve declined',
      text: 'You haven’t joined, and the link no longer works.',
      next: 'Go to the start page',
    },
  },
};
