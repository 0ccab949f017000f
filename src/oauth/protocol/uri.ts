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
export const HIGHEST_PORT = 65_535;

const URI = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

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

/** The parser turns 0x7f.1, 2130706433 and [0::1] into the addresses they mean; a host that it leaves alone is plain. */
function isPlainHost(host: string): boolean {
  const isDomain = host.length <= 253 && DOMAIN.test(host);
  const isAddress = /^\[[0-9a-f:]+\]$/.test(host);
  return (isDomain || isAddress) && URL.parse(`https://${host}/`)?.hostname === host;
}
