import type { OAuthError } from './oauth-error.ts';

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Where an answer goes. `redirectUri` is the one of the request, already found to be registered. */
interface AnswerAddress {
  readonly redirectUri: string;
  /** As the request had it; absent when it had none that can be returned. */
  readonly state?: string | null | undefined;
  readonly issuer: string;
}

/** The parts of a URI as they are written (RFC 3986 Appendix B). Nothing is decoded, lowered or resolved. */
export interface UriParts {
  readonly scheme: string;
  /** The part between `//` and the path; undefined when there is no `//`. */
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

export const MAX_URI_LENGTH = 2_048;
const HIGHEST_PORT = 65_535;

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

/** The address to send the browser to with a code (RFC 6749 §4.1.2). */
export function codeAnswer(address: AnswerAddress, code: string): string {
  return answer(address, [['code', code]]);
}

/** The address to send the browser to with an error (RFC 6749 §4.1.2.1). */
export function errorAnswer(address: AnswerAddress, { error, description }: OAuthError): string {
  return answer(address, [
    ['error', error],
    ['error_description', description],
  ]);
}

const URI = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

export function splitUri(uri: string): UriParts | undefined {
  const match = URI.exec(uri);
  if (match?.[1] === undefined) return undefined;
  return { scheme: match[1], authority: match[2], path: match[3] ?? '', query: match[4], fragment: match[5] };
}

/** The host of an authority and what follows its colon; a user name is not told apart from the host. */
export function splitAuthority(authority: string): { readonly host: string; readonly port: string | undefined } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority);
  return { host: match?.[1] ?? '', port: match?.[2] };
}

/**
 * The complaint about the text of a URI, as the end of the sentence "The URI … ."; undefined when it is well written.
 */
export function textComplaint(uri: string): string | undefined {
  // RFC 3986 §2: no space, control character, quote, backslash or anything outside ASCII, so no look-alike letter either.
  if (!/^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/.test(uri)) {
    return 'holds characters that no URI may hold; percent-encode them, and write a host in punycode';
  }
  if (/%(?![0-9A-Fa-f]{2})/.test(uri)) return 'has a % that is not followed by two hexadecimal digits; write %25';
  if (/%(?:[01][0-9A-Fa-f]|7[Ff])/.test(uri)) return 'encodes a control character; remove it';
  return splitUri(uri) ? undefined : 'is not absolute; write it whole, such as https://app.example.com/callback';
}

/** The complaint about a host and port that do not stand for what they say; undefined when they are plain. */
export function authorityComplaint(authority: string): string | undefined {
  const { host, port } = splitAuthority(authority);
  if (!isPlainHost(host)) {
    return 'has a host that is not plain; write a domain in lower case (punycode where needed) or a full IP address';
  }
  if (port === undefined || (/^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= HIGHEST_PORT)) return undefined;
  return `has a port that is not a number from 1 to ${HIGHEST_PORT}; correct it or leave it out`;
}

const LOOPBACK_URI = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/s;

function cutLoopbackPort(uri: string): string | undefined {
  const match = LOOPBACK_URI.exec(uri);
  if (!match || Number(match[2] ?? HIGHEST_PORT) > HIGHEST_PORT) return undefined;
  return `${match[1]}${match[3]}`;
}

/** Every answer names its issuer, so that a client of several servers cannot be made to mix them up (RFC 9207). */
function answer(
  { redirectUri, state, issuer }: AnswerAddress,
  parameters: readonly (readonly [string, string])[],
): string {
  const returnedState = state === undefined || state === null ? [] : [['state', state] as const];
  return appendParameters(redirectUri, [...parameters, ...returnedState, ['iss', issuer]]);
}

const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The parser turns 0x7f.1, 2130706433 and [0::1] into the addresses they mean; a host that it leaves alone is plain. */
function isPlainHost(host: string): boolean {
  const isDomain = host.length <= 253 && DOMAIN.test(host);
  const isAddress = /^\[[0-9a-f:]+\]$/.test(host);
  return (isDomain || isAddress) && URL.parse(`https://${host}/`)?.hostname === host;
}
