import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { FORGOTTEN_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { localeOf } from '../kit/page-locale.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { DEV_PATH, withReturn } from '../kit/paths.ts';
import type { AskToSignIn } from '../kit/visitors.ts';
import { authWords } from './words/auth-words.ts';

export interface SignInPage {
  readonly csrf: string;
  /** The local path to which the user goes on after signing in. */
  readonly returnTo: string;
  /** A form that waits until its sender has signed in, as it is encoded; empty where none does. */
  readonly kept?: string;
  /** One was sent that is too large to wait. */
  readonly isLost?: boolean;
  /** The address that was typed before, or that an app has for its user. A password is never shown again. */
  readonly email: string;
  readonly mistakes: readonly Mistake[];
  /** The user who is signed in already: they may go on, or become somebody else. */
  readonly viewer: Viewer | undefined;
  /** The service runs with its demo data: says how to get in. */
  readonly hasDemoData: boolean;
  readonly done: string | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

export function signInPage(page: SignInPage): Html {
  const { csrf, returnTo, kept = '', isLost = false, email, mistakes, viewer, hasDemoData, done, locale } = page;
  const { signIn: words, fields } = authWords(locale);
  const content = html`${doneNotice(done)}
    <article>
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.title}</h1>
      ${kept === '' ? '' : html`<p class="warning">${words.kept}</p>`}
      ${isLost ? html`<p class="warning">${words.lost}</p>` : ''}
      ${viewer ? html`<p>${words.already(viewer.email, viewer.name, returnTo)}</p>` : ''}
      <form method="post" action="/auth/login" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('return_to', returnTo)}
        ${kept === '' ? '' : hiddenField('kept', kept)}
        ${textField({ name: 'email', label: fields.email, type: 'email', value: email, autocomplete: 'username' }, mistakes, true)}
        ${textField({ name: 'password', label: fields.password, type: 'password', autocomplete: 'current-password' }, mistakes)}
        <button type="submit">${words.title}</button>
      </form>
      <p class="aside"><a href="${FORGOTTEN_PASSWORD_PATH}">${words.forgotten}</a></p>
      <p class="aside">${words.newHere(withReturn('/auth/signup', returnTo))}</p>
    </article>
    ${hasDemoData ? html`<p class="note">${words.demo('ada@acme.test', 'gatehouse-demo', DEV_PATH)}</p>` : ''}`;
  return layout({ title: formTitle(words.title, mistakes, locale), content, shape: 'card', locale });
}

/** The page on which a form waits until its sender has signed in. */
export const askToSignIn: AskToSignIn = (c, { csrf, returnTo, kept }) =>
  signInPage({
    csrf,
    returnTo,
    kept: kept ?? '',
    isLost: kept === undefined,
    email: '',
    mistakes: [],
    viewer: undefined,
    hasDemoData: false,
    done: undefined,
    locale: localeOf(c),
  });
