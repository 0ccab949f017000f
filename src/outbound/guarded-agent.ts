import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type * as Undici from 'undici';
import { CONNECT_TIMEOUT_MS, privateAddress } from './failure.ts';
import { isForbidden, isInside } from './outbound-address.ts';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolve.ts';

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
export interface InsideHosts {
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
