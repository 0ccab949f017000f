import { type OAuthError, oauthError } from './oauth-error.ts';

/**
 * The credentials that the caller of the API showed. ABSENT is an anonymous caller; FOREIGN is another scheme, answered
 * with the plain challenge (RFC 6750 §3.1); REFUSED is answered with its error's status and a challenge that names it.
 */
export type PresentedBearer =
  | { readonly kind: 'ABSENT' }
  | { readonly kind: 'FOREIGN' }
  | { readonly kind: 'TOKEN'; readonly token: string }
  | { readonly kind: 'REFUSED'; readonly error: OAuthError };

/**
 * Reads the Authorization headers of a request (RFC 6750 §2.1). All of them must be given: Node's `headers` keeps the first
 * and hides the others, `headersDistinct` does not. A token in the address is never used, but next to one in a header the
 * request is ambiguous.
 */
export function readBearer(authorization: readonly string[], hasTokenInQuery: boolean): PresentedBearer {
  if (authorization.length > 1) return unusable('There is more than one Authorization header; send one.');
  const [header] = authorization;
  if (header === undefined) return { kind: 'ABSENT' };
  const [scheme = '', rest = ''] = /^([^\s,]*)(.*)$/s.exec(header)?.slice(1) ?? [];
  if (scheme === '') return unusable('The Authorization header is empty; send Bearer, a space and the token.');
  // A caller who sends credentials means to be authenticated. An anonymous answer would not be what they want.
  if (scheme.toLowerCase() !== 'bearer') return { kind: 'FOREIGN' };
  if (hasTokenInQuery) return unusable('There is a token in the header and one in the address; send the header alone.');
  return readToken(rest);
}

function readToken(rest: string): PresentedBearer {
  const token = withoutSpaces(rest);
  if (token === '')
    return unusable('The Authorization header names Bearer without a token; send Bearer, a space and the token.');
  // Two headers may reach us joined by a comma.
  if (!rest.startsWith(' ') || /[\s,]/.test(token)) {
    return unusable('The Authorization header does not hold exactly one token; send Bearer, a space and the token.');
  }
  if (/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) return { kind: 'TOKEN', token };
  return {
    kind: 'REFUSED',
    error: oauthError('invalid_token', 'The token holds characters that no access token has; get a new one.'),
  };
}

/** Cuts the spaces around a text off. A pattern that looks for those at the end begins at each in the middle anew. */
function withoutSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

function unusable(description: string): PresentedBearer {
  return { kind: 'REFUSED', error: oauthError('invalid_request', description) };
}
