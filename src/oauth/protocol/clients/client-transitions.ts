import type { ClientStatus } from '../client.ts';

export type ReviewAction = 'APPROVE' | 'REJECT' | 'SUSPEND' | 'REINSTATE';

/** Where a client's status can go. An edit of a rejected client submits it again; see client-update.ts. */
const TRANSITIONS: Readonly<Record<ClientStatus, Partial<Record<ReviewAction, ClientStatus>>>> = {
  PENDING: { APPROVE: 'APPROVED', REJECT: 'REJECTED' },
  APPROVED: { SUSPEND: 'SUSPENDED' },
  REJECTED: {},
  SUSPENDED: { REINSTATE: 'APPROVED' },
};

export interface TransitionMistake {
  readonly code: 'NOT_POSSIBLE' | 'REASON_REQUIRED';
  readonly message: string;
  readonly path: readonly string[];
}

/**
 * The effect of an administrator's decision: it moves the client, or it settles the requested change of an approved
 * client.
 */
export type ReviewOutcome =
  | { readonly kind: 'STATUS'; readonly status: ClientStatus }
  | { readonly kind: 'REVISION_ACCEPTED' }
  | { readonly kind: 'REVISION_DECLINED' }
  | { readonly kind: 'REFUSED'; readonly mistake: TransitionMistake };

export interface ReviewedClient {
  readonly status: ClientStatus;
  readonly hasPendingRevision: boolean;
  readonly isDeveloperSuspended: boolean;
}

/**
 * Decides about a client. The role of the actor is checked before: administrators decide, and nobody by owning the
 * client.
 */
export function review(client: ReviewedClient, action: ReviewAction, reason: string | undefined): ReviewOutcome {
  const status = TRANSITIONS[client.status][action];
  const settlesRevision = isRevisionDecision(client, action);
  if (status === undefined && !settlesRevision) return refused('NOT_POSSIBLE', notPossible(client, action), 'clientId');
  if (action === 'APPROVE' && client.isDeveloperSuspended) {
    const message =
      'The developer of the client is suspended; reinstate them first, or reject what they have submitted.';
    return refused('NOT_POSSIBLE', message, 'clientId');
  }
  const text = reason?.trim() ?? '';
  if (action === 'REJECT' && text === '') {
    return refused('REASON_REQUIRED', 'The reason is missing; tell the developer what to change.', 'reason');
  }
  if (status !== undefined) return { kind: 'STATUS', status };
  return { kind: action === 'APPROVE' ? 'REVISION_ACCEPTED' : 'REVISION_DECLINED' };
}

function isRevisionDecision({ status, hasPendingRevision }: ReviewedClient, action: ReviewAction): boolean {
  return status === 'APPROVED' && hasPendingRevision && (action === 'APPROVE' || action === 'REJECT');
}

function notPossible({ status, hasPendingRevision }: ReviewedClient, action: ReviewAction): string {
  const advice = {
    APPROVE: 'only a pending client, or an approved one with a pending revision, can be approved',
    REJECT: 'only a pending client, or an approved one with a pending revision, can be rejected',
    SUSPEND: 'only an approved client can be suspended',
    REINSTATE: 'only a suspended client can be reinstated',
  }[action];
  const revision = hasPendingRevision ? ' with a pending revision' : '';
  return `The client is ${status.toLowerCase()}${revision}; ${advice}.`;
}

function refused(code: TransitionMistake['code'], message: string, field: string): ReviewOutcome {
  return { kind: 'REFUSED', mistake: { code, message, path: [field] } };
}
