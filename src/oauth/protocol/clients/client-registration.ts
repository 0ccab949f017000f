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
    ...(fields.name === undefined ? [] : nameMistakes(fields.name)),
    ...(fields.purpose === undefined ? [] : purposeMistakes(fields.purpose)),
    ...(fields.logoUrl == null ? [] : urlMistakes(fields.logoUrl, 'logoUrl')),
    ...(fields.websiteUrl == null ? [] : urlMistakes(fields.websiteUrl, 'websiteUrl')),
    ...(fields.redirectUris === undefined ? [] : redirectUriMistakes(fields.redirectUris, type)),
    ...(fields.scopes === undefined ? [] : scopeMistakes(fields.scopes)),
  ].slice(0, MAX_MISTAKES);
}

function nameMistakes(name: string): readonly RegistrationMistake[] {
  const path = ['name'];
  if (name.trim() === '')
    return [{ code: 'REQUIRED', message: 'The name is empty; write the name that users know the app by.', path }];
  if (isLongerThan(name, MAX_NAME_LENGTH)) {
    return [{ code: 'TOO_LONG', message: `The name is longer than ${MAX_NAME_LENGTH} characters; shorten it.`, path }];
  }
  // Formatting characters could make it read like another app's name; the joiners and marks that scripts and emoji need may stay.
  if (
    /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]--[\u200c-\u200f]]/v.test(name) ||
    !/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)
  ) {
    return [
      {
        code: 'INVALID_TEXT',
        message: 'The name holds line breaks or invisible characters; write it as plain text in one line.',
        path,
      },
    ];
  }
  return [];
}

function purposeMistakes(purpose: string): readonly RegistrationMistake[] {
  const path = ['purpose'];
  if (purpose.trim() === '') {
    return [
      { code: 'REQUIRED', message: 'The purpose is empty; tell the reviewer what the app does with the access.', path },
    ];
  }
  if (isLongerThan(purpose, MAX_PURPOSE_LENGTH)) {
    return [
      { code: 'TOO_LONG', message: `The purpose is longer than ${MAX_PURPOSE_LENGTH} characters; shorten it.`, path },
    ];
  }
  if (/[[\p{Cc}\p{Cs}]--[\t\n\r]]/v.test(purpose)) {
    return [{ code: 'INVALID_TEXT', message: 'The purpose holds control characters; write it as plain text.', path }];
  }
  return [];
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

/** In characters and not in the halves that UTF-16 makes of an emoji. */
function isLongerThan(text: string, limit: number): boolean {
  return !new RegExp(`^.{0,${limit}}$`, 'su').test(text);
}
