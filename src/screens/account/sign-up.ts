import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { countForNetwork, type NetworkLimits } from '../../limits/guess-limit.ts';
import type { AccountMails } from '../../modules/accounts/links/account-mails.ts';
import { type Furnish, signUp } from '../../modules/accounts/sign-in/sign-up.ts';
import { BROWSER_ZONE_SCRIPT, hrefOf } from '../kit/assets.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary, textField, zoneSelect } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { always, type DeclaredPage, openPage } from '../kit/page.ts';
import { preferredLanguage } from '../kit/page-locale.ts';
import { SCRIPTED_HEADERS, sendOpenPage } from '../kit/page-response.ts';
import { localPath, SIGN_IN_PATH, WELCOME_PATH, withReturn } from '../kit/paths.ts';
import type { AddressOf, Visitors } from '../kit/visitors.ts';
import { authForm, authWords } from './account-words.ts';

const SIGN_UP_PATH = '/auth/signup';

export interface SignUpSettings {
  readonly publicUrl: string;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  readonly networkLimits: NetworkLimits;
  readonly accountMails: AccountMails;
  /** Gives a new account its first things. */
  readonly furnish: Furnish;
}

/** `/auth/signup`: a visitor makes an account, and is signed in. */
export function signUpPage(settings: SignUpSettings): DeclaredPage {
  const { publicUrl, visitors, addressOf, networkLimits, accountMails, furnish } = settings;
  return openPage({
    path: SIGN_UP_PATH,
    find: always,
    show: async ({ c, csrf, back, mistakes, reader }) => {
      const { locale } = await reader();
      const { return_to: asked, login_hint: email = '' } = c.req.query();
      const returnTo = localPath(back ? back.form.get('return_to') : asked, publicUrl);
      const typed = back ? typedIn(back.form) : { ...NOTHING_TYPED, email };
      const view = signUpView({ csrf: csrf.signUp, returnTo, typed, mistakes: mistakes(authForm(locale)), locale });
      return back ? view : sendOpenPage(c, undefined, view, 200, SCRIPTED_HEADERS);
    },
    headers: SCRIPTED_HEADERS,
    forms: {
      signUp: {
        at: '',
        run: async ({ c, em }, _, form) => {
          const typed = typedIn(form);
          const address = addressOf(c);
          await countForNetwork(networkLimits.signUps, address);
          const timeZone = typed.timeZone || undefined;
          const locale = preferredLanguage(c.req.header('accept-language'));
          const input = { ...typed, password: form.get('password') ?? '', timeZone, locale, address };
          const signedUp = await signUp(em, input, furnish);
          await visitors.signIn(c, signedUp);
          accountMails.welcome(signedUp.user, address);
          const returnTo = localPath(form.get('return_to'), publicUrl);
          return { to: returnTo === '/' ? WELCOME_PATH : returnTo };
        },
      },
    },
  });
}

interface Typed {
  readonly timeZone: string;
  readonly name: string;
  readonly username: string;
  readonly email: string;
}

const NOTHING_TYPED: Typed = { timeZone: '', name: '', username: '', email: '' };

function typedIn(form: URLSearchParams): Typed {
  const text = (name: string): string => form.get(name) ?? '';
  return { timeZone: text('timeZone'), name: text('name'), username: text('username'), email: text('email') };
}

interface SignUpView {
  readonly csrf: string;
  /** A local path to go on to. */
  readonly returnTo: string;
  /** The fields as they were typed before. */
  readonly typed: Typed;
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale: string;
}

function signUpView({ csrf, returnTo, typed, mistakes, locale }: SignUpView): Html {
  const { signUp: words, fields, passwordHint } = authWords(locale);
  const content = html`<article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.title}</h1>
      <form method="post" action="${SIGN_UP_PATH}" novalidate>
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
      <p class="aside">${words.signIn(withReturn(SIGN_IN_PATH, returnTo))}</p>
    </article>`;
  // The chosen time zone is kept when the form comes back.
  const head = typed.timeZone !== '' ? html`` : html`<script defer src="${hrefOf(BROWSER_ZONE_SCRIPT)}"></script>`;
  return layout({ title: formTitle(words.title, mistakes, locale), content, shape: 'card', head, locale });
}
