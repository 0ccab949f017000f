/** deprecations/ tells what of the API will go, and what is promised about it. It may import kit/ and graphql/. */
import type { GraphQLSchema } from 'graphql';
import { html } from 'hono/html';
import { lazily } from '../../core/lazily.ts';
import { type Deprecation, deprecatedParts, deprecationOf, NOTICE_IN_MONTHS } from '../../graphql/deprecation.ts';
import { type Html, layout } from '../kit/layout.ts';
import { always, type DeclaredPage, openPage } from '../kit/page.ts';

/** Where the answers of operations lead that use what is deprecated. */
export const DEPRECATIONS_PATH = '/deprecations';

/** Lists the deprecated parts of the schema that tokens see. */
export function deprecationsPage(schema: GraphQLSchema): DeclaredPage {
  const shown = lazily(() =>
    listPage(
      deprecatedParts(schema).flatMap(({ coordinate, reason }) => {
        const deprecation = deprecationOf(reason);
        return deprecation ? [{ coordinate, ...deprecation }] : [];
      }),
    ),
  );
  return openPage({ path: DEPRECATIONS_PATH, find: always, show: shown });
}

interface DeprecatedEntry extends Deprecation {
  readonly coordinate: string;
}

/** The policy, and what is deprecated now: the first to go comes first. */
function listPage(entries: readonly DeprecatedEntry[]): Html {
  const inOrder = entries.toSorted((a, b) => (a.sunset < b.sunset ? -1 : 1));
  const content = html`<h1>Deprecations</h1>
    <p>We announce deprecated fields, arguments and values of the API at least ${NOTICE_IN_MONTHS} months before we remove them.
      Until then, they work as before.</p>
    <ul>
      <li>The <a href="/schema.graphql">schema</a> marks them with <code>@deprecated</code>, both dates, and what to use instead.</li>
      <li>Responses to operations that use them have the headers <code>Deprecation</code> (since when) and <code>Sunset</code>
        (the date from which they may be gone).</li>
    </ul>
    <h2>Deprecated now</h2>
    ${inOrder.length === 0 ? html`<p>Nothing.</p>` : table(inOrder)}`;
  return layout({ title: 'Deprecations', content, shape: 'sheet' });
}

function table(entries: readonly DeprecatedEntry[]): Html {
  return html`<table>
      <thead><tr><th scope="col">What</th><th scope="col">Since</th><th scope="col">Gone from</th><th scope="col">Instead</th></tr></thead>
      <tbody>
        ${entries.map(
          ({ coordinate, since, sunset, instead }) =>
            html`<tr><th scope="row"><code>${coordinate}</code></th><td>${since}</td><td>${sunset}</td><td>${instead}</td></tr>`,
        )}
      </tbody>
    </table>`;
}
