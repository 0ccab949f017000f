import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import type { ClientEvent, ListedClient } from '../../oauth/clients/oauth-client.queries.ts';
import { type ReviewedContent, reviewedContent } from '../../oauth/protocol/client-review.ts';
import { describeScope, isScope } from '../../scopes/catalog.ts';
import { aboutFields, formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, moment, plainList } from '../kit/page-parts.ts';
import { scopeList } from '../kit/scope-list.ts';
import { clientPath, REVIEWS_PATH } from './client-paths.ts';
import { DEVELOPER_SUSPENDED_MARK, statusMark } from './client-status.ts';
import { type DecisionForms, decisionPart, historyPart, REASON_FIELDS, usersOf } from './review-parts.ts';
import { changeList, changesSince } from './revision-changes.ts';

export interface ReviewPage extends DecisionForms {
  readonly viewer: Viewer;
  readonly history: readonly ClientEvent[];
  readonly done: string | undefined;
  /** The client as the administrator was shown it before, when it is not that any more. */
  readonly seen?: ReviewedContent | undefined;
}

/** One client, for the administrator who decides about it. Everything about it is its developer's own words. */
export function reviewPage(page: ReviewPage): Html {
  const { viewer, client, users, history, mistakes, done, seen } = page;
  const { clientId, name, status, pendingRevision } = client;
  const content = html`${doneNotice(done)}
    ${mistakeSummary(aboutFields(Object.values(REASON_FIELDS), mistakes))}
    ${seen ? replacedPart(seen, client) : ''}
    <p class="aside top"><a href="${REVIEWS_PATH}">Reviews</a></p>
    <h1><bdi>${name}</bdi> ${statusMark(status)} ${client.isDeveloperSuspended ? DEVELOPER_SUSPENDED_MARK : ''}</h1>
    <p class="facts"><code>${clientId}</code> <span>Version ${client.version}</span> <span>${usersOf(users)}</span> <a href="${clientPath(clientId)}">Its developer page</a></p>
    ${pendingRevision ? revisionPart(client, instantOf(pendingRevision.requestedAt)) : ''}
    ${clientPart(client)}
    ${decisionPart(page)}
    ${historyPart(history)}`;
  return layout({ title: formTitle(`Review ${isolated(name)}`, mistakes), content, corner: viewer, shape: 'sheet' });
}

function replacedPart(seen: ReviewedContent, client: ListedClient): Html {
  return html`<article>
      <h2>What the developer changed in the meantime</h2>
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
        <dt>Made by</dt><dd>${client.developerName === null ? 'not submitted yet' : html`<bdi>${client.developerName}</bdi>, the name that users are shown`}</dd>
        <dt>Developer’s account</dt><dd><bdi>${client.ownerName}</bdi> (<a href="mailto:${client.ownerEmail}"><bdi>${client.ownerEmail}</bdi></a>)</dd>
        <dt>Submitted</dt><dd>${moment(client.submittedAt)}</dd>
        <dt>Type</dt><dd>${type === 'PUBLIC' ? 'Public' : 'Confidential'}${requirePkce ? ', always with PKCE' : ''}</dd>
        <dt>Website</dt><dd>${elsewhere(websiteUrl)}</dd>
        <dt>Logo</dt><dd>${elsewhere(logoUrl)}</dd>
        <dt>Redirect URIs</dt><dd>${plainList(redirectUris)}</dd>
        ${client.rejectionReason === null ? '' : html`<dt>Last refusal</dt><dd class="words"><bdi>${client.rejectionReason}</bdi></dd>`}
        ${client.suspensionReason === null ? '' : html`<dt>Suspended</dt><dd class="words"><bdi>${client.suspensionReason}</bdi></dd>`}
      </dl>
      <h2>What it can ask people for</h2>
      ${
        legacy
          ? html`<p class="warning">Everything: it was registered before scopes existed, and a request without any gets access to everything.</p>`
          : scopeList(
              scopes.filter(isScope).map((scope) => ({ ...describeScope(scope), isNew: false })),
              'their',
              'en',
            )
      }
    </article>`;
}

/** Somebody else's page: it opens beside this one, and is not told where the reader comes from. */
function elsewhere(url: string | null): Html | string {
  if (url === null) return 'none';
  return /^https?:\/\//.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow" target="_blank"><bdi>${url}</bdi></a>`
    : html`<bdi>${url}</bdi>`;
}
