import { html } from 'hono/html';
import { NEW_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import type { FollowedLink } from './account-forms.ts';
import { newPasswordField, revokeAppsBox } from './parts/password-part.ts';

export function newPasswordPage({ csrf, token, email, username, mistakes }: FollowedLink): Html {
  const content = html`<article>
      ${mistakeSummary(mistakes)}
      <h1>Set a new password</h1>
      <p>For the account <strong>${username}</strong> (<bdi>${email}</bdi>). All browsers that are signed in to it will be
        signed out.</p>
      <form method="post" action="${NEW_PASSWORD_PATH}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('token', token)}
        <input type="hidden" name="username" autocomplete="username" value="${email}">
        ${newPasswordField(mistakes, true)}
        ${revokeAppsBox()}
        <button type="submit">Set the password</button>
      </form>
    </article>`;
  return layout({ title: formTitle('Set a new password', mistakes), content, shape: 'card' });
}
