import type { Configuration, CustomFetch } from 'openid-client';
import type { OwnedId } from '../../core/id.ts';
import type { Em } from '../../database/sql.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { failureOf, OutboundFailure } from '../../outbound/outcome.ts';

/** A new connection, about to be stored. */
export interface NewConnection extends OwnedId {
  /** The user who made it: the owner, or an administrator of the team that is. */
  readonly userId: string;
}

interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** The address that revokes tokens (RFC 7009); left out where the provider has none. */
  readonly revocation?: string;
}

/** An authorization server of somebody else's, at which this service is a registered client. */
export interface Provider {
  /** The name by which rows refer to the provider, which must not change. */
  readonly key: string;
  /** For people: `Google Calendar`. */
  readonly title: string;
  /** Its issuer, whose metadata are looked up (RFC 8414, OpenID Connect Discovery), or its endpoints. */
  readonly server: { readonly issuer: string } | ProviderEndpoints;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the token endpoint learns the secret (RFC 6749 §2.3.1); `post` unless said otherwise. */
  readonly secretBy?: 'post' | 'basic';
  /** None where the registration of the client says what it may do. */
  readonly scopes: readonly string[];
  /** More parameters of the authorization request, such as `access_type`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * Looks at what has just been connected, by its access token, and says what is to be stored beside the connection, in the
   * same transaction. @throws OutboundFailure when the provider is away, Problem for what its user can mend
   */
  readonly arrive: (accessToken: string) => Promise<(em: Em, connection: NewConnection) => Promise<void>>;
}

/** The library's view of each provider: looked up with the first use, and again after a failure. */
export class ProviderConfigurations {
  readonly #fetch: CustomFetch;
  readonly #known = new Map<string, Promise<Configuration>>();

  constructor(outbound: Outbound) {
    this.#fetch = outbound.fetchOf('OAUTH') as CustomFetch;
  }

  of(provider: Provider): Promise<Configuration> {
    return this.#known.getOrInsertComputed(provider.key, () =>
      this.#open(provider).catch((error: unknown) => {
        this.#known.delete(provider.key);
        throw error;
      }),
    );
  }

  async #open({ server, clientId, clientSecret, secretBy = 'post' }: Provider): Promise<Configuration> {
    const client = await import('openid-client');
    const authentication = (secretBy === 'post' ? client.ClientSecretPost : client.ClientSecretBasic)(clientSecret);
    // Whether an address may be unencrypted is for the door to say.
    const insecure = [client.allowInsecureRequests];
    if ('issuer' in server) {
      return client.discovery(new URL(server.issuer), clientId, {}, authentication, {
        [client.customFetch]: this.#fetch,
        execute: insecure,
      });
    }
    const { authorization, token, revocation } = server;
    const endpoints = {
      authorization_endpoint: authorization,
      token_endpoint: token,
      ...(revocation !== undefined && { revocation_endpoint: revocation }),
    };
    const metadata = { issuer: new URL(authorization).origin, ...endpoints };
    const configuration = new client.Configuration(metadata, clientId, {}, authentication);
    configuration[client.customFetch] = this.#fetch;
    for (const allow of insecure) allow(configuration);
    return configuration;
  }
}

/** As RFC 6749 §5.2 writes codes, and short: nothing else of what a provider says is passed on. */
const ERROR_CODE = /^[\w.-]{1,60}$/;

/** The error code of an answer of a provider (RFC 6749 §4.1.2.1, §5.2), if it has given one. */
export function codeIn(error: unknown): string | undefined {
  const { error: code } = error as { readonly error?: unknown };
  return error instanceof Error && typeof code === 'string' && ERROR_CODE.test(code) ? code : undefined;
}

const OAUTH_TIMEOUT_MS = 10_000;

/** Why nothing came of it, for people outside: the provider was not reached, or has said no. */
export function providerFailure(error: unknown): OutboundFailure {
  const code = codeIn(error);
  if (code !== undefined) return new OutboundFailure('FAILED', `The provider has answered with the error ${code}.`);
  return failureOf(error, OAUTH_TIMEOUT_MS);
}
