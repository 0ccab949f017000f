import { PROMPTS } from './authorize-request.ts';
import { CODE_CHALLENGE_METHOD } from './pkce.ts';
import { GRANT_TYPES } from './token-request.ts';

/** Where the server's endpoints are, below its base address. The routes use the same table, so no advertised address can be dead. */
export const ENDPOINTS = {
  authorize: '/auth/oauth2/authorize',
  token: '/v2/auth/oauth2/token',
  revoke: '/v2/auth/oauth2/revoke',
  introspect: '/v2/auth/oauth2/introspect',
  keys: '/.well-known/jwks.json',
  serverMetadata: '/.well-known/oauth-authorization-server',
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** The metadata of the authorization server (RFC 8414 §2). `issuer` is the base address, without a slash at its end. */
export function authorizationServerMetadata(issuer: string, scopes: readonly string[]) {
  const withSecret = ['client_secret_basic', 'client_secret_post'] as const;
  const everyClient = [...withSecret, 'none'] as const;
  return {
    issuer,
    authorization_endpoint: issuer + ENDPOINTS.authorize,
    token_endpoint: issuer + ENDPOINTS.token,
    revocation_endpoint: issuer + ENDPOINTS.revoke,
    introspection_endpoint: issuer + ENDPOINTS.introspect,
    jwks_uri: issuer + ENDPOINTS.keys,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...GRANT_TYPES],
    code_challenge_methods_supported: [CODE_CHALLENGE_METHOD],
    prompt_values_supported: [...PROMPTS],
    token_endpoint_auth_methods_supported: everyClient,
    revocation_endpoint_auth_methods_supported: everyClient,
    introspection_endpoint_auth_methods_supported: withSecret,
    authorization_response_iss_parameter_supported: true,
    // Both fields are given because a missing request_uri_parameter_supported means true (OpenID Connect Discovery §3).
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    protected_resources: [issuer],
  };
}

/** The metadata of the API (RFC 9728 §2). `apiUrl` is its base address, which is also the audience of its tokens. */
export function protectedResourceMetadata(apiUrl: string, issuer: string, scopes: readonly string[]) {
  return {
    resource: apiUrl,
    authorization_servers: [issuer],
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
  };
}
