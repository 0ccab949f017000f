import { type OPTIONAL_TEXT_CODES, optionalTextMistake, type TextRule } from '../../core/text.ts';
import { isScope } from '../../scopes/catalog.ts';
import { type ClientPatch, type ClientType, MAX_REDIRECT_URIS } from './client.ts';
import { quoted } from './oauth-error.ts';
import {
  authorityComplaint,
  LOOPBACK_HOSTS,
  MAX_URI_LENGTH,
  splitAuthority,
  splitUri,
  textComplaint,
  type UriParts,
} from './redirect-uri.ts';
import { decodeForm } from './token-request.ts';

/** Every code that a registration and an edit can give. */
export const REGISTRATION_CODES = [
  'REQUIRED',
  'TOO_LONG',
  'TOO_MANY',
  'DUPLICATE',
  'INVALID_TEXT',
  'INVALID_URL',
  'INVALID_REDIRECT_URI',
  'UNKNOWN_SCOPE',
] as const;

/** One thing to mend in a registration or an edit; `path` leads to the field, and into its list by index. */
interface RegistrationMistake {
  readonly code: (typeof REGISTRATION_CODES)[number];
  readonly message: string;
  readonly path: readonly string[];
}

export const MAX_NAME_LENGTH = 64;
export const MAX_PURPOSE_LENGTH = 2_000;

/**
 * A rule's complaint about a URI, as the end of the sentence "The redirect URI … .". Rules read the text as it is
 * written: parts that a URL parser would silently mend (tabs, backslashes, `..`, `0x7f.1`) are refused, because the
 * reviewer approves the text while the browser opens the mended address.
 */
type Complaint = string | undefined;
type Rule = (uri: string, parts: UriParts, type: ClientType) => Complaint;

/** More would help nobody, and an input of a megabyte must not become an answer of ten. */
const MAX_MISTAKES = 20;

/** Everything that is wrong with a new client, or with the fields that an edit names, in the order of the form. */
export function registrationMistakes(fields: ClientPatch, type: ClientType): readonly RegistrationMistake[] {
  return [
    ...textMistakes('name', fields.name, { max: MAX_NAME_LENGTH }),
    ...textMistakes('purpose', fields.purpose, { max: MAX_PURPOSE_LENGTH, multiline: true }),
    ...(fields.logoUrl == null ? [] : urlMistakes(fields.logoUrl, 'logoUrl')),
    ...(fields.websiteUrl == null ? [] : urlMistakes(fields.websiteUrl, 'websiteUrl')),
    ...(fields.redirectUris === undefined ? [] : redirectUriMistakes(fields.redirectUris, type)),
    ...(fields.scopes === undefined ? [] : scopeMistakes(fields.scopes)),
  ].slice(0, MAX_MISTAKES);
}

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

type TextCode = (typeof OPTIONAL_TEXT_CODES)[number];

const MISSING = {
  name: 'The name is empty; write the name that users know the app by.',
  purpose: 'The purpose is empty; tell the reviewer what the app does with the access.',
} as const;

/** By the rules for all texts that people read; what is missing is said in words of the form. */
function textMistakes(
  field: keyof typeof MISSING,
  text: string | undefined,
  rule: TextRule,
): readonly RegistrationMistake[] {
  if (text === undefined) return [];
  const path = [field] as const;
  if (text.trim() === '') return [{ code: 'REQUIRED', message: MISSING[field], path }];
  const mistake = optionalTextMistake(path, text, rule);
  return mistake ? [{ code: mistake.code as TextCode, message: mistake.message, path }] : [];
}

function urlMistakes(url: string, field: 'logoUrl' | 'websiteUrl'): readonly RegistrationMistake[] {
  const complaint = urlComplaint(url);
  if (complaint === undefined) return [];
  return [{ code: 'INVALID_URL', message: `The ${field} ${quoted(url)} ${complaint}.`, path: [field] }];
}

function urlComplaint(url: string): string | undefined {
  if (url.length > MAX_URI_LENGTH) return `is longer than ${MAX_URI_LENGTH} characters; shorten it`;
  const complaint = textComplaint(url);
  if (complaint !== undefined) return complaint;
  const { scheme, authority = '' } = splitUri(url) ?? {};
  if (scheme !== 'https' || authority === '') return 'is not an https address; write it as https://host/path';
  if (authority.includes('@')) return 'has a user name before its host; remove it and the @';
  return authorityComplaint(authority);
}

function redirectUriMistakes(uris: readonly string[], type: ClientType): readonly RegistrationMistake[] {
  const path = ['redirectUris'];
  if (uris.length === 0) return [{ code: 'REQUIRED', message: 'There is no redirect URI; give at least one.', path }];
  if (uris.length > MAX_REDIRECT_URIS) {
    return [
      {
        code: 'TOO_MANY',
        message: `There are ${uris.length} redirect URIs; a client may have ${MAX_REDIRECT_URIS}.`,
        path,
      },
    ];
  }
  return uris.flatMap(
    (uri, index) => redirectUriMistake(uri, uris.indexOf(uri) < index, type, [...path, String(index)]) ?? [],
  );
}

function redirectUriMistake(
  uri: string,
  isRepeated: boolean,
  type: ClientType,
  path: readonly string[],
): RegistrationMistake | undefined {
  if (isRepeated)
    return {
      code: 'DUPLICATE',
      message: `The redirect URI ${quoted(uri)} stands in the list twice; remove one.`,
      path,
    };
  const complaint = redirectUriComplaint(uri, type);
  if (complaint === undefined) return undefined;
  return { code: 'INVALID_REDIRECT_URI', message: `The redirect URI ${quoted(uri)} ${complaint}.`, path };
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

function scopeMistakes(scopes: readonly string[]): readonly RegistrationMistake[] {
  const path = ['scopes'];
  if (scopes.length === 0) return [{ code: 'REQUIRED', message: 'No scope is selected; select at least one.', path }];
  return scopes.flatMap((scope, index) =>
    isScope(scope)
      ? []
      : [
          {
            code: 'UNKNOWN_SCOPE',
            message: `There is no scope ${quoted(scope)}; names are exact.`,
            path: [...path, String(index)],
          },
        ],
  );
}
