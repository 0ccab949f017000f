import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { AuthorizedApp, AuthorizedGrant } from '../../oauth/grants/authorized-app.queries.ts';
import { describeScope, isScope } from '../../scopes/catalog.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, moment, pager } from '../kit/page-parts.ts';

export const APPS_PATH = '/settings/apps';

export interface AppsPage {
  readonly viewer: Viewer;
  readonly apps: Page<AuthorizedApp>;
  readonly done: string | undefined;
}

/** Where a user ends what an app was granted: one grant, or all of them. */
export function revokePath(clientId: string, grantId?: string): string {
  const path = `${APPS_PATH}/${encodeURIComponent(clientId)}/revoke`;
  return grantId === undefined ? path : `${path}?grant=${encodeURIComponent(grantId)}`;
}

/** The apps that a user let in, with what each may do. */
export function appsPage({ viewer, apps, done }: AppsPage): Html {
  const content = html`${doneNotice(done)}
    <h1>Apps you authorized</h1>
    ${
      apps.rows.length === 0
        ? html`<p class="empty">No app has access to your account.</p>`
        : html`<p>Each may do what is listed under it, until you end its access.</p>
    ${apps.rows.map(appPart)}`
    }
    ${pager(apps, ({ clientId }) => [clientId], { path: APPS_PATH })}`;
  return layout({ title: 'Apps you authorized', content, corner: viewer, shape: 'sheet' });
}

function appPart({ clientId, name, websiteUrl, grants }: AuthorizedApp): Html {
  return html`<article>
      <div class="title-row">
        <h2><bdi>${name}</bdi></h2>
        <a class="button quiet danger" href="${revokePath(clientId)}">End all access<span class="unseen"> of <bdi>${name}</bdi></span> …</a>
      </div>
      ${websiteUrl === null ? '' : html`<p class="facts"><bdi>${websiteUrl}</bdi></p>`}
      <ul class="rows">${grants.map((grant) => grantRow(clientId, grant, grants.length > 1))}</ul>
    </article>`;
}

function grantRow(clientId: string, grant: AuthorizedGrant, isOneOfMany: boolean): Html {
  const { id, kind, scopes, createdAt, lastUsedAt } = grant;
  return html`<li>
          <p class="facts"><span>Allowed ${moment(createdAt)}</span> <span>Last used ${moment(lastUsedAt)}</span>
            ${isOneOfMany ? html`<a href="${revokePath(clientId, publicId('grant', id))}">End this one …</a>` : ''}</p>
          ${
            kind === 'UNRESTRICTED'
              ? html`<p class="warning">It may do everything: it is from before permissions existed.</p>`
              : html`<details ${scopes.length <= MOST_SHOWN_OPEN ? html`open` : ''}><summary>What it may do (${scopes.length})</summary>
            <ul>${scopes.map((scope) => html`<li>${isScope(scope) ? describeScope(scope).words : scope}</li>`)}</ul></details>`
          }
        </li>`;
}

/** More than this, and the list would push the next app out of sight. */
const MOST_SHOWN_OPEN = 6;
