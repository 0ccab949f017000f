import { html } from 'hono/html';
import type { ScopeDefinition } from '../scopes/create-catalog.ts';
import { CONSOLE_SCRIPT, CONSOLE_STYLE, hrefOf } from './assets.ts';
import { type Html, layout, type Viewer } from './layout.ts';

export interface ConsolePage {
  readonly viewer: Viewer | undefined;
  /** The public client that the console is. */
  readonly clientId: string;
  readonly redirectUri: string;
  /** By what they are about, in words; each in catalogue order. */
  readonly scopes: readonly { readonly heading: string; readonly definitions: readonly ScopeDefinition[] }[];
}

const EXAMPLE = `query Mine {
  me {
    name
    eventTypes(first: 5) {
      nodes { id slug title lengthInMinutes }
    }
  }
}`;

/** Runs operations as an OAuth client like any other: what its token lacks is refused here as it is to an app. */
export function consolePage({ viewer, clientId, redirectUri, scopes }: ConsolePage): Html {
  const content = html`<h1>Query console</h1>
      <p>This page is an OAuth client. It holds the scopes that you give it, and nothing more.</p>
      <noscript><p class="summary">The console needs JavaScript.</p></noscript>
      <form id="console" data-client-id="${clientId}" data-redirect-uri="${redirectUri}">
        <section aria-label="Editor">
          <label for="operation">Operation</label>
          <textarea id="operation" rows="16" spellcheck="false" autocapitalize="off" autocomplete="off">${EXAMPLE}</textarea>
          <label for="variables">Variables, as JSON</label>
          <textarea id="variables" rows="4" spellcheck="false" autocapitalize="off" autocomplete="off"></textarea>
          <div id="choice" hidden>
            <label for="operation-name">Which operation</label>
            <select id="operation-name"></select>
          </div>
          <button type="submit">Run <kbd>Ctrl Enter</kbd></button>
        </section>
        <section class="access" aria-label="Scopes">
          <h2>What this operation needs</h2>
          <div id="needs" aria-live="polite"></div>
          <h2>What your token holds</h2>
          <div id="token" aria-live="polite"></div>
          <p class="tools">
            <button type="button" id="authorize">Get a token for this operation</button>
            <button type="button" id="forget" class="quiet" hidden>Revoke the token</button>
          </p>
          <details>
            <summary>Choose the scopes yourself</summary>
            ${scopes.map(scopeGroup)}
            <button type="button" id="authorize-chosen" class="quiet">Get a token with these</button>
          </details>
        </section>
      </form>
      <section aria-labelledby="answer-heading">
        <h2 id="answer-heading">Answer</h2>
        <p id="outcome" role="status"></p>
        <pre tabindex="0" aria-labelledby="answer-heading"><code id="answer"></code></pre>
      </section>`;
  return layout({ title: 'Query console', content, corner: viewer ?? 'signed out', shape: 'sheet', head: HEAD });
}

const HEAD = html`<link rel="stylesheet" href="${hrefOf(CONSOLE_STYLE)}">
    <script type="module" src="${hrefOf(CONSOLE_SCRIPT)}"></script>`;

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
