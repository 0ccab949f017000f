import type { TokenEndpointResponse } from 'openid-client';
import { isTeam, newId, type OwnedId, userOrTeam } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import { randomBase62, sha256Hex } from '../../core/secret.ts';
import { changed, type Em, NOW, row, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../database/statements.ts';
import { sweepOf } from '../../database/sweep.ts';
import type { Credentials } from '../../outbound/credentials.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundFailure } from '../../outbound/outcome.ts';
import { type Owner, own, ownOfTeam } from '../levels/reach.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import { accessTokenOf } from './access-tokens.ts';
import { ConnectionRequest } from './connection.entity.ts';
import { type EndedConnection, endUnkept, isConnectedAnew, revokeTokens } from './end-connection.ts';
import { codeIn, type NewConnection, type Provider, ProviderConfigurations, providerFailure } from './provider.ts';
import { expiryOf, sealTokens, tokensIn } from './stored-tokens.ts';

export const CALLBACK_PATH = '/connect/callback';

interface ConnectionSettings {
  readonly publicUrl: string;
  readonly outbound: Outbound;
  readonly credentials: Credentials;
  readonly providers: readonly Provider[];
}

/** The user and the browser that have opened a page of ours. */
interface Visit {
  readonly userId: string;
  readonly browserId: string;
}

/** The reasons for which a visit to a provider ended without a connection. */
export type NotConnected =
  | { readonly kind: 'OVER' | 'ANOTHER_USER' }
  /** The user, or the provider for them, has said no. */
  | { readonly kind: 'REFUSED'; readonly title: string }
  /** It has the `code` of a Problem if we refused what the provider had answered, and none if the provider failed. */
  | { readonly kind: 'FAILED'; readonly title: string; readonly message: string; readonly code?: ProblemCode };

/** Says that a fault of ours, or of the database, kept a provider's answer from being stored: `cause`. */
class NotKept extends Error {
  override readonly name = 'NotKept';

  constructor(cause: unknown) {
    super('The tokens were not kept.', { cause });
  }
}

export const CONNECT_PATH = '/connect/start';

/** Connections to accounts at all providers that are configured. */
export class Connections {
  readonly #settings: ConnectionSettings;
  readonly #providers: ReadonlyMap<string, Provider>;
  readonly #configurations: ProviderConfigurations;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#providers = new Map(settings.providers.map((provider) => [provider.key, provider]));
    this.#configurations = new ProviderConfigurations(settings.outbound);
  }

  has(provider: string): boolean {
    return this.#providers.has(provider);
  }

  get titles(): readonly string[] {
    return this.#settings.providers.map(({ title }) => title);
  }

  /**
   * Begins a connection. @returns the address that its user is to open in their browser, within ten minutes: it leads to the
   * provider and back. @throws Problem of the owner
   */
  async begin(em: Em, owner: Owner, begun: { readonly userId: string; readonly provider: string }): Promise<string> {
    const token = await beginConnection(em, owner, begun);
    return `${this.#settings.publicUrl}${CONNECT_PATH}?link=${token}`;
  }

  /**
   * Somebody has opened that address: where the provider asks them. The way back is open to this browser alone, so that
   * nobody can have somebody else complete what they have begun (RFC 6749 §10.12), nor slip them an account of their own.
   */
  async follow(
    em: Em,
    token: string,
    { userId, browserId }: Visit,
  ): Promise<{ readonly kind: 'GO'; readonly url: string } | NotConnected> {
    const client = await import('openid-client');
    const [state, verifier] = [client.randomState(), client.randomPKCECodeVerifier()];
    const linkHash = sha256Hex(token);
    const found = await row(
      em,
      updateTable(ConnectionRequest, { linkHash, userId })
        .set({ stateHash: sha256Hex(state), browserHash: sha256Hex(browserId), codeVerifier: verifier })
        .where('expiresAt', '>', NOW)
        .returning('provider'),
    );
    const provider = this.#providers.get(found?.provider ?? '');
    if (!provider) return notConnected(em, { linkHash }, userId);
    try {
      const configuration = await this.#configurations.of(provider);
      const url = client.buildAuthorizationUrl(configuration, {
        ...provider.parameters,
        redirect_uri: this.#redirectUri,
        ...(provider.scopes.length > 0 && { scope: provider.scopes.join(' ') }),
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { kind: 'GO', url: url.href };
    } catch (error) {
      return { kind: 'FAILED', title: provider.title, message: providerFailure(error).message };
    }
  }

  /** Somebody comes back from a provider, with these parameters: the connection is stored, once. */
  async complete(
    em: Em,
    parameters: URLSearchParams,
    visit: Visit,
  ): Promise<{ readonly kind: 'CONNECTED'; readonly title: string; readonly ownerId: string } | NotConnected> {
    const state = parameters.get('state') ?? '';
    const stateHash = sha256Hex(state);
    const taken = await row(
      em,
      deleteFrom(ConnectionRequest, { stateHash, userId: visit.userId, browserHash: sha256Hex(visit.browserId) })
        .where('expiresAt', '>', NOW)
        .returning(['provider', 'ownerId', 'codeVerifier']),
    );
    const provider = this.#providers.get(taken?.provider ?? '');
    if (!taken?.codeVerifier || !provider) return notConnected(em, { stateHash }, visit.userId);
    const { title } = provider;
    const connection = { ownerId: taken.ownerId, id: newId(), userId: visit.userId };
    try {
      const client = await import('openid-client');
      const back = new URL(`${this.#redirectUri}?${parameters}`);
      const checks = { expectedState: state, pkceCodeVerifier: taken.codeVerifier };
      const response = await client.authorizationCodeGrant(await this.#configurations.of(provider), back, checks);
      await this.#keep(em, provider, connection, response);
      return { kind: 'CONNECTED', title, ownerId: taken.ownerId };
    } catch (error) {
      if (error instanceof NotKept) throw error.cause;
      if (codeIn(error) === 'access_denied') return { kind: 'REFUSED', title };
      if (error instanceof Problem) return { kind: 'FAILED', title, message: error.message, code: error.code };
      return { kind: 'FAILED', title, message: providerFailure(error).message };
    }
  }

  /** Stores what a provider has given. @throws Problem, OutboundFailure, NotKept; the tokens are revoked then */
  async #keep(em: Em, provider: Provider, connection: NewConnection, response: TokenEndpointResponse): Promise<void> {
    const { ownerId, id, userId: actorId } = connection;
    const credentials = await sealTokens(this.#settings.credentials, connection, tokensIn(response));
    try {
      const keep = await provider.arrive(response.access_token);
      const owner = isTeam(ownerId) ? ownOfTeam(actorId, ownerId) : own(actorId);
      const { userId, teamId } = userOrTeam(ownerId);
      await em.transactional(async (inner) => {
        // Whatever keeps it looks at all that the owner has of its kind.
        await lockOwnerAlone(inner, owner);
        const stored = await changed(
          inner,
          sql`insert into connections (owner_id, id, user_id, team_id, provider, credentials, access_expires_at, created_at)
              select ${ownerId}::uuid, ${id}::uuid, ${userId}::uuid, ${teamId}::uuid,
                ${provider.key}::text, ${credentials}::text, ${expiryOf(response)}, now()
              where ${owner.isInCharge}`,
        );
        if (stored === 0) {
          await owner.refuse(inner);
          throw new Problem('NOT_FOUND', 'This account no longer exists.');
        }
        await keep(inner, connection);
      });
    } catch (error) {
      await this.#giveBack(em, provider, connection, credentials);
      if (error instanceof Problem || error instanceof OutboundFailure) throw error;
      throw new NotKept(error);
    }
  }

  /** Ends what nobody has kept: by the job that ends connections or, where the database takes none, here and now. */
  async #giveBack(
    em: Em,
    provider: Provider,
    { ownerId, id, userId }: NewConnection,
    credentials: string,
  ): Promise<void> {
    const unkept = { ownerId, id, provider: provider.key, credentials };
    try {
      await endUnkept(em, unkept, [ownerId, userId]);
    } catch {
      await revokeTokens({ ...unkept, connectionId: id }, this.#settings.credentials, () =>
        this.#configurations.of(provider),
      );
    }
  }

  /** As accessTokenOf (access-tokens.ts). @throws BrokenConnection, UnreadableCredentials, OutboundFailure */
  accessToken(em: Em, connection: OwnedId, rejected?: string): Promise<string> {
    const { credentials } = this.#settings;
    const renew = async (key: string, refreshToken: string) => {
      const provider = this.#providers.get(key);
      if (!provider) throw new OutboundFailure('FAILED', 'The provider is not configured any more.');
      const client = await import('openid-client');
      return client.refreshTokenGrant(await this.#configurations.of(provider), refreshToken);
    };
    return accessTokenOf(em, connection, { credentials, renew }, rejected);
  }

  /** As revokeTokens (end-connection.ts), unless the account may be connected anew. */
  async revoke(em: Em, ended: EndedConnection): Promise<boolean> {
    const provider = this.#providers.get(ended.provider);
    if (!provider || (await isConnectedAnew(em, ended))) return true;
    return revokeTokens(ended, this.#settings.credentials, () => this.#configurations.of(provider));
  }

  get #redirectUri(): string {
    return `${this.#settings.publicUrl}${CALLBACK_PATH}`;
  }
}

/** From beginning a connection to the way back from its provider. */
const CONNECTION_MINUTES = 10;

export const removeExpiredConnectionRequests = sweepOf(ConnectionRequest, 'expiresAt');

/**
 * Begins a connection for an owner whom the caller is in charge of; an earlier one that was not completed is void.
 * @returns the token of a link which the user, and nobody else, is to open in their browser.
 * @throws Problem of the owner
 */
async function beginConnection(
  em: Em,
  owner: Owner,
  { userId, provider }: { readonly userId: string; readonly provider: string },
): Promise<string> {
  const token = randomBase62(43);
  const begun = await changed(
    em,
    sql`insert into connection_requests (user_id, owner_id, provider, link_hash, created_at, expires_at)
        select ${userId}::uuid, ${owner.ownerId}::uuid, ${provider}::text, ${sha256Hex(token)}::text, now(),
          now() + make_interval(mins => ${CONNECTION_MINUTES})
        where ${owner.isInCharge}
        on conflict (user_id, owner_id, provider) do update set link_hash = excluded.link_hash, state_hash = null,
          browser_hash = null, code_verifier = null, created_at = excluded.created_at, expires_at = excluded.expires_at`,
  );
  if (begun === 0) {
    await owner.refuse(em);
    throw new Error('Nobody has refused a connection, and none was begun.');
  }
  return token;
}

/** Only looked up afterwards, for the page: the statement itself has decided. */
async function notConnected(
  em: Em,
  named: { readonly linkHash: string } | { readonly stateHash: string },
  userId: string,
): Promise<NotConnected> {
  const found = await row(em, selectFrom(ConnectionRequest, named).select('userId'));
  return { kind: found && found.userId !== userId ? 'ANOTHER_USER' : 'OVER' };
}
