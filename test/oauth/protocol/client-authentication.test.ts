import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/core/secret.ts';
import {
  authenticateClient,
  type ClientCredentials,
  clientIsApproved,
  clientIsConfidential,
} from '../../../src/oauth/protocol/client-authentication.ts';
import { newClientSecret } from '../../../src/oauth/protocol/credentials.ts';
import { aClient } from './builders.ts';

const OLD = newClientSecret();
const NEW = newClientSecret();
const SECRETS = [
  { id: 'sec_old', secretHash: sha256Hex(OLD) },
  { id: 'sec_new', secretHash: sha256Hex(NEW) },
];
const CONFIDENTIAL = aClient();
const PUBLIC = aClient({ type: 'PUBLIC' });

function post(secret: string): ClientCredentials {
  return { method: 'POST', clientId: 'app-1', secret };
}
function basic(secret: string): ClientCredentials {
  return { method: 'BASIC', clientId: 'app-1', secret };
}
const ALONE: ClientCredentials = { method: 'NONE', clientId: 'app-1' };

describe('a confidential client is authenticated by', () => {
  test('either of its secrets, and we learn by which', () => {
    expect(authenticateClient(post(OLD), CONFIDENTIAL, SECRETS)).toEqual({ client: CONFIDENTIAL, secretId: 'sec_old' });
    expect(authenticateClient(post(NEW), CONFIDENTIAL, SECRETS)).toEqual({ client: CONFIDENTIAL, secretId: 'sec_new' });
  });

  test('its secret by HTTP Basic', () => {
    expect(authenticateClient(basic(OLD), CONFIDENTIAL, SECRETS)).toMatchObject({
      secretId: 'sec_old',
    });
  });

  test('a demo secret, which has not the usual form', () => {
    const demo = [{ id: 'sec_demo', secretHash: sha256Hex('gh_secret_demo_app') }];
    expect(authenticateClient(post('gh_secret_demo_app'), CONFIDENTIAL, demo)).toMatchObject({ secretId: 'sec_demo' });
  });

  test.each([
    ['no secret', ALONE],
    ['an empty secret', post('')],
    ['another secret', post(newClientSecret())],
    ['its secret in another case', post(OLD.toLowerCase())],
    ['its secret and a space', post(`${OLD} `)],
    ['its secret and a NUL', post(`${OLD}\0`)],
    ['its secret without the end', post(OLD.slice(0, -1))],
    ['the hash of its secret', post(sha256Hex(OLD))],
    ['64 zeros', post('0'.repeat(64))],
    ['a text of 64 KiB', post('x'.repeat(65_536))],
  ])('and not by %s', (_, credentials) => {
    expect(authenticateClient(credentials, CONFIDENTIAL, SECRETS)).toMatchObject({
      error: 'invalid_client',
      status: 401,
    });
  });

  test('and not by a secret that was deleted', () => {
    expect(authenticateClient(post(OLD), CONFIDENTIAL, SECRETS.slice(1))).toMatchObject({ error: 'invalid_client' });
    expect(authenticateClient(post(NEW), CONFIDENTIAL, SECRETS.slice(1))).toMatchObject({ secretId: 'sec_new' });
    expect(authenticateClient(post(OLD), CONFIDENTIAL, [])).toMatchObject({ error: 'invalid_client' });
  });
});

describe('a public client', () => {
  test('is known by its id alone', () => {
    expect(authenticateClient(ALONE, PUBLIC, [])).toEqual({ client: PUBLIC, secretId: null });
  });

  test('that sends a secret is refused, even an empty one by HTTP Basic', () => {
    expect(authenticateClient(post('x'), PUBLIC, [])).toMatchObject({ error: 'invalid_client' });
    expect(authenticateClient(basic(''), PUBLIC, [])).toMatchObject({ error: 'invalid_client' });
    expect(authenticateClient(post(OLD), PUBLIC, SECRETS)).toMatchObject({ error: 'invalid_client' });
  });
});

test('an unknown client, a wrong secret, none and one too many look alike', () => {
  const answers = [
    authenticateClient(post('x'), undefined, []),
    authenticateClient(ALONE, undefined, []),
    authenticateClient(post('x'), CONFIDENTIAL, SECRETS),
    authenticateClient(ALONE, CONFIDENTIAL, SECRETS),
    authenticateClient(post('x'), PUBLIC, []),
    authenticateClient(post('x'), aClient({ status: 'SUSPENDED' }), SECRETS),
  ];
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test('an unknown client is refused even with a secret that somebody has', () => {
  expect(authenticateClient(post(OLD), undefined, SECRETS)).toMatchObject({ error: 'invalid_client' });
});

test.each(['PENDING', 'REJECTED', 'SUSPENDED'] as const)(
  'a client that is %s gets no tokens once it proved who it is',
  (status) => {
    expect(authenticateClient(post(OLD), aClient({ status }), SECRETS)).toMatchObject({ secretId: 'sec_old' });
    expect(clientIsApproved(aClient({ status }))).toMatchObject({ error: 'unauthorized_client', status: 400 });
    expect(clientIsApproved(aClient())).toBeUndefined();
  },
);

test('only confidential clients may introspect', () => {
  expect(clientIsConfidential(PUBLIC)).toMatchObject({ error: 'unauthorized_client' });
  expect(clientIsConfidential(CONFIDENTIAL)).toBeUndefined();
});
