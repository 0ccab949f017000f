import { TIME_ZONE_FIELD } from '../../core/field-rules.ts';
import type { FieldRules } from '../../core/fields.ts';
import {
  GROUP_PROFILE_FIELDS,
  type GroupProfile,
  type InheritableField,
} from '../organizations/group-profile.rules.ts';

/** What a team says of itself. Null in what it can inherit: it does. */
export type TeamProfile = Omit<GroupProfile, InheritableField> & {
  readonly [Name in InheritableField]: GroupProfile[Name] | null;
};

export const TEAM_FIELDS: FieldRules<TeamProfile> = {
  ...GROUP_PROFILE_FIELDS,
  timeZone: { ...TIME_ZONE_FIELD, nullable: true },
  weekStart: { nullable: true },
  hideBranding: { nullable: true },
};
