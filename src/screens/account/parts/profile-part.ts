import { html } from 'hono/html';
import { hiddenField, textArea, textField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { type AccountPage, accountFormPath } from '../account-forms.ts';

/** What others see of a user, on booking pages and in mails. */
export function profilePart({ profile, bookingBase, updatedAt, csrf, mistakes }: AccountPage): Html {
  return html`<article id="profile">
      <h2>Profile</h2>
      <p>This is what people see who book you.</p>
      <form method="post" action="${accountFormPath('profile')}" class="narrow" novalidate>
        ${hiddenField('csrf', csrf.profile)}
        ${hiddenField('updatedAt', updatedAt)}
        ${textField({ name: 'name', label: 'Name', value: profile.name, autocomplete: 'name' }, mistakes)}
        ${textField(
          {
            name: 'username',
            label: 'Username',
            value: profile.username,
            autocomplete: 'nickname',
            hint: `The end of your booking link, ${bookingBase}… The old link leads to the new one for 90 days.`,
          },
          mistakes,
        )}
        ${textArea(
          {
            name: 'bio',
            label: 'About you (optional)',
            value: profile.bio,
            rows: 4,
            isOptional: true,
          },
          mistakes,
        )}
        ${textField(
          {
            name: 'avatarUrl',
            label: 'Picture',
            type: 'url',
            value: profile.avatarUrl,
            autocomplete: 'photo',
            hint: 'The https address of a picture. Apps show it beside your name.',
            isOptional: true,
          },
          mistakes,
        )}
        <button type="submit">Save the profile</button>
      </form>
    </article>`;
}
