import { html } from 'hono/html';
import { CONFIRM_EMAIL_PATH, FORGOTTEN_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { ACCOUNT_PATH, type FollowedLink } from './account-forms.ts';
import { authWords } from './words/auth-words.ts';

/** A button, because programs open the links of mails before people do. */
export function confirmEmailPage({ csrf, token, email, username, mistakes, locale }: FollowedLink): Html {
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

export function emailConfirmedPage(locale: string): Html {
  const { title, what, share, button } = authWords(locale).emailConfirmed;
  const content = html`<article>
      <h1>${title}</h1>
      <p>${what}</p>
      <p class="actions"><a class="button" href="/welcome">${share}</a>
        <a class="button quiet" href="${ACCOUNT_PATH}">${button}</a></p>
    </article>`;
  return layout({ title, content, shape: 'card', locale });
}

/** Only a reader of the mail at the address gets here. */
export function emailTakenPage(email: string | undefined, locale: string): Html {
  const words = authWords(locale).emailTaken;
  const hint = email === undefined ? '' : `?login_hint=${encodeURIComponent(email)}`;
  const content = html`<article>
      <h1>${words.title}</h1>
      <p>${words.what}</p>
      <p class="actions"><a class="button" href="/auth/login${hint}">${words.signIn}</a>
        <a class="button quiet" href="${ACCOUNT_PATH}">${words.useAnother}</a></p>
      <p class="aside"><a href="${FORGOTTEN_PASSWORD_PATH}">${words.forgotten}</a></p>
    </article>`;
  return layout({ title: words.title, content, shape: 'card', locale });
}
