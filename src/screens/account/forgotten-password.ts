import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { countForNetwork, type GuessLimit, type NetworkLimits } from '../../limits/guess-limit.ts';
import { findLink } from '../../modules/accounts/links/account-links.ts';
import {
  FORGOTTEN_PASSWORD_PATH,
  LINK_MINUTES,
  NEW_PASSWORD_PATH,
} from '../../modules/accounts/links/account-mail.rules.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { requestPasswordReset } from '../../modules/accounts/sign-in/change-password.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { resetPasswordWithGrants } from '../../oauth/users/password-and-email.ts';
import { checkBox, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { always, type DeclaredPage, openPage } from '../kit/page.ts';
import { SIGN_IN_PATH } from '../kit/paths.ts';
import { answerLinkOver } from '../kit/problem-response.ts';
import type { AddressOf } from '../kit/visitors.ts';
import { authForm, authWords } from './account-words.ts';
import type { FollowedLink } from './confirm-email.ts';

export interface ForgottenPasswordSettings {
  readonly addressOf: AddressOf;
  readonly networkLimits: NetworkLimits;
  /** Counts wrong passwords; the same one everywhere that takes a password. */
  readonly passwordGuesses: GuessLimit;
  readonly accountMails: AccountMails;
  /** Where mails are kept; undefined when they are sent. */
  readonly mailFolder: string | undefined;
  readonly authorizationServer: Aftermath;
}

/** `/auth/forgotten-password`: asks for a link to a new password. No answer tells whether there is an account. */
export function forgottenPasswordPage(settings: ForgottenPasswordSettings): DeclaredPage {
  const { addressOf, networkLimits, accountMails, mailFolder } = settings;
  return openPage({
    path: FORGOTTEN_PASSWORD_PATH,
    find: always,
    show: async ({ c, csrf, back, mistakes, reader }) => {
      const { locale } = await reader();
      const { sent, email = '', several } = c.req.query();
      if (!back && sent !== undefined) return linkSentView(LINK_MINUTES.RESET_PASSWORD, mailFolder, locale);
      const typed = back ? typedIn(back.form) : { email, username: several === undefined ? undefined : '' };
      return forgottenView({ ...typed, csrf: csrf.request, mistakes: mistakes(authForm(locale)), locale });
    },
    forms: {
      request: {
        at: '',
        run: async ({ c, em, path }, _, form) => {
          const address = addressOf(c);
          await countForNetwork(networkLimits.forgottenPasswords, address);
          await requestPasswordReset(em, accountMails, { ...typedIn(form), address });
          return { to: `${path}?sent=yes` };
        },
      },
    },
  });
}

/** Where the link of the mail leads: a new password. */
export function newPasswordPage(settings: ForgottenPasswordSettings): DeclaredPage {
  const { addressOf, passwordGuesses, accountMails, authorizationServer } = settings;
  return openPage({
    path: NEW_PASSWORD_PATH,
    find: always,
    show: async ({ c, em, csrf, back, mistakes, reader }) => {
      const token = (back ? back.form.get('token') : c.req.query('token')) ?? '';
      const link = await findLink(em, token, ['RESET_PASSWORD']);
      const { locale } = await reader();
      if (!link) return answerLinkOver(c, authWords(locale).newPassword.linkOver);
      return newPasswordView({ ...link, token, csrf: csrf.reset, mistakes: mistakes(authForm(locale)), locale });
    },
    forms: {
      reset: {
        at: '',
        run: async ({ c, em }, _, form) => {
          const request = {
            token: form.get('token') ?? '',
            newPassword: form.get('newPassword') ?? '',
            revokesApps: form.has('revokesApps'),
            address: addressOf(c),
          };
          await resetPasswordWithGrants(em, passwordGuesses, accountMails, authorizationServer, request);
          return { to: SIGN_IN_PATH, done: 'password' };
        },
      },
    },
  });
}

interface TypedReset {
  readonly email: string;
  /** Undefined where it is not asked for. */
  readonly username: string | undefined;
}

function typedIn(form: URLSearchParams): TypedReset {
  return { email: form.get('email') ?? '', username: form.get('username') ?? undefined };
}

interface ForgottenView extends TypedReset {
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale: string;
}

function forgottenView({ csrf, email, username, mistakes, locale }: ForgottenView): Html {
  const { forgotten: words, fields, signIn } = authWords(locale);
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.title}</h1>
      <p>${words.what}</p>
      <form method="post" action="${FORGOTTEN_PASSWORD_PATH}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${textField({ name: 'email', label: fields.email, type: 'email', value: email, autocomplete: 'username' }, mistakes, true)}
        ${username === undefined ? '' : textField({ name: 'username', label: fields.username, value: username, autocomplete: 'off' }, mistakes)}
        <button type="submit">${words.button}</button>
      </form>
      <p class="aside"><a href="${SIGN_IN_PATH}">${signIn.title}</a></p>
    </article>`;
  return layout({ title: formTitle(words.title, mistakes, locale), content, shape: 'card', locale });
}

/** The page is the same whether or not there is an account. */
function linkSentView(minutes: number, mailFolder: string | undefined, locale: string): Html {
  const { title, what, nothingCame } = authWords(locale).linkSent;
  const content = html`<article>
      <h1>${title}</h1>
      <p>${what(minutes)}</p>
      <p>${nothingCame(FORGOTTEN_PASSWORD_PATH)}</p>
      ${mailHint(mailFolder, locale)}
    </article>`;
  return layout({ title, content, shape: 'card', locale });
}

function newPasswordView({ csrf, token, email, username, mistakes, locale }: FollowedLink): Html {
  const words = authWords(locale).newPassword;
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.title}</h1>
      <p>${words.what(username, email)}</p>
      <form method="post" action="${NEW_PASSWORD_PATH}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('token', token)}
        <input type="hidden" name="username" autocomplete="username" value="${email}">
        ${newPasswordField(mistakes, locale, true)}
        ${revokeAppsBox(locale)}
        <button type="submit">${words.button}</button>
      </form>
    </article>`;
  return layout({ title: formTitle(words.title, mistakes, locale), content, shape: 'card', locale });
}

export function newPasswordField(mistakes: readonly Mistake[], locale: string, isFirst = false): Html {
  const { fields, passwordHint: hint } = authWords(locale);
  return textField(
    {
      name: 'newPassword',
      label: fields.newPassword,
      type: 'password',
      autocomplete: 'new-password',
      hint,
    },
    mistakes,
    isFirst,
  );
}

export function revokeAppsBox(locale: string): Html {
  return checkBox({ name: 'revokesApps', label: authWords(locale).revokesApps, isChecked: false });
}

/** Where no mail server is set, nothing arrives: mails lie in a folder, to which this page points. */
export function mailHint(folder: string | undefined, locale: string): Html | '' {
  return folder === undefined ? '' : html`<p class="aside">${authWords(locale).mailHint(folder)}</p>`;
}
