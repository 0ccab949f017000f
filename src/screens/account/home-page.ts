import { html } from 'hono/html';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { DEV_PATH } from '../kit/paths.ts';
import { SETTINGS_PATH, settingsList } from '../kit/settings.ts';

export interface HomePage {
  readonly viewer: Viewer | undefined;
  /** Where the query console is; undefined where it is off. */
  readonly consolePath: string | undefined;
  /** The service runs with its demo data: leads to /dev. */
  readonly hasDemoData: boolean;
  /** The addresses that the tables of this page name, without a trailing slash. */
  readonly publicUrl: string;
}

/** What this is, and the ways in. */
export function homePage({ viewer, consolePath, hasDemoData, publicUrl }: HomePage): Html {
  const content = html`<section class="hero">
      <h1>Scheduling that apps can build on</h1>
      <p>Gatehouse keeps event types, bookings, schedules and calendars, and opens them to other apps through one GraphQL
        API. You decide which app may see or change what, and can change your mind.</p>
      ${viewer ? welcome(viewer) : ways()}
    </section>
    <div class="cards">
      <article>
        <h2>Your account</h2>
        <p><a href="/bookings">Your bookings</a>: who comes when, and who waits for your answer.</p>
        ${settingsList()}
        <p><a href="${SETTINGS_PATH}">Profile, password and sessions</a></p>
      </article>
      <article>
        <h2>For developers</h2>
        <ul>
          ${hasDemoData ? html`<li><a href="${DEV_PATH}">Development</a>: demo accounts, mails, and OAuth step by step.</li>` : ''}
          ${consolePath === undefined ? '' : html`<li><a href="${consolePath}">Query console</a>: try operations, and see which scopes they need.</li>`}
          <li><a href="/schema.graphql">The GraphQL schema</a> as a file, and the <a href="/openapi">REST paths</a>.</li>
        </ul>
      </article>
      <article>
        <h2>For clients</h2>
        <dl>
          <dt>GraphQL</dt><dd><code>${publicUrl}/graphql</code></dd>
          <dt>Authorization server</dt>
          <dd><a href="/.well-known/oauth-authorization-server">metadata</a>, <a href="/.well-known/jwks.json">keys</a></dd>
        </dl>
      </article>
    </div>`;
  return layout({ title: 'Scheduling API', content, corner: viewer ?? 'signed out', shape: 'sheet' });
}

function ways(): Html {
  return html`<p class="actions"><a class="button" href="/auth/login">Sign in</a>
        <a class="button quiet" href="/auth/signup">Create an account</a></p>`;
}

function welcome(viewer: Viewer): Html {
  return html`<p>You are signed in as <strong><bdi>${viewer.name}</bdi></strong> (<bdi>${viewer.email}</bdi>).</p>`;
}
