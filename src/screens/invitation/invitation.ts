/** invitation/ answers the mail that invites somebody to a team or an organization. It may import account/ and kit/. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { inLanguages } from '../../core/language.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { Report } from '../../database/failure.ts';
import { declineByLink, findInvitation, OVER_IN_WORDS } from '../../modules/memberships/answer-invitation.ts';
import { INVITATION_PATH, invitationWords } from '../../modules/memberships/invitation.rules.ts';
import type { InvitedTo } from '../../modules/memberships/membership.rules.ts';
import type { FurnishMember } from '../../modules/organizations/group.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { acceptByLinkWithGrants } from '../../oauth/users/password-and-email.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import {
  always,
  type DeclaredPage,
  type OpenShowing,
  type OpenVisit,
  openPage,
  type PageSettings,
  routesOf,
} from '../kit/page.ts';
import { seeOther } from '../kit/page-response.ts';
import { withReturn } from '../kit/paths.ts';
import { answerErrors, answerLinkOver } from '../kit/problem-response.ts';
import type { AddressOf } from '../kit/visitors.ts';
import { INVITATION_PAGE_DE } from './invitation-words.de.ts';
import { INVITATION_PAGE_EN } from './invitation-words.en.ts';

const invitationPageWords = inLanguages(INVITATION_PAGE_EN, { de: INVITATION_PAGE_DE });

export interface InvitationSettings extends PageSettings {
  readonly addressOf: AddressOf;
  readonly authorizationServer: Aftermath;
  readonly furnishMember: FurnishMember;
  readonly report: Report;
}

/** Where the mail leads that invites somebody to a team or an organization. */
export function invitationRoutes(settings: InvitationSettings): Hono {
  const routes = new Hono();
  routes.onError(answerErrors(settings.report));
  return routes.route('/', routesOf(settings, [invitationPage(settings)]));
}

/** The page says as whom one joins, so its form is good for nobody else who signs in meanwhile. */
function invitationPage({ addressOf, authorizationServer, furnishMember }: InvitationSettings): DeclaredPage {
  return openPage({
    path: INVITATION_PATH,
    isForReader: true,
    isNotice: true,
    find: always,
    show,
    forms: {
      answer: {
        at: '',
        run: async ({ c, em, reader }, _, form) => {
          const { session } = await reader();
          const token = form.get('token') ?? '';
          const decision = form.get('decision') ?? '';
          if (decision === 'accept' && !session) return signInFirst({ c }, token);
          if (!isDecision(decision))
            throw new Problem('BAD_INPUT', 'Choose whether to accept or decline.', ['decision']);
          if (decision === 'accept') {
            const by = { token, userId: session?.userId ?? '', sessionId: session?.id, address: addressOf(c) };
            await acceptByLinkWithGrants(em, authorizationServer, by, furnishMember);
          } else if (!(await declineByLink(em, token))) throw new Problem('LINK_OVER', OVER_IN_WORDS);
          return { to: INVITATION_PATH, done: decision };
        },
      },
    },
  });
}

async function show(showing: OpenShowing<'answer'>): Promise<Html | Response> {
  const { c, em, csrf, back, done } = showing;
  const { session, viewer, locale } = await showing.reader();
  if (isDecision(done)) return answeredView(done, locale);
  // Read again much later, as phones do with their tabs: no link of a mail is wrong.
  const isOpened = back !== undefined || c.req.query('done') === undefined;
  if (!isOpened) return seeOther(c, '/');
  const token = (back ? back.form.get('token') : c.req.query('token')) ?? '';
  // Does nothing, so it needs no token: that of a page which was opened before the session ended is none any more.
  if (back?.form.get('decision') === 'accept' && !session) return signInFirst(showing, token);
  const found = await findInvitation(em, token);
  const { over, texts } = invitationPageWords(locale);
  if (!found) return answerLinkOver(c, over);
  return invitationView({ ...found, token, csrf: csrf.answer, viewer, mistakes: showing.mistakes({ texts }), locale });
}

function signInFirst({ c }: Pick<OpenVisit, 'c'>, token: string): Response {
  return seeOther(c, withReturn('/auth/login', `${INVITATION_PATH}?token=${encodeURIComponent(token)}`));
}

interface InvitationView extends InvitedTo {
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
function invitationView(page: InvitationView): Html {
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
type Decision = keyof typeof NEXT;

function isDecision(text: string): text is Decision {
  return Object.hasOwn(NEXT, text);
}

function answeredView(decision: Decision, locale: string): Html {
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
