/** The page that a new account sees first, which says what it is ready for. */
export const WELCOME_PATH = '/welcome';

/** The page of a service with demo data says what it runs, and ways to try it. */
export const DEV_PATH = '/dev';

export const SIGN_IN_PATH = '/auth/login';

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

const MAX_LENGTH = 8_192;

/**
 * Where to go on after signing in: a path of this service, or `/`. Browsers take `//evil.test`, `/\evil.test` and, once
 * dots are resolved, `/.//evil.test` for another host, and drop tabs and line breaks before they look.
 */
export function localPath(text: string | null | undefined, publicUrl: string): string {
  if (text == null || text.length > MAX_LENGTH || !/^\/[!-[\]-~]*$/.test(text)) return '/';
  const url = URL.parse(text, publicUrl);
  if (!url || url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search;
}

/** The address of a page that goes on to `returnTo` in the end. */
export function withReturn(path: string, returnTo: string): string {
  return returnTo === '/' ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`;
}
