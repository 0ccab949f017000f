import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { Client } from '../protocol/client.ts';
import type { OAuthError } from '../protocol/oauth-error.ts';
import type { TokenRequest } from '../protocol/tokens/token-request.ts';
import type { TokenResponse } from '../protocol/tokens/token-response.ts';

/** A request for tokens by a client that is authenticated and approved. */
export interface GrantRequest {
  readonly request: TokenRequest;
  readonly client: Client;
  readonly address: string;
}

/** The part of a grant type that is its own; token.ts has run the shared phases before. */
export type Grant = (em: Em, server: AuthorizationServer, input: GrantRequest) => Promise<TokenResponse | OAuthError>;
