import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withUsableTarget } from '../../src/http/request-target.ts';

const server = createServer(withUsableTarget(({ url }, response) => response.end(url)));
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

/** As it goes over the wire: clients of Node send no such hosts. */
async function get(target: string, ...hosts: string[]): Promise<{ status: number; body: string }> {
  const socket = connect(port, '127.0.0.1');
  const headers = hosts.map((host) => `Host: ${host}\r\n`).join('');
  socket.end(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
  const text = Buffer.concat(await socket.toArray()).toString();
  return { status: Number(text.slice(9, 12)), body: text };
}

describe('a request is refused with 400 when its Host is', () => {
  test.each([
    'a b<>',
    'localhost/graphql?x=',
    'localhost#',
    'localhost\\graphql',
    'user@localhost',
    '[::1',
    'localhost:99999',
    '%',
    'a:b:c',
  ])('%s', async (host) => {
    const { status, body } = await get('/health/live', host);
    expect(status).toBe(400);
    expect(body).not.toContain(' at ');
  });

  test('given twice', async () => {
    expect((await get('/', 'localhost', 'evil.test')).status).toBe(400);
  });
});

test.each([
  'localhost',
  'localhost:4000',
  '127.0.0.1:4000',
  '[::1]:4000',
  'gatehouse.example',
  'xn--bcher-kva.example',
])('a request is taken when its Host is %s', async (host) => {
  expect((await get('/health/live', host)).status).toBe(200);
});

describe('the request target', () => {
  test.each([
    ['http://localhost:4000/v2/me?a=%27', '/v2/me?a=%27'],
    ['HTTPS://localhost', '/'],
    ['http://localhost?a=b', '/?a=b'],
    ['//evil.test/', '//evil.test/'],
  ])('%s is taken as %s, byte for byte', async (sent, taken) => {
    const { status, body } = await get(sent, 'localhost:4000');
    expect(status).toBe(200);
    expect(body.split('\r\n')).toContain(taken);
  });

  test.each(['*', 'ftp://localhost/'])('%s is refused with 400', async (target) => {
    expect((await get(target, 'localhost:4000')).status).toBe(400);
  });
});
