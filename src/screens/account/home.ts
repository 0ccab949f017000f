import type { Context } from 'hono';
import { html } from 'hono/html';
import { type Html, layout, settingsList, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, openPage } from '../kit/page.ts';
import { sendOpenPage } from '../kit/page-response.ts';
import { DEV_PATH } from '../kit/paths.ts';
import { accountWords, authWords } from './account-words.ts';

export interface HomeSettings {
  /** The address of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Where the query console is; undefined where it is off. */
  readonly consolePath: string | undefined;
  /** Whether the demo is for this visitor. */
  readonly showsDemo: (c: Context) => boolean;
}

/** `/`: the start page. */
export function homePage({ publicUrl, consolePath, showsDemo }: HomeSettings): DeclaredPage {
  return openPage({
    path: '/',
    find: always,
    show: async ({ c, reader }) => {
      const { viewer, locale } = await reader();
      const demo = showsDemo(c) ? { consolePath } : undefined;
      return sendOpenPage(c, viewer, homeView({ viewer, demo, publicUrl, locale }));
    },
  });
}

interface HomeView {
  readonly viewer: Viewer | undefined;
  /** The ways into the demo; undefined where the service runs without its data. */
  readonly demo: Pick<HomeSettings, 'consolePath'> | undefined;
  readonly publicUrl: string;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** The start page says what this is, and shows the ways in. */
function homeView({ viewer, demo, publicUrl, locale }: HomeView): Html {
  const { home: words } = accountWords(locale);
  const content = html`<section class="hero">
      <h1>${words.heading}</h1>
      <p>${words.what}</p>
      ${viewer ? html`<p>${authWords(locale).signedInAs(viewer.name, viewer.email)}</p>` : ''}
      ${waysOn(viewer, locale)}
    </section>
    ${viewer ? own(locale) : ''}
    <div class="cards pair">
      <article>
        <h2>${words.developers}</h2>
        <ul>
          ${demo ? html`<li>${words.development(DEV_PATH)}</li>` : ''}
          ${demo?.consolePath === undefined ? '' : html`<li>${words.console(demo.consolePath)}</li>`}
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
