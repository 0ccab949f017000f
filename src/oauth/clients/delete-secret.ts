import { Problem } from '../../core/problem.ts';
import type { RowOf } from '../../database/columns.ts';
import { changed, type Em, row } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import type { Aftermath } from '../authorization-server.ts';
import { secretDeleteMistake } from '../protocol/clients/client-secrets.ts';
import { countSecrets } from './create-secret.ts';
import { OAuthClientSecret } from './oauth-client-secret.entity.ts';
import { type Actor, lockClient } from './registered-client.ts';

export const DELETE_SECRET_CODES = ['NOT_FOUND', 'LAST_SECRET'] as const;

interface SecretToDelete extends Actor {
  readonly clientId: string;
  /** Undefined where the caller has named what is no secret's id. */
  readonly secretId: string | undefined;
}

/** Deletes a secret, which is dead on the very next request. @throws Problem NOT_FOUND, LAST_SECRET */
export async function deleteSecret(
  em: Em,
  after: Aftermath,
  { clientId, secretId, actorId, address }: SecretToDelete,
): Promise<void> {
  const deleted = await em.transactional(async (inner) => {
    // The lock makes two deletions at once come one after the other: the second one finds the last secret.
    const client = await lockClient(inner, clientId, actorId);
    const secret = await findSecret(inner, clientId, secretId);
    const refusal = secretDeleteMistake(client, await countSecrets(inner, clientId));
    if (refusal) throw new Problem(refusal.code, refusal.message, ['secretId']);
    await changed(inner, deleteFrom(OAuthClientSecret, { clientId, id: secret.id }));
    const detail = { secretId: secret.id, name: secret.name };
    const { ownerId: userId } = client;
    await recordAudit(inner, { type: 'CLIENT_SECRET_DELETED', userId, actorId, clientId, address, detail });
    return secret;
  });
  const text = 'A secret was deleted and no longer works. Tokens stay valid.';
  const notice = { subject: 'a secret was deleted', text, name: deleted.name };
  after.notices.ownerOfClient(em, clientId, notice, { actorId, address });
}

type FoundSecret = Pick<RowOf<typeof OAuthClientSecret>, 'id' | 'name'>;

async function findSecret(em: Em, clientId: string, secretId: string | undefined): Promise<FoundSecret> {
  const found =
    secretId && (await row(em, selectFrom(OAuthClientSecret, { clientId, id: secretId }).select(['id', 'name'])));
  if (found) return found;
  throw new Problem('NOT_FOUND', 'The client has no such secret; check the secretId.', ['secretId']);
}
