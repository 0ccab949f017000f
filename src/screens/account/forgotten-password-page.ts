import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { FORGOTTEN_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { mailHint } from './mail-hint.ts';
import { authWords } from './words/auth-words.ts';

export interface ForgottenPasswordPage {
  readonly csrf: string;
  readonly email: string;
  /** Asked for where several accounts have the address; undefined: not here. */
  readonly username: string | undefined;
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale: string;
}

export function forgottenPasswordPage({ csrf, email, username, mistakes, locale }: ForgottenPasswordPage): Html {
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
      <p class="aside"><a href="/auth/login">${signIn.title}</a></p>
    </article>`;
  return layout({ title: formTitle(words.title, mistakes, locale), content, shape: 'card', locale });
}

/** The page is the same whether or not there is an account. */
export function linkSentPage(minutes: number, mailFolder: string | undefined, locale: string): Html {
  const { title, what, nothingCame } = authWords(locale).linkSent;
  const content = html`<article>
      <h1>${title}</h1>
      <p>${what(minutes)}</p>
      <p>${nothingCame(FORGOTTEN_PASSWORD_PATH)}</p>
      ${mailHint(mailFolder, locale)}
    </article>`;
  return layout({ title, content, shape: 'card', locale });
}
