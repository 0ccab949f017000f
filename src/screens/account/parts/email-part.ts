/** parts/ are the articles of the page of the account, one for each form or two. They may import kit/. */
import { html } from 'hono/html';
import { instantOf } from '../../../core/instant.ts';
import type { HeldNoticeRow } from '../../../limits/held-notices.ts';
import { hiddenField, textField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { type Clock, momentFor } from '../../kit/when.ts';
import { type AccountPage, accountFormPath } from '../account-forms.ts';
import { mailHint } from '../mail-hint.ts';
import { accountWords } from '../words/account-words.ts';

/** The address, whether it is confirmed, and getting another one. */
export function emailPart(page: AccountPage): Html {
  const { email, isEmailVerified, pendingEmail, mailFolder, clock } = page;
  const { parts, email: words } = accountWords(clock.locale);
  const isWaiting = !isEmailVerified || pendingEmail !== undefined;
  return html`<article id="email">
      <h2>${parts.email}</h2>
      <p><strong><bdi>${email}</bdi></strong> ${isEmailVerified ? html`<mark>${words.confirmed}</mark>` : ''}</p>
      ${isEmailVerified ? '' : verification(page)}
      ${heldPart(page)}
      ${pendingEmail === undefined ? '' : pending(page, pendingEmail)}
      ${isWaiting ? mailHint(mailFolder, clock.locale) : ''}
      ${changeForm(page)}
    </article>`;
}

/** Nothing that was due ends in silence. */
function heldPart({ heldNotices, clock }: AccountPage): Html | '' {
  if (heldNotices.length === 0) return '';
  const { email: words } = accountWords(clock.locale);
  const lines = heldNotices.map(
    (held) => html`<li>${words.held(held.subject, held.times)} ${outcomeOf(held, clock)}</li>`,
  );
  return html`<h3>${words.notMailed}</h3><ul class="plain">${lines}</ul>`;
}

function outcomeOf({ dueAt }: HeldNoticeRow, clock: Clock): Html {
  const { email: words } = accountWords(clock.locale);
  return dueAt === null ? html`${words.notSent}` : html`${words.sentAt} ${momentFor(instantOf(dueAt), clock)}.`;
}

function verification({ csrf, idempotencyKey, clock, heldWelcome }: AccountPage): Html {
  const { email: words } = accountWords(clock.locale);
  return html`<p class="warning">${words.notConfirmed}</p>
      ${heldWelcome === undefined ? '' : html`<p class="warning">${words.tooMany} ${outcomeOf(heldWelcome, clock)}</p>`}
      <form method="post" action="${accountFormPath('verification')}" class="narrow" data-once>
        ${hiddenField('csrf', csrf.verification)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        <button type="submit" class="quiet">${words.sendAgain}</button>
      </form>`;
}

function pending({ csrf, clock }: AccountPage, pendingEmail: string): Html {
  const { email: words } = accountWords(clock.locale);
  return html`<p class="warning">${words.pending(pendingEmail)}</p>
      <form method="post" action="${accountFormPath('email-cancel')}" class="narrow">
        ${hiddenField('csrf', csrf['email-cancel'])}
        <button type="submit" class="quiet">${words.keep}</button>
      </form>`;
}

/** The page has another form that asks for the password, so this field has a name of its own. */
function changeForm({ csrf, idempotencyKey, typedEmail, mistakes, clock }: AccountPage): Html {
  const { fields, email: words } = accountWords(clock.locale);
  return html`<form method="post" action="${accountFormPath('email')}" class="narrow apart" novalidate data-once>
        ${hiddenField('csrf', csrf.email)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField(
          { name: 'newEmail', label: fields.newEmail, type: 'email', value: typedEmail, autocomplete: 'email' },
          mistakes,
        )}
        ${textField(
          {
            name: 'passwordForEmail',
            label: fields.passwordForEmail,
            type: 'password',
            autocomplete: 'current-password',
            hint: words.whyPassword,
          },
          mistakes,
        )}
        <button type="submit">${words.change}</button>
      </form>`;
}
