/** Where a new account goes first: what it is ready for. */
export const WELCOME_PATH = '/welcome';
