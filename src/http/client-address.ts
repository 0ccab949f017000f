import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
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

/** The client's address for a request of Node's own. */
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

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether a name or an address, as an address bar has it (`[::1]`) or as a program listens on it (`::1`), leads to this machine alone (RFC 6761 §6.3). */
export function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const address = plainAddress(name);
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * A server that passes on somebody else's request adds these: `X-Forwarded-For`, RFC 7239, RFC 9110 §7.6.3, and those
 * of CDNs.
 */
const PASSED_ON =
  /^(?:x-forwarded(?:-.*)?|forwarded|via|x-real-ip|(?:x-)?(?:true-|cluster-|cf-)?client-ip|.*-connecting-ip)$/;

/**
 * Whether the request comes from this machine, by its own name: from no other machine, no proxy or tunnel on this one, and no
 * page of another site whose name was made to lead here (DNS rebinding).
 */
export function isAskedHere({ socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: Peer }): boolean {
  return isThisMachine(socket.remoteAddress ?? '') && isThisMachine(hostOf(headers)) && !isPassedOn(headers);
}

interface Peer {
  readonly remoteAddress?: string | undefined;
}

function hostOf({ host = '' }: IncomingHttpHeaders): string {
  return URL.parse(`http://${host}`)?.hostname ?? '';
}

function isPassedOn(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => PASSED_ON.test(name));
}
