import { html } from 'hono/html';
import type { ListedClient } from '../../oauth/clients/oauth-client.queries.ts';
import type { ClientStatus } from '../../oauth/protocol/client.ts';
import { type ClientRevision, type ReviewedContent, revisionChanges } from '../../oauth/protocol/client-review.ts';
import { describeScope, isScope } from '../../scopes/catalog.ts';
import { CHECK_URIS_SCRIPT, DEVELOPER_STYLE, hrefOf } from '../kit/assets.ts';
import type { Html } from '../kit/layout.ts';
import { COPY_HEAD, SEND_ONCE_HEAD } from '../kit/page-parts.ts';

/** Where the pages of clients are. An id may hold any visible character, so it is escaped. */
export const CLIENTS_PATH = '/settings/developer/oauth';
export const REVIEWS_PATH = '/admin/oauth';

export function clientPath(clientId: string): string {
  return `${CLIENTS_PATH}/${encodeURIComponent(clientId)}`;
}

export function reviewPath(clientId: string): string {
  return `${REVIEWS_PATH}/${encodeURIComponent(clientId)}`;
}

/** The pages of clients need this besides the style sheets of all pages; send them with `SCRIPTED_HEADERS`. */
export const DEVELOPER_HEAD = html`<link rel="stylesheet" href="${hrefOf(DEVELOPER_STYLE)}">
    ${COPY_HEAD}
    ${SEND_ONCE_HEAD}`;

/** And those with the form of a client; send them with `ASKING_HEADERS`. */
export const CLIENT_FORM_HEAD = html`${DEVELOPER_HEAD}
    <script type="module" src="${hrefOf(CHECK_URIS_SCRIPT)}"></script>`;

const STATUS_WORDS = {
  PENDING: 'Pending',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
  SUSPENDED: 'Suspended',
} as const satisfies Record<ClientStatus, string>;

/** The status of a client as a mark beside its name. */
export function statusMark(status: ClientStatus): Html {
  return html`<mark class="${status.toLowerCase()}">${STATUS_WORDS[status]}</mark>`;
}

/** A text beside the status of a client with a pending revision. */
export const CHANGE_MARK = html`<mark class="pending">Change waiting for review</mark>`;

/** A text beside the status of a client, for its reviewers. */
export const DEVELOPER_SUSPENDED_MARK = html`<mark class="suspended">Developer suspended</mark>`;

/** A hint for a new service, where nobody could ever approve the client and nothing else says why. */
const NO_ADMINISTRATOR = html` <strong>This service has no administrator yet.</strong> The people who run it can create one on the server:
        <code>npx gatehouse admin create &lt;e-mail&gt;</code>.`;

/** Read by administrators, since nobody else can sign in to see it. */
const DEVELOPER_SUSPENDED = html`<p class="warning"><strong>The account of its developer is suspended:</strong> no one can give
        this client access, its tokens don’t work, and nothing of it can be approved. If the account is reinstated, the client
        goes on as it was.</p>`;

/** Says what the status means for the owner of the client, and the reason for it. */
export function statusExplanation(client: ListedClient, hasAdministrator: boolean): Html {
  const { status, pendingRevision, rejectionReason, suspensionReason } = client;
  if (client.isDeveloperSuspended) return DEVELOPER_SUSPENDED;
  switch (status) {
    case 'PENDING':
      return html`<p class="warning">An administrator has to approve this client before anyone can give it access. We’ll
        e-mail you. Until then, you can keep editing it.${hasAdministrator ? '' : NO_ADMINISTRATOR}</p>`;
    case 'REJECTED':
      return html`<div class="warning"><p><strong>This client was not approved.</strong> The reason:</p>
        ${reason(rejectionReason)}
        <p><a href="#edit">Make changes</a> and save to submit it again.</p></div>`;
    case 'SUSPENDED':
      return html`<div class="warning"><p><strong>This client is suspended:</strong> no one can give it access, and its tokens
        don’t work. ${suspensionReason === null ? 'No reason was given.' : 'The reason:'}</p>${reason(suspensionReason)}</div>`;
    case 'APPROVED':
      return pendingRevision === null && rejectionReason !== null
        ? html`<div class="warning"><p><strong>Your last change was declined;</strong> the approved version stays live. The
        reason:</p>${reason(rejectionReason)}</div>`
        : html``;
  }
}

/** Words that somebody gave as their reason, set apart from ours. */
export function reason(text: string | null): Html | '' {
  return text === null ? '' : html`<blockquote class="words"><bdi>${text}</bdi></blockquote>`;
}

const TEXTS = [
  { field: 'name', label: 'Name' },
  { field: 'developerName', label: 'Made by' },
  { field: 'websiteUrl', label: 'Website' },
  { field: 'logoUrl', label: 'Logo' },
] as const;

const LISTS = [
  { field: 'redirectUris', label: 'Redirect URIs' },
  { field: 'scopes', label: 'Scopes' },
] as const;

const pkce = (isRequired: boolean): string => (isRequired ? 'required' : 'not required');

/** Shows what a developer has changed while an administrator looked at the client. */
export function changesSince(seen: ReviewedContent, current: ReviewedContent): Html {
  const { purpose, requiresPkce } = seen;
  return html`${changeList(seen, current)}
      <dl class="changes">
        ${purpose === current.purpose ? '' : textChange('Purpose', purpose, current.purpose)}
        ${requiresPkce === current.requiresPkce ? '' : textChange('PKCE', pkce(requiresPkce), pkce(current.requiresPkce))}
      </dl>`;
}

/** Shows what a revision changes: old and new side by side, and for lists what is added and removed. */
export function changeList(live: ClientRevision, target: ClientRevision): Html {
  const changes = revisionChanges(live, target);
  return html`<dl class="changes">
        ${TEXTS.filter(({ field }) => field in changes).map(({ field, label }) =>
          textChange(label, live[field], target[field]),
        )}
        ${LISTS.filter(({ field }) => field in changes).map(
          ({ field, label }) => html`<dt>${label}</dt>
        <dd>${difference(live[field], target[field])}</dd>`,
        )}
      </dl>`;
}

function textChange(label: string, before: string | null, after: string | null): Html {
  return html`<dt>${label}</dt>
        <dd class="words">Before <del>${shown(before)}</del>
After <ins>${shown(after)}</ins></dd>`;
}

function shown(text: string | null): Html {
  return html`${text === null ? 'none' : html`<bdi>${text}</bdi>`}`;
}

function difference(live: readonly string[], target: readonly string[]): Html {
  const added = target.filter((item) => !live.includes(item));
  const removed = live.filter((item) => !target.includes(item));
  return html`<ul class="plain">
          ${added.map((item) => html`<li>Add <ins><code>${item}</code></ins>${inWords(item)}</li>`)}
          ${removed.map((item) => html`<li>Remove <del><code>${item}</code></del>${inWords(item)}</li>`)}
        </ul>`;
}

/** Says what a scope allows; a redirect URI speaks for itself. */
function inWords(item: string): string {
  return isScope(item) ? ` ${describeScope(item).words}` : '';
}
