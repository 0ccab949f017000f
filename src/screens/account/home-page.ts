import { html } from 'hono/html';
import { type Html, layout, settingsList, type Viewer } from '../kit/layout.ts';
import { DEV_PATH } from '../kit/paths.ts';
import { accountWords } from './words/account-words.ts';
import { authWords } from './words/auth-words.ts';

export interface HomePage {
  readonly viewer: Viewer | undefined;
  /** Where the query console is; undefined where it is off. */
  readonly consolePath: string | undefined;
  /** The service runs with its demo data: leads to /dev. */
  readonly hasDemoData: boolean;
  /** The addresses that the tables of this page name, without a trailing slash. */
  readonly publicUrl: string;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** The start page says what this is, and shows the ways in. */
export function homePage({ viewer, consolePath, hasDemoData, publicUrl, locale }: HomePage): Html {
  const { home: words } = accountWords(locale);
  const content = html`<section class="hero">
      <h1>${words.heading}</h1>
      <p>${words.what}</p>
      ${viewer ? html`<p>${authWords(locale).signedInAs(viewer.name, viewer.email)}</p>` : ''}
      ${waysOn(viewer, locale)}
    </section>
    ${viewer ? own(locale) : ''}
    <div class="cards">
      <article>
        <h2>${words.developers}</h2>
        <ul>
          ${hasDemoData ? html`<li>${words.development(DEV_PATH)}</li>` : ''}
          ${consolePath === undefined ? '' : html`<li>${words.console(consolePath)}</li>`}
          <li>${words.schema('/schema.graphql', '/openapi')}</li>
        </ul>
      </article>
      <article>
        <h2>${words.clients}</h2>
        <dl>
          <dt>GraphQL</dt><dd><code>${publicUrl}/graphql</code></dd>
          <dt>${words.server}</dt>
          <dd><a href="/.well-known/oauth-authorization-server">${words.metadata}</a>, <a href="/.well-known/jwks.json">${words.keys}</a></dd>
        </dl>
      </article>
    </div>`;
  return layout({ title: words.title, content, corner: viewer ?? 'signed out', shape: 'sheet', locale });
}

/** The list of one's own settings. */
function own(locale: string): Html {
  return html`<article>
      <h2>${accountWords(locale).home.account}</h2>
      ${settingsList(locale)}
    </article>`;
}

/** The way on that most people come for. */
function waysOn(viewer: Viewer | undefined, locale: string): Html {
  const { home: words } = accountWords(locale);
  if (viewer)
    return html`<p class="actions"><a class="button" href="/bookings">${words.yourBookings}</a>
        <a class="button quiet" href="/welcome">${words.share}</a></p>`;
  return html`<p class="actions"><a class="button" href="/auth/login">${authWords(locale).signIn.title}</a>
        <a class="button quiet" href="/auth/signup">${words.signUp}</a></p>`;
}
