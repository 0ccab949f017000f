import { Problem } from '../../core/problem.ts';
import { optionalTextMistake, tidyText } from '../../core/text.ts';
import { changed, type Em, LATER, NOW, sql } from '../../database/sql.ts';
import { type ChangesOf, updateTable } from '../../database/statements.ts';
import { type AuditEventType, recordAudit } from '../../events/record-audit.ts';
import type { Aftermath } from '../authorization-server.ts';
import type { ClientStatus } from '../protocol/client.ts';
import { type ReviewAction, type ReviewOutcome, review, revisionOf } from '../protocol/client-review.ts';
import { recordRevocations } from '../revocations/revocations.ts';
import type { RegisteredClient } from './client-columns.ts';
import type { ClientNotice } from './notices.ts';
import { OAuthClient } from './oauth-client.entity.ts';
import { type Actor, lockWithDeveloper, requireAdministrator } from './registered-client.ts';

/** A decision that names a version can also be refused with CONFLICT. */
export const REVIEW_CLIENT_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  'NOT_POSSIBLE',
  'REASON_REQUIRED',
  'TOO_LONG',
  'INVALID_TEXT',
] as const;

export const MAX_REASON_LENGTH = 1_000;

export interface Review extends Actor {
  readonly clientId: string;
  readonly action: ReviewAction;
  /** For the developer; mandatory for REJECT. */
  readonly reason?: string | undefined;
  /**
   * The version that the administrator looked at, for APPROVE and REJECT: one that its developer has replaced since is not
   * decided unseen. Left out, the decision is about whatever is current.
   */
  readonly seenVersion?: number | undefined;
}

/** The client has changed since the administrator looked at it. */
export class ClientReplaced extends Problem {
  constructor(seen: number, current: number) {
    super(
      'CONFLICT',
      `The client was changed while you looked at it: version ${seen} was replaced by version ${current}. Look at what it is now, and decide about that.`,
      ['version'],
    );
  }
}

/**
 * An administrator's decision about a client, or about the revision that an approved one waits for. Suspending refuses
 * its tokens from the next request on, everywhere; reinstating makes them good again, as far as they have not expired.
 * @throws Problem NOT_FOUND, FORBIDDEN, NOT_POSSIBLE, REASON_REQUIRED, TOO_LONG, INVALID_TEXT, CONFLICT
 */
export async function reviewClient(em: Em, after: Aftermath, decision: Review): Promise<void> {
  const { clientId, actorId, address, action } = decision;
  const reason = decision.reason === undefined ? undefined : tidyText(decision.reason) || undefined;
  const mistake = reason && optionalTextMistake(['reason'], reason, { max: MAX_REASON_LENGTH, multiline: true });
  Problem.throwIfAny(mistake ? [mistake] : []);
  const event = await em.transactional(async (inner) => {
    const { client, developer } = await lockWithDeveloper(inner, clientId, actorId);
    await requireAdministrator(inner, actorId);
    const { status, pendingRevision, version, ownerId: userId } = client;
    const isReview = action === 'APPROVE' || action === 'REJECT';
    const { seenVersion = version } = decision;
    if (isReview && seenVersion !== version) throw new ClientReplaced(seenVersion, version);
    const reviewed = {
      status,
      hasPendingRevision: pendingRevision !== null,
      isDeveloperSuspended: developer.isSuspended,
    };
    const outcome = review(reviewed, action, reason);
    if (outcome.kind === 'REFUSED')
      throw new Problem(outcome.mistake.code, outcome.mistake.message, outcome.mistake.path);
    await storeOutcome(inner, client, outcome, { actorId, reason: reason ?? null });
    if (action === 'SUSPEND') await recordRevocations(inner, 'CLIENT', [clientId]);
    if (action === 'REINSTATE') await recordRevocations(inner, 'CLIENT', [clientId], false);
    const decided = EVENTS[outcome.kind === 'STATUS' ? action : outcome.kind];
    const detail = { reason: reason ?? null, ...(isReview && { version }) };
    await recordAudit(inner, { type: decided.type, userId, actorId, clientId, address, detail });
    return decided;
  });
  if (action === 'SUSPEND' || action === 'REINSTATE') await after.revocations.catchUp();
  const { subject, text } = event;
  const notice = { subject, text: reason ? `${text}\n\nThe reason: ${reason}` : text };
  after.notices.ownerOfClient(em, clientId, notice, { actorId, address });
}

interface Settled {
  readonly actorId: string;
  readonly reason: string | null;
}

async function storeOutcome(em: Em, client: RegisteredClient, outcome: ReviewOutcome, by: Settled): Promise<void> {
  switch (outcome.kind) {
    case 'STATUS':
      return settle(em, client, {
        ...statusChanges(outcome.status, by),
        ...(client.status === 'PENDING' && reviewedBy(by)),
      });
    case 'REVISION_ACCEPTED':
      return settle(em, client, { ...revisionChanges(client), ...reviewedBy(by) });
    default:
      return settle(em, client, { pendingRevision: null, rejectionReason: by.reason });
  }
}

/** Somebody has looked at what is live from now on. A suspension, or a change that was declined, is not about that. */
function reviewedBy({ actorId }: Settled): ChangesOf<typeof OAuthClient> {
  return { reviewedAt: NOW, reviewedBy: actorId };
}

/** The condition decides: a client that has another version by now is not changed. */
async function settle(
  em: Em,
  { clientId, version }: RegisteredClient,
  changes: ChangesOf<typeof OAuthClient>,
): Promise<void> {
  const count = await changed(
    em,
    updateTable(OAuthClient, { clientId, version }).set({ ...changes, updatedAt: LATER }),
  );
  if (count !== 1) throw new Error(`The client ${clientId} was changed though it was locked.`);
}

function statusChanges(status: ClientStatus, { reason }: Settled): ChangesOf<typeof OAuthClient> {
  return {
    status,
    rejectionReason: status === 'REJECTED' ? reason : null,
    suspensionReason: status === 'SUSPENDED' ? reason : null,
    reinstatedAt: sql`case when status = 'SUSPENDED' then clock_timestamp() else reinstated_at end`,
  };
}

function revisionChanges({ clientId, pendingRevision }: RegisteredClient): ChangesOf<typeof OAuthClient> {
  if (!pendingRevision) throw new Error(`The client ${clientId} has no pending revision.`);
  return { ...revisionOf(pendingRevision), pendingRevision: null, rejectionReason: null };
}

type ReviewEvent = ReviewAction | 'REVISION_ACCEPTED' | 'REVISION_DECLINED';

const EVENTS = {
  APPROVE: { type: 'CLIENT_APPROVED', subject: 'approved', text: 'It was approved. Users can now give it access.' },
  REJECT: {
    type: 'CLIENT_REJECTED',
    subject: 'not approved',
    text: 'It was not approved. Edit it to submit it again.',
  },
  SUSPEND: { type: 'CLIENT_SUSPENDED', subject: 'suspended', text: 'It was suspended, and its tokens no longer work.' },
  REINSTATE: {
    type: 'CLIENT_REINSTATED',
    subject: 'reinstated',
    text: 'It was reinstated, and its grants and tokens work again.',
  },
  REVISION_ACCEPTED: {
    type: 'CLIENT_REVISION_ACCEPTED',
    subject: 'your change was approved',
    text: 'Your change is now live.',
  },
  REVISION_DECLINED: {
    type: 'CLIENT_REVISION_DECLINED',
    subject: 'your change was declined',
    text: 'Your change was declined. The approved version stays live.',
  },
} as const satisfies Record<ReviewEvent, ClientNotice & { readonly type: AuditEventType }>;
