import { html } from 'hono/html';
import type { Page } from '../../core/page.ts';
import type { ListedFailedRequest } from '../../oauth/clients/failed-request.queries.ts';
import type { Html } from '../kit/layout.ts';
import { moment, pager } from '../kit/page-parts.ts';
import { clientPath } from './client-paths.ts';

/** The commonest question of a developer: why was I refused? */
export function failedRequestsPart(clientId: string, failed: Page<ListedFailedRequest>): Html {
  return html`<article id="refused">
      <h2>Recent failed requests</h2>
      ${
        failed.rows.length === 0
          ? html`<p>No request of this client was refused lately.</p>`
          : html`<p>The newest refused requests of this client:</p>
      <ul class="rows">${failed.rows.map(failedRow)}</ul>`
      }
      ${pager(failed, ({ key }) => key, { path: clientPath(clientId), parameter: 'refused_before' })}
    </article>`;
}

function failedRow({ endpoint, error, description, occurredAt }: ListedFailedRequest): Html {
  return html`<li>
          <p><strong><code>${error}</code></strong> <bdi>${description}</bdi></p>
          <p class="facts"><span>${moment(occurredAt)}</span> <span>${endpoint.toLowerCase()} endpoint</span></p>
        </li>`;
}
