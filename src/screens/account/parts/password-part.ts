import { html } from 'hono/html';
import { checkBox, hiddenField, textField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { type AccountPage, accountFormPath } from '../account-forms.ts';
import { accountWords } from '../words/account-words.ts';
import { authWords } from '../words/auth-words.ts';

export function passwordPart({ viewer, csrf, idempotencyKey, mistakes, clock: { locale } }: AccountPage): Html {
  const { fields, parts, password: words } = accountWords(locale);
  return html`<article id="password">
      <h2>${parts.password}</h2>
      <form method="post" action="${accountFormPath('password')}" class="narrow" novalidate data-once>
        ${hiddenField('csrf', csrf.password)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        <input type="hidden" name="username" autocomplete="username" value="${viewer.email}">
        ${textField({ name: 'currentPassword', label: fields.currentPassword, type: 'password', autocomplete: 'current-password' }, mistakes)}
        ${newPasswordField(mistakes, locale)}
        ${checkBox({ name: 'endOtherSessions', label: words.signOutOthers, isChecked: true })}
        ${revokeAppsBox(locale)}
        <button type="submit">${words.change}</button>
      </form>
    </article>`;
}

export function newPasswordField(mistakes: AccountPage['mistakes'], locale: string, isFirst = false): Html {
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
  return checkBox({ name: 'revokeApps', label: authWords(locale).revokeApps, isChecked: false });
}
