import { checkedFields, type FieldRules, type PatchOf } from '../../../core/fields.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import { nameOf, type Path } from '../../../core/text.ts';
import type { SchedulingType } from './event-type-scheduling.rules.ts';

/** The settings that only a team's event types have. */
export interface TeamSettings {
  readonly schedulingType: SchedulingType;
  /** Whether every member is a host, also those who join later. */
  readonly assignAllMembers: boolean;
}

const TEAM_SETTINGS: FieldRules<TeamSettings> = { schedulingType: {}, assignAllMembers: {} };

/** Settings that a user's event type does not have. */
const TEAM_ONLY = ['schedulingType', 'assignAllMembers', 'hosts', 'hostsSet', 'hostsRemove'];
const USER_ONLY = ['scheduleId'];

/** The given settings as they are stored: none for a user's event type. @throws Problem REQUIRED for null, NOT_POSSIBLE for what belongs to the other kind of owner */
export function teamSettings(isTeam: boolean, given: PatchOf<TeamSettings>): Partial<TeamSettings> {
  Problem.throwIfAny(misplaced(isTeam, given));
  return isTeam ? checkedFields<TeamSettings, PatchOf<TeamSettings>>(given, TEAM_SETTINGS) : {};
}

function misplaced(isTeam: boolean, given: object): Mistake[] {
  const others = isTeam ? USER_ONLY : TEAM_ONLY;
  const message = isTeam
    ? 'hosts of a team’s event type are booked by their own default schedules; leave it out'
    : 'only a team’s event type can have it; leave it out';
  return Object.entries(given).flatMap(([name, value]) => {
    const path: Path = [name];
    if (value == null || !others.includes(name)) return [];
    return [{ code: 'NOT_POSSIBLE', message: `The ${nameOf(path)} is not possible here: ${message}.`, path }];
  });
}
