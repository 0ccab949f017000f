import { Problem } from '../../core/problem.ts';
import { tidyText } from '../../core/text.ts';
import { NOW } from '../../database/expressions.ts';
import { changed, type Em } from '../../database/sql.ts';
import { insertInto } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { once } from '../../limits/at-most-once.ts';
import { requireVerifiedEmail } from '../../modules/accounts/require-verified-email.ts';
import type { Aftermath } from '../authorization-server.ts';
import type { ClientPatch, ClientType } from '../protocol/client.ts';
import { REGISTRATION_CODES, registrationMistakes } from '../protocol/clients/client-registration.ts';
import { newClientId } from '../protocol/credentials.ts';
import { insertSecret } from './create-secret.ts';
import { OAuthClient } from './oauth-client.entity.ts';
import { type Actor, lockDeveloper, requireRoomInQueue } from './registered-client.ts';

export const CREATE_CLIENT_CODES = [...REGISTRATION_CODES, 'EMAIL_NOT_VERIFIED'] as const;

/** The fields that a developer fills in. */
export interface NewClient {
  readonly type: ClientType;
  readonly name: string;
  readonly purpose: string;
  readonly logoUrl?: string | null | undefined;
  readonly websiteUrl?: string | null | undefined;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly requirePkce?: boolean | undefined;
}

export interface CreatedClient {
  readonly clientId: string;
  /** Shown this once; null for a public client, which has none. */
  readonly secret: string | null;
}

/** The answer to a repeated registration: its secret was shown the first time. */
export interface RegisteredBefore {
  readonly clientId: string;
  readonly isRepeated: true;
}

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
export async function requireVerifiedDeveloper(em: Em, actorId: string): Promise<void> {
  await requireVerifiedEmail(em, actorId, 'An OAuth client is let in by other people');
}

async function insertClient(
  em: Em,
  clientId: string,
  by: { readonly ownerId: string; readonly developerName: string },
  client: NewClient,
): Promise<void> {
  const { name, purpose, logoUrl = null, websiteUrl = null, type, redirectUris, requirePkce } = client;
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
      requirePkce: requirePkce ?? false,
      redirectUris,
      scopes: [...new Set(client.scopes)],
      submittedAt: NOW,
      createdAt: NOW,
      updatedAt: NOW,
    }),
  );
}

/** A patch with its texts as they are stored. */
export function tidyPatch(patch: ClientPatch): ClientPatch {
  const { name, purpose, scopes } = patch;
  return {
    ...patch,
    ...(name !== undefined && { name: tidyText(name) }),
    ...(purpose !== undefined && { purpose: tidyText(purpose) }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
  };
}
