import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { AuthorizedApp, AuthorizedGrant } from '../../oauth/grants/authorized-apps.ts';
import { isScope } from '../../scopes/catalog.ts';
import { scopeSentences } from '../../scopes/scope-sentences.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, nothingYet, pager } from '../kit/page-parts.ts';
import { type Clock, momentFor } from '../kit/when.ts';
import { consentWords } from './words/consent-words.ts';

export const APPS_PATH = '/settings/apps';

export interface AppsPage {
  readonly viewer: Viewer;
  readonly apps: Page<AuthorizedApp>;
  readonly done: string | undefined;
  /** How who reads it reads times, and in which language. */
  readonly clock: Clock;
}

/** Where a user ends what an app was granted: one grant, or all of them. */
export function revokePath(clientId: string, grantId?: string): string {
  const path = `${APPS_PATH}/${encodeURIComponent(clientId)}/revoke`;
  return grantId === undefined ? path : `${path}?grant=${encodeURIComponent(grantId)}`;
}

/** The apps that a user let in, with what each may do. */
export function appsPage({ viewer, apps, done, clock }: AppsPage): Html {
  const { locale } = clock;
  const { apps: words } = consentWords(locale);
  const content = html`${doneNotice(done)}
    <h1>${words.title}</h1>
    ${
      apps.rows.length === 0
        ? nothingYet(html`<p>${words.none}</p>`)
        : html`<p>${words.what}</p>
    ${apps.rows.map((app) => appPart(app, clock))}`
    }
    ${pager(apps, ({ clientId }) => [clientId], { path: APPS_PATH, locale })}`;
  return layout({ title: words.title, content, corner: viewer, setting: 'apps', shape: 'sheet', locale });
}

function appPart({ clientId, name, websiteUrl, isSuspended, grants }: AuthorizedApp, clock: Clock): Html {
  const { apps: words } = consentWords(clock.locale);
  return html`<article>
      <div class="title-row">
        <h2><bdi>${name}</bdi></h2>
        <a class="button quiet danger" href="${revokePath(clientId)}">${words.endAll(name)}</a>
      </div>
      ${websiteUrl === null ? '' : html`<p class="facts"><bdi>${websiteUrl}</bdi></p>`}
      ${isSuspended ? html`<p class="warning">${words.suspended}</p>` : ''}
      <ul class="rows">${grants.map((grant) => grantRow(clientId, grant, grants.length > 1, clock))}</ul>
    </article>`;
}

function grantRow(clientId: string, grant: AuthorizedGrant, isOneOfMany: boolean, clock: Clock): Html {
  const { apps: words } = consentWords(clock.locale);
  const sentences = scopeSentences(clock.locale);
  const { id, kind, scopes, createdAt, lastUsedAt } = grant;
  return html`<li>
          <p class="facts"><span>${words.allowed} ${momentFor(createdAt, clock)}</span> <span>${words.lastUsed} ${momentFor(lastUsedAt, clock)}</span>
            ${isOneOfMany ? html`<a href="${revokePath(clientId, publicId('grant', id))}">${words.endOne}</a>` : ''}</p>
          ${
            kind === 'UNRESTRICTED'
              ? html`<p class="warning">${words.everything}</p>`
              : html`<details ${scopes.length <= MOST_SHOWN_OPEN ? html`open` : ''}><summary>${words.may(scopes.length)}</summary>
            <ul>${scopes.map((scope) => html`<li>${isScope(scope) ? sentences[scope] : scope}</li>`)}</ul></details>`
          }
        </li>`;
}

/** More than this, and the list would push the next app out of sight. */
const MOST_SHOWN_OPEN = 6;
