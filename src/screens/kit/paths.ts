/** Where a new account goes first: what it is ready for. */
export const WELCOME_PATH = '/welcome';

/** What a service with demo data runs, and ways to try it. */
export const DEV_PATH = '/dev';
