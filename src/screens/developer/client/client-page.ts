/** client/ is the page of one client, part by part. */
import { html } from 'hono/html';
import type { Page } from '../../../core/page.ts';
import type { Mistake } from '../../../core/problem.ts';
import type { ListedFailedRequest } from '../../../oauth/clients/failed-requests.ts';
import type { ListedClient, ListedSecret, UserCount } from '../../../oauth/clients/oauth-client.queries.ts';
import { checkBox, formTitle, hiddenField, mistakeOf, mistakeSummary } from '../../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../../kit/layout.ts';
import { doneNotice, part } from '../../kit/page-parts.ts';
import { counted } from '../../kit/when.ts';
import { ENTER, furtherFields, nameField, purposeField, redirectUrisField, type TypedClient } from '../client-form.ts';
import { CLIENTS_PATH, clientPath, reviewPath } from '../client-paths.ts';
import { CHANGE_MARK, statusExplanation, statusMark } from '../client-status.ts';
import { CLIENT_FORM_HEAD } from '../developer-head.ts';
import { changeList } from '../revision-changes.ts';
import { scopeTable } from '../scope-table.ts';
import { failedRequestsPart } from './failed-requests-part.ts';
import { countedUsers, legacyPart } from './legacy-part.ts';
import { secretsPart } from './secrets-part.ts';
import { usagePart } from './usage-part.ts';

export interface ClientPage {
  readonly viewer: Viewer;
  readonly client: ListedClient;
  /** The viewer owns it; else an administrator looks at it. */
  readonly isOwn: boolean;
  readonly secrets: readonly ListedSecret[];
  /** Somebody can review it. */
  readonly hasAdministrator: boolean;
  /** How many users hold grants from before the client had scopes. */
  readonly unrestrictedUsers: UserCount;
  readonly failedRequests: Page<ListedFailedRequest>;
  readonly userCount: UserCount;
  readonly typed: TypedClient;
  /** The form came back, or somebody was led to it. */
  readonly isEditing: boolean;
  /** The base address of the service, without a slash at its end. */
  readonly publicUrl: string;
  readonly csrf: string;
  /** When the client was last changed, as this page has seen it. */
  readonly updatedAt: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** One client, for its developer: what is needed first, and parts to open. */
export function clientPage(page: ClientPage): Html {
  const { viewer, client, isOwn, secrets, unrestrictedUsers, failedRequests, mistakes, done } = page;
  const { clientId, name, status, type, legacy } = client;
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <p class="aside top"><a href="${CLIENTS_PATH}">Your OAuth clients</a></p>
    <h1><bdi>${name}</bdi> ${statusMark(status)}${client.pendingRevision ? html` ${CHANGE_MARK}` : ''}</h1>
    ${factsOf(page)}
    ${isOwn ? '' : html`<p class="warning">This is a client of <bdi>${client.ownerName}</bdi> (<bdi>${client.ownerEmail}</bdi>). You see it as an administrator.</p>`}
    ${viewer.isAdministrator ? html`<p><a href="${reviewPath(clientId)}">Review this client</a></p>` : ''}
    ${statusExplanation(client, page.hasAdministrator)}
    ${isOwn && viewer.isUnconfirmed ? html`<p class="warning">People see “Not verified” when your app asks for access, until you <a href="/settings/account#email">confirm your e-mail address</a>.</p>` : ''}
    ${usagePart(client, page.publicUrl)}
    <article class="parts">
    ${revisionPart(client)}
    ${legacy || unrestrictedUsers.users > 0 ? legacyPart(client, unrestrictedUsers) : ''}
    ${type === 'CONFIDENTIAL' ? secretsPart(clientId, secrets) : ''}
    ${failedRequestsPart(clientId, failedRequests)}
    ${editPart(page)}
    ${part(
      { id: 'delete', title: 'Delete this client', gist: 'For everyone who uses it' },
      html`<p>Everyone who uses the app loses it immediately: its secrets, grants and tokens stop working.</p>
      <a class="button quiet danger" href="${clientPath(clientId)}/delete">Delete client …</a>`,
    )}
    </article>`;
  return layout({
    title: formTitle(isolated(name), mistakes),
    content,
    // The text above says what an unconfirmed address means here.
    corner: isOwn ? { ...viewer, isUnconfirmed: false } : viewer,
    setting: 'developer',
    shape: 'sheet',
    head: CLIENT_FORM_HEAD,
  });
}

function factsOf({ client: { type, legacy, scopes }, userCount }: ClientPage): Html {
  const used = userCount.users === 0 ? 'No users yet' : countedUsers(userCount);
  return html`<p class="facts"><span>${type === 'PUBLIC' ? 'Public' : 'Confidential'} client</span> <span>${used}</span>
      <span>${legacy ? 'All scopes' : counted(scopes.length, 'scope')}</span></p>`;
}

function revisionPart(client: ListedClient): Html | '' {
  const { pendingRevision } = client;
  if (!pendingRevision) return '';
  return part(
    { id: 'revision', title: 'A change is waiting for review', gist: 'The approved version stays live', isOpen: true },
    html`<p>Your app keeps working. An administrator has to approve this first:</p>
      ${changeList(client, pendingRevision)}
      <p>The form under “Edit” shows this version. You can change it there, or undo your changes.</p>`,
  );
}

function editPart({ client, typed, csrf, updatedAt, mistakes, isEditing }: ClientPage): Html {
  const { clientId, status, legacy } = client;
  return part(
    {
      id: 'edit',
      title: 'Edit',
      gist: 'Name, redirect URIs, scopes and more',
      isOpen: isEditing || status === 'REJECTED',
    },
    html`${status === 'APPROVED' ? html`<p>A new name, logo, website, redirect URI or scope is reviewed before it goes live. Removals, the purpose and PKCE change immediately.</p>` : ''}
      <form method="post" action="${clientPath(clientId)}" novalidate data-type="${client.type}">
        ${ENTER}
        ${hiddenField('csrf', csrf)}
        ${hiddenField('updatedAt', updatedAt)}
        ${nameField(typed, mistakes)}
        ${redirectUrisField(typed, mistakes)}
        ${purposeField(typed, mistakes)}
        ${scopeTable(typed, mistakes, !legacy)}
        ${furtherFields(typed, mistakes)}
        ${legacy ? legacyConsent(mistakes) : ''}
        <button type="submit">${status === 'REJECTED' ? 'Save and submit again' : 'Save'}</button>
      </form>`,
  );
}

/** Choosing scopes in the wrong order cuts users off, and cannot be taken back. */
function legacyConsent(mistakes: readonly Mistake[]): Html {
  return html`<div class="warning">
          <p>Leave all scopes empty to keep this a legacy client. If you choose some, requests without <code>scope</code> are
            refused from then on, and you can’t undo that.</p>
          ${checkBox({ name: 'sendsScope', label: 'Every authorization URL of my app already sends scope', isChecked: false })}
          ${mistakeOf('sendsScope', mistakes)}
        </div>`;
}
