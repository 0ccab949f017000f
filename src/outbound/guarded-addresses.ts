import type { LookupAddress, SrvRecord } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';
import type * as Undici from 'undici';
import { inTime } from '../core/in-time.ts';
import type { Mistake } from '../core/problem.ts';
import { nameOf, type Path, shown, URL_CODES, urlMistake } from '../core/text.ts';
import { FairQueue } from '../limits/fair-queue.ts';
import { CONNECT_TIMEOUT_MS, privateAddress } from './outcome.ts';

const MAX_HEADER_BYTES = 16_384;
/**
 * To one origin, at once: more calls wait for these, within their time. Messages to webhooks do not, as those to a receiver that hangs
 * would keep those of other people from one at the same host: how many are sent at once, jobs decide.
 */
export const CONNECTIONS_A_HOST = 16;
const KEPT_ALIVE_IN_MS = 1_000;

interface AgentSettings {
  readonly allowsPrivate: boolean;
}

/** Hosts with their ports that may be inside of our network, encrypted: `cloud.lan:443`. */
interface InsideHosts {
  readonly hosts: readonly string[];
  /** How their names are resolved. */
  readonly resolve: Resolve;
}

/** Every connection is looked at here, whatever led to it: a first call, a redirect, a library. `connections`: to an origin; null: any number */
export function guardedAgent(
  undici: typeof Undici,
  settings: AgentSettings,
  resolve: Resolve,
  connections: number | null,
  inside?: InsideHosts,
): Undici.Agent {
  const options = { timeout: CONNECT_TIMEOUT_MS, allowH2: false };
  const connect = undici.buildConnector({ ...options, lookup: guardedLookup(settings, resolve) });
  const connectInside =
    inside && undici.buildConnector({ ...options, lookup: guardedLookup({ allowsPrivate: true }, inside.resolve) });
  return new undici.Agent({
    connect: (options: Undici.buildConnector.Options, callback: Undici.buildConnector.Callback) => {
      // A connection to a literal address asks no resolver.
      if (connectInside && isInside(options, inside.hosts)) connectInside(options, callback);
      else if (isForbidden(options, settings.allowsPrivate)) callback(privateAddress(), null);
      else connect(options, callback);
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    connections,
    keepAliveTimeout: KEPT_ALIVE_IN_MS,
    keepAliveMaxTimeout: KEPT_ALIVE_IN_MS,
    // Each call has a limit of its own for the whole.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** The connection goes to what this returns: what the name resolves to a moment later is not asked. */
function guardedLookup(settings: AgentSettings, resolve: Resolve): LookupFunction {
  const look = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    const isPublic = addresses.every(({ address }) => isPublicAddress(address));
    if (!isPublic && !settings.allowsPrivate) throw privateAddress();
    return [...addresses];
  });
  return (hostname, { all }, callback) =>
    look(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (!first) callback(error ?? new Error('The name has no address.'), '');
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

export const OUTBOUND_ADDRESS_CODES = [...URL_CODES, 'PRIVATE_ADDRESS'] as const;

/** The mistake in an address that is to be called later, as far as it can be found without calling it. */
export function outboundAddressMistake(path: Path, url: string, allowsPrivate: boolean): Mistake | undefined {
  const mistake = urlMistake(path, allowsPrivate ? url.replace(/^http:/i, 'https:') : url);
  if (mistake || !isForbidden(new URL(url), allowsPrivate)) return mistake;
  const message = `The ${nameOf(path)} ${shown(url)} does not lead to the public internet; give an address that others can reach.`;
  return { code: 'PRIVATE_ADDRESS', message, path };
}

/** Whether an address must not be called, whatever its name leads to. */
function isForbidden({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>, allowsPrivate: boolean): boolean {
  return !allowsPrivate && (protocol !== 'https:' || isLocalHost(hostname));
}

/** Whether an address is at one of the hosts that an operator has named, with its port, and encrypted. */
export function isInside(
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  insideHosts: readonly string[],
): boolean {
  const asked = bare(`${hostname}:${port || 443}`);
  return protocol === 'https:' && insideHosts.some((host) => bare(host) === asked);
}

/** As undici has it: without the brackets of an IPv6 address. */
function bare(host: string): string {
  return host.toLowerCase().replace(/[[\]]/g, '');
}

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
function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  const literal = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(literal) ? !isPublicAddress(literal) : LOCAL_NAME.test(host);
}

/** All addresses of a host. @throws Error with the code ENOTFOUND or EAI_AGAIN */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Where a domain has a service (RFC 2782), and what it says of it (RFC 6763 §6): nothing where it does not tell. */
export interface FoundService {
  readonly servers: readonly SrvRecord[];
  readonly texts: readonly string[];
}

/** `name`: such as `_caldavs._tcp.example.com`. Never rejects. */
export type FindService = (name: string) => Promise<FoundService>;

/** For all tries of all servers; less than a connection may take, so that it is known what was missing. */
const TIMEOUT_IN_MS = 4_000;
const FIRST_TRY_MS = 1_000;

/**
 * Asks the name servers of the machine, or `servers`, and nothing else: no file of hosts. It takes none of the four threads
 * that `lookup` shares with password hashing, so that somebody's slow name server holds up nobody else.
 */
export function nameServerResolve(servers?: readonly string[], timeoutInMs = TIMEOUT_IN_MS): Resolve {
  const resolver = new Resolver({ timeout: Math.min(FIRST_TRY_MS, timeoutInMs), tries: 3 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const asked = Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const [v4, v6] = await inTime(asked, timeoutInMs, () => noAddress(false));
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0) return addresses;
    throw noAddress([v4, v6].every((one) => one.status === 'rejected' && saysThereIsNone(one.reason)));
  };
}

/** Asks the machine's name servers, or `servers`. A service that none of them names in time counts as missing. */
export function nameServerServices(servers?: readonly string[], timeoutInMs = TIMEOUT_IN_MS): FindService {
  const resolver = new Resolver({ timeout: Math.min(FIRST_TRY_MS, timeoutInMs), tries: 3 });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const asked = Promise.allSettled([resolver.resolveSrv(name), resolver.resolveTxt(name)]);
    const [srv, txt] = await inTime(asked, timeoutInMs, () => noAddress(false)).catch(() => []);
    return {
      servers: srv?.status === 'fulfilled' ? srv.value : [],
      texts: txt?.status === 'fulfilled' ? txt.value.map((parts) => parts.join('')) : [],
    };
  };
}

/**
 * As the machine's own programs do, with its file of hosts: for development. Two at once leave threads for everything else.
 */
export function systemResolve(): Resolve {
  const turns = new FairQueue({ running: 2, waitingInLine: 100, waitingInAll: 1_000 }, () => noAddress(false));
  return (hostname) => turns.run(hostname, () => lookup(hostname, { all: true }));
}

function saysThereIsNone(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(String((error as NodeJS.ErrnoException).code));
}

function noAddress(isKnown: boolean): Error {
  return Object.assign(new Error('The name has no address.'), { code: isKnown ? 'ENOTFOUND' : 'EAI_AGAIN' });
}
