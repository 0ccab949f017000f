import type { ClientType } from '../client.ts';
import { LOOPBACK_HOSTS } from '../redirect-uri.ts';
import { decodeForm } from '../sent-parameters.ts';
import { authorityComplaint, MAX_URI_LENGTH, splitAuthority, splitUri, textComplaint, type UriParts } from '../uri.ts';

/**
 * A rule's complaint about a URI, as the end of the sentence "The redirect URI … .". Rules read the text as it is
 * written: parts that a URL parser would silently mend (tabs, backslashes, `..`, `0x7f.1`) are refused, because the
 * reviewer approves the text while the browser opens the mended address.
 */
type Complaint = string | undefined;
type Rule = (uri: string, parts: UriParts, type: ClientType) => Complaint;

const RULES_OF_EVERY_URI: readonly Rule[] = [
  textIsWellWritten,
  hasNoWildcard,
  hasNoFragment,
  schemeIsLowerCase,
  hasNoUserinfo,
  hasNoDotSegment,
  pathHidesNoSlash,
  bracketsStandInTheHostOnly,
  queryIsFreeOfAnswers,
];
const RULES_OF_WEB_URIS: readonly Rule[] = [hostIsGiven, authorityIsPlain, httpIsLoopback];
const RULES_OF_APP_URIS: readonly Rule[] = [schemeIsReverseDomain, clientIsPublic, pathIsGiven];

/** The first complaint about a redirect URI that a client of this type wants to register; undefined when it is fine. */
export function redirectUriComplaint(uri: string, type: ClientType): Complaint {
  if (uri.length > MAX_URI_LENGTH) return `is longer than ${MAX_URI_LENGTH} characters; shorten it`;
  const parts = splitUri(uri);
  if (!parts) return textComplaint(uri);
  const isWebUri = /^https?$/i.test(parts.scheme);
  for (const rule of [...RULES_OF_EVERY_URI, ...(isWebUri ? RULES_OF_WEB_URIS : RULES_OF_APP_URIS)]) {
    const complaint = rule(uri, parts, type);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function textIsWellWritten(uri: string): Complaint {
  return textComplaint(uri);
}

function hasNoWildcard(uri: string): Complaint {
  return uri.includes('*') ? 'holds a wildcard; register every address by itself' : undefined;
}

function hasNoFragment(_: string, { fragment }: UriParts): Complaint {
  return fragment === undefined ? undefined : 'has a fragment, which an answer cannot carry; remove # and what follows';
}

/** Schemes are compared as they are written, by us and by Android. */
function schemeIsLowerCase(_: string, { scheme }: UriParts): Complaint {
  return scheme === scheme.toLowerCase() ? undefined : 'has capitals in its scheme; write it in lower case';
}

function hasNoUserinfo(_: string, { authority }: UriParts): Complaint {
  return authority?.includes('@') ? 'has a user name before its host; remove it and the @' : undefined;
}

function hasNoDotSegment(_: string, { path }: UriParts): Complaint {
  const segments = path.replace(/%2e/gi, '.').split('/');
  return segments.includes('.') || segments.includes('..')
    ? 'has . or .. in its path, which browsers resolve; write the path that is meant'
    : undefined;
}

function pathHidesNoSlash(_: string, { path }: UriParts): Complaint {
  return /%(?:2f|5c)/i.test(path)
    ? 'encodes a slash or backslash in its path, which servers read differently; write a plain path'
    : undefined;
}

function bracketsStandInTheHostOnly(_: string, { path, query }: UriParts): Complaint {
  return /[[\]]/.test(path + (query ?? '')) ? 'has a bracket outside its host; percent-encode it' : undefined;
}

/** A second `code` or `state` in the answer would let the registered text shadow the real one. */
function queryIsFreeOfAnswers(_: string, { query }: UriParts): Complaint {
  const sent = decodeForm(query ?? '');
  if (sent === undefined) return 'has too many parameters in its query; shorten it';
  const taken = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'].find((name) => sent.has(name));
  return taken === undefined
    ? undefined
    : `has the parameter ${taken}, which is part of an answer; choose another name`;
}

function hostIsGiven(_: string, { scheme, authority = '' }: UriParts): Complaint {
  return splitAuthority(authority).host === '' ? `has no host; write it as ${scheme}://host/path` : undefined;
}

function authorityIsPlain(_: string, { authority = '' }: UriParts): Complaint {
  return authorityComplaint(authority);
}

function httpIsLoopback(_: string, { scheme, authority }: UriParts): Complaint {
  if (scheme === 'https' || LOOPBACK_HOSTS.includes(splitAuthority(authority ?? '').host)) return undefined;
  return 'sends the code over plain http; use https (http is for localhost, 127.0.0.1 and [::1] only)';
}

/** RFC 8252 §7.1. The dot also keeps out `javascript:`, `data:`, `file:` and every other scheme that browsers know. */
function schemeIsReverseDomain(_: string, { scheme }: UriParts): Complaint {
  if (/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$/.test(scheme)) return undefined;
  return `has the scheme ${scheme}, which is not allowed; use https, http on localhost, or in a public client a scheme named after a domain of yours, such as com.example.app`;
}

/** Any app on a device can claim a scheme, and a confidential client has a server that https reaches. */
function clientIsPublic(_: string, __: UriParts, type: ClientType): Complaint {
  return type === 'PUBLIC' ? undefined : 'has a private-use scheme, which only public clients may use; use https';
}

/** One slash as RFC 8252 §7.1 writes it, or the two that app frameworks write. */
function pathIsGiven(_: string, { scheme, authority, path }: UriParts): Complaint {
  if (path.startsWith('/') || (authority ?? '') !== '') return undefined;
  return `has no path; write it as ${scheme}:/path`;
}
