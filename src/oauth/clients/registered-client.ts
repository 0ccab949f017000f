import { Problem } from '../../core/problem.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { isPossibleClientId } from '../protocol/client.ts';
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
