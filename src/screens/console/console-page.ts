/** console/ is GraphiQL, as an app with the scopes that are chosen. It may import kit/. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { describeScope, scopesAtLevel } from '../../scopes/catalog.ts';
import type { ScopeDefinition } from '../../scopes/create-catalog.ts';
import {
  type Asset,
  assetOf,
  CONSOLE_SCRIPT,
  CONSOLE_STYLE,
  hrefOf,
  ICON,
  SCRIPT,
  STYLE_SHEET,
} from '../kit/assets.ts';
import { type Html, headOf, layout, type Viewer } from '../kit/layout.ts';
import { always, openPage, type PageSettings, routesOf } from '../kit/page.ts';
import { sendAsset, sendPage } from '../kit/page-response.ts';

/** The same address as the API, for requests that accept a page. */
export const CONSOLE_PATH = '/graphql';

interface ConsoleSettings extends PageSettings {
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

interface GraphiQLAssets {
  readonly script: Asset;
  readonly style: Asset;
  /** Started by the editor: its own, one for JSON, one for GraphQL. */
  readonly workers: readonly Asset[];
}

const SCRIPT_PATH = '/assets/graphiql.js';
const STYLE_PATH = '/assets/graphiql.css';
const EDITOR_WORKER = '/assets/graphiql-editor-worker.js';
const JSON_WORKER = '/assets/graphiql-json-worker.js';
const GRAPHQL_WORKER = '/assets/graphiql-graphql-worker.js';

/** Known before anything is loaded. */
const GRAPHIQL_PATHS: readonly string[] = [SCRIPT_PATH, STYLE_PATH, EDITOR_WORKER, JSON_WORKER, GRAPHQL_WORKER];

/** A page to try operations with, for development. */
export function consoleRoutes(settings: ConsoleSettings): Hono {
  const { clientId, publicUrl } = settings;
  const scopes = LEVELS.map(([level, heading]) => ({ heading, definitions: scopesAtLevel(level).map(describeScope) }));
  const routes = new Hono();
  const consolePage = openPage({
    path: CONSOLE_PATH,
    find: always,
    show: async ({ c, reader }) => {
      const graphiql = await loadGraphiQL();
      if (!graphiql) return sendPage(c, consoleMissingView((await reader()).viewer), 404);
      return consoleView({ graphiql, clientId, redirectUri: `${publicUrl}${CONSOLE_PATH}`, scopes });
    },
    headers: HEADERS,
  });
  routes.route('/', routesOf(settings, [consolePage]));
  for (const path of GRAPHIQL_PATHS) {
    routes.get(path, async (c) => {
      const { script, style, workers = [] } = (await loadGraphiQL()) ?? {};
      const asset = [script, style, ...workers].find((one) => one?.path === path);
      return asset ? sendAsset(asset, c.req.raw) : c.notFound();
    });
  }
  return routes;
}

interface ConsoleView {
  readonly graphiql: GraphiQLAssets;
  /** The public client that the console is. */
  readonly clientId: string;
  readonly redirectUri: string;
  /** The scopes by their subject, in words; each in catalogue order. */
  readonly scopes: readonly { readonly heading: string; readonly definitions: readonly ScopeDefinition[] }[];
}

/**
 * GraphiQL as an OAuth client like any other: what its token lacks is refused here as it is to an app.
 * Not in the common layout, whose style sheet for bare elements would reach into GraphiQL.
 */
function consoleView({ graphiql, clientId, redirectUri, scopes }: ConsoleView): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    ${headOf('Query console')}
    <link rel="stylesheet" href="${hrefOf(graphiql.style)}">
    <link rel="stylesheet" href="${hrefOf(CONSOLE_STYLE)}">
    <script defer src="${hrefOf(graphiql.script)}"></script>
    <script type="module" src="${hrefOf(CONSOLE_SCRIPT)}"></script>
  </head>
  <body>
    <main id="graphiql" aria-label="GraphiQL"><noscript><p>The console needs JavaScript.</p></noscript></main>
    <aside id="access" data-client-id="${clientId}" data-redirect-uri="${redirectUri}" aria-labelledby="console">
      <p><a class="brand" href="/"><img src="${hrefOf(ICON)}" alt="" width="24" height="24">Gatehouse</a></p>
      <h1 id="console">Query console</h1>
      <p>This page is an OAuth client: a query runs with the scopes of its token and nothing more.</p>
      <h2>What this operation needs</h2>
      <div id="needs" aria-live="polite"></div>
      <button type="button" id="authorize" disabled>Get a token for this operation</button>
      <h2>What your token has</h2>
      <div id="token" aria-live="polite"></div>
      <button type="button" id="forget" hidden>Revoke the token</button>
      <p id="outcome" role="status"></p>
      <details>
        <summary>Choose the scopes yourself</summary>
        <form id="choice">
          ${scopes.map(scopeGroup)}
          <button type="submit">Get a token with these scopes</button>
        </form>
      </details>
    </aside>
  </body>
</html>
`;
}

/** GraphiQL is a package for development, and production installs none of these. */
function consoleMissingView(viewer: Viewer | undefined): Html {
  const content = html`<h1>The query console is not installed</h1>
      <p>GraphiQL is a development dependency. Run <code>npm ci</code> without <code>--omit=dev</code> to install it.</p>`;
  return layout({ title: 'Not installed', content, corner: viewer ?? 'signed out', shape: 'card' });
}

function scopeGroup({ heading, definitions }: ConsoleView['scopes'][number]): Html {
  return html`<fieldset>
            <legend>${heading}</legend>
            ${definitions.map(
              ({
                name,
                words,
              }) => html`<label for="scope-${name}"><input type="checkbox" id="scope-${name}" name="scope" value="${name}">
              <span>${words} <small>${name}</small></span></label>`,
            )}
          </fieldset>`;
}

let loading: Promise<GraphiQLAssets | undefined> | undefined;

/** GraphiQL, from our own origin; undefined where the packages for development are not installed. */
function loadGraphiQL(): Promise<GraphiQLAssets | undefined> {
  // Only once somebody opens the console: the module has 9 MB.
  loading ??= readGraphiQL();
  return loading;
}

async function readGraphiQL(): Promise<GraphiQLAssets | undefined> {
  try {
    const packed = await import('@graphql-yoga/render-graphiql/graphiql');
    return {
      script: assetOf(SCRIPT_PATH, SCRIPT, packed.js),
      style: assetOf(STYLE_PATH, STYLE_SHEET, packed.css),
      workers: [
        assetOf(EDITOR_WORKER, SCRIPT, packed.editorWorkerService),
        assetOf(JSON_WORKER, SCRIPT, packed.jsonWorker),
        assetOf(GRAPHQL_WORKER, SCRIPT, packed.graphqlWorker),
      ],
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
