import { isIPv4, isIPv6 } from 'node:net';
import { sha256Hex } from '../core/secret.ts';

/**
 * The network an address belongs to: its /24 (IPv4) or /56 (IPv6), which is about what one customer of a provider
 * holds. A lock-out is always of a network, never of an account as such; what is no address shares one.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return `${plain.split('.', 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return 'unknown';
  const [first, second, third, fourth = '0'] = ipv6Groups(plain);
  const upperByte = Number.parseInt(fourth, 16) & 0xff00;
  return `${first}:${second}:${third}:${upperByte.toString(16)}::/56`;
}

/** A network as it is kept where what it has caused counts later: 16 characters of its SHA-256, so that no list of networks stands there. */
export function networkDigest(network: string): string {
  return sha256Hex(JSON.stringify(['network', network])).slice(0, 16);
}

/** An IPv4 address that came in through an IPv6 socket (`::ffff:192.0.2.1`) as IPv4; without a zone (`%eth0`). */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const [withoutZone = ''] = address.split('%', 1);
  if (!isIPv6(withoutZone)) return withoutZone;
  const groups = ipv6Groups(withoutZone);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (!isMapped) return withoutZone;
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}

/** All eight groups, without leading zeros. The parser of URLs writes every spelling of an address in one way. */
function ipv6Groups(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const start = head === '' ? [] : head.split(':');
  if (tail === undefined) return start;
  const end = tail === '' ? [] : tail.split(':');
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => '0'), ...end];
}
