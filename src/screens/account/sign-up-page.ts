import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { BROWSER_ZONE_SCRIPT, hrefOf } from '../kit/assets.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary, textField, zoneSelect } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { withReturn } from '../kit/paths.ts';
import { authWords } from './words/auth-words.ts';

export interface SignUpPage {
  readonly csrf: string;
  /** A local path to go on to. */
  readonly returnTo: string;
  /** The fields as they were typed before. */
  readonly typed: {
    readonly timeZone: string;
    readonly name: string;
    readonly username: string;
    readonly email: string;
  };
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale: string;
}

export function signUpPage({ csrf, returnTo, typed, mistakes, locale }: SignUpPage): Html {
  const { signUp: words, fields, passwordHint } = authWords(locale);
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.title}</h1>
      <form method="post" action="/auth/signup" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('return_to', returnTo)}
        ${textField({ name: 'name', label: fields.name, value: typed.name, autocomplete: 'name' }, mistakes, true)}
        ${textField(
          {
            name: 'username',
            label: fields.username,
            value: typed.username,
            autocomplete: 'nickname',
            hint: words.usernameHint,
          },
          mistakes,
        )}
        ${textField({ name: 'email', label: fields.email, type: 'email', value: typed.email, autocomplete: 'email' }, mistakes)}
        ${textField(
          {
            name: 'password',
            label: fields.password,
            type: 'password',
            autocomplete: 'new-password',
            hint: passwordHint,
          },
          mistakes,
        )}
        <div class="field">
          <label for="timeZone">${fields.timeZone}</label>
          ${zoneSelect(typed.timeZone || 'UTC', locale)}
          ${mistakeOf('timeZone', mistakes)}
        </div>
        <button type="submit">${words.button}</button>
      </form>
      <p class="aside">${words.signIn(withReturn('/auth/login', returnTo))}</p>
    </article>`;
  // The chosen time zone is kept when the form comes back.
  const head = typed.timeZone !== '' ? html`` : html`<script defer src="${hrefOf(BROWSER_ZONE_SCRIPT)}"></script>`;
  return layout({ title: formTitle(words.title, mistakes, locale), content, shape: 'card', head, locale });
}
