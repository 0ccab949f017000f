import { type Context, Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { findLink } from '../../modules/accounts/links/account-links.ts';
import { CONFIRM_EMAIL_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { EMAIL_LINKS } from '../../modules/accounts/links/confirm-email.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { confirmEmailWithGrants } from '../../oauth/users/password-and-email.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { answerLinkOver, problemOf } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import type { AddressOf, Visitors } from '../kit/visitors.ts';
import { confirmEmailPage, emailConfirmedPage, emailTakenPage } from './confirm-email-page.ts';
import { authWords } from './words/auth-words.ts';

export interface ConfirmEmailSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  readonly accountMails: AccountMails;
  readonly authorizationServer: Aftermath;
}

const FORM = 'confirm-email';

/** The address in a mail that asks its reader whether they are who an account says. */
export function confirmEmailRoutes(settings: ConfirmEmailSettings): Hono {
  const { em, visitors, addressOf, accountMails, authorizationServer } = settings;
  const routes = new Hono();
  routes.get(CONFIRM_EMAIL_PATH, async (c) => {
    const { token = '' } = c.req.query();
    if (visitors.ledHereBy(c) === 'yes') return sendPage(c, emailConfirmedPage(await visitors.localeOf(c)));
    // Read again much later, as phones do with their tabs: no link of a mail is wrong.
    return c.req.query('done') === undefined ? show(c, token) : seeOther(c, '/');
  });
  routes.post(CONFIRM_EMAIL_PATH, async (c) => {
    const { form, forgery } = await visitors.readForm(c, FORM);
    const token = form.get('token') ?? '';
    if (forgery) return show(c, token, forgery);
    const sessionId = (await visitors.sessionOf(c.req.raw))?.id;
    const confirmation = { token, address: addressOf(c), sessionId };
    const problem = await problemOf(() =>
      confirmEmailWithGrants(em.fork(), accountMails, authorizationServer, confirmation),
    );
    return problem ? show(c, token, problem) : visitors.leadTo(c, CONFIRM_EMAIL_PATH, 'yes');
  });
  return routes;

  async function show(c: Context, token: string, problem?: Problem): Promise<Response> {
    const link = await findLink(em.fork(), token, EMAIL_LINKS);
    const locale = await visitors.localeOf(c);
    if (problem?.code === 'EMAIL_TAKEN') return sendPage(c, emailTakenPage(link?.email, locale), statusOf(problem));
    if (!link) return answerLinkOver(c, authWords(locale).confirmEmail.linkOver);
    const csrf = visitors.formToken(c, FORM);
    const page = confirmEmailPage({ ...link, token, csrf, mistakes: mistakesIn(locale, problem), locale });
    return sendPage(c, page, problem ? statusOf(problem) : 200);
  }
}
