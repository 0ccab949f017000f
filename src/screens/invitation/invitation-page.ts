import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { INVITATION_PATH, ROLES_IN_WORDS } from '../../modules/memberships/invitation.rules.ts';
import type { InvitedTo } from '../../modules/memberships/invited-to.rules.ts';
import { withReturn } from '../account/sign-in-page.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';

export interface InvitationPage extends InvitedTo {
  readonly csrf: string;
  /** Of the link that was followed. */
  readonly token: string;
  /** Where the mail went. */
  readonly email: string;
  /** Who would join; undefined where nobody is signed in. */
  readonly viewer: Viewer | undefined;
  readonly mistakes: readonly Mistake[];
}

/** Buttons, because programs open the links of mails before people do. The same whether or not the address has an account. */
export function invitationPage(page: InvitationPage): Html {
  const { csrf, token, email, viewer, groupKind, groupName, role, mistakes } = page;
  const title = `Join the ${groupKind}?`;
  const content = html`<article>
      ${mistakeSummary(aboutFields([], mistakes))}
      <h1>${title}</h1>
      <p>The ${groupKind} <strong><bdi>${groupName}</bdi></strong> invites you as ${ROLES_IN_WORDS[role]}. The invitation
        was mailed to <bdi>${email}</bdi>.</p>
      <p>Who administers it sees your name, your address, your schedules and what you are booked for through it.</p>
      ${viewer ? joinsAs(viewer, token) : signsInFirst(email, token)}
      <form method="post" action="${INVITATION_PATH}">
        ${hiddenField('csrf', csrf)}
        ${hiddenField('token', token)}
        ${viewer ? html`<button type="submit" name="decision" value="accept">Accept</button>` : ''}
        <button type="submit" name="decision" value="decline" class="quiet">Decline</button>
      </form>
    </article>`;
  return layout({ title: formTitle(title, mistakes), content, shape: 'card' });
}

const ANSWERS = {
  accept: {
    title: 'You have joined',
    text: 'You can leave again whenever you want. Who has invited you sees that you have accepted.',
    next: { path: '/settings/teams', says: 'See your teams' },
  },
  decline: {
    title: 'You have declined',
    text: 'You have joined nothing, and the link does not work any more.',
    next: { path: '/', says: 'Go to the start page' },
  },
} as const;
export type Decision = keyof typeof ANSWERS;

export function isDecision(text: string): text is Decision {
  return Object.hasOwn(ANSWERS, text);
}

export function invitationAnsweredPage(decision: Decision): Html {
  const { title, text, next } = ANSWERS[decision];
  const content = html`<article>
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="actions"><a class="button" href="${next.path}">${next.says}</a></p>
    </article>`;
  return layout({ title, content, shape: 'card' });
}

function joinsAs({ name, email }: Viewer, token: string): Html {
  const other = `${withReturn('/auth/login', pathOf(token))}&prompt=login`;
  return html`<p>You join as <strong><bdi>${name}</bdi></strong> (<bdi>${email}</bdi>).
        <a href="${other}">Use another account</a></p>`;
}

function signsInFirst(email: string, token: string): Html {
  const to = (path: string): string => `${withReturn(path, pathOf(token))}&login_hint=${encodeURIComponent(email)}`;
  return html`<p>To accept, sign in, or create an account. Then you come back here.</p>
      <p class="actions stacked"><a class="button" href="${to('/auth/login')}">Sign in</a>
        <a class="button quiet" href="${to('/auth/signup')}">Create an account</a></p>`;
}

function pathOf(token: string): string {
  return `${INVITATION_PATH}?token=${token}`;
}
