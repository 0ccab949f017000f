/** parts/ are the articles of the page of the account, one for each form or two. They may import kit/. */
import { html } from 'hono/html';
import { hiddenField, textField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { type AccountPage, accountFormPath } from '../account-forms.ts';
import { mailHint } from '../mail-hint.ts';

/** The address, whether it is confirmed, and getting another one. */
export function emailPart(page: AccountPage): Html {
  const { email, isEmailVerified, pendingEmail, mailFolder } = page;
  const isWaiting = !isEmailVerified || pendingEmail !== undefined;
  return html`<article id="email">
      <h2>E-mail address</h2>
      <p><strong><bdi>${email}</bdi></strong> ${isEmailVerified ? html`<mark>Confirmed</mark>` : ''}</p>
      ${isEmailVerified ? '' : verification(page)}
      ${pendingEmail === undefined ? '' : pending(page, pendingEmail)}
      ${isWaiting ? mailHint(mailFolder) : ''}
      ${changeForm(page)}
    </article>`;
}

function verification({ csrf }: AccountPage): Html {
  return html`<p class="warning">It is not confirmed yet. Open the link in the mail that we sent there. Until then nobody
        else gets mail in your name, and an app cannot know you by this address.</p>
      <form method="post" action="${accountFormPath('verification')}" class="narrow">
        ${hiddenField('csrf', csrf.verification)}
        <button type="submit" class="quiet">Send the mail again</button>
      </form>`;
}

function pending({ csrf }: AccountPage, pendingEmail: string): Html {
  return html`<p class="warning">It becomes <bdi>${pendingEmail}</bdi> when the link in the mail that we sent there is
        followed, within 24 hours. Until then all stays as it is.</p>
      <form method="post" action="${accountFormPath('email-cancel')}" class="narrow">
        ${hiddenField('csrf', csrf['email-cancel'])}
        <button type="submit" class="quiet">Keep the address as it is</button>
      </form>`;
}

/** The page has another form that asks for the password, so this field has a name of its own. */
function changeForm({ csrf, typedEmail, mistakes }: AccountPage): Html {
  return html`<form method="post" action="${accountFormPath('email')}" class="narrow apart" novalidate>
        ${hiddenField('csrf', csrf.email)}
        ${textField(
          { name: 'newEmail', label: 'New e-mail address', type: 'email', value: typedEmail, autocomplete: 'email' },
          mistakes,
        )}
        ${textField(
          {
            name: 'passwordForEmail',
            label: 'Your password',
            type: 'password',
            autocomplete: 'current-password',
            hint: 'So that nobody else changes it in your browser.',
          },
          mistakes,
        )}
        <button type="submit">Change the address</button>
      </form>`;
}
