import { html } from 'hono/html';
import type { ScopeDefinition } from '../../scopes/create-catalog.ts';
import { CONSOLE_SCRIPT, CONSOLE_STYLE, hrefOf, ICON } from '../kit/assets.ts';
import { type Html, headOf, layout, type Viewer } from '../kit/layout.ts';
import type { GraphiQLAssets } from './graphiql-assets.ts';

export interface ConsolePage {
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
export function consolePage({ graphiql, clientId, redirectUri, scopes }: ConsolePage): Html {
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
export function consoleMissingPage(viewer: Viewer | undefined): Html {
  const content = html`<h1>The query console is not installed</h1>
      <p>GraphiQL is a development dependency. Run <code>npm ci</code> without <code>--omit=dev</code> to install it.</p>`;
  return layout({ title: 'Not installed', content, corner: viewer ?? 'signed out', shape: 'card' });
}

function scopeGroup({ heading, definitions }: ConsolePage['scopes'][number]): Html {
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
