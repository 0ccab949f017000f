import { Problem } from '../../core/problem.ts';
import { COUNT } from '../../database/expressions.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { isPossibleClientId, MAX_WAITING_CLIENTS } from '../protocol/client.ts';
import { REGISTERED_CLIENT, type RegisteredClient } from './client-columns.ts';
import { OAuthClient } from './oauth-client.entity.ts';

/** Who changes something in the register, and from where. */
export interface Actor {
  readonly actorId: string;
  readonly address: string;
}

/** Administrators act by their role, which is read from the row each time, so that it ends when it is taken away. */
export function isAdministrator(userId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from users a where a.id = ${userId} and a.is_administrator and a.suspended_at is null)`;
}

/**
 * The client, for its owner or an administrator, locked until the transaction ends: whatever is decided about it is
 * decided one after the other. @throws Problem NOT_FOUND, also for a client of somebody else
 */
export async function lockClient(em: Em, clientId: string, actorId: string): Promise<RegisteredClient> {
  const found = isPossibleClientId(clientId)
    ? await row(
        em,
        selectFrom(OAuthClient, { clientId })
          .where((eb) => eb.or([eb('ownerId', '=', actorId), isAdministrator(actorId)]))
          .select(REGISTERED_CLIENT)
          .forUpdate(),
      )
    : undefined;
  if (found) return found;
  throw new Problem('NOT_FOUND', 'There is no such OAuth client among yours; check the clientId.', ['clientId']);
}

/** @throws Problem FORBIDDEN */
export async function requireAdministrator(em: Em, userId: string): Promise<void> {
  const found = await row(em, sql<{ isOne: boolean }>`select ${isAdministrator(userId)} as "isOne"`);
  if (found?.isOne) return;
  throw new Problem('FORBIDDEN', 'Only administrators of the service may do this; owning the client is not enough.');
}

/**
 * Has one registration, or edit, of a developer's clients happen at a time, until the transaction ends, so that what
 * `requireRoomInQueue` counts is true.
 */
export async function lockDeveloper(em: Em, userId: string | RawBuilder<string>): Promise<void> {
  await row(em, selectFrom(User).where('id', '=', userId).select('id').forNoKeyUpdate());
}

/**
 * The same for the owner of a client that the actor may edit. Taken before the lock of the client, since the deletion of an
 * account goes that way.
 */
export async function lockDeveloperOf(em: Em, clientId: string, actorId: string): Promise<void> {
  if (!isPossibleClientId(clientId)) return;
  const owner = sql<string>`(select owner_id from oauth_clients
    where client_id = ${clientId} and (owner_id = ${actorId} or ${isAdministrator(actorId)}))`;
  await lockDeveloper(em, owner);
}

/** Each client that waits is work of an administrator. @throws Problem TOO_MANY */
export async function requireRoomInQueue(em: Em, ownerId: string): Promise<void> {
  const waiting = selectFrom(OAuthClient, { ownerId, status: 'PENDING' }).select(COUNT.as('count'));
  const { count } = (await row(em, waiting)) ?? { count: 0 };
  if (count < MAX_WAITING_CLIENTS) return;
  const message = `You already have ${MAX_WAITING_CLIENTS} clients waiting for review, which is the limit; wait until some are reviewed, or delete one.`;
  throw new Problem('TOO_MANY', message);
}
