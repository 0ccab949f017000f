import { Hono } from 'hono';
import { consolePage } from '../pages/console-page.ts';
import { describeScope, scopesAtLevel } from '../scopes/catalog.ts';
import { PAGE_HEADERS, sendPage } from './page-response.ts';
import type { Visitors } from './visitors.ts';

/** The same address as the API, for whoever asks for a page. */
export const CONSOLE_PATH = '/graphql';

export interface ConsoleSettings {
  readonly visitors: Visitors;
  /** The public client that the console is; its redirect URI is the console's own address. */
  readonly clientId: string;
  readonly publicUrl: string;
}

/** Scripts and requests of our own origin only: no inline script, nothing from elsewhere. */
const HEADERS = {
  'Content-Security-Policy': `${PAGE_HEADERS['Content-Security-Policy']}; script-src 'self'; connect-src 'self'`,
};
const LEVELS = [
  ['USER', 'Yours'],
  ['TEAM', 'Your teams’'],
  ['ORGANIZATION', 'Your organizations’'],
] as const;

/** A page to try operations with, for development. */
export function consoleRoutes({ visitors, clientId, publicUrl }: ConsoleSettings): Hono {
  const routes = new Hono();
  const scopes = LEVELS.map(([level, heading]) => ({ heading, definitions: scopesAtLevel(level).map(describeScope) }));
  routes.get(CONSOLE_PATH, async (c) => {
    const viewer = await visitors.viewerOf(c.req.raw);
    const page = consolePage({ viewer, clientId, redirectUri: `${publicUrl}${CONSOLE_PATH}`, scopes });
    return sendPage(c, page, 200, HEADERS);
  });
  return routes;
}
