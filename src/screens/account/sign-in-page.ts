import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { FORGOTTEN_PASSWORD_PATH } from '../../modules/accounts/links/account-mail.rules.ts';
import { formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { DEV_PATH } from '../kit/paths.ts';

export interface SignInPage {
  readonly csrf: string;
  /** A local path to go on to. */
  readonly returnTo: string;
  /** A form that waits until its sender has signed in, as it is encoded; empty where none does. */
  readonly kept?: string;
  /** What was typed before, or what an app says its user is called. A password is never shown again. */
  readonly email: string;
  readonly mistakes: readonly Mistake[];
  /** Who is signed in already: may go on, or become somebody else. */
  readonly viewer: Viewer | undefined;
  /** The service runs with its demo data: says how to get in. */
  readonly hasDemoData: boolean;
  readonly done: string | undefined;
}

export function signInPage(page: SignInPage): Html {
  const { csrf, returnTo, kept = '', email, mistakes, viewer, hasDemoData, done } = page;
  const content = html`${doneNotice(done)}
    <article>
      ${mistakeSummary(mistakes)}
      <h1>Sign in</h1>
      ${kept === '' ? '' : html`<p class="warning">You are signed out by now. Sign in again: what you typed is kept, but for passwords.</p>`}
      ${viewer ? alreadySignedIn(viewer, returnTo) : ''}
      <form method="post" action="/auth/login" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('return_to', returnTo)}
        ${kept === '' ? '' : hiddenField('kept', kept)}
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username' }, mistakes, true)}
        ${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }, mistakes)}
        <button type="submit">Sign in</button>
      </form>
      <p class="aside"><a href="${FORGOTTEN_PASSWORD_PATH}">Forgotten your password?</a></p>
      <p class="aside">New here? <a href="${withReturn('/auth/signup', returnTo)}">Create an account</a></p>
    </article>
    ${hasDemoData ? demoHint() : ''}`;
  return layout({ title: formTitle('Sign in', mistakes), content, shape: 'card' });
}

/** The address of a page that goes on to `returnTo` in the end. */
export function withReturn(path: string, returnTo: string): string {
  return returnTo === '/' ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`;
}

function alreadySignedIn(viewer: Viewer, returnTo: string): Html {
  return html`<p>You are signed in as <bdi>${viewer.email}</bdi>.
        <a href="${returnTo}">Go on as <bdi>${viewer.name}</bdi></a>, or sign in as somebody else:</p>`;
}

function demoHint(): Html {
  return html`<p class="note">This service runs with demo data. Sign in as <code>ada@acme.test</code> with the password
      <code>gatehouse-demo</code>, or see <a href="${DEV_PATH}">all accounts</a>.</p>`;
}
