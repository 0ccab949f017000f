import { type Context, Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { countForNetwork, type GuessLimit, type NetworkLimits } from '../../limits/guess-limit.ts';
import { findLink } from '../../modules/accounts/links/account-links.ts';
import {
  FORGOTTEN_PASSWORD_PATH,
  LINK_MINUTES,
  NEW_PASSWORD_PATH,
} from '../../modules/accounts/links/account-mail.rules.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { requestPasswordReset } from '../../modules/accounts/sign-in/reset-password.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { resetPasswordWithGrants } from '../../oauth/users/password-and-email.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { answerLinkOver, problemOf, sendForm } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import type { AddressOf, Visitors } from '../kit/visitors.ts';
import { forgottenPasswordPage, linkSentPage } from './forgotten-password-page.ts';
import { newPasswordPage } from './new-password-page.ts';
import { authForm, authWords } from './words/auth-words.ts';

export interface ForgottenPasswordSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  readonly networkLimits: NetworkLimits;
  /** Counts wrong passwords; the same one everywhere that takes a password. */
  readonly passwordGuesses: GuessLimit;
  readonly accountMails: AccountMails;
  /** Where mails are kept; undefined when they are sent. */
  readonly mailFolder: string | undefined;
  readonly authorizationServer: Aftermath;
}

interface TypedReset {
  readonly email: string;
  /** Undefined where it is not asked for. */
  readonly username: string | undefined;
}

const FORGOTTEN_FORM = 'forgotten-password';
const NEW_FORM = 'new-password';

/** From a forgotten password to a new one. No answer tells whether there is an account. */
export function forgottenPasswordRoutes(settings: ForgottenPasswordSettings): Hono {
  const { em, visitors, addressOf, accountMails, mailFolder } = settings;
  const routes = new Hono();
  routes.get(FORGOTTEN_PASSWORD_PATH, (c) => {
    const { sent, email = '', several } = c.req.query();
    if (sent !== undefined) return showSent(c);
    return showForgotten(c, { email, username: several === undefined ? undefined : '' });
  });
  routes.post(FORGOTTEN_PASSWORD_PATH, async (c) => {
    const { form, forgery } = await visitors.readForm(c, FORGOTTEN_FORM);
    const typed = { email: form.get('email') ?? '', username: form.get('username') ?? undefined };
    const address = addressOf(c);
    const problem =
      forgery ??
      (await problemOf(async () => {
        await countForNetwork(settings.networkLimits.forgottenPasswords, address);
        await requestPasswordReset(em.fork(), accountMails, { ...typed, address });
      }));
    return problem ? showForgotten(c, typed, problem) : seeOther(c, `${FORGOTTEN_PASSWORD_PATH}?sent=yes`);
  });

  routes.get(NEW_PASSWORD_PATH, (c) => showNew(c, c.req.query('token') ?? ''));
  routes.post(NEW_PASSWORD_PATH, async (c) => {
    const { form, forgery } = await visitors.readForm(c, NEW_FORM);
    const token = form.get('token') ?? '';
    const problem = forgery ?? (await problemOf(() => reset(c, token, form)));
    return problem ? showNew(c, token, problem) : visitors.leadTo(c, '/auth/login', 'password');
  });
  return routes;

  function reset(c: Context, token: string, form: URLSearchParams): Promise<void> {
    const request = {
      token,
      newPassword: form.get('newPassword') ?? '',
      revokeApps: form.has('revokeApps'),
      address: addressOf(c),
    };
    const { passwordGuesses, authorizationServer } = settings;
    return resetPasswordWithGrants(em.fork(), passwordGuesses, accountMails, authorizationServer, request);
  }

  async function showSent(c: Context): Promise<Response> {
    const locale = await visitors.localeOf(c);
    return sendPage(c, linkSentPage(LINK_MINUTES.RESET_PASSWORD, mailFolder, locale));
  }

  async function showForgotten(c: Context, typed: TypedReset, problem?: Problem): Promise<Response> {
    const csrf = visitors.formToken(c, FORGOTTEN_FORM);
    const locale = await visitors.localeOf(c);
    const page = forgottenPasswordPage({
      ...typed,
      csrf,
      mistakes: mistakesIn(locale, problem, authForm(locale)),
      locale,
    });
    return sendForm(c, page, problem);
  }

  async function showNew(c: Context, token: string, problem?: Problem): Promise<Response> {
    const link = await findLink(em.fork(), token, ['RESET_PASSWORD']);
    const locale = await visitors.localeOf(c);
    if (!link) return answerLinkOver(c, authWords(locale).newPassword.linkOver);
    const csrf = visitors.formToken(c, NEW_FORM);
    const mistakes = mistakesIn(locale, problem, authForm(locale));
    const page = newPasswordPage({ ...link, token, csrf, mistakes, locale });
    return sendForm(c, page, problem);
  }
}
