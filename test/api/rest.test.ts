import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('the OpenAPI document says what each path needs and answers, as its GraphQL document has it', async () => {
  const response = await fetch(`${app.url}/v2/openapi.json`);
  expect(response.status).toBe(200);
  const { paths } = (await response.json()) as { paths: Record<string, { get: Record<string, unknown> }> };
  expect(paths['/v2/me']?.get).toMatchObject({
    security: [{ oauth: ['PROFILE_READ'] }],
    responses: {
      200: {
        content: {
          'application/json': {
            schema: {
              properties: { email: { type: 'string' }, bio: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
            },
          },
        },
      },
    },
  });
});

test('a path that is read is not written', async () => {
  const response = await fetch(`${app.url}/v2/me`, { method: 'POST' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
});

test('without a token it is 401 with the plain challenge, open to scripts and never stored', async () => {
  const response = await fetch(`${app.url}/v2/me`);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe(
    `Bearer realm="Gatehouse", resource_metadata="${app.url}/.well-known/oauth-protected-resource"`,
  );
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('a session’s cookie is no token', async () => {
  const ada = await app.signIn('ada@acme.test');
  const response = await ada.get('/v2/me');
  expect(response.status).toBe(401);
});
