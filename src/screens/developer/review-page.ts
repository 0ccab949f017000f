import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import type { AuditEventType } from '../../events/record-audit.ts';
import type { ClientEvent, ListedClient, UserCount } from '../../oauth/clients/oauth-client.queries.ts';
import { type ReviewAction, type ReviewedContent, reviewedContent } from '../../oauth/protocol/client-review.ts';
import { describeScope, isScope } from '../../scopes/catalog.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textArea } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, moment, plainList } from '../kit/page-parts.ts';
import { scopeList } from '../kit/scope-list.ts';
import {
  changeList,
  changesSince,
  clientPath,
  DEVELOPER_SUSPENDED_MARK,
  REVIEWS_PATH,
  reason,
  reviewPath,
  statusMark,
} from './client-parts.ts';

interface ReviewView extends DecisionForms {
  readonly viewer: Viewer;
  readonly history: readonly ClientEvent[];
  readonly done: string | undefined;
  /** The client as the administrator was shown it before, when it is not that any more. */
  readonly seen?: ReviewedContent | undefined;
}

/** One client, for the administrator who decides about it. Everything about it is its developer's own words. */
export function reviewView(page: ReviewView): Html {
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
  const { type, legacy, requiresPkce, websiteUrl, logoUrl, redirectUris, scopes, pendingRevision } = client;
  return html`<article>
      <h2>${pendingRevision ? 'What is live' : 'The client'}</h2>
      <dl>
        <dt>Purpose</dt><dd class="words"><bdi>${client.purpose}</bdi></dd>
        <dt>Made by</dt><dd>${client.developerName === null ? 'not submitted yet' : html`<bdi>${client.developerName}</bdi>, the name that users are shown`}</dd>
        <dt>Developer’s account</dt><dd><bdi>${client.ownerName}</bdi> (<a href="mailto:${client.ownerEmail}"><bdi>${client.ownerEmail}</bdi></a>)</dd>
        <dt>Submitted</dt><dd>${moment(client.submittedAt)}</dd>
        <dt>Type</dt><dd>${type === 'PUBLIC' ? 'Public' : 'Confidential'}${requiresPkce ? ', always with PKCE' : ''}</dd>
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

/** The field in which the reason for a decision is given: of their own, as two of them may stand on one page. */
export const REASON_FIELDS = { REJECT: 'rejection', SUSPEND: 'suspension' } as const;

interface DecisionForms {
  readonly client: ListedClient;
  readonly users: UserCount;
  /** The decision whose form came back: it stands open, with the text that was typed. */
  readonly open: ReviewAction | undefined;
  readonly typedReason: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
}

interface Decision {
  readonly action: ReviewAction;
  readonly button: string;
  /** Says what will happen. */
  readonly explanation: string;
}

/**
 * Lists the possible decisions, each with its effect. One that takes something away is folded, and asks for a reason.
 */
function decisionPart(forms: DecisionForms): Html {
  const isStopped = forms.client.isDeveloperSuspended;
  const decisions = decisionsOn(forms).filter(({ action }) => !isStopped || action !== 'APPROVE');
  if (decisions.length === 0) {
    return html`<p class="empty">There’s nothing to decide. The developer has to edit a rejected client first.</p>`;
  }
  return html`<article class="action-forms">
      <h2>Decide</h2>
      ${isStopped ? html`<p class="warning">The account of its developer is suspended. Nothing of theirs can be approved until it’s reinstated.</p>` : ''}
      ${decisions.map((decision) => decisionForm(decision, forms))}
    </article>`;
}

/**
 * Whether a decision is a review: that is told of changes since its page was opened, while other decisions hold whatever the
 * client has become.
 */
function isReview(action: ReviewAction): boolean {
  return action === 'APPROVE' || action === 'REJECT';
}

function decisionForm({ action, button, explanation }: Decision, forms: DecisionForms): Html {
  const { client, open, typedReason, csrf, mistakes } = forms;
  const isOpen = open === action;
  const asksWhy = action === 'REJECT' || action === 'SUSPEND';
  const form = html`<form method="post" action="${reviewPath(client.clientId)}" novalidate>
        <p>${explanation}</p>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('version', String(client.version))}
        ${isReview(action) ? hiddenField('seen', JSON.stringify(reviewedContent(client))) : ''}
        ${
          asksWhy
            ? textArea(
                {
                  name: REASON_FIELDS[action],
                  label: 'Reason',
                  value: isOpen ? typedReason : '',
                  rows: 3,
                  hint: 'What the developer should know or change. We’ll e-mail it to them and show it on the client’s page.',
                },
                isOpen ? mistakes : [],
              )
            : ''
        }
        <button type="submit" name="action" value="${action}" class="${asksWhy ? 'danger' : ''}">${button}</button>
      </form>`;
  if (!asksWhy) return form;
  return html`<details ${isOpen ? html`open` : ''}><summary>${button} …</summary>${form}</details>`;
}

function decisionsOn({ client, users }: DecisionForms): readonly Decision[] {
  const { status, pendingRevision } = client;
  const suspend: Decision = {
    action: 'SUSPEND',
    button: 'Suspend client',
    explanation: `${usersOf(users)} Its tokens stop working immediately, and no one can sign in with it. Its grants are kept in case you reinstate it.`,
  };
  switch (status) {
    case 'PENDING':
      return [
        { action: 'APPROVE', button: 'Approve', explanation: 'People can then sign in with it.' },
        {
          action: 'REJECT',
          button: 'Reject',
          explanation: `${usersOf(users)} If its developer edits it, it’s submitted again.`,
        },
      ];
    case 'APPROVED':
      return pendingRevision
        ? [
            {
              action: 'APPROVE',
              button: 'Approve change',
              explanation:
                'It goes live immediately. People who use the app are asked before it gets more access than they gave it.',
            },
            {
              action: 'REJECT',
              button: 'Decline change',
              explanation: `${usersOf(users)} The approved version stays live, so no one notices anything.`,
            },
            suspend,
          ]
        : [suspend];
    case 'SUSPENDED':
      return [
        {
          action: 'REINSTATE',
          button: 'Reinstate client',
          explanation: `${usersOf(users)} Tokens that haven’t expired work again, and people can sign in with it.`,
        },
      ];
    case 'REJECTED':
      return [];
  }
}

/** `12 people use the app.` */
function usersOf({ users, isMore }: UserCount): string {
  if (users === 0) return 'No one uses the app.';
  if (isMore) return `More than ${users} people use the app.`;
  return users === 1 ? '1 person uses the app.' : `${users} people use the app.`;
}

const EVENT_WORDS: Partial<Record<AuditEventType, string>> = {
  CLIENT_CREATED: 'Registered',
  CLIENT_UPDATED: 'Edited, effective immediately',
  CLIENT_REVISION_REQUESTED: 'Change requested',
  CLIENT_RESUBMITTED: 'Submitted again',
  CLIENT_APPROVED: 'Approved',
  CLIENT_REJECTED: 'Rejected',
  CLIENT_REVISION_ACCEPTED: 'Change approved',
  CLIENT_REVISION_DECLINED: 'Change declined',
  CLIENT_SUSPENDED: 'Suspended',
  CLIENT_REINSTATED: 'Reinstated',
};

const FIELD_WORDS: Readonly<Record<string, string>> = {
  name: 'name',
  purpose: 'purpose',
  logoUrl: 'logo',
  websiteUrl: 'website',
  redirectUris: 'redirect URIs',
  scopes: 'scopes',
  requiresPkce: 'PKCE',
  legacy: 'legacy status',
};

/** The history of a client, the newest first: each event with its actor, its time and its reason. */
export function historyPart(history: readonly ClientEvent[]): Html | '' {
  if (history.length === 0) return '';
  return html`<article>
      <h2>History</h2>
      <ol class="rows">${history.map(eventRow)}</ol>
    </article>`;
}

function eventRow({ type, by, occurredAt, reason: why, changedAtOnce }: ClientEvent): Html {
  const fields = changedAtOnce.map((field) => FIELD_WORDS[field]).filter((words) => words !== undefined);
  return html`<li>
        <p class="facts"><strong>${EVENT_WORDS[type] ?? type}</strong> <span>by ${by === null ? 'someone whose account no longer exists' : html`<bdi>${by}</bdi>`}</span> <span>${moment(occurredAt)}</span></p>
        ${fields.length === 0 ? '' : html`<p>Changed immediately: ${fields.join(', ')}</p>`}
        ${reason(why)}
      </li>`;
}
