import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { plainAddress } from '../limits/network.ts';

/** More hops than any real chain of proxies has. */
const MAX_HOPS = 20;

/** The networks (CIDR, such as 10.0.0.0/8) whose word about a request's origin counts. @throws Error naming a bad one */
export function trustedProxies(cidrs: readonly string[]): BlockList {
  const trusted = new BlockList();
  for (const cidr of cidrs) {
    const [, network = '', prefix = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(cidr) ?? [];
    try {
      trusted.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4');
    } catch {
      throw new Error(`TRUST_PROXY has "${cidr}", which is no network; write it as 10.0.0.0/8.`);
    }
  }
  return trusted;
}

/**
 * The address that a request comes from: the connection's own, unless that is a trusted proxy; then the last entry of
 * `X-Forwarded-For` that is not one. Entries further left are whatever the client wrote.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | null, trusted: BlockList): string {
  let address = plainAddress(peer ?? '');
  if (!forwardedFor) return address;
  const hops = forwardedFor.split(',').slice(-MAX_HOPS);
  while (hops.length > 0 && isTrusted(address, trusted)) {
    const hop = withoutPort(hops.pop()?.trim() ?? '');
    if (isIP(hop) === 0) break;
    address = plainAddress(hop);
  }
  return address;
}

/** The same of Node's own request. */
export function addressOfIncoming({ socket, headers }: IncomingMessage, trusted: BlockList): string {
  return clientAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString() ?? null, trusted);
}

function isTrusted(address: string, trusted: BlockList): boolean {
  return isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$/.exec(hop) ?? /^([\d.]+):\d+$/.exec(hop);
  return match?.[1] ?? hop;
}
