import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { sha256Hex } from '../../core/secret.ts';
import { TEXT_CODES, textMistake, tidyText } from '../../core/text.ts';
import type { RowOf } from '../../database/columns.ts';
import { COUNT, changed, type Em, row, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { once, type RepeatableRequest } from '../../limits/at-most-once.ts';
import { requireVerifiedEmail } from '../../modules/accounts/require-verified-email.ts';
import type { Aftermath } from '../authorization-server.ts';
import { type Client, MAX_ACTIVE_SECRETS } from '../protocol/client.ts';
import { newClientSecret, secretHint } from '../protocol/credentials.ts';
import { OAuthClientSecret } from './oauth-client.entity.ts';
import { type Actor, lockClient } from './registered-client.ts';

export const CREATE_SECRET_CODES = [
  ...TEXT_CODES,
  'NOT_FOUND',
  'PUBLIC_CLIENT',
  'TOO_MANY_SECRETS',
  'EMAIL_NOT_VERIFIED',
] as const;

interface CreatedSecret {
  readonly secretId: string;
  /** Shown this once; what is stored is its SHA-256. */
  readonly secret: string;
}

export const MAX_SECRET_NAME_LENGTH = 64;

interface NewSecret extends Actor {
  readonly clientId: string;
  readonly name: string;
}

export const DELETE_SECRET_CODES = ['NOT_FOUND', 'LAST_SECRET'] as const;

type SecretMistakeCode = 'PUBLIC_CLIENT' | 'TOO_MANY_SECRETS' | 'LAST_SECRET';

interface SecretMistake {
  readonly code: SecretMistakeCode;
  readonly message: string;
}

/**
 * Gives a client a second secret, so that its app can change over while both are valid (specification §5, rule 9).
 * @throws Problem NOT_FOUND, PUBLIC_CLIENT, TOO_MANY_SECRETS, EMAIL_NOT_VERIFIED, and the mistakes of a text
 */
export async function createSecret(em: Em, after: Aftermath, given: NewSecret): Promise<CreatedSecret> {
  const secret = checkedSecret(given);
  const created = await em.transactional((inner) => addSecret(inner, secret));
  notifyOwner(em, after, secret);
  return created;
}

/**
 * The same for a request that may come again, which makes one secret; undefined for the repetition, as the secret was in the
 * first answer only. @throws Problem as `createSecret`
 */
export async function createSecretOnce(
  em: Em,
  after: Aftermath,
  request: RepeatableRequest,
  given: NewSecret,
): Promise<CreatedSecret | undefined> {
  const secret = checkedSecret(given);
  const created = await once(em, request, (inner) => addSecret(inner, secret), {
    keep: ({ secretId }) => ({ secretId }),
    again: () => undefined,
  });
  if (created) notifyOwner(em, after, secret);
  return created;
}

/** Into the free slot; the two slots are the limit, so a third secret finds none, whatever is sent at the same time. */
export async function insertSecret(em: Em, clientId: string, name: string): Promise<CreatedSecret> {
  const [secretId, secret] = [newId(), newClientSecret()];
  const inserted = await row(
    em,
    sql`insert into oauth_client_secrets (client_id, id, slot, name, hint, secret_hash, created_at)
        select ${clientId}, ${secretId}::uuid, slot, ${name}, ${secretHint(secret)}, ${sha256Hex(secret)}, now()
        from generate_series(1, ${MAX_ACTIVE_SECRETS}::int) as slot
        where not exists (select from oauth_client_secrets s where s.client_id = ${clientId} and s.slot = slot.slot)
        order by slot limit 1
        returning id`,
  );
  if (inserted) return { secretId, secret };
  throw new Problem('TOO_MANY_SECRETS', `The client has ${MAX_ACTIVE_SECRETS} secrets already; delete one first.`);
}

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

/**
 * Why a client may not get another secret; undefined when it may. A first look for a good message: two calls at once are
 * decided by the database.
 */
export function secretCreateMistake(client: Pick<Client, 'type'>, activeSecrets: number): SecretMistake | undefined {
  if (client.type === 'PUBLIC') {
    return {
      code: 'PUBLIC_CLIENT',
      message: 'A public client has no secrets, because it could not keep one; it uses PKCE.',
    };
  }
  if (activeSecrets < MAX_ACTIVE_SECRETS) return undefined;
  const advice = 'delete the one that is no longer in use, then create the new one';
  return {
    code: 'TOO_MANY_SECRETS',
    message: `The client has ${activeSecrets} secrets, which is the limit; ${advice}.`,
  };
}

/** Why a secret of a client may not be deleted; undefined when it may (specification §3). */
export function secretDeleteMistake(client: Pick<Client, 'type'>, activeSecrets: number): SecretMistake | undefined {
  if (client.type === 'PUBLIC' || activeSecrets > 1) return undefined;
  const advice = 'create a new one, switch the app to it, then delete this one';
  return { code: 'LAST_SECRET', message: `This is the last secret of the client; ${advice}.` };
}

function checkedSecret(given: NewSecret): NewSecret {
  const name = tidyText(given.name);
  const mistake = textMistake(['name'], name, { max: MAX_SECRET_NAME_LENGTH });
  Problem.throwIfAny(mistake ? [mistake] : []);
  return { ...given, name };
}

async function addSecret(inner: Em, { clientId, name, actorId, address }: NewSecret): Promise<CreatedSecret> {
  const client = await lockClient(inner, clientId, actorId);
  await requireVerifiedEmail(inner, actorId, 'A secret opens an OAuth client');
  const refusal = secretCreateMistake(client, await countSecrets(inner, clientId));
  if (refusal) throw new Problem(refusal.code, refusal.message, ['clientId']);
  const secret = await insertSecret(inner, clientId, name);
  const detail = { secretId: secret.secretId, name };
  const { ownerId: userId } = client;
  await recordAudit(inner, { type: 'CLIENT_SECRET_CREATED', userId, actorId, clientId, address, detail });
  return secret;
}

async function countSecrets(em: Em, clientId: string): Promise<number> {
  const found = await row(em, selectFrom(OAuthClientSecret, { clientId }).select(COUNT.as('count')));
  return found?.count ?? 0;
}

function notifyOwner(em: Em, after: Aftermath, { clientId, name, actorId, address }: NewSecret): void {
  const text = 'A secret was created. If this wasn’t you, delete it right away and change your password.';
  after.notices.ownerOfClient(em, clientId, { subject: 'a secret was created', text, name }, { actorId, address });
}

type FoundSecret = Pick<RowOf<typeof OAuthClientSecret>, 'id' | 'name'>;

async function findSecret(em: Em, clientId: string, secretId: string | undefined): Promise<FoundSecret> {
  const found =
    secretId && (await row(em, selectFrom(OAuthClientSecret, { clientId, id: secretId }).select(['id', 'name'])));
  if (found) return found;
  throw new Problem('NOT_FOUND', 'The client has no such secret; check the secretId.', ['secretId']);
}
