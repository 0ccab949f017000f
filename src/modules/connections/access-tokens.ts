import { setTimeout as wait } from 'node:timers/promises';
import type { TokenEndpointResponse } from 'openid-client';
import type { OwnedId } from '../../core/id.ts';
import { changed, type Em, fromNow, NOW, row, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import type { Credentials } from '../../outbound/credentials.ts';
import { OutboundFailure } from '../../outbound/outcome.ts';
import { Connection } from './connection.entity.ts';
import { endUnkept } from './end-connection.ts';
import { codeIn, providerFailure } from './provider.ts';
import { expiryOf, openTokens, sealTokens, type Tokens, tokensIn } from './stored-tokens.ts';

/** The provider takes the tokens no more, or the connection is gone: its user has to connect the account anew. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';

  constructor() {
    super('The provider takes the credentials no more; connect the account again.');
  }
}

/** Asks a provider for new tokens. */
type Renew = (provider: string, refreshToken: string) => Promise<TokenEndpointResponse>;

/** Longer than a call to a provider can take: after that, the process that began it has died. */
const RENEWAL_SECONDS = 30;
/**
 * A provider answers with one of these errors when a refresh token is no good any more, or works only once its user has
 * agreed again (RFC 6749 §5.2, OpenID Connect Core §3.1.2.6).
 */
const OVER = ['invalid_grant', 'interaction_required', 'consent_required', 'login_required'];
const SPARE_SECONDS = 60;
const TIMEOUT_IN_MS = 15_000;
const LOOK_AGAIN_MS = 100;
const STORE_PAUSES_IN_MS = [100, 500, 2_000];

interface Seen {
  readonly provider: string;
  readonly credentials: string;
  readonly isFresh: boolean;
  readonly isBroken: boolean;
}

/**
 * An access token of a connection that is good for a minute at least. Of any number of processes that need a new one, one
 * asks the provider and the others wait for what it stores: a refresh token that rotates may be used once. `rejected`: what
 * the provider has just answered 401 to, however long it was to live. Not in a transaction.
 * @throws BrokenConnection, UnreadableCredentials; OutboundFailure while the provider is away
 */
export async function accessTokenOf(
  em: Em,
  connection: OwnedId,
  { credentials, renew }: { readonly credentials: Credentials; readonly renew: Renew },
  rejected?: string,
): Promise<string> {
  for (const until = performance.now() + TIMEOUT_IN_MS; ; await wait(LOOK_AGAIN_MS)) {
    const seen = await look(em, connection);
    if (!seen || seen.isBroken) throw new BrokenConnection();
    const tokens = await openTokens(credentials, connection, seen.credentials);
    if (seen.isFresh && tokens.accessToken !== rejected) return tokens.accessToken;
    if (await claim(em, connection, seen)) {
      const renewed = await renewal(em, connection, seen, tokens, renew);
      const sealed = await sealTokens(credentials, connection, renewed.tokens);
      if (await storePatiently(() => store(em, connection, seen, sealed, renewed.response)))
        return renewed.tokens.accessToken;
      // The account was disconnected meanwhile, by somebody who knew the old tokens only.
      await endUnkept(em, { ...connection, provider: seen.provider, credentials: sealed }, [connection.ownerId]);
    } else if (performance.now() > until) {
      throw new OutboundFailure('TIMEOUT', 'The credentials are being renewed, which takes too long.');
    }
  }
}

function look(em: Em, { ownerId, id }: OwnedId): Promise<Seen | undefined> {
  return row(
    em,
    sql<Seen>`select provider, credentials, broken_at is not null as "isBroken",
          coalesce(access_expires_at > now() + make_interval(secs => ${SPARE_SECONDS}), true) as "isFresh"
        from connections where owner_id = ${ownerId} and id = ${id}`,
  );
}

/** Whether it is for this process to renew the tokens that it has seen. */
async function claim(em: Em, connection: OwnedId, seen: Seen): Promise<boolean> {
  const claimed = await changed(
    em,
    asSeen(connection, seen)
      .set({ renewingUntil: fromNow(RENEWAL_SECONDS, 'secs') })
      .where((eb) => eb.or([eb('renewingUntil', 'is', null), eb('renewingUntil', '<', NOW)])),
  );
  return claimed > 0;
}

async function renewal(em: Em, connection: OwnedId, seen: Seen, before: Tokens, renew: Renew) {
  try {
    if (before.refreshToken === null) throw new BrokenConnection();
    const response = await renew(seen.provider, before.refreshToken);
    return { response, tokens: tokensIn(response, before) };
  } catch (error) {
    const isOver = error instanceof BrokenConnection || OVER.includes(codeIn(error) ?? '');
    await changed(em, asSeen(connection, seen).set({ renewingUntil: null, ...(isOver && { brokenAt: NOW }) }));
    throw isOver ? new BrokenConnection() : providerFailure(error);
  }
}

/** A refresh token that rotates is good once, so what has come for it outlasts a database that fails for a moment. */
async function storePatiently(store: () => Promise<boolean>): Promise<boolean> {
  for (const pause of STORE_PAUSES_IN_MS) {
    try {
      return await store();
    } catch {
      await wait(pause);
    }
  }
  return store();
}

/** Also by a process whose time is over: nobody else has newer tokens as long as the old ones stand there. */
async function store(
  em: Em,
  connection: OwnedId,
  seen: Seen,
  credentials: string,
  response: TokenEndpointResponse,
): Promise<boolean> {
  const accessExpiresAt = sql<string>`${expiryOf(response)}`;
  const values = { credentials, accessExpiresAt, renewingUntil: null, brokenAt: null };
  return (await changed(em, asSeen(connection, seen).set(values))) > 0;
}

function asSeen({ ownerId, id }: OwnedId, { credentials }: Seen) {
  return updateTable(Connection, { ownerId, id, credentials });
}
