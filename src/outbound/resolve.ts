import type { LookupAddress, SrvRecord } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { inTime } from '../core/in-time.ts';
import { FairQueue } from '../limits/fair-queue.ts';

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
