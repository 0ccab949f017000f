import type { Configuration } from 'openid-client';
import type { OwnedId } from '../../core/id.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import { announcing, recordEvent, recording } from '../../events/record-event.ts';
import { type Credentials, UnreadableCredentials } from '../../outbound/credentials.ts';
import { Connection } from './connection.entity.ts';
import { codeIn } from './provider.ts';
import { openTokens } from './stored-tokens.ts';

/** The rest of a connection: its tokens, sealed as its row has held them. */
export interface EndedConnection {
  readonly ownerId: string;
  readonly connectionId: string;
  readonly provider: string;
  readonly credentials: string;
  /** RFC 3339 */
  readonly occurredAt: string;
}

/**
 * Forgets a connection, in the transaction of the caller. Its tokens are revoked in the background, so that it ends here also
 * while the provider is away. One that is gone stays so.
 */
export async function endConnection(em: Em, { ownerId, id }: OwnedId): Promise<void> {
  const ended = await row(em, deleteFrom(Connection, { ownerId, id }).returning(['provider', 'credentials']));
  if (ended) await recordEvent(em, ownerId, { type: 'CONNECTION_ENDED', connectionId: id, ...ended });
}

/** Tokens that a provider has given, and that are in no row. */
export interface UnkeptTokens extends OwnedId {
  readonly provider: string;
  /** Sealed for this connection. */
  readonly credentials: string;
}

/**
 * Has tokens revoked in the background that cannot be kept. Not while one of these has an account at the provider: it may be the same
 * one, whose access could end with them (RFC 7009 §2.1).
 */
export async function endUnkept(
  em: Em,
  { ownerId, id: connectionId, provider, credentials }: UnkeptTokens,
  ownerIds: readonly string[],
): Promise<void> {
  const event = { type: 'CONNECTION_ENDED', connectionId, provider, credentials } as const;
  const isAlone = sql`(select where not exists (
    select from connections where owner_id = any(${ownerIds}::uuid[]) and provider = ${provider})) alone`;
  await rows(em, sql`with recorded as (${recording(ownerId, event, isAlone)}) ${announcing(isAlone)}`);
}

/**
 * Whether its owner has connected an account at the same provider since: revoking the old tokens could then end the new ones,
 * as a provider may end all tokens of an account with one of them (RFC 7009 §2.1).
 */
export async function isConnectedAnew(em: Em, { ownerId, provider, occurredAt }: EndedConnection): Promise<boolean> {
  const since = selectFrom(Connection, { ownerId, provider }).select('id').where('createdAt', '>', occurredAt);
  return (await row(em, since.limit(1))) !== undefined;
}

/**
 * Has the provider take the tokens no more (RFC 7009): the refresh token, with which the others end, and the access token where
 * the provider keeps to that one alone. @returns whether that is done, or cannot be; else it is to be tried again
 */
export async function revokeTokens(
  { ownerId, connectionId, credentials: sealed }: Pick<EndedConnection, 'ownerId' | 'connectionId' | 'credentials'>,
  credentials: Credentials,
  configurationOf: () => Promise<Configuration>,
): Promise<boolean> {
  try {
    const client = await import('openid-client');
    const { refreshToken, accessToken } = await openTokens(credentials, { ownerId, id: connectionId }, sealed);
    const configuration = await configurationOf();
    if (configuration.serverMetadata().revocation_endpoint === undefined) return true;
    const answers = [
      await isAnswered(refreshToken, (token) =>
        client.tokenRevocation(configuration, token, { token_type_hint: 'refresh_token' }),
      ),
      await isAnswered(accessToken, (token) =>
        client.tokenRevocation(configuration, token, { token_type_hint: 'access_token' }),
      ),
    ];
    return answers.every(Boolean);
  } catch (error) {
    // Tokens that cannot be unsealed are of no use to anybody else either.
    return error instanceof UnreadableCredentials;
  }
}

/** A refusal is an answer, too: the token is over, or the provider revokes none of its kind. */
async function isAnswered(token: string | null, revoke: (token: string) => Promise<void>): Promise<boolean> {
  if (token === null) return true;
  try {
    await revoke(token);
    return true;
  } catch (error) {
    const { status = 500 } = error as { readonly status?: number };
    return codeIn(error) !== undefined && status < 500 && status !== 429;
  }
}
