import { describe, expect, test } from 'vitest';
import { isAskedHere, isThisMachine } from '../../src/http/client-address.ts';

describe('this machine', () => {
  test.each(['localhost', 'LOCALHOST', 'app.localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]', '::ffff:127.0.0.1'])(
    'is %s',
    (host) => expect(isThisMachine(host)).toBe(true),
  );
  test.each([
    '',
    '0.0.0.0',
    '::',
    '[::]',
    '10.0.0.1',
    '::ffff:10.0.0.1',
    'localhost.example.com',
    'notlocalhost',
    '127.0.0.1.nip.io',
    'book.example.com',
  ])('is not %j', (host) => expect(isThisMachine(host)).toBe(false));
});

const asked = (headers: Record<string, string>, remoteAddress: string | undefined = '127.0.0.1') =>
  isAskedHere({ socket: { remoteAddress }, headers: { host: 'localhost:4000', ...headers } });

describe('a request is asked here', () => {
  test.each([
    ['by a browser', { 'user-agent': 'x', 'sec-fetch-site': 'none' }],
    ['at an address', { host: '127.0.0.1:4000' }],
    ['at another one', { host: '[::1]:4000' }],
  ])('%s', (_, headers) => expect(asked(headers)).toBe(true));
  test('over IPv6', () => expect([asked({}, '::1'), asked({}, '::ffff:127.0.0.1')]).toEqual([true, true]));

  test.each(['10.1.2.3', '::ffff:192.0.2.1', '2001:db8::1', undefined])('and not from %s', (address) =>
    expect(isAskedHere({ socket: { remoteAddress: address }, headers: { host: 'localhost' } })).toBe(false),
  );
  test.each([
    { host: 'evil.example' },
    { host: '' },
    { host: '192.168.0.2:4000' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 nginx' },
    { 'x-real-ip': '127.0.0.1' },
    { 'x-client-ip': '127.0.0.1' },
    { 'true-client-ip': '127.0.0.1' },
    { 'cf-connecting-ip': '127.0.0.1' },
  ])('and not with %j', (headers) => expect(asked(headers as Record<string, string>)).toBe(false));
});
