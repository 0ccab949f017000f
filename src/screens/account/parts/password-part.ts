import { html } from 'hono/html';
import { checkBox, hiddenField, textField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { type AccountPage, accountFormPath } from '../account-forms.ts';

export function passwordPart({ viewer, csrf, mistakes }: AccountPage): Html {
  return html`<article id="password">
      <h2>Password</h2>
      <form method="post" action="${accountFormPath('password')}" class="narrow" novalidate>
        ${hiddenField('csrf', csrf.password)}
        <input type="hidden" name="username" autocomplete="username" value="${viewer.email}">
        ${textField({ name: 'currentPassword', label: 'Current password', type: 'password', autocomplete: 'current-password' }, mistakes)}
        ${newPasswordField(mistakes)}
        ${checkBox({ name: 'endOtherSessions', label: 'Sign out my other browsers', isChecked: true })}
        ${revokeAppsBox()}
        <button type="submit">Change the password</button>
      </form>
    </article>`;
}

export function newPasswordField(mistakes: AccountPage['mistakes'], isFirst = false): Html {
  return textField(
    {
      name: 'newPassword',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      hint: 'At least 8 characters; a few words in a row make a good one.',
    },
    mistakes,
    isFirst,
  );
}

export function revokeAppsBox(): Html {
  return checkBox({ name: 'revokeApps', label: 'End the access of all apps that I authorized', isChecked: false });
}
