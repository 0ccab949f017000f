import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { FORGOTTEN_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { mailHint } from './mail-hint.ts';

export interface ForgottenPasswordPage {
  readonly csrf: string;
  readonly email: string;
  readonly mistakes: readonly Mistake[];
}

export function forgottenPasswordPage({ csrf, email, mistakes }: ForgottenPasswordPage): Html {
  const content = html`<article>
      ${mistakeSummary(mistakes)}
      <h1>Forgotten password</h1>
      <p>We send a link to set a new one to the address of your account.</p>
      <form method="post" action="${FORGOTTEN_PASSWORD_PATH}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username' }, mistakes, true)}
        <button type="submit">Send the link</button>
      </form>
      <p class="aside"><a href="/auth/login">Sign in</a></p>
    </article>`;
  return layout({ title: formTitle('Forgotten password', mistakes), content, shape: 'card' });
}

/** The same whether or not there is an account. */
export function linkSentPage(minutes: number, mailFolder: string | undefined): Html {
  const content = html`<article>
      <h1>Look into your mailbox</h1>
      <p>If there is an account with that address, a link to set a new password is on its way there. It works once, for
        ${minutes} minutes.</p>
      <p>Nothing came? Look among unwanted mail, and check the address:
        <a href="${FORGOTTEN_PASSWORD_PATH}">ask for another link</a>.</p>
      ${mailHint(mailFolder)}
    </article>`;
  return layout({ title: 'Look into your mailbox', content, shape: 'card' });
}
