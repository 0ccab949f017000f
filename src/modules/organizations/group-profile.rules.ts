import type { FieldRules } from '../../core/fields.ts';
import {
  METADATA_CODES,
  metadataMistakes,
  optionalTextMistake,
  SLUG_CODES,
  slugMistake,
  textMistake,
  tidyText,
  timeZoneMistake,
  timeZoneNamed,
  URL_CODES,
  urlMistake,
} from '../../core/text.ts';
import type { WeekDay } from '../accounts/account.rules.ts';

/** What an organization and a team say of themselves. */
export interface GroupProfile {
  readonly slug: string;
  readonly name: string;
  readonly bio: string | null;
  readonly logoUrl: string | null;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly isPrivate: boolean;
  /** Of an update: null takes a key away. */
  readonly metadata: Readonly<Record<string, string | null>>;
}

export const MAX_NAME_LENGTH = 100;
export const MAX_BIO_LENGTH = 2_000;

/** Every code that the checks of these fields give. */
export const GROUP_PROFILE_CODES = [...METADATA_CODES, ...SLUG_CODES, ...URL_CODES, 'INVALID_TIME_ZONE'] as const;

export const GROUP_PROFILE_FIELDS: FieldRules<GroupProfile> = {
  slug: { check: slugMistake },
  name: { tidy: tidyText, check: (path, name) => textMistake(path, name, { max: MAX_NAME_LENGTH }) },
  bio: {
    nullable: true,
    tidy: tidyText,
    check: (path, bio) => optionalTextMistake(path, bio, { max: MAX_BIO_LENGTH, multiline: true }),
  },
  logoUrl: { nullable: true, check: urlMistake },
  timeZone: { tidy: (zone) => timeZoneNamed(zone) ?? zone, check: timeZoneMistake },
  weekStart: {},
  isPrivate: {},
  metadata: { check: metadataMistakes },
};
