import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { type AuthWords, authWords } from './words/auth-words.ts';

export interface SignOutPage {
  readonly csrf: string;
  readonly viewer: Viewer | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

export function signOutPage({ csrf, viewer, locale }: SignOutPage): Html {
  const words = authWords(locale);
  const content = viewer ? question(words, csrf, viewer) : answer(words);
  return layout({ title: words.signOut.title, content, shape: 'card', locale });
}

function question({ signOut: words }: AuthWords, csrf: string, viewer: Viewer): Html {
  return html`<article>
      <h1>${words.question}</h1>
      <p>${words.what(viewer.email)}</p>
      <form method="post" action="/auth/logout">
        ${hiddenField('csrf', csrf)}
        <button type="submit">${words.title}</button>
      </form>
      <p class="aside"><a href="/">${words.stay}</a></p>
    </article>`;
}

function answer({ signOut, signIn }: AuthWords): Html {
  return html`<article>
      <h1>${signOut.done}</h1>
      <p class="aside"><a href="/auth/login">${signIn.title}</a></p>
    </article>`;
}
