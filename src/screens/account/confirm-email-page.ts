import { html } from 'hono/html';
import { CONFIRM_EMAIL_PATH, FORGOTTEN_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { ACCOUNT_PATH, type FollowedLink } from './account-forms.ts';

/** A button, because programs open the links of mails before people do. */
export function confirmEmailPage({ csrf, token, email, username, mistakes }: FollowedLink): Html {
  const content = html`<article>
      ${mistakeSummary(aboutFields([], mistakes))}
      <h1>Is this your account?</h1>
      <p>The account <strong>${username}</strong> says that its address is <strong><bdi>${email}</bdi></strong>. Confirm it
        only if the account is yours: its owner will act under your address.</p>
      <form method="post" action="${CONFIRM_EMAIL_PATH}">
        ${hiddenField('csrf', csrf)}
        ${hiddenField('token', token)}
        <button type="submit">Confirm the address</button>
      </form>
      <p class="aside">If it is not yours, close this page: nothing happens.</p>
    </article>`;
  return layout({ title: formTitle('Confirm an address', mistakes), content, shape: 'card' });
}

export function emailConfirmedPage(): Html {
  const content = html`<article>
      <h1>Your address is confirmed</h1>
      <p>It is the one of your account from now on.</p>
      <p class="actions"><a class="button" href="${ACCOUNT_PATH}">Go to your account</a></p>
    </article>`;
  return layout({ title: 'Your address is confirmed', content, shape: 'card' });
}

/** Only a reader of the mail at the address gets here. */
export function emailTakenPage(email: string | undefined): Html {
  const hint = email === undefined ? '' : `?login_hint=${encodeURIComponent(email)}`;
  const content = html`<article>
      <h1>Another account has this address</h1>
      <p>Another account has confirmed it meanwhile, so this one cannot have it. Nothing was changed.</p>
      <p class="actions"><a class="button" href="/auth/login${hint}">Sign in to the other account</a>
        <a class="button quiet" href="${ACCOUNT_PATH}">Use another address for this one</a></p>
      <p class="aside"><a href="${FORGOTTEN_PASSWORD_PATH}">Forgotten the password of the other one?</a></p>
    </article>`;
  return layout({ title: 'Another account has this address', content, shape: 'card' });
}
