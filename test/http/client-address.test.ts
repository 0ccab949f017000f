import { describe, expect, test } from 'vitest';
import { clientAddress, trustedProxies } from '../../src/http/client-address.ts';

const PROXIES = trustedProxies(['10.0.0.0/8', '2001:db8:aaaa::/48', '127.0.0.1/32']);
const NONE = trustedProxies([]);

describe('the address of a client is', () => {
  test.each<[string, peer: string | undefined, forwardedFor: string | null, address: string]>([
    ['the connection’s', '192.0.2.1', null, '192.0.2.1'],
    ['the connection’s, when it is no proxy, whatever it claims', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['what a proxy saw', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['what the first of two proxies saw', '10.0.0.1', '203.0.113.9, 10.2.2.2', '203.0.113.9'],
    ['not what the client claimed to a proxy', '10.0.0.1', '127.0.0.1, 198.51.100.7, 203.0.113.9', '203.0.113.9'],
    ['the proxy’s, when it names nobody', '10.0.0.1', null, '10.0.0.1'],
    ['the proxy’s, when it names nonsense', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['without a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['IPv6', '2001:db8:aaaa::1', '2001:db8::7', '2001:db8::7'],
    ['IPv6 without brackets and port', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['IPv4, through an IPv6 socket', '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['empty, where there is no connection', undefined, '203.0.113.9', ''],
    ['found in a very long list', '10.0.0.1', `${'x,'.repeat(50_000)}203.0.113.9`, '203.0.113.9'],
  ])('%s', (_, peer, forwardedFor, address) => {
    expect(clientAddress(peer, forwardedFor, PROXIES)).toBe(address);
  });

  test('the connection’s, where no proxy is trusted', () => {
    expect(clientAddress('10.0.0.1', '203.0.113.9', NONE)).toBe('10.0.0.1');
  });
});

test.each(['10.0.0.0/33', 'x/8', '10.0.0.0/', '::/129'])('%s is no network of proxies', (cidr) => {
  expect(() => trustedProxies([cidr])).toThrow(`TRUST_PROXY has "${cidr}"`);
});
