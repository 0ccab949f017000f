/** Where a new account goes first: what it is ready for. */
export const WELCOME_PATH = '/welcome';

/** The page of a service with demo data says what it runs, and ways to try it. */
export const DEV_PATH = '/dev';

export const SETTINGS_PATH = '/settings';

/** The settings of a user: the account itself, then the rest in the order of a first day. */
export const SETTINGS = {
  account: '/settings/account',
  eventTypes: '/settings/event-types',
  hours: '/settings/hours',
  absences: '/settings/absences',
  calendars: '/settings/calendars',
  conferencing: '/settings/conferencing',
  teams: '/settings/teams',
  apps: '/settings/apps',
  webhooks: '/settings/webhooks',
  developer: '/settings/developer/oauth',
} as const;

/** One of these pages, or a page below it. */
export type Setting = keyof typeof SETTINGS;
