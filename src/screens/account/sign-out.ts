import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, openPage } from '../kit/page.ts';
import { SIGN_IN_PATH } from '../kit/paths.ts';
import { isJson } from '../kit/request.ts';
import type { Visitors } from '../kit/visitors.ts';
import { type AuthWords, authWords } from './account-words.ts';

export const SIGN_OUT_PATH = '/auth/logout';

/** `/auth/logout`: asks first, since a link of another site may lead here; afterwards it says that it is done. */
export function signOutPage(visitors: Visitors): DeclaredPage {
  return openPage({
    path: SIGN_OUT_PATH,
    find: always,
    show: async ({ csrf, reader }) => signOutView({ ...(await reader()), csrf: csrf.signOut }),
    forms: {
      signOut: {
        at: '',
        run: async ({ c }) => {
          await visitors.signOut(c);
          return { to: SIGN_OUT_PATH };
        },
      },
    },
  });
}

/** The same for a script, which sends JSON: another site's page cannot. */
export function signOutByScript(visitors: Visitors): MiddlewareHandler {
  return async (c, next) => {
    if (!isJson(c.req.raw)) return next();
    visitors.requireOwnScript(c);
    await visitors.signOut(c);
    return c.body(null, 204);
  };
}

interface SignOutView {
  readonly csrf: string;
  readonly viewer: Viewer | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

function signOutView({ csrf, viewer, locale }: SignOutView): Html {
  const words = authWords(locale);
  const content = viewer ? question(words, csrf, viewer) : answer(words);
  return layout({ title: words.signOut.title, content, shape: 'card', locale });
}

function question({ signOut: words }: AuthWords, csrf: string, viewer: Viewer): Html {
  return html`<article>
      <h1>${words.question}</h1>
      <p>${words.what(viewer.email)}</p>
      <form method="post" action="${SIGN_OUT_PATH}">
        ${hiddenField('csrf', csrf)}
        <button type="submit">${words.title}</button>
      </form>
      <p class="aside"><a href="/">${words.stay}</a></p>
    </article>`;
}

function answer({ signOut, signIn }: AuthWords): Html {
  return html`<article>
      <h1>${signOut.done}</h1>
      <p class="aside"><a href="${SIGN_IN_PATH}">${signIn.title}</a></p>
    </article>`;
}
