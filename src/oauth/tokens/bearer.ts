import { bytesOf, CACHES, type Share } from '../../core/caches.ts';
import type { Em } from '../../database/sql.ts';
import { grantedScopes } from '../../scopes/held-scopes.ts';
import type { ScopeSet } from '../../scopes/scope-set.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { VerifiedAccessToken } from '../protocol/access-token.ts';
import { type OAuthError, oauthError } from '../protocol/oauth-error.ts';
import { seeAccessToken, verifyAccessToken } from './access-tokens.ts';

/** The caller of the API with an access token: the token's claims, and what they open. */
export interface Principal extends VerifiedAccessToken {
  /** The bits of `access`, implication applied: what an operation is compared with. */
  readonly held: ScopeSet;
  /** Epoch milliseconds of `expiresAt`. */
  readonly endsAt: number;
  /** The user's address was not verified when the token was first seen; it may be by now. */
  readonly isUnverified: boolean;
}

/** An instant, and the objects of one principal that became of another. */
const MORE_BYTES = 300;

/** Unknown, garbled, expired or revoked: the answer does not tell which (RFC 6750 §3.1). */
const TOKEN_UNUSABLE: OAuthError = oauthError(
  'invalid_token',
  'The access token is unknown, expired or revoked; get a new one with the refresh token.',
);

/**
 * The way of an access token back in. A token that was seen before costs a look into two maps: no signature check and no
 * query. Only what the token says is remembered; whether it is still alive is checked with the feed each time.
 */
export class BearerTokens {
  readonly #server: AuthorizationServer;
  /** Each costs a signature and a statement to find, and nobody fills it who was not given tokens: so from the first use on. */
  readonly #verified: Share<Principal>;
  readonly #loading = new Map<string, Promise<Principal | undefined>>();

  constructor(server: AuthorizationServer) {
    this.#server = server;
    this.#verified = CACHES.share({
      name: 'tokens',
      weigh: (principal) => MORE_BYTES + bytesOf(principal),
      fromFirstUse: true,
    });
  }

  /** The answer for a token seen before, at once; undefined when it has to be looked into by `authenticate`. */
  recall(token: string): Principal | OAuthError | undefined {
    const { clock, revocations } = this.#server;
    const principal = this.#verified.get(token, 'KNOWN');
    if (!principal) return undefined;
    if (clock.now() >= principal.endsAt || revocations.isRevoked(principal)) return TOKEN_UNUSABLE;
    // A feed that has been silent too long may have missed a revocation: then the database decides.
    return revocations.isTrusted() ? principal : undefined;
  }

  /**
   * Finds the principal of this token, or why it is refused.
   * @throws Error when a look-up in the database is needed and it is away
   */
  async authenticate(em: Em, token: string): Promise<Principal | OAuthError> {
    return this.recall(token) ?? (await this.#loadOnce(em, token)) ?? TOKEN_UNUSABLE;
  }

  /** Requests that come at the same time with the same new token verify it once. */
  #loadOnce(em: Em, token: string): Promise<Principal | undefined> {
    const loading = this.#loading.get(token) ?? this.#load(em, token).finally(() => this.#loading.delete(token));
    this.#loading.set(token, loading);
    return loading;
  }

  async #load(em: Em, token: string): Promise<Principal | undefined> {
    const principal = this.#verified.get(token, 'KNOWN') ?? (await this.#verify(token));
    // A token that the feed knows to be dead costs no statement, however often it comes.
    if (!principal || this.#server.revocations.isRevoked(principal)) return undefined;
    const seen = await seeAccessToken(em, principal);
    if (!seen) return undefined;
    const remembered = { ...principal, ...seen };
    this.#verified.set(token, remembered, 'KNOWN');
    return remembered;
  }

  async #verify(token: string): Promise<Omit<Principal, 'isUnverified'> | undefined> {
    const verified = await verifyAccessToken(this.#server, token);
    const held = verified && grantedScopes(verified.access);
    return held && { ...verified, held, endsAt: verified.expiresAt.epochMilliseconds };
  }
}
