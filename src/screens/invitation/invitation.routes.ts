/** invitation/ answers the mail that invites somebody to a team or an organization. It may import account/, kit/ and http/. */
import { type Context, Hono } from 'hono';
import { Problem } from '../../core/problem.ts';
import { type Report, statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { answerLinkOver } from '../../http/link.routes.ts';
import { seeOther, sendPage } from '../../http/page-response.ts';
import { answerErrors, problemOf } from '../../http/problem-response.ts';
import type { Visitors } from '../../http/visitors.ts';
import {
  acceptByLink,
  declineByLink,
  findInvitation,
  OVER_IN_WORDS,
} from '../../modules/memberships/answer-invitation.ts';
import { INVITATION_PATH } from '../../modules/memberships/invitation.rules.ts';
import type { FurnishMember } from '../../modules/organizations/group.ts';
import { withReturn } from '../account/sign-in-page.ts';
import { type Decision, invitationAnsweredPage, invitationPage, isDecision } from './invitation-page.ts';

export interface InvitationSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly furnishMember: FurnishMember;
  readonly report: Report;
}

const FORM = 'invitation';
const ADVICE = `${OVER_IN_WORDS} Ask who has invited you for another invitation.`;

/** Where the mail leads that invites somebody to a team or an organization. */
export function invitationRoutes({ em, visitors, furnishMember, report }: InvitationSettings): Hono {
  const routes = new Hono();
  routes.onError(answerErrors(report));
  routes.get(INVITATION_PATH, (c) => {
    const { token = '', done = '' } = c.req.query();
    return isDecision(done) ? sendPage(c, invitationAnsweredPage(done)) : show(c, token);
  });
  routes.post(INVITATION_PATH, async (c) => {
    const { form, forgery } = await visitors.readForm(c, FORM);
    const [token, decision] = [form.get('token') ?? '', form.get('decision') ?? ''];
    if (forgery) return show(c, token, forgery);
    if (!isDecision(decision)) return show(c, token, noDecision());
    const session = await visitors.sessionOf(c.req.raw);
    if (decision === 'accept' && !session) {
      return seeOther(c, withReturn('/auth/login', `${INVITATION_PATH}?token=${encodeURIComponent(token)}`));
    }
    const problem = await problemOf(() => answer(decision, token, session?.userId ?? ''));
    return problem ? show(c, token, problem) : seeOther(c, `${INVITATION_PATH}?done=${decision}`);
  });
  return routes;

  async function answer(decision: Decision, token: string, userId: string): Promise<void> {
    if (decision === 'accept') await acceptByLink(em.fork(), { token, userId }, furnishMember);
    else if (!(await declineByLink(em.fork(), token))) throw new Problem('LINK_OVER', OVER_IN_WORDS);
  }

  async function show(c: Context, token: string, problem?: Problem): Promise<Response> {
    const found = await findInvitation(em.fork(), token);
    if (!found) return answerLinkOver(c, ADVICE);
    const [csrf, viewer] = [visitors.formToken(c, FORM), await visitors.viewerOf(c.req.raw)];
    const page = invitationPage({ ...found, token, csrf, viewer, mistakes: problem?.mistakes ?? [] });
    return sendPage(c, page, problem ? statusOf(problem) : 200);
  }
}

function noDecision(): Problem {
  return new Problem('BAD_INPUT', 'Nothing was chosen; accept or decline.', ['decision']);
}
