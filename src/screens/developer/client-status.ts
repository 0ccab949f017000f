import { html } from 'hono/html';
import type { ListedClient } from '../../oauth/clients/oauth-client.queries.ts';
import type { ClientStatus } from '../../oauth/protocol/client.ts';
import type { Html } from '../kit/layout.ts';

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
