import { describe, expect, test } from 'vitest';
import { networkOf, plainAddress } from '../../src/limits/network.ts';

describe('the network of an address is', () => {
  test.each([
    ['192.0.2.1', '192.0.2.0/24'],
    ['192.0.2.255', '192.0.2.0/24'],
    ['192.0.3.1', '192.0.3.0/24'],
    ['::ffff:192.0.2.1', '192.0.2.0/24'],
    ['::FFFF:c000:0201', '192.0.2.0/24'],
    ['2001:db8:1:2::1', '2001:db8:1:0::/56'],
    ['2001:0DB8:0001:00ff:ffff:ffff:ffff:ffff', '2001:db8:1:0::/56'],
    ['2001:db8:1:100::1', '2001:db8:1:100::/56'],
    ['2001:db8:1:abcd::1', '2001:db8:1:ab00::/56'],
    ['::1', '0:0:0:0::/56'],
    ['fe80::1%eth0', 'fe80:0:0:0::/56'],
    ['1:2:3:4:5:6:7:8', '1:2:3:0::/56'],
    ['', 'unknown'],
    ['10.0.0.256', 'unknown'],
    ['example.test', 'unknown'],
    ['1.2.3.4]/..', 'unknown'],
  ])('of %j: %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

test('an IPv4 address that came through an IPv6 socket is written as IPv4, others as they are', () => {
  expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(plainAddress('192.0.2.1')).toBe('192.0.2.1');
  expect(plainAddress('2001:db8::1')).toBe('2001:db8::1');
});
