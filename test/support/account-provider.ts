import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KoaContext, Provider } from 'oidc-provider';

const CLIENT = { clientId: 'gatehouse', clientSecret: 'a-secret-of-the-client' } as const;
/** One that shows its secret by HTTP Basic. */
export const BASIC_CLIENT = { clientId: 'gatehouse-basic', clientSecret: 'another-secret-of-the-client' } as const;

/** As real providers of calendars call theirs. */
const SCOPES_OF_OTHERS = ['https://www.googleapis.com/auth/calendar', 'User.Read', 'Calendars.ReadWrite'];

/** An authorization server of somebody else's (oidc-provider): whoever comes is signed in and agrees, unless it is told otherwise. */
export class AccountProvider {
  readonly client = CLIENT;
  /** The account that signs in there. */
  account = 'ada@accounts.example';
  denies = false;
  /** How long access tokens are good. */
  accessSeconds = 3_600;
  /** Takes the place of its own answer of the token endpoint, if it returns true. */
  atToken: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean> = () => false;
  /** The same of the revocation endpoint. */
  atRevocation: AccountProvider['atToken'] = () => false;
  /** How often the token endpoint was asked. */
  tokenRequests = 0;
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  #provider: Provider | undefined;
  readonly #grants = new Map<string, string>();

  /** `redirectUri`: where it sends users back; left out, `sendBackTo` says that before the first of them comes. */
  static async open(redirectUri?: string): Promise<AccountProvider> {
    const opened = new AccountProvider();
    opened.#server.listen(0, '127.0.0.1');
    await once(opened.#server, 'listening');
    if (redirectUri !== undefined) opened.sendBackTo(redirectUri);
    return opened;
  }

  /** As `accessTo` has its endpoints, which answer as those of real providers do. */
  get endpoints(): { readonly authorizationUrl: string; readonly tokenUrl: string } {
    return { authorizationUrl: `${this.issuer}/auth`, tokenUrl: `${this.issuer}/token` };
  }

  /**
   * The account that an access token opens, for a resource: undefined for one that is over, revoked or without the
   * scope.
   */
  async accountOf(accessToken: string, scope: string): Promise<string | undefined> {
    const { AccessToken, Grant } = this.#provider as Provider;
    const found = await AccessToken.find(accessToken);
    if (!found?.scope?.split(' ').includes(scope) || !(await Grant.find(found.grantId))) return undefined;
    return found.accountId;
  }

  /** The user takes back what they have consented to, or their administrator does. */
  async revoke(account: string): Promise<void> {
    const { Grant } = this.#provider as Provider;
    for (const [grantId, owner] of this.#grants) {
      if (owner === account) await (await Grant.find(grantId))?.destroy();
    }
  }

  sendBackTo(redirectUri: string): void {
    this.#provider = this.#providerFor(redirectUri);
  }

  /** By introspection (RFC 7662): whose a token of this provider is; undefined: it is good no more. */
  async holderOf(token: string): Promise<string | undefined> {
    const { clientId, clientSecret } = CLIENT;
    const body = new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret });
    const answer = await fetch(`${this.issuer}/token/introspection`, { method: 'POST', body });
    const { active, sub } = (await answer.json()) as { active: boolean; sub?: string };
    return active ? sub : undefined;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Goes through sign-in and consent as a browser does. @returns where it sends the user back to */
  async authorize(url: string): Promise<URL> {
    const cookies = new Map<string, string>();
    for (let [next, hops] = [url, 0]; hops < 20; hops += 1) {
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`No redirect, but ${response.status}: ${await response.text()}`);
      const found = new URL(location, next);
      if (found.origin !== this.issuer) return found;
      next = found.href;
    }
    throw new Error('It redirects without end.');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider as Provider;
    if (request.url?.startsWith('/interaction/')) {
      const denied = { error: 'access_denied', error_description: 'No.' };
      const result = this.denies ? denied : { login: { accountId: this.account }, consent: {} };
      return provider.interactionFinished(request, response, result);
    }
    // As providers do at which the registration of a client says what it may do.
    if (request.url?.startsWith('/auth?') && !request.url.includes('scope=')) request.url += '&scope=meetings';
    if (request.url === '/token') {
      this.tokenRequests += 1;
      if (await this.atToken(request, response)) return undefined;
    }
    if (request.url === '/token/revocation' && (await this.atRevocation(request, response))) return undefined;
    return provider.callback()(request, response);
  }

  #providerFor(redirectUri: string): Provider {
    const client = {
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    return new Provider(this.issuer, {
      clients: [
        {
          ...client,
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          token_endpoint_auth_method: 'client_secret_post',
        },
        {
          ...client,
          client_id: BASIC_CLIENT.clientId,
          client_secret: BASIC_CLIENT.clientSecret,
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' }] },
      cookies: { keys: ['a key'] },
      scopes: ['openid', 'offline_access', 'calendars', 'meetings', ...SCOPES_OF_OTHERS],
      pkce: { required: () => true },
      findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      ttl: {
        AccessToken: () => this.accessSeconds,
        RefreshToken: 86_400,
        Grant: 86_400,
        Session: 600,
        Interaction: 600,
      },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        introspection: { enabled: true },
        revocation: { enabled: true },
      },
      loadExistingGrant: async ({ oidc }: KoaContext) => {
        const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
        grant.addOIDCScope(oidc.params.scope ?? '');
        this.#grants.set(await grant.save(), oidc.session.accountId);
        return grant;
      },
    });
  }
}
