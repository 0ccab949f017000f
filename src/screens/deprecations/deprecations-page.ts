import { html } from 'hono/html';
import { type Deprecation, NOTICE_IN_MONTHS } from '../../graphql/deprecation/deprecated.ts';
import { type Html, layout } from '../kit/layout.ts';

export interface DeprecatedEntry extends Deprecation {
  readonly coordinate: string;
}

/** The policy, and what is deprecated now: the first to go comes first. */
export function deprecationsPage(entries: readonly DeprecatedEntry[]): Html {
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
