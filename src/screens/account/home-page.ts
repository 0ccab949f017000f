import { html } from 'hono/html';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { DEV_PATH } from '../kit/paths.ts';

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
        <ul>
          <li><a href="/bookings">Your bookings</a>: who comes when, and who waits for your answer.</li>
          <li><a href="/settings/event-types">Your event types</a>: what people can book with you.</li>
          <li><a href="/settings/hours">Your hours</a>: when you can be booked.</li>
          <li><a href="/settings/absences">Out of office</a>: days on which nobody can book you.</li>
          <li><a href="/settings/calendars">Your calendars</a>: which make you busy, and where bookings are written.</li>
          <li><a href="/settings/teams">Your teams</a>: who is booked together, invitations, and organizations.</li>
          <li><a href="/settings/apps">Apps you authorized</a>: what each may do, and how to end it.</li>
          <li><a href="/settings/account">Password and sessions</a>: where you are signed in.</li>
        </ul>
      </article>
      <article>
        <h2>For developers</h2>
        <ul>
          <li><a href="/settings/developer/oauth">Your OAuth clients</a>: register an app and choose its scopes.</li>
          <li><a href="/settings/webhooks">Your webhooks</a>: have your server told of what happens to your bookings.</li>
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
