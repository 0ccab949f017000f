import { TIME_ZONE_FIELD } from '../../core/field-rules.ts';
import type { FieldRule, FieldRules } from '../../core/fields.ts';
import {
  GROUP_PROFILE_FIELDS,
  type GroupProfile,
  type InheritableField,
} from '../organizations/group-profile.rules.ts';

/**
 * The profile of a team. Null in a field that can be inherited: it is. An empty logo or colour: none, whatever it could
 * inherit.
 */
export type TeamProfile = Omit<GroupProfile, InheritableField> & {
  readonly [Name in InheritableField]: GroupProfile[Name] | null;
};

export const TEAM_FIELDS: FieldRules<TeamProfile> = {
  ...GROUP_PROFILE_FIELDS,
  logoUrl: orNone(GROUP_PROFILE_FIELDS.logoUrl),
  brandColor: orNone(GROUP_PROFILE_FIELDS.brandColor),
  timeZone: { ...TIME_ZONE_FIELD, nullable: true },
  weekStart: { nullable: true },
  hideBranding: { nullable: true },
};

function orNone({ check, ...rule }: FieldRule<string | null>): FieldRule<string | null> {
  return { ...rule, check: (path, text) => (text === '' ? [] : check?.(path, text)) };
}
