import type { FieldRules } from '../../core/fields.ts';
import { GROUP_PROFILE_FIELDS, type GroupProfile } from '../organizations/group-profile.rules.ts';

/** What a team says of itself. */
export interface TeamProfile extends GroupProfile {
  readonly hideBranding: boolean;
}

export const TEAM_FIELDS: FieldRules<TeamProfile> = { ...GROUP_PROFILE_FIELDS, hideBranding: {} };
