import { type OPTIONAL_TEXT_CODES, optionalTextMistake, type TextRule } from '../../../core/text.ts';
import { isScope } from '../../../scopes/catalog.ts';
import { type ClientPatch, type ClientType, MAX_REDIRECT_URIS } from '../client.ts';
import { quoted } from '../oauth-error.ts';
import { authorityComplaint, MAX_URI_LENGTH, splitUri, textComplaint } from '../uri.ts';
import { redirectUriComplaint } from './redirect-uri-rules.ts';

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
export interface RegistrationMistake {
  readonly code: (typeof REGISTRATION_CODES)[number];
  readonly message: string;
  readonly path: readonly string[];
}

export const MAX_NAME_LENGTH = 64;
export const MAX_PURPOSE_LENGTH = 2_000;
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

type TextCode = (typeof OPTIONAL_TEXT_CODES)[number];

const MISSING = {
  name: 'The name is empty; write the name that users know the app by.',
  purpose: 'The purpose is empty; tell the reviewer what the app does with the access.',
} as const;

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
