import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { AuditEventType } from '../../events/record-audit.ts';
import type { ClientEvent, ListedClient, UserCount } from '../../oauth/clients/oauth-client.queries.ts';
import { type ReviewAction, reviewedContent } from '../../oauth/protocol/client-review.ts';
import { hiddenField, textArea } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { moment } from '../kit/page-parts.ts';
import { reviewPath } from './client-paths.ts';
import { reason } from './client-status.ts';

/** The field in which the reason for a decision is given: of their own, as two of them may stand on one page. */
export const REASON_FIELDS = { REJECT: 'rejection', SUSPEND: 'suspension' } as const;

export interface DecisionForms {
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
export function decisionPart(forms: DecisionForms): Html {
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
export function usersOf({ users, isMore }: UserCount): string {
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
  requirePkce: 'PKCE',
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
