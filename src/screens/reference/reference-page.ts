import { html } from 'hono/html';
import { type Html, layout } from '../kit/layout.ts';

export interface ShownPath {
  readonly method: string;
  readonly path: string;
  /** A sentence on what it shows or does. */
  readonly says: string;
  /** What a token must hold; none where no token is needed. */
  readonly scopes: readonly string[];
}

/** All paths with what they do and take, those of one level together. */
export function referencePage(paths: readonly ShownPath[]): Html {
  const levels = Map.groupBy(paths, levelOf);
  const content = html`<h1>REST paths</h1>
    <p>Each path is answered by a fixed GraphQL document. <a href="/openapi.json">The same in OpenAPI 3.1</a> has the
      parameters, bodies, answers and examples too.</p>
    ${[...levels].map(([level, shown]) => html`<h2>${level}</h2>${table(shown)}`)}`;
  return layout({ title: 'REST paths', content, shape: 'sheet' });
}

function levelOf({ path, scopes }: ShownPath): string {
  if (scopes.length === 0) return 'Without a token';
  if (path.startsWith('/v2/organizations/:orgId/teams/:teamId/')) return 'A team within its organization';
  if (path.startsWith('/v2/organizations/')) return 'An organization';
  return path.startsWith('/v2/teams/') ? 'A team' : 'Yours';
}

function table(paths: readonly ShownPath[]): Html {
  return html`<table>
      <thead><tr><th scope="col">Path</th><th scope="col">What it does</th><th scope="col">Scopes</th></tr></thead>
      <tbody>
        ${paths.map(
          ({ method, path, says, scopes }) =>
            html`<tr><th scope="row"><code>${method} ${path}</code></th><td>${says}</td><td>${scopes.join(' ') || 'none'}</td></tr>`,
        )}
      </tbody>
    </table>`;
}
