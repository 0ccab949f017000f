import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { BROWSER_ZONE_SCRIPT, hrefOf } from '../kit/assets.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { zoneSelect } from '../kit/zone-select.ts';
import { withReturn } from './sign-in-page.ts';

export interface SignUpPage {
  readonly csrf: string;
  /** A local path to go on to. */
  readonly returnTo: string;
  /** What was typed before. */
  readonly typed: {
    readonly timeZone: string;
    readonly name: string;
    readonly username: string;
    readonly email: string;
  };
  readonly mistakes: readonly Mistake[];
}

export function signUpPage({ csrf, returnTo, typed, mistakes }: SignUpPage): Html {
  const content = html`<article>
      ${mistakeSummary(mistakes)}
      <h1>Create an account</h1>
      <form method="post" action="/auth/signup" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('return_to', returnTo)}
        ${textField({ name: 'name', label: 'Name', value: typed.name, autocomplete: 'name' }, mistakes, true)}
        ${textField(
          {
            name: 'username',
            label: 'Username',
            value: typed.username,
            autocomplete: 'nickname',
            hint: 'Part of the address of your booking page: letters from a to z, digits and hyphens.',
          },
          mistakes,
        )}
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', value: typed.email, autocomplete: 'email' }, mistakes)}
        ${textField(
          {
            name: 'password',
            label: 'Password',
            type: 'password',
            autocomplete: 'new-password',
            hint: 'At least 8 characters; a few words in a row make a good one.',
          },
          mistakes,
        )}
        <div class="field">
          <label for="timeZone">Time zone</label>
          ${zoneSelect(typed.timeZone || 'UTC')}
          ${mistakeOf('timeZone', mistakes)}
        </div>
        <button type="submit">Create account</button>
      </form>
      <p class="aside">Have an account? <a href="${withReturn('/auth/login', returnTo)}">Sign in</a></p>
    </article>`;
  // What was chosen is kept when the form comes back.
  const head = typed.timeZone !== '' ? html`` : html`<script defer src="${hrefOf(BROWSER_ZONE_SCRIPT)}"></script>`;
  return layout({ title: formTitle('Create an account', mistakes), content, shape: 'card', head });
}
