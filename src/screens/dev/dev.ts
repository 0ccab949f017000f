/**
 * dev/ is what somebody needs who has just started the service: what runs, the demo accounts, the mails that it keeps
 * instead of sending, a walk through OAuth. Mounted with the demo data only, which production refuses. It may import kit/.
 */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { findMail, type KeptAttachment, type KeptMail, newestMails } from '../../mail/kept-mails.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, type OpenVisit, openPage, type PageSettings, routesOf } from '../kit/page.ts';
import { moment, nothingYet } from '../kit/page-parts.ts';
import { PAGE_HEADERS, policyHeaders } from '../kit/page-response.ts';
import { DEV_PATH } from '../kit/paths.ts';
import { crumbs, devLayout, WALK_PATH, type WalkSettings, walkPage } from './walk.ts';

export interface DevSettings extends PageSettings {
  readonly facts: DevFacts;
  readonly walk: WalkSettings;
}

interface DemoAccount {
  readonly name: string;
  readonly email: string;
  /** The purpose of the account. */
  readonly role: string;
}

interface DemoApp {
  readonly clientId: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  /** Undefined of a public client. */
  readonly secret: string | undefined;
}

/** The facts about this service and its demo data; none of them is secret. */
export interface DevFacts {
  readonly version: string;
  /** In words. */
  readonly database: string;
  readonly publicUrl: string;
  /** Where mails are kept; undefined where they are sent, or kept nowhere. */
  readonly mailFolder: string | undefined;
  readonly sendsMail: boolean;
  readonly password: string;
  readonly accounts: readonly DemoAccount[];
  readonly apps: readonly DemoApp[];
}

const MAILS_PATH = `${DEV_PATH}/mails`;
/** The newest ones; older ones are in the folder. */
const SHOWN_MAILS = 50;
/** On the first page. */
const MAILS_AT_A_GLANCE = 3;

/** A mail may show text, colours and pictures that it holds itself; a frame of ours may show it. */
const HTML_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'X-Frame-Options': 'SAMEORIGIN',
};

/** `/dev`, the mails and the walk below it. */
export function devRoutes(settings: DevSettings): Hono {
  const { facts, walk } = settings;
  return routesOf(settings, [...devPages(facts), walkPage(walk)]);
}

function devPages(facts: DevFacts): readonly DeclaredPage[] {
  const { mailFolder } = facts;
  const newest = async (most: number) => (mailFolder === undefined ? [] : newestMails(mailFolder, most));
  const find = async ({ param }: OpenVisit) =>
    mailFolder === undefined ? undefined : findMail(mailFolder, param('mail'));
  return [
    openPage({
      path: DEV_PATH,
      find: always,
      show: async ({ reader }) => devView((await reader()).viewer, facts, await newest(MAILS_AT_A_GLANCE)),
    }),
    openPage({
      path: MAILS_PATH,
      find: always,
      show: async ({ reader }) => mailsView((await reader()).viewer, facts, await newest(SHOWN_MAILS)),
    }),
    openPage({
      path: `${MAILS_PATH}/:mail`,
      find,
      show: async ({ reader }, mail) => mailView((await reader()).viewer, mail),
      headers: policyHeaders({ framesOwn: true }),
    }),
    openPage({
      path: `${MAILS_PATH}/:mail/html`,
      find,
      show: ({ c }, mail) => (mail.html === undefined ? undefined : c.html(mail.html, 200, HTML_HEADERS)),
    }),
  ];
}

/** Everything that somebody needs who has just started the service. */
function devView(viewer: Viewer | undefined, facts: DevFacts, newestMails: readonly KeptMail[]): Html {
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

/** Says where the mails of this service are. */
function whereMailsAre({ mailFolder, sendsMail }: DevFacts): Html {
  if (sendsMail) return html`<p>They’re sent by the mail server of <code>SMTP_URL</code>, so none are kept here.</p>`;
  if (mailFolder === undefined)
    return html`<p>None are kept, because the data is in memory only (<code>DATA_DIR=memory:</code>).</p>`;
  return html`<p>No mail server is set (<code>SMTP_URL</code>), so none are sent: each one is a file in <code>${mailFolder}</code>, and
    anyone who can reach this service can read it here.</p>`;
}

/** Lists the mails that this service would have sent. */
function mailsView(viewer: Viewer | undefined, facts: DevFacts, mails: readonly KeptMail[]): Html {
  const content = html`${crumbs()}
    <h1>Mails</h1>
    ${whereMailsAre(facts)}
    ${mails.length === 0 ? nothingYet(html`<p>No e-mails yet. Create an account or book someone, and they’ll show up here.</p>`) : mailRows(mails)}
    ${mails.length < SHOWN_MAILS ? '' : html`<p class="aside">These are the newest ${SHOWN_MAILS}; the folder has the rest.</p>`}`;
  return devLayout('Mails', viewer, content);
}

function mailRows(mails: readonly KeptMail[]): Html {
  return html`<ul class="rows">${mails.map(
    ({ handle, subject, to, sentAt }) => html`<li>
        <h3><a href="${MAILS_PATH}/${handle}"><bdi>${subject || 'No subject'}</bdi></a></h3>
        <p class="facts"><span>To <bdi>${to}</bdi></span> ${sentAt ? moment(sentAt) : ''}</p>
      </li>`,
  )}</ul>`;
}

/** One mail: its text with links that work, and what its HTML looks like. */
function mailView(viewer: Viewer | undefined, mail: KeptMail): Html {
  const { handle, subject, from, to, sentAt, text, html: rich, attachments } = mail;
  const content = html`${crumbs(html` / <a href="${MAILS_PATH}">Mails</a>`)}
    <h1><bdi>${subject || 'No subject'}</bdi></h1>
    <dl>
      <dt>From</dt><dd><bdi>${from}</bdi></dd>
      <dt>To</dt><dd><bdi>${to}</bdi></dd>
      ${sentAt ? html`<dt>Sent</dt><dd>${moment(sentAt)}</dd>` : ''}
    </dl>
    ${text === undefined ? '' : html`<article><h2>As text</h2><div class="mail-text">${withLinks(text.trimEnd())}</div></article>`}
    ${rich === undefined ? '' : htmlPart(handle)}
    ${attachments.map(attachmentPart)}`;
  return devLayout(isolated(subject || 'No subject'), viewer, content);
}

/** In a frame that runs nothing, sends nothing and loads nothing: `HTML_HEADERS` of its address say so too. */
function htmlPart(handle: string): Html {
  return html`<article>
      <h2>As HTML</h2>
      <p>Links don’t work in here; use those in the text.</p>
      <iframe class="mail-html" title="The e-mail as HTML" sandbox src="${MAILS_PATH}/${handle}/html"></iframe>
    </article>`;
}

function attachmentPart({ name, type, bytes, text }: KeptAttachment): Html {
  return html`<article>
      <h2>Attachment <bdi>${name}</bdi></h2>
      <p class="facts"><span>${type}</span> <span>${bytes} bytes</span></p>
      ${text === undefined ? '' : html`<details><summary>Show its contents</summary><pre class="shown" tabindex="0">${text}</pre></details>`}
    </article>`;
}

const ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/;

/** Every second piece is an address: the pattern has one group. */
function withLinks(text: string): Html[] {
  return text
    .split(ADDRESS)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`));
}
