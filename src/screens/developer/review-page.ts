import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import type { ListedClient } from '../../oauth/clients/oauth-client.queries.ts';
import { type ReviewedContent, reviewedContent } from '../../oauth/protocol/clients/client-update.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textArea } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, moment, plainList } from '../kit/page-parts.ts';
import { clientPath, REVIEWS_PATH, reviewPath } from './client-paths.ts';
import { statusMark } from './client-status.ts';
import { changeList, changesSince } from './revision-changes.ts';

export interface ReviewPage {
  readonly viewer: Viewer;
  readonly client: ListedClient;
  readonly typedReason: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
  /** What the administrator was shown before, when the client is not that any more. */
  readonly seen?: ReviewedContent | undefined;
}

/** One client, for the administrator who decides about it. Everything about it is its developer's own words. */
export function reviewPage(page: ReviewPage): Html {
  const { viewer, client, mistakes, done, seen } = page;
  const { clientId, name, status, pendingRevision } = client;
  const content = html`${doneNotice(done)}
    ${mistakeSummary(aboutFields(['reason'], mistakes))}
    ${seen ? replacedPart(seen, client) : ''}
    <p class="aside top"><a href="${REVIEWS_PATH}">Reviews</a></p>
    <h1><bdi>${name}</bdi> ${statusMark(status)}</h1>
    <p class="facts"><code>${clientId}</code> <span>Version ${client.version}</span> <a href="${clientPath(clientId)}">Its developer page</a></p>
    ${pendingRevision ? revisionPart(client, instantOf(pendingRevision.requestedAt)) : ''}
    ${clientPart(client)}
    ${decisionPart(page)}`;
  return layout({ title: formTitle(`Review ${isolated(name)}`, mistakes), content, corner: viewer, shape: 'sheet' });
}

function replacedPart(seen: ReviewedContent, client: ListedClient): Html {
  return html`<article>
      <h2>What its developer changed meanwhile</h2>
      ${changesSince(seen, reviewedContent(client))}
    </article>`;
}

function revisionPart(client: ListedClient, requestedAt: Temporal.Instant): Html | '' {
  const { pendingRevision, ownerName, ownerEmail } = client;
  if (!pendingRevision) return '';
  return html`<article>
      <h2>What would change</h2>
      <p><bdi>${ownerName}</bdi> (<bdi>${ownerEmail}</bdi>) asked for this on ${moment(requestedAt)}.</p>
      ${changeList(client, pendingRevision)}
    </article>`;
}

function clientPart(client: ListedClient): Html {
  const { type, legacy, requirePkce, websiteUrl, logoUrl, redirectUris, scopes, pendingRevision } = client;
  return html`<article>
      <h2>${pendingRevision ? 'What is live' : 'The client'}</h2>
      <dl>
        <dt>Purpose</dt><dd class="words"><bdi>${client.purpose}</bdi></dd>
        <dt>Developer</dt><dd><bdi>${client.ownerName}</bdi> (<bdi>${client.ownerEmail}</bdi>)</dd>
        <dt>Submitted</dt><dd>${moment(client.submittedAt)}</dd>
        <dt>Type</dt><dd>${type === 'PUBLIC' ? 'Public' : 'Confidential'}${requirePkce ? ', always with PKCE' : ''}</dd>
        <dt>Website</dt><dd>${websiteUrl === null ? 'none' : html`<bdi>${websiteUrl}</bdi>`}</dd>
        <dt>Logo</dt><dd>${logoUrl === null ? 'none' : html`<bdi>${logoUrl}</bdi>`}</dd>
        <dt>Redirect URIs</dt><dd>${plainList(redirectUris)}</dd>
        <dt>Scopes</dt><dd>${legacy ? 'legacy: everything, where no scope is requested' : plainList(scopes)}</dd>
        ${client.rejectionReason === null ? '' : html`<dt>Last refusal</dt><dd class="words"><bdi>${client.rejectionReason}</bdi></dd>`}
        ${client.suspensionReason === null ? '' : html`<dt>Suspended</dt><dd class="words"><bdi>${client.suspensionReason}</bdi></dd>`}
      </dl>
    </article>`;
}

function decisionPart({ client, typedReason, csrf, mistakes }: ReviewPage): Html {
  const actions = actionsOf(client);
  if (actions.length === 0) {
    return html`<p class="empty">There is nothing to decide: the developer has to edit a rejected client first.</p>`;
  }
  return html`<article>
      <h2>Decide</h2>
      <form method="post" action="${reviewPath(client.clientId)}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('version', String(client.version))}
        ${hiddenField('seen', JSON.stringify(reviewedContent(client)))}
        ${textArea(
          {
            name: 'reason',
            label: 'Reason',
            value: typedReason,
            rows: 3,
            hint: 'For the developer, by mail. Mandatory for a rejection.',
            isOptional: true,
          },
          mistakes,
        )}
        <div class="actions">${actions.map(
          ({ action, label, look }) =>
            html`<button type="submit" name="action" value="${action}" class="${look}">${label}</button>`,
        )}</div>
      </form>
    </article>`;
}

function actionsOf({ status, pendingRevision }: ListedClient) {
  const suspend = { action: 'SUSPEND', label: 'Suspend the client', look: 'danger' };
  switch (status) {
    case 'PENDING':
      return [
        { action: 'APPROVE', label: 'Approve', look: '' },
        { action: 'REJECT', label: 'Reject', look: 'quiet' },
      ];
    case 'APPROVED':
      return pendingRevision
        ? [
            { action: 'APPROVE', label: 'Accept the change', look: '' },
            { action: 'REJECT', label: 'Decline the change', look: 'quiet' },
            suspend,
          ]
        : [suspend];
    case 'SUSPENDED':
      return [{ action: 'REINSTATE', label: 'Reinstate the client', look: '' }];
    case 'REJECTED':
      return [];
  }
}
