import { describe, expect, test } from 'vitest';
import {
  authorizationServerMetadata,
  ENDPOINTS,
  protectedResourceMetadata,
} from '../../../src/oauth/protocol/metadata.ts';
import { SCOPES } from '../../../src/scopes/catalog.ts';
import { ISSUER } from './builders.ts';

const SERVER = authorizationServerMetadata(ISSUER, SCOPES);
const RESOURCE = protectedResourceMetadata(ISSUER, ISSUER, SCOPES);

describe('the metadata of the authorization server', () => {
  test('says what is served, and nothing else', () => {
    expect(SERVER).toEqual({
      issuer: 'https://gatehouse.example',
      authorization_endpoint: 'https://gatehouse.example/auth/oauth2/authorize',
      token_endpoint: 'https://gatehouse.example/v2/auth/oauth2/token',
      revocation_endpoint: 'https://gatehouse.example/v2/auth/oauth2/revoke',
      introspection_endpoint: 'https://gatehouse.example/v2/auth/oauth2/introspect',
      jwks_uri: 'https://gatehouse.example/.well-known/jwks.json',
      scopes_supported: [...SCOPES],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      prompt_values_supported: ['none', 'login', 'consent'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      protected_resources: ['https://gatehouse.example'],
    });
  });

  test('advertises addresses of the table of endpoints only', () => {
    const paths = Object.values(ENDPOINTS).map((path) => ISSUER + path);
    const addresses = Object.entries(SERVER).filter(([name]) => name.endsWith('_endpoint') || name.endsWith('_uri'));
    expect(addresses).toHaveLength(5);
    for (const [, address] of addresses) expect(paths).toContain(address);
  });
});

test('the metadata of the API leads to its server', () => {
  expect(RESOURCE).toEqual({
    resource: ISSUER,
    authorization_servers: [ISSUER],
    scopes_supported: [...SCOPES],
    bearer_methods_supported: ['header'],
  });
  expect(RESOURCE.authorization_servers).toEqual([SERVER.issuer]);
  expect(SERVER.protected_resources).toEqual([RESOURCE.resource]);
});
