import { html } from 'hono/html';
import { NEW_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import type { FollowedLink } from './account-forms.ts';
import { newPasswordField, revokeAppsBox } from './parts/password-part.ts';
import { authWords } from './words/auth-words.ts';

export function newPasswordPage({ csrf, token, email, username, mistakes, locale }: FollowedLink): Html {
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
