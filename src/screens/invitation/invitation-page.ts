import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { INVITATION_PATH, invitationWords } from '../../modules/memberships/invitation.rules.ts';
import type { InvitedTo } from '../../modules/memberships/membership.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { withReturn } from '../kit/paths.ts';
import { invitationPageWords } from './words/invitation-words.ts';

export interface InvitationPage extends InvitedTo {
  readonly csrf: string;
  /** The token of the link that was followed. */
  readonly token: string;
  /** Where the mail went. */
  readonly email: string;
  /** The user who would join; undefined where nobody is signed in. */
  readonly viewer: Viewer | undefined;
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale: string;
}

type Words = ReturnType<typeof invitationPageWords>;

/** Buttons, because programs open the links of mails before people do. The same whether or not the address has an account. */
export function invitationPage(page: InvitationPage): Html {
  const { csrf, token, email, viewer, groupKind, role, mistakes, locale } = page;
  const words = invitationPageWords(locale);
  const title = words.title(groupKind);
  const content = html`<article>
      ${mistakeSummary(aboutFields([], mistakes), locale)}
      <h1>${title}</h1>
      <p>${words.invited(page, invitationWords(locale).roles[role], email)}</p>
      <p>${words.seen}</p>
      ${viewer ? joinsAs(words, viewer, token) : signsInFirst(words, email, token)}
      <form method="post" action="${INVITATION_PATH}">
        ${hiddenField('csrf', csrf)}
        ${hiddenField('token', token)}
        ${viewer ? html`<button type="submit" name="decision" value="accept">${words.accept}</button>` : ''}
        <button type="submit" name="decision" value="decline" class="quiet">${words.decline}</button>
      </form>
    </article>`;
  return layout({ title: formTitle(title, mistakes, locale), content, shape: 'card', locale });
}

/** Where each answer leads on. */
const NEXT = { accept: '/settings/teams', decline: '/' } as const;
export type Decision = keyof typeof NEXT;

export function isDecision(text: string): text is Decision {
  return Object.hasOwn(NEXT, text);
}

export function invitationAnsweredPage(decision: Decision, locale: string): Html {
  const { title, text, next } = invitationPageWords(locale).done[decision];
  const content = html`<article>
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="actions"><a class="button" href="${NEXT[decision]}">${next}</a></p>
    </article>`;
  return layout({ title, content, shape: 'card', locale });
}

function joinsAs(words: Words, { name, email }: Viewer, token: string): Html {
  const other = `${withReturn('/auth/login', pathOf(token))}&prompt=login`;
  return html`<p>${words.joinsAs(name, email)}
        <a href="${other}">${words.useAnother}</a></p>`;
}

function signsInFirst(words: Words, email: string, token: string): Html {
  const to = (path: string): string => `${withReturn(path, pathOf(token))}&login_hint=${encodeURIComponent(email)}`;
  return html`<p>${words.signInFirst}</p>
      <p class="actions stacked"><a class="button" href="${to('/auth/login')}">${words.signIn}</a>
        <a class="button quiet" href="${to('/auth/signup')}">${words.signUp}</a></p>`;
}

function pathOf(token: string): string {
  return `${INVITATION_PATH}?token=${token}`;
}
