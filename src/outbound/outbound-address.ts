import type { Mistake } from '../core/problem.ts';
import { nameOf, type Path, shown, URL_CODES, urlMistake } from '../core/text.ts';
import { isLocalHost } from './public-address.ts';

export const OUTBOUND_ADDRESS_CODES = [...URL_CODES, 'PRIVATE_ADDRESS'] as const;

/** The mistake in an address that is to be called later, as far as it can be found without calling it. */
export function outboundAddressMistake(path: Path, url: string, allowsPrivate: boolean): Mistake | undefined {
  const mistake = urlMistake(path, allowsPrivate ? url.replace(/^http:/i, 'https:') : url);
  if (mistake || !isForbidden(new URL(url), allowsPrivate)) return mistake;
  const message = `The ${nameOf(path)} ${shown(url)} does not lead to the public internet; give an address that others can reach.`;
  return { code: 'PRIVATE_ADDRESS', message, path };
}

/** Whether an address must not be called, whatever its name leads to. */
export function isForbidden(
  { protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>,
  allowsPrivate: boolean,
): boolean {
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
