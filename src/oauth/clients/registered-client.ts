import { Problem } from '../../core/problem.ts';
import { COUNT, type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { isPossibleClientId, MAX_WAITING_CLIENTS } from '../protocol/client.ts';
import { REGISTERED_CLIENT, type RegisteredClient } from './client-columns.ts';
import { OAuthClient } from './oauth-client.entity.ts';

/** The user who changes something in the register, and their network address. */
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
 * Finds the client for its owner or an administrator, and locks it until the transaction ends: decisions about it are
 * made one after the other.
 * @throws Problem NOT_FOUND, also for a client of somebody else
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
  throw noSuchClient();
}

function noSuchClient(): Problem {
  return new Problem('NOT_FOUND', 'There is no such OAuth client among yours; check the clientId.', ['clientId']);
}

/** @throws Problem FORBIDDEN */
export async function requireAdministrator(em: Em, userId: string): Promise<void> {
  const found = await row(em, sql<{ isOne: boolean }>`select ${isAdministrator(userId)} as "isOne"`);
  if (found?.isOne) return;
  throw new Problem('FORBIDDEN', 'Only administrators of the service may do this; owning the client is not enough.');
}

/** The developer who answers for a client: its one owner. */
export interface Developer {
  readonly name: string;
  readonly isSuspended: boolean;
}

/**
 * Has one registration, edit or review of a developer's clients happen at a time, and none beside their suspension or a new
 * name, until the transaction ends: so that what `requireRoomInQueue` counts, and what is read here, is true.
 */
export async function lockDeveloper(em: Em, userId: string | RawBuilder<string>): Promise<Developer | undefined> {
  const found = await row(
    em,
    selectFrom(User).where('id', '=', userId).select(['name', 'suspendedAt']).forNoKeyUpdate(),
  );
  return found && { name: found.name, isSuspended: found.suspendedAt !== null };
}

/**
 * A client with its developer, for the owner or an administrator, both locked until the transaction ends: whatever is decided
 * about it is decided one after the other. The developer first, as their suspension and the deletion of an account go that
 * way. @throws Problem NOT_FOUND, also for a client of somebody else
 */
export async function lockWithDeveloper(
  em: Em,
  clientId: string,
  actorId: string,
): Promise<{ readonly client: RegisteredClient; readonly developer: Developer }> {
  const owner = sql<string>`(select owner_id from oauth_clients
    where client_id = ${clientId} and (owner_id = ${actorId} or ${isAdministrator(actorId)}))`;
  const developer = isPossibleClientId(clientId) ? await lockDeveloper(em, owner) : undefined;
  if (!developer) throw noSuchClient();
  return { client: await lockClient(em, clientId, actorId), developer };
}

/** Each client that waits is work of an administrator. @throws Problem TOO_MANY */
export async function requireRoomInQueue(em: Em, ownerId: string): Promise<void> {
  const waiting = selectFrom(OAuthClient, { ownerId, status: 'PENDING' }).select(COUNT.as('count'));
  const { count } = (await row(em, waiting)) ?? { count: 0 };
  if (count < MAX_WAITING_CLIENTS) return;
  const message = `You already have ${MAX_WAITING_CLIENTS} clients waiting for review, which is the limit; wait until some are reviewed, or delete one.`;
  throw new Problem('TOO_MANY', message);
}

/** The ids of all clients that somebody answers for, whatever their status. */
export async function findClientsOf(em: Em, ownerId: string): Promise<readonly string[]> {
  const found = await rows(em, selectFrom(OAuthClient, { ownerId }).select('clientId'));
  return found.map(({ clientId }) => clientId);
}

/** The same once their developer is reinstated: codes and consent pages from before stay dead, as after a suspension of the client. */
export async function reviveClientsOf(em: Em, ownerId: string): Promise<readonly string[]> {
  const revived = updateTable(OAuthClient, { ownerId }).set({ reinstatedAt: sql`clock_timestamp()` });
  return (await rows(em, revived.returning('clientId'))).map(({ clientId }) => clientId);
}
