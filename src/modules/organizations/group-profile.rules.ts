import { COLOR_FIELD, lineField, linesField, TIME_ZONE_FIELD } from '../../core/field-rules.ts';
import type { FieldRules } from '../../core/fields.ts';
import { METADATA_CODES, metadataMistakes, SLUG_CODES, slugMistake, URL_CODES, urlMistake } from '../../core/text.ts';
import type { WeekDay } from '../accounts/account.rules.ts';

/** The profile of an organization or a team. */
export interface GroupProfile {
  readonly slug: string;
  readonly name: string;
  readonly bio: string | null;
  readonly logoUrl: string | null;
  /** `#rrggbb`, in lower case. */
  readonly brandColor: string | null;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly hidesBranding: boolean;
  readonly isPrivate: boolean;
  /** An update with null takes a key away. */
  readonly metadata: Readonly<Record<string, string | null>>;
}

/**
 * The fields that a team takes from its organization as long as it has no value of its own, each with the value that
 * holds where the organization has none either, or where the team stands alone.
 */
export const INHERITABLE = {
  logoUrl: null,
  brandColor: null,
  timeZone: 'UTC',
  weekStart: 'MONDAY',
  hidesBranding: false,
} as const satisfies Partial<GroupProfile>;
export type InheritableField = keyof typeof INHERITABLE;
export const INHERITABLE_FIELDS = Object.keys(INHERITABLE) as readonly InheritableField[];

export const MAX_NAME_LENGTH = 100;
export const MAX_BIO_LENGTH = 2_000;

/** Every code that the checks of these fields give. */
export const GROUP_PROFILE_CODES = [
  ...METADATA_CODES,
  ...SLUG_CODES,
  ...URL_CODES,
  'INVALID_COLOR',
  'INVALID_TIME_ZONE',
] as const;

export const GROUP_PROFILE_FIELDS: FieldRules<GroupProfile> = {
  slug: { check: slugMistake },
  name: lineField(MAX_NAME_LENGTH),
  bio: linesField(MAX_BIO_LENGTH),
  logoUrl: { nullable: true, check: urlMistake },
  brandColor: COLOR_FIELD,
  timeZone: TIME_ZONE_FIELD,
  weekStart: {},
  hidesBranding: {},
  isPrivate: {},
  metadata: { check: metadataMistakes },
};
