import { readFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { contractFiles } from '../../src/cli/print-schema.ts';
import { schemaRoutes } from '../../src/http/schema.routes.ts';
import { buildSchemas } from '../../src/schema.ts';

const routes = schemaRoutes(buildSchemas().forTokens.rules, 'https://gatehouse.example');
const PATHS = ['/schema.graphql', '/openapi.json', '/v2/openapi.json'] as const;

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  routes.request(path, { method, headers });

test('/schema.graphql is the schema that access tokens see, and nothing first-party', async () => {
  const response = await get('/schema.graphql');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/graphql; charset=utf-8');
  const sdl = await response.text();
  expect(sdl).toBe(contractFiles()['schema.graphql']);
  const schema = buildSchema(sdl);
  expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toContain('me');
  // A first-party type, which the other file has.
  expect(await readFile('schema/first-party.graphql', 'utf8')).toContain('type OAuthClient ');
  expect(schema.getType('OAuthClient')).toBeUndefined();
});

test.each(PATHS.slice(1))('%s describes the REST paths, at the address of this service', async (path) => {
  const response = await get(path);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: 'https://gatehouse.example' }],
    paths: { '/v2/me': { get: {} } },
  });
});

describe.each(PATHS)('%s', (path) => {
  test('has a strong ETag, the same each time, and may be kept for a while', async () => {
    const { headers } = await get(path);
    expect(headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
    expect((await get(path)).headers.get('etag')).toBe(headers.get('etag'));
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each([
    ['the tag', (tag: string) => tag, 304],
    ['a weak spelling of it', (tag: string) => `W/${tag}`, 304],
    ['a list that has it, beside a tag with a comma', (tag: string) => `"a,b" , W/"c",${tag}`, 304],
    ['any', () => ' * ', 304],
    ['another', () => '"another"', 200],
    ['the tag without its quotes', (tag: string) => tag.slice(1, -1), 200],
    ['a star in quotes', () => '"*"', 200],
    ['nothing', () => '', 200],
  ])('is compared with If-None-Match: %s', async (_which, spelt, status) => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    const response = await get(path, { 'if-none-match': spelt(etag) });
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect((await response.text()) === '').toBe(status === 304);
  });

  test('answers HEAD without the content, and with the same tag', async () => {
    const response = await get(path, {}, 'HEAD');
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('etag')).toBe((await get(path)).headers.get('etag'));
  });

  test('is open to scripts of other sites, which may ask again with the tag', async () => {
    expect((await get(path)).headers.get('access-control-allow-origin')).toBe('*');
    expect((await get(path)).headers.get('access-control-expose-headers')).toBe('ETag');
    const asked = { origin: 'https://app.example', 'access-control-request-headers': 'if-none-match' };
    const preflight = await get(path, { ...asked, 'access-control-request-method': 'GET' }, 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization,Content-Type,*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
  });
});
