import { html } from 'hono/html';
import type { KeptMail } from '../../mail/kept-mails.ts';
import type { Html, Viewer } from '../kit/layout.ts';
import { DEV_PATH } from '../kit/paths.ts';
import { type DemoApp, type DevFacts, devLayout, whereMailsAre } from './dev-parts.ts';
import { mailRows } from './mails-page.ts';
import { WALK_PATH } from './walk-page.ts';

export interface DevPage {
  readonly viewer: Viewer | undefined;
  readonly facts: DevFacts;
  readonly newestMails: readonly KeptMail[];
}

/** Everything that somebody needs who has just started the service. */
export function devPage({ viewer, facts, newestMails }: DevPage): Html {
  const content = html`<h1>Development</h1>
    <p>This service runs with demo data, so its passwords and secrets are public. This page doesn’t exist in production.</p>
    ${runningPart(facts)}
    ${accountsPart(facts)}
    <article>
      <h2>How an app gets access</h2>
      <p>Play the demo app for a minute: walk through the OAuth authorization code flow with PKCE, and see each request and its response.</p>
      <p class="actions"><a class="button" href="${WALK_PATH}">Start the walk</a>
        <a class="button quiet" href="/graphql">Open the query console</a></p>
    </article>
    ${mailsPart(facts, newestMails)}
    ${appsPart(facts.apps)}`;
  return devLayout('Development', viewer, content);
}

function runningPart({ version, database, publicUrl }: DevFacts): Html {
  return html`<article>
      <h2>What runs</h2>
      <dl>
        <dt>Version</dt><dd>${version}</dd>
        <dt>Database</dt><dd>${database}</dd>
        <dt>GraphQL</dt><dd><code>POST ${publicUrl}/graphql</code>, <a href="/schema.graphql">schema</a></dd>
        <dt>REST</dt><dd><code>${publicUrl}/v2</code>, <a href="/openapi">all paths</a>, <a href="/openapi.json">OpenAPI</a></dd>
        <dt>OAuth</dt><dd><a href="/.well-known/oauth-authorization-server">metadata of the authorization server</a></dd>
        <dt>Booking pages</dt><dd><a href="/book/ada">of Ada</a>, <a href="/book/organization/acme/sales">of a team</a></dd>
        <dt>Also</dt><dd><a href="/deprecations">deprecations</a>, <a href="/health/ready">health</a></dd>
      </dl>
    </article>`;
}

function accountsPart({ accounts, password }: DevFacts): Html {
  return html`<article>
      <h2>Demo accounts</h2>
      <p>They all have the password <code>${password}</code>.</p>
      <ul class="rows">${accounts.map(
        ({ name, email, role }) => html`<li>
          <h3>${name}</h3>
          <p class="facts"><code>${email}</code> <span>${role}</span></p>
          <p><a href="/auth/login?prompt=login&amp;login_hint=${encodeURIComponent(email)}">Sign in as ${name}</a></p>
        </li>`,
      )}</ul>
    </article>`;
}

function mailsPart(facts: DevFacts, mails: readonly KeptMail[]): Html {
  return html`<article>
      <h2>Mails</h2>
      ${whereMailsAre(facts)}
      ${mails.length === 0 ? '' : html`${mailRows(mails)}<p><a href="${DEV_PATH}/mails">All mails</a></p>`}
    </article>`;
}

function appsPart(apps: readonly DemoApp[]): Html {
  return html`<article>
      <h2>Demo apps</h2>
      <ul class="rows">${apps.map(
        ({ clientId, name, type, status, secret }) => html`<li>
          <h3>${name}</h3>
          <p class="facts"><code>${clientId}</code> <span>${type.toLowerCase()}, ${status.toLowerCase()}</span>
            ${secret === undefined ? html`<span>no secret</span>` : html`<span>secret <code>${secret}</code></span>`}</p>
        </li>`,
      )}</ul>
    </article>`;
}
