import { Problem } from '../../core/problem.ts';
import { json, LATER, NOW } from '../../database/expressions.ts';
import { changed, type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { type LastSeen, throwIfChanged } from '../../database/updates/if-unchanged.ts';
import { type AuditEventType, recordAudit } from '../../events/record-audit.ts';
import type { Aftermath } from '../authorization-server.ts';
import type { ClientPatch } from '../protocol/client.ts';
import { REGISTRATION_CODES, registrationMistakes } from '../protocol/clients/client-registration.ts';
import { changesReview, planUpdate, revisionOf, type UpdatePlan } from '../protocol/clients/client-update.ts';
import type { RegisteredClient } from './client-columns.ts';
import { requireVerifiedDeveloper, tidyPatch } from './create-client.ts';
import { OAuthClient, type PendingRevision } from './oauth-client.entity.ts';
import { type Actor, lockWithDeveloper, requireRoomInQueue } from './registered-client.ts';

export const UPDATE_CLIENT_CODES = [...REGISTRATION_CODES, 'NOT_FOUND', 'CONFLICT', 'EMAIL_NOT_VERIFIED'] as const;

/**
 * Changes a client. What adds to an approved client, or shows to users, waits for an administrator as its pending
 * revision while the approved version stays live; what narrows takes effect at once (protocol/client-update.ts).
 * `alongWith` happens first in the transaction of the change.
 * @throws Problem NOT_FOUND, CONFLICT, TOO_MANY, EMAIL_NOT_VERIFIED, and every mistake of the fields at once
 */
export async function updateClient(
  em: Em,
  after: Aftermath,
  { clientId, actorId, address }: Actor & { readonly clientId: string },
  { ifUpdatedAt, ...given }: ClientPatch & { readonly ifUpdatedAt?: LastSeen },
  alongWith?: (inner: Em) => Promise<unknown>,
): Promise<void> {
  const patch = tidyPatch(given);
  const asksForReview = await em.transactional(async (inner) => {
    await alongWith?.(inner);
    const { client, developer } = await lockWithDeveloper(inner, clientId, actorId);
    await requireVerifiedDeveloper(inner, actorId);
    await throwIfChanged(inner, OAuthClient, { clientId }, ifUpdatedAt);
    Problem.throwIfAny(registrationMistakes(patch, client.type));
    if (client.status === 'REJECTED') await requireRoomInQueue(inner, client.ownerId);
    const plan = planUpdate(client, client.pendingRevision, { ...patch, developerName: developer.name });
    const asks = client.status === 'REJECTED' || (plan.revision !== null && client.pendingRevision === null);
    await storePlan(inner, client, plan, asks);
    const { ownerId: userId } = client;
    const detail = { immediate: plan.immediate, revision: plan.revision };
    await recordAudit(inner, { type: eventTypeOf(client, plan), userId, actorId, clientId, address, detail });
    return asks;
  });
  if (asksForReview) after.notices.administratorsOfSubmission(em, clientId, { actorId, address });
}

async function storePlan(em: Em, client: RegisteredClient, plan: UpdatePlan, asksForReview: boolean): Promise<void> {
  const updated = { ...client, ...plan.immediate };
  const { purpose, legacy, requirePkce, status } = updated;
  const growth = changesReview(client, client.pendingRevision, plan) ? 1 : 0;
  await changed(
    em,
    updateTable(OAuthClient, { clientId: client.clientId }).set((eb) => ({
      ...revisionOf(updated),
      purpose,
      legacy,
      requirePkce,
      status,
      version: eb('version', '+', growth),
      pendingRevision: plan.revision && pendingRevision(client, plan.revision),
      ...(asksForReview && { submittedAt: NOW }),
      updatedAt: LATER,
    })),
  );
}

/** An edit of a revision that waits keeps its place in the queue. */
function pendingRevision(client: RegisteredClient, revision: object): RawBuilder<PendingRevision> {
  const requestedAt = client.pendingRevision?.requestedAt ?? null;
  return sql`${json(revision)} || jsonb_build_object('requestedAt',
    coalesce(${requestedAt}::text, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))`;
}

function eventTypeOf({ status }: RegisteredClient, { revision }: UpdatePlan): AuditEventType {
  if (status === 'REJECTED') return 'CLIENT_RESUBMITTED';
  return revision ? 'CLIENT_REVISION_REQUESTED' : 'CLIENT_UPDATED';
}
