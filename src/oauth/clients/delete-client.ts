import { changed, type Em } from '../../database/sql.ts';
import { deleteFrom } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import type { Aftermath } from '../authorization-server.ts';
import { recordRevocations } from '../revocations/record-revocations.ts';
import { OAuthClient } from './oauth-client.entity.ts';
import { type Actor, lockClient } from './registered-client.ts';

export const DELETE_CLIENT_CODES = ['NOT_FOUND'] as const;

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
