import ipaddr from 'ipaddr.js';

/**
 * The addresses that are handed out to hosts of the internet (RFC 4291 §2.4). Addresses that are embedded in others lead
 * elsewhere: to IPv4, or nowhere.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is one of the public internet: not private, local to a host or a link, shared by a provider,
 * reserved, or another spelling of such a one (IPv4 in IPv6, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Names that resolvers answer themselves, or that only mean something inside a network (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|alt|onion)$/;

/**
 * Whether it can be told from the host of an address alone that it leads to no public one. `hostname` is that of a parsed
 * URL, in which every spelling of an IPv4 address (decimal, octal, hexadecimal, short) has become the usual one.
 */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  const literal = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(literal) ? !isPublicAddress(literal) : LOCAL_NAME.test(host);
}
