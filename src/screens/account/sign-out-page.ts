import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';

export interface SignOutPage {
  readonly csrf: string;
  readonly viewer: Viewer | undefined;
}

export function signOutPage({ csrf, viewer }: SignOutPage): Html {
  return layout({ title: 'Sign out', content: viewer ? question(csrf, viewer) : answer(), shape: 'card' });
}

function question(csrf: string, viewer: Viewer): Html {
  return html`<article>
      <h1>Sign out?</h1>
      <p>You are signed in as <bdi>${viewer.email}</bdi>. Apps that you authorized keep their access.</p>
      <form method="post" action="/auth/logout">
        ${hiddenField('csrf', csrf)}
        <button type="submit">Sign out</button>
      </form>
      <p class="aside"><a href="/">Stay signed in</a></p>
    </article>`;
}

function answer(): Html {
  return html`<article>
      <h1>You are signed out</h1>
      <p class="aside"><a href="/auth/login">Sign in</a></p>
    </article>`;
}
