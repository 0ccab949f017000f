import { html } from 'hono/html';
import { MAX_PROFILE } from '../../../modules/accounts/account.rules.ts';
import { hiddenField, textArea, textField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { pageWords } from '../../kit/page-words.ts';
import { type AccountPage, accountFormPath } from '../account-forms.ts';
import { accountWords } from '../words/account-words.ts';

/** The profile that others see, on booking pages and in mails. */
export function profilePart({ profile, bookingBase, updatedAt, csrf, mistakes, clock: { locale } }: AccountPage): Html {
  const { fields, parts, profile: words } = accountWords(locale);
  const { optional } = pageWords(locale);
  return html`<article id="profile">
      <h2>${parts.profile}</h2>
      <p>${words.what}</p>
      <form method="post" action="${accountFormPath('profile')}" class="narrow" novalidate>
        ${hiddenField('csrf', csrf.profile)}
        ${hiddenField('updatedAt', updatedAt)}
        ${textField({ name: 'name', label: fields.name, value: profile.name, autocomplete: 'name' }, mistakes)}
        ${textField(
          {
            name: 'username',
            label: fields.username,
            value: profile.username,
            autocomplete: 'nickname',
            hint: words.usernameHint(bookingBase),
          },
          mistakes,
        )}
        ${textArea(
          {
            name: 'bio',
            label: `${fields.bio} ${optional}`,
            value: profile.bio,
            rows: 4,
            hint: words.bioHint(MAX_PROFILE.bio),
            isOptional: true,
          },
          mistakes,
        )}
        ${textField(
          {
            name: 'avatarUrl',
            label: fields.avatarUrl,
            type: 'url',
            value: profile.avatarUrl,
            autocomplete: 'photo',
            hint: words.pictureHint,
            isOptional: true,
            locale,
          },
          mistakes,
        )}
        <button type="submit">${words.save}</button>
      </form>
    </article>`;
}
