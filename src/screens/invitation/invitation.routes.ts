/** invitation/ answers the mail that invites somebody to a team or an organization. It may import account/ and kit/. */
import { type Context, Hono } from 'hono';
import { Problem } from '../../core/problem.ts';
import { type Report, statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { declineByLink, findInvitation, OVER_IN_WORDS } from '../../modules/memberships/answer-invitation.ts';
import { INVITATION_PATH } from '../../modules/memberships/invitation.rules.ts';
import type { FurnishMember } from '../../modules/organizations/group.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { acceptByLinkWithGrants } from '../../oauth/users/password-and-email.ts';
import { localeOf } from '../kit/page-locale.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { withReturn } from '../kit/paths.ts';
import { answerErrors, answerLinkOver, problemOf } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { type AddressOf, asViewer, type Visitors } from '../kit/visitors.ts';
import { type Decision, invitationAnsweredPage, invitationPage, isDecision } from './invitation-page.ts';
import { invitationPageWords } from './words/invitation-words.ts';

export interface InvitationSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  readonly authorizationServer: Aftermath;
  readonly furnishMember: FurnishMember;
  readonly report: Report;
}

const FORM = 'invitation';

/** Where the mail leads that invites somebody to a team or an organization. */
export function invitationRoutes(settings: InvitationSettings): Hono {
  const { em, visitors, addressOf, authorizationServer, furnishMember, report } = settings;
  const routes = new Hono();
  routes.onError(answerErrors(report));
  routes.get(INVITATION_PATH, async (c) => {
    const { token = '' } = c.req.query();
    const done = visitors.ledHereBy(c);
    if (isDecision(done)) return sendPage(c, invitationAnsweredPage(done, await visitors.localeOf(c)));
    // Read again much later, as phones do with their tabs: no link of a mail is wrong.
    return c.req.query('done') === undefined ? show(c, await sessionAt(c), token) : seeOther(c, '/');
  });
  routes.post(INVITATION_PATH, async (c) => {
    const session = await sessionAt(c);
    const { form, forgery } = await visitors.readForm(c, FORM);
    const [token, decision] = [form.get('token') ?? '', form.get('decision') ?? ''];
    // Does nothing, so it needs no token: that of a page which was opened before the session ended is none any more.
    if (decision === 'accept' && !session) {
      return seeOther(c, withReturn('/auth/login', `${INVITATION_PATH}?token=${encodeURIComponent(token)}`));
    }
    if (forgery) return show(c, session, token, forgery);
    if (!isDecision(decision)) return show(c, session, token, noDecision());
    const problem = await problemOf(() => answer(c, decision, token, session));
    return problem ? show(c, session, token, problem) : visitors.leadTo(c, INVITATION_PATH, decision);
  });
  return routes;

  /** The page says as whom one joins, so its form is good for nobody else who signs in meanwhile. */
  async function sessionAt(c: Context): Promise<FoundSession | undefined> {
    const session = await visitors.sessionOf(c.req.raw);
    if (session) visitors.bindForms(c.req.raw, session.userId);
    return session;
  }

  async function answer(
    c: Context,
    decision: Decision,
    token: string,
    session: FoundSession | undefined,
  ): Promise<void> {
    if (decision === 'accept') {
      const by = { token, userId: session?.userId ?? '', sessionId: session?.id, address: addressOf(c) };
      await acceptByLinkWithGrants(em.fork(), authorizationServer, by, furnishMember);
    } else if (!(await declineByLink(em.fork(), token))) throw new Problem('LINK_OVER', OVER_IN_WORDS);
  }

  async function show(
    c: Context,
    session: FoundSession | undefined,
    token: string,
    problem?: Problem,
  ): Promise<Response> {
    const found = await findInvitation(em.fork(), token);
    const locale = localeOf(c);
    const { over, texts } = invitationPageWords(locale);
    if (!found) return answerLinkOver(c, over);
    const csrf = visitors.formToken(c, FORM);
    const page = invitationPage({
      ...found,
      token,
      csrf,
      viewer: session && asViewer(session),
      mistakes: mistakesIn(locale, problem, { texts }),
      locale,
    });
    return sendPage(c, page, problem ? statusOf(problem) : 200);
  }
}

function noDecision(): Problem {
  return new Problem('BAD_INPUT', 'Choose whether to accept or decline.', ['decision']);
}
