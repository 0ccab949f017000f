import { Problem } from '../../core/problem.ts';
import { tidyText } from '../../core/text.ts';
import { changed, type Em, json, LATER, NOW, type RawBuilder, sql } from '../../database/sql.ts';
import { deleteFrom, insertInto, updateTable } from '../../database/statements.ts';
import { type LastSeen, throwIfChanged } from '../../database/updates.ts';
import { type AuditEventType, recordAudit } from '../../events/record-audit.ts';
import { once } from '../../limits/at-most-once.ts';
import { requireVerifiedEmail } from '../../modules/accounts/require-verified-email.ts';
import type { Aftermath } from '../authorization-server.ts';
import type { ClientPatch, ClientType } from '../protocol/client.ts';
import { REGISTRATION_CODES, registrationMistakes } from '../protocol/client-registration.ts';
import { changesReview, planUpdate, revisionOf, type UpdatePlan } from '../protocol/client-review.ts';
import { newClientId } from '../protocol/credentials.ts';
import { recordRevocations } from '../revocations/revocations.ts';
import type { RegisteredClient } from './client-columns.ts';
import { insertSecret } from './client-secret.commands.ts';
import { OAuthClient, type PendingRevision } from './oauth-client.entity.ts';
import { type Actor, lockClient, lockDeveloper, lockWithDeveloper, requireRoomInQueue } from './registered-client.ts';

export const CREATE_CLIENT_CODES = [...REGISTRATION_CODES, 'EMAIL_NOT_VERIFIED'] as const;

/** The fields that a developer fills in. */
interface NewClient {
  readonly type: ClientType;
  readonly name: string;
  readonly purpose: string;
  readonly logoUrl?: string | null | undefined;
  readonly websiteUrl?: string | null | undefined;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly requiresPkce?: boolean | undefined;
}

interface CreatedClient {
  readonly clientId: string;
  /** Shown this once; null for a public client, which has none. */
  readonly secret: string | null;
}

export const UPDATE_CLIENT_CODES = [...REGISTRATION_CODES, 'NOT_FOUND', 'CONFLICT', 'EMAIL_NOT_VERIFIED'] as const;

export const DELETE_CLIENT_CODES = ['NOT_FOUND'] as const;

/**
 * Registers a client, which waits for a review before anybody can use it. @throws Problem with every mistake at once, or TOO_MANY,
 * EMAIL_NOT_VERIFIED
 */
export async function createClient(em: Em, after: Aftermath, by: Actor, given: NewClient): Promise<CreatedClient> {
  const client = checkedClient(given);
  const created = await em.transactional((inner) => register(inner, by, client));
  after.notices.administratorsOfSubmission(em, created.clientId, by);
  return created;
}

/** The answer to a repeated registration: its secret was shown the first time. */
interface RegisteredBefore {
  readonly clientId: string;
  readonly isRepeated: true;
}

/**
 * Registers a client once for the key of a form, however often that is sent within a day. @throws Problem with every
 * mistake at once, or TOO_MANY, EMAIL_NOT_VERIFIED, IDEMPOTENCY_KEY_REUSED
 */
export async function createClientOnce(
  em: Em,
  after: Aftermath,
  by: Actor,
  key: string,
  given: NewClient,
): Promise<CreatedClient | RegisteredBefore> {
  const client = checkedClient(given);
  const created = await once(
    em,
    { ownerId: by.actorId, key, operation: ['register a client'], input: client },
    (inner) => register(inner, by, client),
    {
      keep: ({ clientId }) => ({ clientId }),
      again: ({ clientId }): RegisteredBefore => ({ clientId, isRepeated: true }),
    },
  );
  if (!('isRepeated' in created)) after.notices.administratorsOfSubmission(em, created.clientId, by);
  return created;
}

/**
 * Changes a client. What adds to an approved client, or shows to users, waits for an administrator as its pending
 * revision while the approved version stays live; what narrows takes effect at once (protocol/client-review.ts).
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

/** Deletes a client with its secrets, grants, codes, tokens and running interactions. @throws Problem NOT_FOUND */
export async function deleteClient(
  em: Em,
  after: Aftermath,
  { clientId, actorId, address }: Actor & { readonly clientId: string },
): Promise<void> {
  await em.transactional(async (inner) => {
    const { ownerId: userId, name } = await lockClient(inner, clientId, actorId);
    await recordRevocations(inner, 'CLIENT', [clientId]);
    await recordAudit(inner, { type: 'CLIENT_DELETED', userId, actorId, clientId, address, detail: { name } });
    // Everything else goes with the row, except codes, which nobody can exchange without a client. To delete them here
    // would be to wait for an exchange that waits for the client.
    await changed(inner, deleteFrom(OAuthClient, { clientId }));
  });
  await after.revocations.catchUp();
}

function checkedClient(given: NewClient): NewClient {
  const client = { ...given, name: tidyText(given.name), purpose: tidyText(given.purpose) };
  Problem.throwIfAny(registrationMistakes(client, client.type));
  return client;
}

async function register(inner: Em, by: Actor, client: NewClient): Promise<CreatedClient> {
  const clientId = newClientId();
  const developer = await lockDeveloper(inner, by.actorId);
  if (!developer) throw new Error('A client is registered by somebody who has no account.');
  await requireVerifiedDeveloper(inner, by.actorId);
  await requireRoomInQueue(inner, by.actorId);
  await insertClient(inner, clientId, { ownerId: by.actorId, developerName: developer.name }, client);
  const isConfidential = client.type === 'CONFIDENTIAL';
  const secret = isConfidential ? (await insertSecret(inner, clientId, 'First secret')).secret : null;
  const detail = { name: client.name, redirectUris: client.redirectUris, scopes: client.scopes };
  await recordAudit(inner, { type: 'CLIENT_CREATED', userId: by.actorId, clientId, address: by.address, detail });
  return { clientId, secret };
}

/** A client leads people and their data to addresses of its owner. @throws Problem EMAIL_NOT_VERIFIED */
async function requireVerifiedDeveloper(em: Em, actorId: string): Promise<void> {
  await requireVerifiedEmail(em, actorId, 'An OAuth client is let in by other people');
}

async function insertClient(
  em: Em,
  clientId: string,
  by: { readonly ownerId: string; readonly developerName: string },
  client: NewClient,
): Promise<void> {
  const { name, purpose, logoUrl = null, websiteUrl = null, type, redirectUris, requiresPkce } = client;
  await changed(
    em,
    insertInto(OAuthClient).values({
      clientId,
      ...by,
      name,
      purpose,
      logoUrl,
      websiteUrl,
      type,
      status: 'PENDING',
      legacy: false,
      requiresPkce: requiresPkce ?? false,
      redirectUris,
      scopes: [...new Set(client.scopes)],
      submittedAt: NOW,
      createdAt: NOW,
      updatedAt: NOW,
    }),
  );
}

/** A patch with its texts as they are stored. */
function tidyPatch(patch: ClientPatch): ClientPatch {
  const { name, purpose, scopes } = patch;
  return {
    ...patch,
    ...(name !== undefined && { name: tidyText(name) }),
    ...(purpose !== undefined && { purpose: tidyText(purpose) }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
  };
}

/** An edit of a revision that waits keeps its place in the queue. */
function pendingRevision(client: RegisteredClient, revision: object): RawBuilder<PendingRevision> {
  const requestedAt = client.pendingRevision?.requestedAt ?? null;
  return sql`${json(revision)} || jsonb_build_object('requestedAt',
    coalesce(${requestedAt}::text, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))`;
}

async function storePlan(em: Em, client: RegisteredClient, plan: UpdatePlan, asksForReview: boolean): Promise<void> {
  const updated = { ...client, ...plan.immediate };
  const { purpose, legacy, requiresPkce, status } = updated;
  const growth = changesReview(client, client.pendingRevision, plan) ? 1 : 0;
  await changed(
    em,
    updateTable(OAuthClient, { clientId: client.clientId }).set((eb) => ({
      ...revisionOf(updated),
      purpose,
      legacy,
      requiresPkce,
      status,
      version: eb('version', '+', growth),
      pendingRevision: plan.revision && pendingRevision(client, plan.revision),
      ...(asksForReview && { submittedAt: NOW }),
      updatedAt: LATER,
    })),
  );
}

function eventTypeOf({ status }: RegisteredClient, { revision }: UpdatePlan): AuditEventType {
  if (status === 'REJECTED') return 'CLIENT_RESUBMITTED';
  return revision ? 'CLIENT_REVISION_REQUESTED' : 'CLIENT_UPDATED';
}
