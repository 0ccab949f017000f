/** The words for what apps may do, in English. */
import type { ScopeAction, ScopeLevel } from '../../../scopes/create-catalog.ts';

/** The name of a resource of the catalogue in a list of what an app may see and change. */
const RESOURCES = {
  EVENT_TYPE: 'Event types',
  BOOKING: 'Bookings',
  SCHEDULE: 'Working hours and absences',
  APPS: 'Calendars and video apps',
  PROFILE: 'Profile',
  WEBHOOK: 'Webhooks',
  VERIFIED_RESOURCES: 'Verified e-mail addresses and phone numbers',
  MEMBERSHIP: 'Members',
  ROUTING_FORM: 'Routing forms',
  WORKFLOW: 'Workflows',
  // Where a level has more in it than the resource's name says: whole teams can be deleted, accounts made.
  'TEAM PROFILE': 'The teams themselves',
  'ORGANIZATION PROFILE': 'The teams themselves',
  'ORGANIZATION MEMBERSHIP': 'Members and their accounts',
};

/** The owners of the things: the reader, or users about whom somebody else reads. */
const GROUPS: Readonly<Record<'your' | 'their', Readonly<Record<ScopeLevel, string>>>> = {
  your: { USER: 'Your account', TEAM: 'Your teams', ORGANIZATION: 'Your organizations' },
  their: { USER: 'Their account', TEAM: 'Their teams', ORGANIZATION: 'Their organizations' },
};

const ACTIONS: Readonly<Record<ScopeAction, string>> = { READ: 'see', WRITE: 'change' };

export const SCOPE_EN = {
  resources: RESOURCES,
  groups: GROUPS,
  actions: ACTIONS,
  isNew: 'New',
};
