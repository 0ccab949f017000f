import { HIGHEST_PORT, MAX_URI_LENGTH, splitAuthority, splitUri } from './uri.ts';

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const LOOPBACK_URI = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/s;

/** Whether `presented` is one of the client's redirect URIs. Both are compared as they are written. */
export function isRegistered(registeredUris: readonly string[], presented: string): boolean {
  if (presented.length > MAX_URI_LENGTH) return false;
  return registeredUris.some((registered) => redirectUriMatches(registered, presented));
}

/**
 * Simple string comparison (RFC 6749 §3.1.2.3, RFC 9700 §4.1.3). A native app cannot know its port beforehand, so for an
 * http loopback address the port may differ and nothing else may (RFC 8252 §7.3).
 */
export function redirectUriMatches(registered: string, presented: string): boolean {
  if (registered === presented) return true;
  const withoutPort = cutLoopbackPort(registered);
  return withoutPort !== undefined && withoutPort === cutLoopbackPort(presented);
}

/** Any program on the user's machine may be listening there, so such an address does not tell which app answers (RFC 8252 §8.6). */
export function leadsToLoopback(uri: string): boolean {
  const authority = splitUri(uri)?.authority;
  return authority !== undefined && LOOPBACK_HOSTS.includes(splitAuthority(authority).host);
}

/** Any app on the device may have claimed the scheme (RFC 8252 §8.6). */
export function hasPrivateUseScheme(uri: string): boolean {
  const scheme = splitUri(uri)?.scheme.toLowerCase();
  return scheme !== 'https' && scheme !== 'http';
}

/**
 * The redirect URI with parameters added to its query, whose own text stays as it is (RFC 6749 §3.1.2).
 * Registered URIs have no fragment, so the end of the text is the end of the query.
 */
export function appendParameters(uri: string, parameters: readonly (readonly [name: string, value: string])[]): string {
  // `%20` and `%2B` instead of `+`: read alike by form decoders and by those that know percent-encoding alone.
  const added = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
  if (!uri.includes('?')) return `${uri}?${added}`;
  return uri.endsWith('?') || uri.endsWith('&') ? uri + added : `${uri}&${added}`;
}

function cutLoopbackPort(uri: string): string | undefined {
  const match = LOOPBACK_URI.exec(uri);
  if (!match || Number(match[2] ?? HIGHEST_PORT) > HIGHEST_PORT) return undefined;
  return `${match[1]}${match[3]}`;
}
