/** reference/ shows the REST paths to people. It may import kit/. */
import { html } from 'hono/html';
import { lazily } from '../../core/lazily.ts';
import { type Html, layout } from '../kit/layout.ts';
import { always, type DeclaredPage, openPage } from '../kit/page.ts';
import { sendOpenPage } from '../kit/page-response.ts';

/** `/openapi`: the table of paths, as the schema for tokens gives it. */
export function referencePage(paths: () => readonly ShownPath[]): DeclaredPage {
  const shown = lazily(() => listPage(paths()));
  return openPage({ path: '/openapi', find: always, show: ({ c }) => sendOpenPage(c, undefined, shown()) });
}

interface ShownPath {
  readonly method: string;
  readonly path: string;
  /** A sentence on what it shows or does. */
  readonly says: string;
  /** The scopes that a token must hold; none where no token is needed. */
  readonly scopes: readonly string[];
}

/** All paths with what they do and take, those of one level together. */
function listPage(paths: readonly ShownPath[]): Html {
  const levels = Map.groupBy(paths, levelOf);
  const content = html`<h1>REST paths</h1>
    <p>Each path runs a fixed GraphQL document. For parameters, bodies, responses and examples, see the
      <a href="/openapi.json">OpenAPI 3.1 description</a>.</p>
    ${[...levels].map(([level, shown]) => html`<h2>${level}</h2>${list(shown)}`)}`;
  return layout({ title: 'REST paths', content, shape: 'sheet' });
}

function levelOf({ path, scopes }: ShownPath): string {
  if (scopes.length === 0) return 'Without a token';
  if (path.startsWith('/v2/organizations/:orgId/teams/:teamId/')) return 'A team within its organization';
  if (path.startsWith('/v2/organizations/')) return 'An organization';
  return path.startsWith('/v2/teams/') ? 'A team' : 'Yours';
}

/** A list and no table: with addresses as long as these, three columns fit no phone. */
function list(paths: readonly ShownPath[]): Html {
  return html`<ul class="paths">
      ${paths.map(
        ({ method, path, says, scopes }) =>
          html`<li><code>${method} ${path}</code><span>${says}</span><span>${scopes.join(' ') || 'no scope'}</span></li>`,
      )}
    </ul>`;
}
