import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { findLink } from '../../modules/accounts/links/account-links.ts';
import { CONFIRM_EMAIL_PATH, FORGOTTEN_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { EMAIL_LINKS } from '../../modules/accounts/links/change-email.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { confirmEmailWithGrants } from '../../oauth/users/password-and-email.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { always, type DeclaredPage, openPage } from '../kit/page.ts';
import { seeOther } from '../kit/page-response.ts';
import { SETTINGS, SIGN_IN_PATH } from '../kit/paths.ts';
import { answerLinkOver } from '../kit/problem-response.ts';
import type { AddressOf } from '../kit/visitors.ts';
import { authWords } from './account-words.ts';

export interface ConfirmEmailSettings {
  readonly addressOf: AddressOf;
  readonly accountMails: AccountMails;
  readonly authorizationServer: Aftermath;
}

/** The address in a mail that asks its reader whether they are who an account says. */
export function confirmEmailPage({ addressOf, accountMails, authorizationServer }: ConfirmEmailSettings): DeclaredPage {
  return openPage({
    path: CONFIRM_EMAIL_PATH,
    find: always,
    isNotice: true,
    show: async ({ c, em, csrf, back, done, mistakes, reader }) => {
      const { locale } = await reader();
      if (done === 'yes') return confirmedView(locale);
      // Read again much later, as phones do with their tabs: no link of a mail is wrong.
      if (!back && c.req.query('done') !== undefined) return seeOther(c, '/');
      const token = (back ? back.form.get('token') : c.req.query('token')) ?? '';
      const link = await findLink(em, token, EMAIL_LINKS);
      if (back?.problem?.code === 'EMAIL_TAKEN') return takenView(link?.email, locale);
      if (!link) return answerLinkOver(c, authWords(locale).confirmEmail.linkOver);
      return confirmView({ ...link, token, csrf: csrf.confirm, mistakes: mistakes(), locale });
    },
    forms: {
      confirm: {
        at: '',
        run: async ({ c, em, path, reader }, _, form) => {
          const sessionId = (await reader()).session?.id;
          const confirmation = { token: form.get('token') ?? '', address: addressOf(c), sessionId };
          await confirmEmailWithGrants(em, accountMails, authorizationServer, confirmation);
          return { to: path, done: 'yes' };
        },
      },
    },
  });
}

/** A form behind a link of a mail. */
export interface FollowedLink {
  readonly csrf: string;
  /** The token of the link that was followed. */
  readonly token: string;
  readonly email: string;
  readonly username: string;
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** A button, because programs open the links of mails before people do. */
function confirmView({ csrf, token, email, username, mistakes, locale }: FollowedLink): Html {
  const words = authWords(locale).confirmEmail;
  const content = html`<article>
      ${mistakeSummary(aboutFields([], mistakes), locale)}
      <h1>${words.heading}</h1>
      <p>${words.what(username, email)}</p>
      <form method="post" action="${CONFIRM_EMAIL_PATH}">
        ${hiddenField('csrf', csrf)}
        ${hiddenField('token', token)}
        <button type="submit">${words.button}</button>
      </form>
      <p class="aside">${words.otherwise}</p>
    </article>`;
  return layout({ title: formTitle(words.title, mistakes, locale), content, shape: 'card', locale });
}

function confirmedView(locale: string): Html {
  const { title, what, share, button } = authWords(locale).emailConfirmed;
  const content = html`<article>
      <h1>${title}</h1>
      <p>${what}</p>
      <p class="actions"><a class="button" href="/welcome">${share}</a>
        <a class="button quiet" href="${SETTINGS.account}">${button}</a></p>
    </article>`;
  return layout({ title, content, shape: 'card', locale });
}

/** Only a reader of the mail at the address gets here. */
function takenView(email: string | undefined, locale: string): Html {
  const words = authWords(locale).emailTaken;
  const hint = email === undefined ? '' : `?login_hint=${encodeURIComponent(email)}`;
  const content = html`<article>
      <h1>${words.title}</h1>
      <p>${words.what}</p>
      <p class="actions"><a class="button" href="${SIGN_IN_PATH}${hint}">${words.signIn}</a>
        <a class="button quiet" href="${SETTINGS.account}">${words.useAnother}</a></p>
      <p class="aside"><a href="${FORGOTTEN_PASSWORD_PATH}">${words.forgotten}</a></p>
    </article>`;
  return layout({ title: words.title, content, shape: 'card', locale });
}
