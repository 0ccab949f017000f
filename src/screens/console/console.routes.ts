/** console/ is GraphiQL, as an app with the scopes that are chosen. It may import kit/. */
import { Hono } from 'hono';
import { describeScope, scopesAtLevel } from '../../scopes/catalog.ts';
import { sendAsset, sendPage } from '../kit/page-response.ts';
import type { Visitors } from '../kit/visitors.ts';
import { consoleMissingPage, consolePage } from './console-page.ts';
import { GRAPHIQL_PATHS, loadGraphiQL } from './graphiql-assets.ts';

/** The same address as the API, for requests that accept a page. */
export const CONSOLE_PATH = '/graphql';

export interface ConsoleSettings {
  readonly visitors: Visitors;
  /** The public client that the console is; its redirect URI is the console's own address. */
  readonly clientId: string;
  readonly publicUrl: string;
}

/**
 * Everything from our own origin, no inline script. GraphiQL's editor writes styles into the page and has its fonts in
 * its style sheet: hence `unsafe-inline` for styles and `data:` for fonts, on this page alone.
 */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
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
    const graphiql = await loadGraphiQL();
    if (!graphiql) return sendPage(c, consoleMissingPage(await visitors.viewerOf(c.req.raw)), 404);
    const page = consolePage({ graphiql, clientId, redirectUri: `${publicUrl}${CONSOLE_PATH}`, scopes });
    return sendPage(c, page, 200, HEADERS);
  });
  for (const path of GRAPHIQL_PATHS) {
    routes.get(path, async (c) => {
      const { script, style, workers = [] } = (await loadGraphiQL()) ?? {};
      const asset = [script, style, ...workers].find((one) => one?.path === path);
      return asset ? sendAsset(asset, c.req.raw) : c.notFound();
    });
  }
  return routes;
}
