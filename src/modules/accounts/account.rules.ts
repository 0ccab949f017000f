import { linesField, TIME_ZONE_FIELD } from '../../core/field-rules.ts';
import type { FieldRules, PatchOf } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';
import {
  emailMistake,
  localeMistake,
  localeNamed,
  METADATA_CODES,
  metadataMistakes,
  type Path,
  personNameMistake,
  SLUG_CODES,
  slugMistake,
  tidyText,
  URL_CODES,
  urlMistake,
} from '../../core/text.ts';

export const WEEK_DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
/**
 * Where an account came from: somebody signed up by the form, who may be anybody until the address is verified; the operator made it,
 * who vouches for the address; or an organization did, by inviting an address that had no account until that was made for it.
 */
export type AccountOrigin = 'SIGN_UP' | 'OPERATOR' | 'ORGANIZATION';

export type WeekDay = (typeof WEEK_DAYS)[number];

/** A clock of 12 or of 24 hours. */
export type TimeFormat = 12 | 24;

/** NIST SP 800-63B §3.1.1.2: at least 8, room for 64 and more, and no rule about which characters. */
export const PASSWORD_LENGTH = { min: 8, max: 200 };

/** They stand where usernames do, before the slugs of teams: `/book/team/<team>`. */
const RESERVED_USERNAMES: readonly string[] = ['team', 'organization'];

/** The most characters of each field. */
export const MAX_PROFILE = { name: 64, bio: 5_000 };

/** The fields that users may edit; null empties those that may be empty. */
export interface ProfileFields {
  readonly name: string;
  readonly username: string;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly timeFormat: number;
  readonly locale: string;
  readonly bio: string | null;
  readonly avatarUrl: string | null;
  /** An update with null takes a key away. */
  readonly metadata: Readonly<Record<string, string | null>>;
}
export type ProfilePatch = PatchOf<ProfileFields>;

/** Every code that the checks of these fields give. */
export const PROFILE_CODES = [
  ...METADATA_CODES,
  ...SLUG_CODES,
  ...URL_CODES,
  'INVALID_TIME_ZONE',
  'INVALID_LOCALE',
] as const;

export const PROFILE_FIELDS: FieldRules<ProfileFields> = {
  name: { tidy: tidyText, check: (path, name) => personNameMistake(path, name, MAX_PROFILE.name) },
  username: { tidy: tidyName, check: usernameMistake },
  timeZone: TIME_ZONE_FIELD,
  weekStart: {},
  timeFormat: { check: timeFormatMistake },
  locale: { tidy: (locale) => localeNamed(locale) ?? locale, check: localeMistake },
  bio: linesField(MAX_PROFILE.bio),
  avatarUrl: { nullable: true, check: urlMistake },
  metadata: { check: metadataMistakes },
};

export interface NewAccount {
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly timeZone: string;
  readonly locale: string;
}

export const ACCOUNT_FIELDS: FieldRules<NewAccount> = {
  name: PROFILE_FIELDS.name,
  username: PROFILE_FIELDS.username,
  email: { tidy: tidyName, check: emailMistake },
  password: { check: passwordMistake },
  timeZone: PROFILE_FIELDS.timeZone,
  locale: PROFILE_FIELDS.locale,
};

/** Usernames and addresses are one name in any capitals. Only A to Z: a letter such as the Kelvin sign stays a mistake. */
export function tidyName(text: string): string {
  return text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A message about a password never shows it. */
export function passwordMistake(path: Path, password: string): Mistake | undefined {
  const { min, max } = PASSWORD_LENGTH;
  const length = Array.from(password.slice(0, max * 2 + 1)).length;
  if (length < min) {
    const message = `The password is shorter than ${min} characters; a few words in a row make a good one.`;
    return { code: length === 0 ? 'REQUIRED' : 'TOO_SHORT', message, path };
  }
  if (length > max) {
    return { code: 'TOO_LONG', message: `The password is longer than ${max} characters; shorten it.`, path };
  }
  if (password.isWellFormed()) return undefined;
  return { code: 'INVALID_TEXT', message: 'The password is not valid Unicode text; type it anew.', path };
}

/** Refuses the passwords that a guesser tries first. */
export function guessablePasswordMistake(
  path: Path,
  password: string,
  owner: { readonly email: string; readonly username: string },
): Mistake | undefined {
  if (![owner.email, owner.username].includes(tidyName(password))) return undefined;
  return { code: 'GUESSABLE', message: 'The password is the e-mail address or the username; choose another.', path };
}

function usernameMistake(path: Path, username: string): Mistake | undefined {
  if (!RESERVED_USERNAMES.includes(username)) return slugMistake(path, username);
  const message = `The username "${username}" is kept for the addresses of teams; choose another.`;
  return { code: 'USERNAME_TAKEN', message, path };
}

function timeFormatMistake(path: Path, timeFormat: number): Mistake | undefined {
  if (timeFormat === 12 || timeFormat === 24) return undefined;
  return { code: 'INVALID_TIME_FORMAT', message: `The time format ${timeFormat} is not possible; use 12 or 24.`, path };
}
