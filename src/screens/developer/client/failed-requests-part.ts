import { html } from 'hono/html';
import type { Page } from '../../../core/page.ts';
import type { ListedFailedRequest } from '../../../oauth/clients/failed-requests.ts';
import type { Html } from '../../kit/layout.ts';
import { moment, pager, part } from '../../kit/page-parts.ts';
import { clientPath } from '../client-paths.ts';

/** The commonest question of a developer: why was I refused? */
export function failedRequestsPart(clientId: string, failed: Page<ListedFailedRequest>): Html {
  const { rows, hasPreviousPage } = failed;
  const [newest] = rows;
  const gist = newest ? html`<code>${newest.error}</code> ${moment(newest.occurredAt)}` : 'None in the last 7 days';
  return part(
    { id: 'refused', title: 'Recent failed requests', gist, isOpen: hasPreviousPage },
    html`${
      newest
        ? html`<p>Why requests of this client failed, newest first:</p>
      <ul class="rows">${rows.map(failedRow)}</ul>`
        : html`<p>No requests of this client have failed in the last 7 days. When one does, you’ll see why here within a second.</p>`
    }
      ${pager(failed, ({ key }) => key, { path: clientPath(clientId), parameter: 'refused_before' })}`,
  );
}

function failedRow({ endpoint, error, description, occurredAt }: ListedFailedRequest): Html {
  return html`<li>
          <p><strong><code>${error}</code></strong> <bdi>${description}</bdi></p>
          <p class="facts"><span>${moment(occurredAt)}</span> <span>${endpoint.toLowerCase()} endpoint</span></p>
        </li>`;
}
