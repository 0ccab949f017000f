import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { APP, authorizePath } from '../support/oauth-requests.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const LOGIN = '/auth/login';

/** Written by hand: no client library would send them. */
describe('a request that no browser sends is refused as a mistake of the client, and tells nothing of us:', () => {
  test.each<[string, string, string]>([
    ['a Host with a space', LOGIN, 'Host: a b'],
    ['a Host that is half an address', LOGIN, 'Host: [::'],
    ['a Host with a percent sign', LOGIN, 'Host: %zz'],
    ['a Host with a port that is none', LOGIN, 'Host: localhost:99999'],
    ['a Host that is a URL', LOGIN, 'Host: http://localhost/'],
    ['no Host', LOGIN, 'X-Host: localhost'],
    ['a whole address that is none', 'http://[::/auth/login', 'Host: localhost'],
    ['letters of the world in the address', '/auth/login?é', 'Host: localhost'],
    ['a NUL in the path', '/auth/login%00', 'Host: localhost'],
    ['broken percent-encoding in the path', '/auth/%zz', 'Host: localhost'],
    ['two slashes and another host', '//evil.test/auth/login', 'Host: localhost'],
    ['a backslash and another host', '/\\evil.test', 'Host: localhost'],
    ['a path out of the root', '/../../etc/passwd', 'Host: localhost'],
    ['a header with a NUL', LOGIN, 'Host: localhost\r\nX-A: \0'],
    ['a length that is no number', LOGIN, 'Host: localhost\r\nContent-Length: x'],
    ['a length and chunks', LOGIN, 'Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked'],
    ['headers of 20 kB', LOGIN, `Host: localhost\r\nX-A: ${'x'.repeat(20_000)}`],
  ])('%s', async (_, target, headers) => {
    const answer = await exchangeBytes(`GET ${target} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toMatch(/node:internal|\.ts:|\bat .*\(|localhost:\d+\/evil|location:/i);
    expect(await exchangeBytes(`GET ${LOGIN} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)).toMatch(
      / 200 /,
    );
  });

  test('a Host that is not ours changes nothing of what is answered', async () => {
    const path = authorizePath(APP, { scope: 'NOPE' });
    const answer = await exchangeBytes(`GET ${path} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 303 /);
    expect(answer).toMatch(/location: https:\/\/app\.example\.test\/cb\?/);
    expect(answer).not.toContain('evil.test');
  });
});

function exchangeBytes(request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('close', () => resolve(answer));
  socket.on('error', reject);
  socket.write(request, 'latin1');
  return promise;
}
